/** Requests to the HTTP API. */
import { forgetParts } from "../fair/receipts";
import { loadTakePart } from "../fair/loadTakePart";
import type { Described } from "../fair/takePart";
import { isLocal } from "../local/ids";
import type { Recorded } from "../local/review";
import { LEVELS } from "../seatNames";
import { settings } from "../settings.svelte";
import { reportOffline, reportOnline } from "./connectivity.svelte";
import { Refusal } from "./refusal";
import type {
  AnalysisState,
  ArrivedTable,
  BotInfo,
  Device,
  PushState,
  PushSubscription,
  RuleBook,
  SeatLink,
  TableOptions,
  TableSummary,
} from "./types";

export { Refusal };

export async function request<T>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      ...(body === undefined
        ? { headers }
        : {
            body: JSON.stringify(body),
            headers: { ...headers, "content-type": "application/json" },
          }),
    });
  } catch {
    reportOffline();
    throw new Refusal("offline", "");
  }
  reportOnline();
  const data: unknown = await answer.json().catch(() => null);
  if (answer.ok) return data as T;
  const problem = (data ?? {}) as { code?: string; detail?: string };
  throw new Refusal(problem.code ?? String(answer.status), problem.detail ?? "");
}

const tableUrl = (table: string): string => `/api/tables/${encodeURIComponent(table)}`;

/** Tables that live in this browser; not part of the first load. */
const here = (): Promise<typeof import("../local/client")> =>
  import("../local/client").catch(() => Promise.reject(new Refusal("offline", "")));

/** Analyses in this browser; not part of the first load. */
const analyses = (): Promise<typeof import("../local/analyses")> => import("../local/analyses");

/** The static site has no server: all its tables live in this browser. */
export const hasServer = import.meta.env.MODE !== "site";

let device: Promise<Device> | null = null;

/** Register this device once; the server sets a cookie. */
export const registerDevice = (): Promise<Device> =>
  (device ??= request<Device>("POST", "/api/devices").catch((error: unknown) => {
    device = null;
    throw error;
  }));

/** Ask for a secret again: this device was removed from its profile. */
export const forgetDevice = (): void => {
  device = null;
};

/** Set up a table, or one in place of another that nobody else has come to. */
export async function create(
  options: TableOptions,
  replaces: string | null = null,
): Promise<TableSummary> {
  if (!hasServer) return createHere(options);
  const path = replaces === null ? "/api/tables" : `${tableUrl(replaces)}/replacement`;
  const make = (): Promise<TableSummary> => request("POST", path, options);
  // A device that has played before has its cookie, unless somebody deleted it.
  if (settings.tables.every(isLocal)) await registerDevice();
  const made = make().catch(async (error: unknown) => {
    if (!(error instanceof Refusal && error.code === "no_device")) throw error;
    await registerDevice();
    return make();
  });
  // While the server is busy; what cannot be loaded now is asked for again when it is needed.
  loadTakePart().then(
    (fair) => fair.warmUp(),
    () => undefined,
  );
  return made;
}

/** The tables where this device is about to sit down: its commitment is on the way. */
const sitting = new Set<string>();
export const isSitting = (table: string): boolean => sitting.has(table);

/**
 * Take a seat; with what is known of the table, this device also takes part in its deal. With
 * *start* the match is started, too; a connection to the table has to reveal the seed.
 */
export async function sit(
  table: Described,
  name: string | null,
  seat: number | null = null,
  start = false,
): Promise<void> {
  if (isLocal(table.id)) {
    await (await here()).sit(table.id, name, seat);
    return start ? (await here()).start(table.id) : undefined;
  }
  const [fair] = await Promise.all([loadTakePart(), registerDevice()]);
  const commitment = fair.commitmentFor(fair.factsOf(table));
  sitting.add(table.id);
  try {
    await request("POST", `${tableUrl(table.id)}/seats`, { name, seat, commitment, start });
  } finally {
    sitting.delete(table.id);
  }
  if (commitment !== null) fair.accepted(table.id, commitment);
}

/** Commit this device to a seed for the deal of a table where it has a seat, unless it has. */
export async function commit(table: Described): Promise<void> {
  if (isLocal(table.id)) return;
  const fair = await loadTakePart();
  const facts = fair.factsOf(table);
  const commitment = fair.commitmentFor(facts);
  if (commitment === null) return;
  if (!fair.isListed(facts.fair, commitment))
    await request("POST", `${tableUrl(table.id)}/commitments`, { commitment });
  fair.accepted(table.id, commitment);
}

/** Start a match; this device reveals its seed if what the server signed is right. */
export async function start(table: string): Promise<void> {
  if (isLocal(table)) return (await here()).start(table);
  const started = await request<TableSummary>("POST", `${tableUrl(table)}/start`);
  if (started.state !== "opening") return;
  const fair = await loadTakePart();
  const answer = fair.answerOpening(fair.factsOf(started));
  // The page of the table tells of a doubt, and reveals what did not arrive.
  if (answer && "seed" in answer)
    await request("POST", `${tableUrl(table)}/seeds`, { seed: answer.seed }).catch(() => undefined);
}

