/** The data for a graph of the scores. Pure. */
import { scoreLines } from "../net/reducer";
import type { TurnInfo } from "../net/types";

export interface RoundScores {
  turns: readonly TurnInfo[];
  /** The points of the settlement for each seat, if the round has ended. */
  end: readonly number[] | null;
}

/** The head starts as what comes last: they are added at the end of a match. */
export const headStartRound = (ahead: readonly number[]): RoundScores[] =>
  ahead.some((points) => points) ? [{ turns: [], end: ahead }] : [];

export interface Curve {
  /** The totals of all seats, at the start and after every line of the score sheet. */
  totals: number[][];
  /** The indices of those at the end of a round. */
  ends: number[];
}

/** Totals after every line of every round, from zero. */
export function curve(players: number, rounds: readonly RoundScores[]): Curve {
  let now = Array.from({ length: players }, () => 0);
  const totals = [now];
  const ends: number[] = [];
  const add = (points: readonly number[]): void => {
    now = now.map((total, seat) => total + (points[seat] ?? 0));
    totals.push(now);
  };
  for (const { turns, end } of rounds) {
    for (const { seat, points } of scoreLines(turns))
      add(now.map((_, other) => (other === seat ? points : 0)));
    if (end) {
      add(end);
      ends.push(totals.length - 1);
    }
  }
  return { totals, ends };
}

/** About three to five round numbers between the least and the most. */
export function ticks(least: number, most: number): number[] {
  const rough = Math.max(1, (most - least) / 4);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough) ?? rough;
  const out: number[] = [];
  for (let n = Math.ceil(least / step); n * step <= most; n++) out.push(n * step + 0);
  return out;
}
