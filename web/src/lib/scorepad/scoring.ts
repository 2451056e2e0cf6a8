/** Points as events with a reason: the same as `triomino.scoring`. Pure. */
import { PadError, type Rack, type Turn } from "./acts";
import { bonusPoints, type Rules } from "./rules";

export interface Score {
  seat: number;
  reason: string;
  points: number;
}

export const tileSum = (tile: string): number =>
  tile.split("-").reduce((sum, number) => sum + Number(number), 0);
const isTriple = (tile: string): boolean => new Set(tile.split("-")).size === 1;

/** The sum of the tile laid in a turn, or `null` without one. */
export function laidSum({ tile, sum }: Turn): number | null {
  return tile === undefined ? (sum ?? null) : tileSum(tile);
}

const given = (seat: number, reason: string, points: number): Score[] =>
  points ? [{ seat, reason, points }] : [];

function noPlayScores(seat: number, draws: number, rules: Rules, when: string): Score[] {
  const isDue = rules.scoring && draws === rules.max_draws && rules.no_play_extra_when === when;
  return isDue ? given(seat, "no_play", -rules.no_play_extra) : [];
}

/** The cost of draw number *count* of a turn. */
export function drawScores(seat: number, count: number, rules: Rules): Score[] {
  const cost = rules.scoring ? given(seat, "draw", -rules.draw_cost) : [];
  return [...cost, ...noPlayScores(seat, count, rules, "on_last_draw")];
}

/** The cost of ending a turn without a tile. */
export const unplacedScores = (seat: number, draws: number, rules: Rules): Score[] =>
  noPlayScores(seat, draws, rules, "if_unplaced");

/** The cost of passing because the pool is empty. */
export const emptyPoolScores = (seat: number, rules: Rules): Score[] =>
  rules.scoring ? given(seat, "empty_pool", -rules.empty_pool_penalty) : [];

/** The scores for the tile of a turn. */
export function laidScores(turn: Turn, rules: Rules, opening: boolean): Score[] {
  const value = laidSum(turn);
  if (!rules.scoring || value === null) return [];
  const seat = turn.person;
  const scores: Score[] = [];
  if (opening && value === 0 && rules.triple_zero_start !== null) {
    scores.push({ seat, reason: "start", points: rules.triple_zero_start });
  } else if (opening) {
    const triple = turn.tile === undefined ? turn.triple === true : isTriple(turn.tile);
    if (rules.placement_sum !== "none") scores.push({ seat, reason: "tile", points: value });
    if (triple) scores.push(...given(seat, "start", rules.triple_start_bonus));
  } else if (rules.placement_sum === "all") scores.push({ seat, reason: "tile", points: value });
  if (turn.bonus) scores.push({ seat, reason: turn.bonus, points: bonusPoints(rules, turn.bonus) });
  return scores;
}

/** The scores for going out; *others* are the racks of everybody else. */
export function outScores(seat: number, others: readonly Rack[], rules: Rules): Score[] {
  if (!rules.scoring) return [];
  const scores = given(seat, "out", rules.out_bonus);
  if (!rules.out_takes_opponents) return scores;
  return [...scores, { seat, reason: "others_left", points: sumOf(others.map(rackPoints)) }];
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);

/** The scores cut so that no total falls below zero. */
export function floored(scores: readonly Score[], totals: readonly number[]): Score[] {
  const now = [...totals];
  return scores.map((score) => {
    const total = now[score.seat] ?? 0;
    const lost = Math.min(-score.points, Math.max(0, total));
    const points = score.points < 0 ? 0 - lost : score.points;
    now[score.seat] = total + points;
    return { ...score, points };
  });
}

export const rackPoints = (rack: Rack): number =>
  Array.isArray(rack) ? sumOf(rack.map(tileSum)) : rack.points;

function rackCount(rack: Rack): number {
  if (Array.isArray(rack)) return rack.length;
  if (rack.count === undefined) throw new PadError("count_needed");
  return rack.count;
}

/** Whether settling a blocked round needs the number of tiles left. */
export const needsCounts = (rules: Rules): boolean =>
  rules.blocked.startsWith("fewest_tiles") ||
  (rules.blocked !== "subtract_own" && rules.blocked_tie === "fewest_tiles");

function lowest(values: readonly number[]): number[] {
  const least = Math.min(...values);
  return values.flatMap((value, at) => (value === least ? [at] : []));
}

/** The winners of a blocked round, as indices in turn order. */
export function blockedWinners(left: readonly Rack[], rules: Rules): number[] {
  if (rules.blocked === "subtract_own") return [];
  if (rules.blocked.startsWith("fewest_tiles")) return lowest(left.map(rackCount));
  const found = lowest(left.map(rackPoints));
  if (rules.blocked_tie !== "fewest_tiles") return found;
  const fewest = lowest(found.map((at) => rackCount(left[at] as Rack)));
  return fewest.map((at) => found[at] as number);
}

/** The scores of a blocked round, with indices in turn order as seats. */
export function blockedScores(
  left: readonly Rack[],
  rules: Rules,
  winners: readonly number[],
): Score[] {
  if (!rules.scoring || rules.blocked === "fewest_tiles") return [];
  const points = left.map(rackPoints);
  if (rules.blocked === "subtract_own")
    return points.map((own, seat) => ({ seat, reason: "own_left", points: 0 - own }));
  if (winners.length > 1 && rules.blocked_tie === "none") return [];
  return winners.flatMap((seat) => {
    const spared = rules.blocked_tie === "losers_only" ? winners : [seat];
    const others = points.filter((_, at) => !spared.includes(at));
    const own = points[seat] as number;
    const out: Score[] = [{ seat, reason: "others_left", points: sumOf(others) }];
    if (rules.blocked === "lowest_takes_others_minus_own")
      out.push({ seat, reason: "own_left", points: 0 - own });
    else if (rules.blocked === "lowest_takes_differences")
      out.push({ seat, reason: "own_left", points: 0 - own * others.length });
    return out;
  });
}
