import type { Poster } from "./poster";

/** A line for each seat; where points are kept, the highest total comes first. */
export function posterLines(
  names: readonly string[],
  totals: readonly number[],
  winners: readonly number[],
  scoring: boolean,
): Poster["lines"] {
  const seats = names.map((_, seat) => seat);
  if (scoring) seats.sort((a, b) => (totals[b] ?? 0) - (totals[a] ?? 0));
  return seats.map((seat) => ({
    name: names[seat] ?? "",
    score: scoring ? String(totals[seat] ?? 0) : "",
    first: winners.includes(seat),
  }));
}
