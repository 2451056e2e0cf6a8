/** Requests to the HTTP API. */
import { randomHex } from "../randomHex";
import { keepSeed } from "../replay/dealReceipts";
import { reportOffline, reportOnline } from "./connectivity.svelte";
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

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
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

let device: Promise<Device> | null = null;

/** Register this device once; the server sets a cookie. */
export const registerDevice = (): Promise<Device> =>
  (device ??= request<Device>("POST", "/api/devices").catch((error: unknown) => {
    device = null;
    throw error;
  }));

export async function create(options: TableOptions): Promise<TableSummary> {
  await registerDevice();
  return request("POST", "/api/tables", options);
}

export async function sit(
  table: string,
  name: string | null,
  seat?: number,
): Promise<{ seat: number }> {
  await registerDevice();
  const own = randomHex(32);
  const taken = await request<{ seat: number }>("POST", `${tableUrl(table)}/seats`, {
    name,
    seat: seat ?? null,
    seed: own,
  });
  keepSeed(table, taken.seat, own);
  return taken;
}

export const lobby = (): Promise<TableSummary[]> => request("GET", "/api/tables");
export const look = (table: string): Promise<TableSummary> => request("GET", tableUrl(table));
export const start = (table: string): Promise<TableSummary> =>
  request("POST", `${tableUrl(table)}/start`);
export const leave = (table: string, seat: number): Promise<unknown> =>
  request("DELETE", `${tableUrl(table)}/seats/${seat}`);
export const seatLink = (table: string, seat: number): Promise<SeatLink> =>
  request("POST", `${tableUrl(table)}/seats/${seat}/links`);
export const withdrawSeatLink = (table: string, seat: number): Promise<unknown> =>
  request("DELETE", `${tableUrl(table)}/seats/${seat}/links`);
export const rematch = (table: string): Promise<TableSummary> =>
  request("POST", `${tableUrl(table)}/rematch`, {});
export const rules = (table: string): Promise<RuleBook> =>
  request("GET", `${tableUrl(table)}/rules`);
export const record = (table: string): Promise<unknown> =>
  request("GET", `${tableUrl(table)}/record`);
export const analysis = (table: string): Promise<AnalysisState> =>
  request("GET", `${tableUrl(table)}/analysis`);
export const analyse = (table: string): Promise<AnalysisState> =>
  request("POST", `${tableUrl(table)}/analysis`);
export const analyseRecord = (record: unknown): Promise<AnalysisState> =>
  request("POST", "/api/analyses", { record });
export const recordAnalysis = (id: string): Promise<AnalysisState> =>
  request("GET", `/api/analyses/${encodeURIComponent(id)}`);
export const bots = (): Promise<BotInfo[]> => request("GET", "/api/bots");
export const address = (): Promise<{ url: string | null }> => request("GET", "/api/address");

export async function claim(table: string, secret: string): Promise<{ seat: number }> {
  await registerDevice();
  return request("POST", `${tableUrl(table)}/claims`, { secret });
}
