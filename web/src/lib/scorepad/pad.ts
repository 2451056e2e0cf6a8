/**
 * The score pad: what people write down, and the sheet that follows from it. Pure.
 *
 * The same reckoning as `triomino.pad`, to which it is held by a test that feeds both the same
 * pads; every number comes from the rules.
 */
import type { Json } from "../net/types";
import {
  bonusPoints,
  HEXAGONS,
  LEAST_TILES,
  reached,
  rulesOf,
  TILES,
  winsByEnding,
  type Bonus,
  type Rules,
} from "./rules";

export type How = "pass" | "end" | "keep";
/** What is left on a rack: its tiles, or what is known of them. */
export type Rack = string[] | { points: number; count?: number };

export interface Setup {
  do: "setup";
  rules: Json;
  names: string[];
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

export type Caution =
  | "player_count"
  | "mid_round"
  | "match_over"
  | "out_of_turn"
  | "must_open"
  | "not_in_set"
  | "laid_twice"
  | "value_used_up"
  | "bonus_too_early"
  | "too_many_draws"
  | "pool_empty"
  | "draw_ends_turn"
  | "rack_not_empty"
  | "pool_left";

export interface Score {
  person: number;
  reason: string;
  points: number;
}

export interface Line {
  round: number;
  entry: Entry;
  scores: Score[];
  totals: number[];
  isLastRound: boolean;
  cautions: Caution[];
}

export interface End {
  reason: "out" | "blocked" | "abandoned";
  persons: number[];
  winners: number[];
}

export interface Sheet {
  rules: Rules;
  names: string[];
  seats: number[];
  lines: Line[];
  totals: number[];
  round: number;
  end: End | null;
  next: number | null;
  laid: number;
  isLastRound: boolean;
  isOver: boolean;
  leaders: number[];
  winners: number[];
  /** Tiles the pool should hold; unknown for a number of players without a rule. */
  pool: number | null;
}

/** What makes no sense on a pad. */
export class PadError extends Error {
  constructor(public readonly code: string) {
    super(code);
  }
}

export const MOST_PEOPLE = 40;
const MOST_DRAWS = 76;
const MOST_POINTS = 99_999;

// --- Steps ---------------------------------------------------------------------------------------

type Step = Entry | Correct;

/** The steps that were taken, and those taken back, the next to take again last. */
export function steps(log: readonly Act[]): { done: Step[]; undone: Step[] } {
  const done: Step[] = [];
  let undone: Step[] = [];
  for (const act of log) {
    if (act.do === "undo") {
      if (done.length < 2) throw new PadError("nothing_to_undo");
      undone.push(done.pop() as Step);
    } else if (act.do === "redo") {
      const step = undone.pop();
      if (!step) throw new PadError("nothing_to_redo");
      done.push(step);
    } else {
      done.push(act);
      undone = [];
    }
  }
  return { done, undone };
}

/** The lines that stand, corrected ones as they were corrected. */
export function linesOf(log: readonly Act[]): Entry[] {
  const out: Entry[] = [];
  for (const step of steps(log).done) {
    if (step.do !== "correct") out.push(step);
    else if (step.line < out.length) out.splice(step.line, 1, ...step.with);
    else throw new PadError("no_such_line");
  }
  return out;
}

/** All that follows from a log. */
export const sheetOf = (log: readonly Act[]): Sheet => reckon(linesOf(log));

/** What speaks against writing *entry* now. */
export function cautionsOf(log: readonly Act[], entry: Entry): Caution[] {
  return sheetOf([...log, entry]).lines.at(-1)?.cautions ?? [];
}

// --- Working it out ------------------------------------------------------------------------------

export const tileSum = (tile: string): number =>
  tile.split("-").reduce((sum, number) => sum + Number(number), 0);
const isTriple = (tile: string): boolean => new Set(tile.split("-")).size === 1;

interface Round {
  number: number;
  totals: number[];
  first: number | null;
  starter: number | null;
  last: number | null;
  hasTile: boolean;
  laid: number;
  draws: number;
  tiles: Set<string>;
  values: Map<number, number>;
  held: Map<number, number>;
}

const newRound = (number: number, totals: number[], first: number | null): Round => ({
  number,
  totals,
  first,
  starter: null,
  last: null,
  hasTile: false,
  laid: 0,
  draws: 0,
  tiles: new Set(),
  values: new Map(),
  held: new Map(),
});

const add = <K>(map: Map<K, number>, key: K, count: number): void => {
  map.set(key, (map.get(key) ?? 0) + count);
};

const unique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

/** A name as people have them: something to see, and nothing that breaks a line. */
export const isName = (name: string): boolean =>
  name.trim() !== "" && [...name].length <= 40 && !/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(name);

function reckon(entries: readonly Entry[]): Sheet {
  const setup = entries[0];
  if (setup?.do !== "setup") throw new PadError("no_setup");
  const rules = rulesOf(setup.rules);
  const set = TILES[rules.tile_set];
  let names: string[] = [];
  let seats: number[] = [];
  let latched = false;
  let end: End | null = null;
  let round = newRound(1, [], null);
  const totals: number[] = [];
  const lines: Line[] = [];

  // --- People ------------------------------------------------------------------------------------

  function seat(newNames: string[], newSeats: number[]): Caution[] {
    if (!newNames.every(isName)) throw new PadError("no_name");
    if (!unique(newNames)) throw new PadError("same_name");
    if (newNames.length < names.length) throw new PadError("name_lost");
    if (newNames.length > MOST_PEOPLE) throw new PadError("too_many_people");
    if (!newSeats.length || !unique(newSeats) || newSeats.some((one) => one >= newNames.length))
      throw new PadError("no_seats");
    const running = end === null && round.last !== null;
    const different = newSeats.join() !== seats.join();
    [names, seats] = [newNames, newSeats];
    while (totals.length < names.length) totals.push(0);
    while (round.totals.length < names.length) round.totals.push(0);
    const out: Caution[] = [];
    if (different && !(seats.length in rules.racks)) out.push("player_count");
    if (different && running) out.push("mid_round");
    return out;
  }

  function checkPerson(person: number): void {
    if (!seats.includes(person)) throw new PadError("not_playing");
  }

  // --- Rounds ------------------------------------------------------------------------------------

  const isLastRound = (): boolean =>
    rules.target === null ||
    latched ||
    (end !== null && seats.some((one) => reached(rules, totals[one] as number)));

  function highest(persons: readonly number[]): number[] {
    const best = Math.max(...persons.map((one) => totals[one] as number));
    return persons.filter((one) => totals[one] === best);
  }

  const leaders = (): number[] =>
    end !== null && rules.target === null && winsByEnding(rules) ? end.winners : highest(seats);

  function isOver(): boolean {
    if (end === null) return false;
    if (end.reason === "abandoned") return true;
    const tied = rules.match_tie === "extra_round" && leaders().length > 1;
    return isLastRound() && !tied;
  }

  function after(person: number | null): number | null {
    const at = person === null ? -1 : seats.indexOf(person);
    return at < 0 ? null : (seats[(at + 1) % seats.length] as number);
  }

  /** Whose turn it is, where that follows from the lines. */
  function next(): number | null {
    if (isOver()) return null;
    if (end === null) return round.last === null ? round.first : after(round.last);
    if (rules.next_starter === "rotate_left") return after(round.starter);
    if (rules.next_starter !== "round_winner") return null;
    // Of several winners, the first to play after the last starter, who comes last.
    const first = after(round.starter);
    const at = first === null ? 0 : seats.indexOf(first);
    const winners: number[] = end.winners;
    return [...seats.slice(at), ...seats.slice(0, at)].find((one) => winners.includes(one)) ?? null;
  }

  /** Begin the next round, where the last one has ended. */
  function begin(person: number | null): Caution[] {
    if (person !== null) checkPerson(person);
    if (end === null) return [];
    const out: Caution[] = isOver() && rules.target !== null ? ["match_over"] : [];
    const first = next();
    latched = isLastRound();
    end = null;
    round = newRound(round.number + 1, [...totals], first);
    return out;
  }

  function pool(): number | null {
    const size = rules.racks[String(seats.length)];
    return size === undefined ? null : set.length - seats.length * size - round.draws;
  }

  // --- A turn ------------------------------------------------------------------------------------

  function count(person: number, points: number): void {
    totals[person] = (totals[person] as number) + points;
    if (rules.target_latch === "any_moment") latched ||= reached(rules, totals[person] as number);
  }

  /** Count scores, and say how they counted where no total falls below zero. */
  function settle(scores: Score[]): Score[] {
    return scores.map((score) => {
      const lost = Math.min(-score.points, Math.max(0, totals[score.person] as number));
      const points = score.points < 0 && rules.floor_at_zero ? 0 - lost : score.points;
      count(score.person, points);
      return { ...score, points };
    });
  }

  function turnCautions(turn: Turn): Caution[] {
    const out: Caution[] = [];
    const expected = next();
    const laid = turn.tile !== undefined || turn.sum !== undefined;
    const draws = turn.draws ?? 0;
    const left = pool();
    if (expected !== null && expected !== turn.person) out.push("out_of_turn");
    if (!laid && !round.laid && !rules.opening_draw) out.push("must_open");
    if (turn.tile !== undefined && !set.includes(turn.tile)) out.push("not_in_set");
    else if (turn.tile !== undefined && round.tiles.has(turn.tile)) out.push("laid_twice");
    else if (laid) {
      const value = turn.sum ?? tileSum(turn.tile as string);
      const alike = set.filter((tile) => tileSum(tile) === value).length;
      if ((round.values.get(value) ?? 0) >= alike) out.push("value_used_up");
    }
    if (turn.bonus && round.laid + 1 < LEAST_TILES[turn.bonus]) out.push("bonus_too_early");
    if (draws > rules.max_draws) out.push("too_many_draws");
    if (left !== null && draws > Math.max(left, 0)) out.push("pool_empty");
    if (draws && laid && rules.draw_ends_turn) out.push("draw_ends_turn");
    return out;
  }

  function takeTurn(turn: Turn): Score[] {
    const { person } = turn;
    const draws = turn.draws ?? 0;
    const left = pool();
    const scores: Score[] = [];
    const give = (reason: string, points: number): void => {
      scores.push({ person, reason, points });
    };
    const noPlay = (when: string, drawn: number): void => {
      if (drawn !== rules.max_draws || rules.no_play_extra_when !== when) return;
      if (rules.scoring && rules.no_play_extra) give("no_play", -rules.no_play_extra);
    };
    for (let drawn = 1; drawn <= draws; drawn++) {
      if (rules.scoring && rules.draw_cost) give("draw", -rules.draw_cost);
      noPlay("on_last_draw", drawn);
    }
    if (turn.tile !== undefined || turn.sum !== undefined) {
      const value = turn.sum ?? tileSum(turn.tile as string);
      const triple = turn.tile === undefined ? turn.triple === true : isTriple(turn.tile);
      if (rules.scoring) {
        if (round.laid) {
          if (rules.placement_sum === "all") give("tile", value);
        } else if (value === 0 && rules.triple_zero_start !== null) {
          give("start", rules.triple_zero_start);
        } else {
          if (rules.placement_sum !== "none") give("tile", value);
          if (triple && rules.triple_start_bonus) give("start", rules.triple_start_bonus);
        }
        if (turn.bonus) give(turn.bonus, bonusPoints(rules, turn.bonus));
      }
      round.laid += 1;
      add(round.held, person, -1);
      add(round.values, value, 1);
      if (turn.tile !== undefined) round.tiles.add(turn.tile);
    } else if (turn.how === "pass") {
      // One passes because the pool is empty; only this house rule lets one pass before.
      const optional = rules.draw_obligation === "one_then_optional";
      const free = optional && draws > 0 && (left === null || left > draws);
      if (!free && rules.scoring && rules.empty_pool_penalty)
        give("empty_pool", -rules.empty_pool_penalty);
    } else noPlay("if_unplaced", draws);
    round.draws += draws;
    add(round.held, person, draws);
    round.last = person;
    round.hasTile = turn.how === undefined;
    round.starter ??= person;
    return settle(scores);
  }

  // --- The end of a round ------------------------------------------------------------------------

  function checkLeft(left: readonly Rack[]): void {
    if (left.length !== seats.length) throw new PadError("racks");
    for (const rack of left) {
      if (Array.isArray(rack)) continue;
      if (rack.points < 0 || rack.points > MOST_POINTS) throw new PadError("rack_points");
      if ((rack.count ?? 0) < 0 || (rack.count ?? 0) > MOST_DRAWS) throw new PadError("rack_count");
    }
  }

  function leftCautions(left: readonly Rack[]): Caution[] {
    const seen = left.flatMap((rack) => (Array.isArray(rack) ? rack : []));
    const out: Caution[] = [];
    if (seen.some((tile) => !set.includes(tile))) out.push("not_in_set");
    if (!unique(seen) || seen.some((tile) => round.tiles.has(tile))) out.push("laid_twice");
    return out;
  }

  function close(reason: End["reason"], persons: number[]): void {
    let winners = persons;
    if (!(winsByEnding(rules) && persons.length)) {
      // A single round is won by the total, a round of a match by what it brought.
      const points = seats.map(
        (one) => (totals[one] as number) - (rules.target === null ? 0 : (round.totals[one] as number)),
      );
      const best = Math.max(...points);
      winners = seats.filter((_, at) => points[at] === best);
    }
    // Where no points are kept, a series counts the rounds won.
    if (!rules.scoring && rules.target !== null)
      for (const one of winners) totals[one] = (totals[one] as number) + 1;
    end = { reason, persons, winners };
  }

  function out({ person, left }: Out): [Score[], Caution[]] {
    const cautions: Caution[] = [];
    if (round.last !== person || !round.hasTile) cautions.push("out_of_turn");
    const size = rules.racks[String(seats.length)];
    if (size !== undefined && size + (round.held.get(person) ?? 0)) cautions.push("rack_not_empty");
    cautions.push(...leftCautions(left));
    checkLeft(left);
    const scores: Score[] = [];
    if (rules.scoring) {
      if (rules.out_bonus) scores.push({ person, reason: "out", points: rules.out_bonus });
      if (rules.out_takes_opponents) {
        const points = left.reduce(
          (sum, rack, at) => (seats[at] === person ? sum : sum + rackPoints(rack)),
          0,
        );
        scores.push({ person, reason: "others_left", points });
      }
    }
    const settled = settle(scores);
    close("out", [person]);
    return [settled, cautions];
  }

  function blocked({ left }: Blocked): [Score[], Caution[]] {
    const cautions: Caution[] = [];
    if ((pool() ?? 0) > 0 && rules.blocked_when !== "all_pass") cautions.push("pool_left");
    cautions.push(...leftCautions(left));
    checkLeft(left);
    const winners = blockedWinners(left, rules);
    const scores = blockedScores(left, rules, winners).map((score) => ({
      ...score,
      person: seats[score.person] as number,
    }));
    const settled = settle(scores);
    close("blocked", winners.map((at) => seats[at] as number));
    return [settled, cautions];
  }

  // --- Line by line ------------------------------------------------------------------------------

  function write(entry: Entry, index: number): [Score[], Caution[]] {
    switch (entry.do) {
      case "setup":
        if (index) throw new PadError("second_setup");
        return [[], seat(entry.names, entry.names.map((_, at) => at))];
      case "players":
        return [[], seat(entry.names, entry.seats)];
      case "turn": {
        checkTurn(entry);
        const started = begin(entry.person);
        const cautions = turnCautions(entry);
        return [takeTurn(entry), [...started, ...cautions]];
      }
      case "out": {
        const started = begin(entry.person);
        const [scores, cautions] = out(entry);
        return [scores, [...started, ...cautions]];
      }
      case "blocked": {
        const started = begin(null);
        const [scores, cautions] = blocked(entry);
        return [scores, [...started, ...cautions]];
      }
      case "abandoned": {
        const { person } = entry;
        if (person !== null) checkPerson(person);
        begin(null);
        const others = seats.filter((one) => person !== null && one !== person);
        end = { reason: "abandoned", persons: [], winners: highest(others) };
        return [[], []];
      }
      case "extra":
        checkPerson(entry.person);
        if (Math.abs(entry.points) > MOST_POINTS) throw new PadError("extra_points");
        count(entry.person, entry.points);
        return [[], []];
    }
  }

  entries.forEach((entry, index) => {
    const [scores, cautions] = write(entry, index);
    lines.push({
      round: round.number,
      entry,
      scores,
      totals: [...totals],
      isLastRound: isLastRound(),
      cautions,
    });
  });
  const last = end as End | null;
  const over = isOver();
  const gaveUp = last?.reason === "abandoned";
  const ahead = gaveUp ? highest(seats) : leaders();
  return {
    rules,
    names,
    seats,
    lines,
    totals: [...totals],
    round: round.number,
    end: last,
    next: next(),
    laid: round.laid,
    isLastRound: isLastRound(),
    isOver: over,
    leaders: ahead,
    winners: gaveUp ? last.winners : over ? ahead : [],
    pool: pool(),
  };
}

function checkTurn(turn: Turn): void {
  const draws = turn.draws ?? 0;
  if (draws < 0 || draws > MOST_DRAWS) throw new PadError("draws");
  if (turn.sum !== undefined && (turn.sum < 0 || turn.sum > 15)) throw new PadError("sum");
  const laid = turn.tile !== undefined || turn.sum !== undefined;
  if (laid === (turn.how !== undefined)) throw new PadError("tile_or_end");
  if (turn.bonus && turn.bonus !== "bridge" && !HEXAGONS.includes(turn.bonus))
    throw new PadError("bonus");
  if (turn.bonus && !laid) throw new PadError("bonus");
}

// --- Racks ---------------------------------------------------------------------------------------

export const rackPoints = (rack: Rack): number =>
  Array.isArray(rack) ? rack.reduce((sum, tile) => sum + tileSum(tile), 0) : rack.points;

function rackCount(rack: Rack): number {
  if (Array.isArray(rack)) return rack.length;
  if (rack.count === undefined) throw new PadError("count_needed");
  return rack.count;
}

/** Whether it has to be known how many tiles are left to settle a blocked round. */
export const needsCounts = (rules: Rules): boolean =>
  rules.blocked.startsWith("fewest_tiles") ||
  (rules.blocked !== "subtract_own" && rules.blocked_tie === "fewest_tiles");

function lowest(values: readonly number[]): number[] {
  const least = Math.min(...values);
  return values.flatMap((value, at) => (value === least ? [at] : []));
}

function blockedWinners(left: readonly Rack[], rules: Rules): number[] {
  if (rules.blocked === "subtract_own") return [];
  if (rules.blocked.startsWith("fewest_tiles")) return lowest(left.map(rackCount));
  const found = lowest(left.map(rackPoints));
  if (rules.blocked_tie !== "fewest_tiles") return found;
  const fewest = lowest(found.map((at) => rackCount(left[at] as Rack)));
  return fewest.map((at) => found[at] as number);
}

function blockedScores(left: readonly Rack[], rules: Rules, winners: readonly number[]): Score[] {
  if (!rules.scoring || rules.blocked === "fewest_tiles") return [];
  const points = left.map(rackPoints);
  if (rules.blocked === "subtract_own")
    return points.map((own, person) => ({ person, reason: "own_left", points: 0 - own }));
  if (winners.length > 1 && rules.blocked_tie === "none") return [];
  return winners.flatMap((person) => {
    const spared = rules.blocked_tie === "losers_only" ? winners : [person];
    const others = points.filter((_, at) => !spared.includes(at));
    const own = points[person] as number;
    const out: Score[] = [
      { person, reason: "others_left", points: others.reduce((sum, one) => sum + one, 0) },
    ];
    if (rules.blocked === "lowest_takes_others_minus_own")
      out.push({ person, reason: "own_left", points: 0 - own });
    else if (rules.blocked === "lowest_takes_differences")
      out.push({ person, reason: "own_left", points: 0 - own * others.length });
    return out;
  });
}
