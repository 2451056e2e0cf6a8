/** What people write on a score pad: entries, corrections, undo and redo. Pure. */
import { HEXAGONS, type Bonus, type Rules } from "./rules";

export type How = "pass" | "end" | "keep";
/** What is left on a rack: its tiles, or their points and perhaps their number. */
export type Rack = string[] | { points: number; count?: number };

export interface Setup {
  do: "setup";
  rules: Rules;
  names: string[];
  /** After so many rounds the match ends, as at a club evening. */
  rounds?: number;
}
export interface Players {
  do: "players";
  names: string[];
  seats: number[];
}
export interface Turn {
  do: "turn";
  person: number;
  tile?: string;
  sum?: number;
  triple?: boolean;
  bonus?: Bonus;
  draws?: number;
  how?: How;
}
export interface Out {
  do: "out";
  person: number;
  left: Rack[];
}
export interface Blocked {
  do: "blocked";
  left: Rack[];
}
export interface Abandoned {
  do: "abandoned";
  person: number | null;
}
export interface Extra {
  do: "extra";
  person: number;
  points: number;
}
export type Entry = Setup | Players | Turn | Out | Blocked | Abandoned | Extra;
export interface Correct {
  do: "correct";
  line: number;
  with: Entry[];
}
export type Act = Entry | Correct | { do: "undo" } | { do: "redo" };

/** An act that makes no sense on this pad. */
export class PadError extends Error {
  constructor(public readonly code: string) {
    super(code);
  }
}

export const MOST_PEOPLE = 40;
export const MOST_DRAWS = 76;
export const MOST_POINTS = 99_999;

/** Whether a name is visible, short enough and free of control characters and line breaks. */
export const isName = (name: string): boolean =>
  name.trim() !== "" && [...name].length <= 40 && !/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(name);

/** Throw `PadError` for a turn that makes no sense by itself. */
export function checkTurn(turn: Turn): void {
  const draws = turn.draws ?? 0;
  if (draws < 0 || draws > MOST_DRAWS) throw new PadError("draws");
  if (turn.sum !== undefined && (turn.sum < 0 || turn.sum > 15)) throw new PadError("sum");
  const laid = turn.tile !== undefined || turn.sum !== undefined;
  if (laid === (turn.how !== undefined)) throw new PadError("tile_or_end");
  if (turn.bonus && turn.bonus !== "bridge" && !HEXAGONS.includes(turn.bonus))
    throw new PadError("bonus");
  if (turn.bonus && !laid) throw new PadError("bonus");
}