/** Set up a table in this browser: whoever is no bot sits here. */
export const createHere = async (options: TableOptions): Promise<TableSummary> =>
  (await here()).create(options);

/** Let the server play a match of this browser on; the seat of a friend gets a link. */
export async function moveToServer(
  table: string,
  friend: number | null,
  name: string,
): Promise<ArrivedTable> {
  await registerDevice();
  return (await here()).moveAway(table, friend, name);
}

/** Load what tables in this browser need; what cannot be loaded now is asked for again then. */
export function warmUp(): void {
  here().then(
    (client) => client.warmUp(),
    () => undefined,
  );
}

export const lobby = (): Promise<TableSummary[]> =>
  hasServer ? request("GET", "/api/tables") : Promise.resolve([]);
export const look = async (table: string): Promise<TableSummary> =>
  isLocal(table) ? (await here()).look(table) : request("GET", tableUrl(table));
/** Leave a seat; *last* if it is the only one of this device. */
export async function leave(table: string, seat: number, last: boolean): Promise<void> {
  await request("DELETE", `${tableUrl(table)}/seats/${seat}`);
  if (last) forgetParts(table);
}
/** Take the seat of this device at an open table once more, under another name. */
export async function rename(table: Described, seat: number, name: string): Promise<void> {
  await leave(table.id, seat, true);
  await sit(table, name, seat);
}
export const seatLink = (table: string, seat: number): Promise<SeatLink> =>
  request("POST", `${tableUrl(table)}/seats/${seat}/links`);
export const withdrawSeatLink = (table: string, seat: number): Promise<unknown> =>
  request("DELETE", `${tableUrl(table)}/seats/${seat}/links`);
/**
 * Set up a rematch and start it; returns its table. The devices of the others are given a moment to
 * take part in its deal, those of the *people* who are connected a longer one.
 */
export async function rematch(table: string, people: readonly number[]): Promise<TableSummary> {
  if (isLocal(table)) return rematchHere(table);
  const next = await request<TableSummary>("POST", `${tableUrl(table)}/rematch`, {});
  await commit(next).catch(() => undefined);
  for (let tries = 0; tries < 30; tries++) {
    const { seats = [] } = (await look(next.id)).fair;
    const missing = seats.flatMap(({ devices }, seat) => (devices?.length === 0 ? [seat] : []));
    if (!missing.some((seat) => tries < 6 || people.includes(seat))) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await start(next.id).catch(() => undefined);
  return next;
}
async function rematchHere(table: string): Promise<TableSummary> {
  const next = await (await here()).rematch(table);
  await start(next.id);
  return next;
}
export const rules = async (table: string): Promise<RuleBook> =>
  isLocal(table) ? (await here()).rules(table) : request("GET", `${tableUrl(table)}/rules`);
export const record = async (table: string): Promise<unknown> =>
  isLocal(table) ? (await here()).record(table) : request("GET", `${tableUrl(table)}/record`);
export const analysis = async (table: string): Promise<AnalysisState> =>
  isLocal(table) ? (await analyses()).look(table) : request("GET", `${tableUrl(table)}/analysis`);
export const analyse = async (table: string): Promise<AnalysisState> =>
  isLocal(table)
    ? (await analyses()).begin(table, (await record(table)) as Recorded)
    : request("POST", `${tableUrl(table)}/analysis`);
export const analyseRecord = async (record: unknown): Promise<AnalysisState> =>
  hasServer
    ? request("POST", "/api/analyses", { record })
    : (await analyses()).beginRecord(record as Recorded);
export const recordAnalysis = async (id: string): Promise<AnalysisState> =>
  hasServer
    ? request("GET", `/api/analyses/${encodeURIComponent(id)}`)
    : (await analyses()).look(id);
export const bots = (): Promise<BotInfo[]> =>
  hasServer
    ? request("GET", "/api/bots")
    : Promise.resolve(LEVELS.map((name) => ({ name, why_not: null })));
export const address = (): Promise<{ url: string | null }> =>
  hasServer ? request("GET", "/api/address") : Promise.resolve({ url: null });

export async function claim(table: string, secret: string): Promise<{ seat: number }> {
  await registerDevice();
  return request("POST", `${tableUrl(table)}/claims`, { secret });
}

/** What to subscribe with to be told while the page is closed. */
export const pushState = (): Promise<PushState> => request("GET", "/api/push");
export const subscribePush = (wanted: PushSubscription): Promise<PushState> =>
  request("PUT", "/api/push", wanted);
export const unsubscribePush = (): Promise<void> => request("DELETE", "/api/push");
