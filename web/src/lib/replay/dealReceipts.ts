/** The commitments shown to this device and the seeds it sent, stored to check the deal later. */
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
    // A private window has no storage; the deal can then be checked in part only.
  }
}

export const receiptOf = (table: string): DealReceipt | null => readAll()[table] ?? null;

/** Only the first commitment counts: a later one could have been chosen to fit. */
export function keepCommitment(table: string, commitment: string): void {
  if (receiptOf(table)?.commitment === undefined)
    update(table, (before) => ({ ...before, commitment }));
}

export function keepSeed(table: string, seat: number, seed: string): void {
  update(table, (before) => ({ ...before, seeds: { ...before.seeds, [seat]: seed } }));
}
