/** What is asked over HTTP. */
import { keepSeed } from "../replay/dealReceipts";
import { broke, works } from "./connectivity.svelte";
import type {
  AnalysisState,
  BotInfo,
  Device,
  RuleBook,
  SeatLink,
  TableOptions,
  TableSummary,
} from "./types";

export class Refusal extends Error {
  constructor(
    readonly code: string,
    detail: string,
  ) {
    super(detail);
  }
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  } catch {
    broke();
    throw new Refusal("offline", "");
  }
  works();
  const data: unknown = await answer.json().catch(() => null);
  if (answer.ok) return data as T;
  const problem = (data ?? {}) as { code?: string; detail?: string };
  throw new Refusal(problem.code ?? String(answer.status), problem.detail ?? "");
}

/** Thirty-two random bytes for the deal; works on plain http too. */
export function seed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const at = (table: string): string => `/api/tables/${encodeURIComponent(table)}`;

let known: Promise<Device> | null = null;

/** Let the server know this device; it answers with a cookie. */
export const introduce = (): Promise<Device> =>
  (known ??= ask<Device>("POST", "/api/devices").catch((error: unknown) => {
    known = null;
    throw error;
  }));

export async function create(options: TableOptions): Promise<TableSummary> {
  await introduce();
  return ask("POST", "/api/tables", options);
}

export async function sit(
  table: string,
  name: string | null,
  seat?: number,
): Promise<{ seat: number }> {
  await introduce();
  const own = seed();
  const taken = await ask<{ seat: number }>("POST", `${at(table)}/seats`, {
    name,
    seat: seat ?? null,
    seed: own,
  });
  keepSeed(table, taken.seat, own);
  return taken;
}

export const lobby = (): Promise<TableSummary[]> => ask("GET", "/api/tables");
export const look = (table: string): Promise<TableSummary> => ask("GET", at(table));
export const start = (table: string): Promise<TableSummary> => ask("POST", `${at(table)}/start`);
export const leave = (table: string, seat: number): Promise<unknown> =>
  ask("DELETE", `${at(table)}/seats/${seat}`);
export const seatLink = (table: string, seat: number): Promise<SeatLink> =>
  ask("POST", `${at(table)}/seats/${seat}/links`);
export const rematch = (table: string): Promise<TableSummary> =>
  ask("POST", `${at(table)}/rematch`, {});
export const rules = (table: string): Promise<RuleBook> => ask("GET", `${at(table)}/rules`);
export const record = (table: string): Promise<unknown> => ask("GET", `${at(table)}/record`);
export const analysis = (table: string): Promise<AnalysisState> =>
  ask("GET", `${at(table)}/analysis`);
export const analyse = (table: string): Promise<AnalysisState> =>
  ask("POST", `${at(table)}/analysis`);
export const analyseRecord = (record: unknown): Promise<AnalysisState> =>
  ask("POST", "/api/analyses", { record });
export const recordAnalysis = (id: string): Promise<AnalysisState> =>
  ask("GET", `/api/analyses/${encodeURIComponent(id)}`);
export const bots = (): Promise<BotInfo[]> => ask("GET", "/api/bots");
export const address = (): Promise<{ url: string | null }> => ask("GET", "/api/address");

export async function claim(table: string, secret: string): Promise<{ seat: number }> {
  await introduce();
  return ask("POST", `${at(table)}/claims`, { secret });
}
