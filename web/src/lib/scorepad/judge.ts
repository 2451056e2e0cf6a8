/**
 * The referee: whether a tile may be laid, and what it scores. Pure.
 *
 * Gives the same answers as `triomino judge`; a test compares them.
 */
import {
  cellText,
  neighbours,
  numbersOf,
  ring,
  tileOf,
  vertexText,
  vertices,
  type Cell,
  type Place,
  type Vertex,
} from "../board/geometry";
import { bonusPoints, HEXAGONS, tilesOf, type Bonus, type Rules } from "./rules";

export type Why = "not_in_set" | "already_laid" | "occupied" | "no_shared_edge" | "corner_mismatch";
export type Verdict =
  | { legal: true; why: null; value: number; bonus: Bonus | null; points: number }
  | { legal: false; why: Why };

/** A board, indexed by cell and vertex. */
class Laid {
  private readonly cells: Set<string>;
  readonly numbers: Map<string, number>;

  constructor(readonly places: readonly Place[]) {
    this.cells = new Set(places.map(({ cell }) => cellText(cell)));
    this.numbers = new Map([...numbersOf(places)].map(([name, { value }]) => [name, value]));
  }
  has(cell: Cell): boolean {
    return this.cells.has(cellText(cell));
  }
  at(vertex: Vertex): number | undefined {
    return this.numbers.get(vertexText(vertex));
  }
}

/** Whether a board is impossible: two tiles in a cell or, if *strict*, one tile twice, or a mismatch. */
export function wrongBoard(places: readonly Place[], strict = true): boolean {
  const cells = new Set<string>();
  const tiles = new Set<string>();
  const numbers = new Map<string, number>();
  for (const { cell, numbers: own } of places) {
    const [name, tile] = [cellText(cell), tileOf(own)];
    if (cells.has(name) || (strict && tiles.has(tile))) return true;
    cells.add(name);
    tiles.add(tile);
    const agrees = vertices(cell).every((vertex, index) => {
      const point = vertexText(vertex);
      const value = own[index] as number;
      const there = numbers.get(point) ?? value;
      numbers.set(point, there);
      return there === value;
    });
    if (!agrees) return true;
  }
  return false;
}

function whyNot(laid: Laid, { cell, numbers }: Place, rules: Rules, strict: boolean): Why | null {
  const tile = tileOf(numbers);
  if (!tilesOf(rules).includes(tile)) return "not_in_set";
  if (strict && laid.places.some((place) => tileOf(place.numbers) === tile)) return "already_laid";
  if (laid.has(cell)) return "occupied";
  if (!laid.places.length) return null;
  if (!neighbours(cell).some((other) => laid.has(other))) return "no_shared_edge";
  const fits = vertices(cell).every((vertex, index) => {
    const there = laid.at(vertex);
    return there === undefined || there === numbers[index];
  });
  return fits ? null : "corner_mismatch";
}

function bonusOf(laid: Laid, cell: Cell, rules: Rules): Bonus | null {
  const corners = vertices(cell);
  const beside = neighbours(cell);
  const closed = corners.filter(
    (vertex) => ring(vertex).filter((other) => !laid.has(other)).length === 1,
  ).length;
  // A hexagon replaces a bridge under every bridge rule.
  if (closed) return HEXAGONS[closed - 1] as Bonus;
  const shared = beside.map((other) => laid.has(other));
  const edges = shared.filter(Boolean).length;
  const all = corners.every((vertex) => laid.at(vertex) !== undefined);
  const apex = (edge: number): Vertex => corners[(edge + 2) % 3] as Vertex;
  const isBridge = (): boolean => {
    switch (rules.bridge_rule) {
      case "one_free_side":
        return all && edges > 0 && edges < 3;
      case "three_corners":
        return all && edges > 0;
      case "apex_contact": {
        const near = new Set(beside.map(cellText));
        return [0, 1, 2].some(
          (edge) =>
            shared[edge] &&
            ring(apex(edge)).some((other) => laid.has(other) && !near.has(cellText(other))),
        );
      }
      default:
        return edges === 1 && laid.at(apex(shared.indexOf(true))) !== undefined;
    }
  };
  return isBridge() ? "bridge" : null;
}

/** Judge one placement on a possible board. */
export function judge(
  places: readonly Place[],
  place: Place,
  rules: Rules,
  strict = true,
): Verdict {
  const laid = new Laid(places);
  const why = whyNot(laid, place, rules, strict);
  if (why !== null) return { legal: false, why };
  const value = place.numbers.reduce((sum, number) => sum + number, 0);
  const triple = new Set(place.numbers).size === 1;
  if (!rules.scoring) return { legal: true, why: null, value, bonus: null, points: 0 };
  if (!places.length) {
    let points = rules.placement_sum === "none" ? 0 : value;
    if (value === 0 && rules.triple_zero_start !== null) points = rules.triple_zero_start;
    else if (triple) points += rules.triple_start_bonus;
    return { legal: true, why: null, value, bonus: null, points };
  }
  const bonus = bonusOf(laid, place.cell, rules);
  const points =
    (rules.placement_sum === "all" ? value : 0) + (bonus ? bonusPoints(rules, bonus) : 0);
  return { legal: true, why: null, value, bonus, points };
}
