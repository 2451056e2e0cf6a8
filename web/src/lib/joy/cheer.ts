/** What is celebrated at a table, and how much. Pure. */
import { parsePlace, type Cell } from "../board/geometry";
import type { EndInfo, Result, TurnInfo } from "../net/types";

export interface Cheer {
  kind: "bridge" | "hexagon" | "out" | "win";
  seat: number;
  /** Where it happened, if it is a tile. */
  cell: Cell | null;
  /** From 0, hardly noticed, to 1, the largest. */
  strength: number;
  /** Milliseconds. */
  length: number;
}

const STRENGTH = { bridge: 0.25, hexagon: 0.5, out: 0.5, win: 1 };
/** The longest celebration, in milliseconds. */
export const LONGEST = 1400;
/** A bot's success is celebrated less than a person's. */
const BOT = 0.5;

/** The celebration of what happened last, or `null`. */
export function cheerOf(
  turns: readonly TurnInfo[],
  end: EndInfo | null,
  result: Result | null,
  bots: readonly boolean[],
): Cheer | null {
  const last = turns.at(-1);
  const cell = (last && parsePlace(last.move)?.cell) ?? null;
  const make = (kind: Cheer["kind"], seat: number): Cheer => {
    const strength = STRENGTH[kind] * (bots[seat] ? BOT : 1);
    return { kind, seat, cell, strength, length: LONGEST * (0.5 + strength / 2) };
  };
  // Nobody is cheered for a match that somebody gave up.
  if (end?.reason === "abandoned") return null;
  if (result) {
    // A shared win is celebrated as the largest of them.
    const winner = result.winners.find((seat) => !bots[seat]) ?? result.winners[0];
    return winner === undefined ? null : make("win", winner);
  }
  if (end) return end.reason === "out" ? make("out", end.seats[0] ?? 0) : null;
  if (!last?.bonus || !cell) return null;
  return make(last.bonus === "bridge" ? "bridge" : "hexagon", last.seat);
}
