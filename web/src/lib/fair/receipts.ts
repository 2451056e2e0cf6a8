/**
 * What this device was shown before a deal, and what it added: enough to check the deal later, and
 * to prove to others what the server signed. Every seed has an entry of its own, so that two tabs
 * which sit down at the same moment do not overwrite each other.
 */

/** A seed that this device drew for a table. */
export interface Part {
  commitment: string;
  seed: string;
  /** Whether the server has the commitment. */
  accepted?: boolean;
  /** Whether the seed was sent after the opening was found right. */
  revealed?: boolean;
}

/** Why this device did not reveal its seed. */
export type Doubt = "server" | "left_out" | "table" | "signature";

export interface Receipt {
  /** The seats of this device. */
  seats: number[];
  /** The commitment and the key of the server as first seen, and the hash of the rules. */
  commitment?: string;
  public_key?: string;
  rules?: string;
  /** What was signed, and the signatures. */
  opening?: string;
  opening_signature?: string;
  transcript?: string;
  signature?: string;
  doubt?: Doubt;
  /** The seeds that it drew for `fair/2`. */
  parts: Part[];
  /** The seeds that it sent for `fair/1`, by seat. */
  seeds?: Record<string, string>;
}
type Entry = Omit<Receipt, "parts" | "seeds"> & { at: number };

const PREFIX = "triomino-deal/";
const OLD = "triomino-fair";
const SERVER_KEY = "triomino-server-key";
const MOST = 60;

/** Used instead of a storage that is full or, in a private window, absent. */
const memory = new Map<string, string>();

function read<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? memory.get(key) ?? "null") as T | null;
  } catch {
    return JSON.parse(memory.get(key) ?? "null") as T | null;
  }
}

function write(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
  } catch {
    memory.set(key, text);
  }
}

function keys(prefix: string): string[] {
  const found = new Set([...memory.keys()].filter((key) => key.startsWith(prefix)));
  try {
    for (let index = 0; index < localStorage.length; index++) {
      const key = localStorage.key(index);
      if (key?.startsWith(prefix)) found.add(key);
    }
  } catch {
    // No storage: what is in memory is all there is.
  }
  return [...found];
}

function remove(key: string): void {
  memory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // No storage.
  }
}

/** What this device has of a table, or `null` if it never had a seat there. */
export function receiptOf(table: string): Receipt | null {
  const entry = read<Entry>(PREFIX + table);
  if (!entry) return oldReceipt(table);
  const parts = keys(`${PREFIX}${table}/`).flatMap((key) => read<Part>(key) ?? []);
  return { ...entry, parts };
}

/** A receipt of the version before, which knew `fair/1` only. */
function oldReceipt(table: string): Receipt | null {
  const old = read<Record<string, { commitment?: string; seeds?: Record<string, string> }>>(OLD);
  const found = old?.[table];
  if (!found) return null;
  return { seats: Object.keys(found.seeds ?? {}).map(Number), parts: [], ...found };
}

/** A receipt as a file that `triomino verify` reads; `null` if this device committed to nothing. */
export function proofOf(table: string, receipt: Receipt): Record<string, unknown> | null {
  const part = receipt.parts.find(({ accepted }) => accepted) ?? receipt.parts[0];
  if (!part) return null;
  const {
    commitment: server,
    public_key,
    opening,
    opening_signature,
    transcript,
    signature,
  } = receipt;
  const { commitment, seed, revealed = false } = part;
  return {
    format: "triomino-receipt/1",
    ...{ table, server, public_key, commitment, seed, revealed },
    ...{ opening, opening_signature, transcript, signature },
  };
}

/** Add to the receipt of a table. What was seen first stays: it could be changed to fit later. */
export function keep(table: string, more: Partial<Omit<Receipt, "parts" | "seeds">>): void {
  const before = read<Entry>(PREFIX + table);
  if (!before) forgetOldest();
  const seats = more.seats ?? before?.seats ?? [];
  const first = before ? { ...more, ...before } : { ...more, at: Date.now() };
  if (JSON.stringify(before) !== JSON.stringify({ ...first, seats }))
    write(PREFIX + table, { ...first, seats });
}

/** Keep a seed, or what became of it. */
export function keepPart(table: string, part: Part): void {
  const key = `${PREFIX}${table}/${part.commitment}`;
  write(key, { ...read<Part>(key), ...part });
}

/** After leaving the table, nothing that was sent counts there any more. */
export function forgetParts(table: string): void {
  for (const key of keys(`${PREFIX}${table}/`)) remove(key);
}

function forgetOldest(): void {
  const tables = keys(PREFIX).filter((key) => !key.slice(PREFIX.length).includes("/"));
  const age = (key: string): number => read<Entry>(key)?.at ?? 0;
  for (const key of tables.sort((a, b) => age(b) - age(a)).slice(MOST - 1))
    for (const one of [key, ...keys(`${key}/`)]) remove(one);
}

interface KnownKey {
  key: string;
  /** Whether it replaced another one, and nobody has been told yet. */
  isNew: boolean;
}

/** Remember the key of this server; returns whether it replaced one, which a person should know. */
export function seeKey(key: string): boolean {
  const before = read<KnownKey>(SERVER_KEY);
  if (before?.key === key) return before.isNew;
  write(SERVER_KEY, { key, isNew: before !== null });
  return before !== null;
}

/** Remember that a person was told of the new key. */
export function acknowledgeKey(): void {
  const known = read<KnownKey>(SERVER_KEY);
  if (known) write(SERVER_KEY, { ...known, isNew: false });
}
