/** A turn while it is being typed. Pure. */
import { tileOf, type Numbers } from "../board/geometry";
import type { Entry, How, Sheet, Turn } from "./pad";
import { hasMirrorImages, type Bonus, type Rules } from "./rules";

export interface Draft {
  /** The person to move, if somebody chose one. */
  person: number | null;
  digits: number[];
  sum: number | null;
  triple: boolean;
  bonus: Bonus | null;
  draws: number;
}

export const EMPTY: Draft = {
  person: null,
  digits: [],
  sum: null,
  triple: false,
  bonus: null,
  draws: 0,
};

/** The tile with three numbers; in a set without mirror images, in any order. */
export function tileOfDigits(digits: readonly number[], rules: Rules): string {
  const numbers = hasMirrorImages(rules) ? digits : [...digits].sort((a, b) => a - b);
  return tileOf(numbers as unknown as Numbers);
}

/** The draft as a turn of *person* with a tile, or `null` while the tile is incomplete. */
export function laidTurn(draft: Draft, person: number, rules: Rules): Turn | null {
  const rest = {
    ...(draft.bonus ? { bonus: draft.bonus } : {}),
    ...(draft.draws ? { draws: draft.draws } : {}),
  };
  if (draft.sum !== null) {
    const triple = draft.triple || draft.sum === 0 || draft.sum === 15;
    return { do: "turn", person, sum: draft.sum, ...(triple ? { triple } : {}), ...rest };
  }
  if (draft.digits.length < 3) return null;
  return { do: "turn", person, tile: tileOfDigits(draft.digits, rules), ...rest };
}

/** A turn of *person* without a tile. */
export const emptyTurn = (draft: Draft, person: number, how: How): Turn => ({
  do: "turn",
  person,
  ...(draft.draws ? { draws: draft.draws } : {}),
  how,
});

/** How a turn without a tile ends after *draws* draws. */
export const endingOf = (draws: number, rules: Rules): How =>
  draws >= rules.max_draws || (draws > 0 && rules.draw_ends_turn) ? "end" : "pass";

/** The draft that would give this turn. */
export function draftOf(turn: Turn): Draft {
  return {
    person: turn.person,
    digits: turn.tile?.split("-").map(Number) ?? [],
    sum: turn.sum ?? null,
    triple: turn.triple ?? false,
    bonus: turn.bonus ?? null,
    draws: turn.draws ?? 0,
  };
}

/** Whether to ask if the tile is a triple: it scores, and the sum alone does not tell. */
export const asksTriple = (draft: Draft, rules: Rules, opening: boolean): boolean =>
  opening && rules.triple_start_bonus > 0 && [3, 6, 9, 12].includes(draft.sum ?? -1);

/** The points that a line gives a person. */
export function pointsOf(sheet: Sheet, index: number, person: number): number {
  const before = sheet.lines[index - 1]?.totals[person] ?? 0;
  return (sheet.lines[index]?.totals[person] ?? 0) - before;
}

/** The change of each total by a line, without zeros. */
export function changesOf(sheet: Sheet, index: number): Map<number, number> {
  const now = sheet.lines[index]?.totals ?? [];
  const out = new Map<number, number>();
  now.forEach((_, person) => {
    const points = pointsOf(sheet, index, person);
    if (points) out.set(person, points);
  });
  return out;
}

export const isEnd = (entry: Entry): boolean =>
  entry.do === "out" || entry.do === "blocked" || entry.do === "abandoned";

/** Whether a line begins another round; abandoning a match between two rounds does not. */
export function opensRound(sheet: Sheet, index: number): boolean {
  const [before, line] = [sheet.lines[index - 1], sheet.lines[index]];
  return before !== undefined && line?.round !== before.round && line?.entry.do !== "abandoned";
}
