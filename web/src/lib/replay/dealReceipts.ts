/** What this device was shown of a deal, and what it added to it: kept to be compared later. */
import type { Promised } from "./fair";

const KEY = "triomino-fair";
const MOST = 40;

function all(): Record<string, Promised> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, Promised>;
  } catch {
    return {};
  }
}

function keep(table: string, change: (before: Promised) => Promised): void {
  const { [table]: before = {}, ...others } = all();
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

export const promised = (table: string): Promised | null => all()[table] ?? null;

/** The first commitment one was shown counts: a later one could have been made to fit. */
export function keepCommitment(table: string, commitment: string): void {
  if (promised(table)?.commitment === undefined)
    keep(table, (before) => ({ ...before, commitment }));
}

export function keepSeed(table: string, seat: number, seed: string): void {
  keep(table, (before) => ({ ...before, seeds: { ...before.seeds, [seat]: seed } }));
}
