/** The rule book as keys and values, from a file generated from the rules. */
import { parsePlace, type Place } from "../board/geometry";
import type { EditionName } from "../editions";
import type { RuleBook, RuleSum } from "../net/types";
import { judge, type Verdict } from "../kernel/referee";
import { BONUSES, bonusPoints, type Bonus, type Rules } from "../scorepad/rules";
import data from "./book.json";

export const BOOKS = data.editions as unknown as Record<EditionName, RuleBook>;

export interface Figure {
  board: Place[];
  place: Place;
}

/** The board and the placement of a figure. */
export function figure(name: string): Figure {
  const found = data.figures[name as keyof typeof data.figures];
  const places = [...found.board, found.place].map((text) => parsePlace(text) as Place);
  return { board: places.slice(0, -1), place: places.at(-1) as Place };
}

export interface RackFigure {
  board: Place[];
  rack: string[];
  /** How many tiles at the end of the rack have just been drawn. */
  drawn: number;
}

/** A figure of what a player holds, or `null` if the name is that of a placement. */
export function rackFigure(name: string): RackFigure | null {
  if (!(name in data.racks)) return null;
  const { board, rack, drawn } = data.racks[name as keyof typeof data.racks];
  return { board: board.map((text) => parsePlace(text) as Place), rack, drawn };
}

/** A worked sum, such as `20 − 5 + 11 = 26`; a score of nothing is left out. */
export function workedText({ start, parts, total }: RuleSum): string {
  const signs = parts.map((part) => `${part < 0 ? "−" : "+"} ${Math.abs(part)}`);
  const sum = start ? [start, ...signs].join(" ") : signs.join(" ").replace(/^\+ /, "");
  const result = total < 0 ? `−${-total}` : String(total);
  return sum === result ? `+${result}` : `${sum} = ${result}`;
}

/** The points of a legal placement as a sum, such as `3 + 4 + 4 + 40 = 51`. */
export function sumText(
  { place }: Figure,
  verdict: Verdict,
  rules: Rules,
  isFirst: boolean,
): string {
  if (!verdict.legal || !verdict.points) return "";
  const counts = rules.placement_sum === "all" || (isFirst && rules.placement_sum !== "none");
  const parts = counts ? [...place.numbers] : [];
  if (verdict.bonus) parts.push(bonusPoints(rules, verdict.bonus));
  return parts.length > 1 ? `${parts.join(" + ")} = ${verdict.points}` : `+${verdict.points}`;
}

/** The referee's verdict on a figure. */
export const verdictOf = ({ board, place }: Figure, rules: Rules): Verdict =>
  judge(board, place, rules);

export const isBonus = (name: string): name is Bonus => BONUSES.includes(name as Bonus);

/** The exercises of each chapter. */
export const EXERCISES: Record<string, readonly string[]> = {
  lay: ["match"],
  bridge: ["bridge"],
  hexagon: ["hexagon", "double_hexagon", "triple_hexagon"],
};
