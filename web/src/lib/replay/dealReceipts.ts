/** What this device was shown of a deal, and what it added to it: kept to be compared later. */
import type { DealReceipt } from "./fair";

const KEY = "triomino-fair";
const MOST = 40;

function readAll(): Record<string, DealReceipt> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, DealReceipt>;
  } catch {
    return {};
  }
}

function update(table: string, change: (before: DealReceipt) => DealReceipt): void {
  const { [table]: before = {}, ...others } = readAll();
  const kept = Object.entries(others).slice(-MOST + 1);
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify(Object.fromEntries([...kept, [table, change(before)]])),
    );
  } catch {
    // A private window keeps nothing; the deal is fair all the same.
  }
}

export const receiptOf = (table: string): DealReceipt | null => readAll()[table] ?? null;

/** The first commitment one was shown counts: a later one could have been made to fit. */
export function keepCommitment(table: string, commitment: string): void {
  if (receiptOf(table)?.commitment === undefined)
    update(table, (before) => ({ ...before, commitment }));
}

export function keepSeed(table: string, seat: number, seed: string): void {
  update(table, (before) => ({ ...before, seeds: { ...before.seeds, [seat]: seed } }));
}
