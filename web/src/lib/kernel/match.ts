/** A match in the kernel: every rule is decided there. */
import {
  BONUSES,
  hexNumbers,
  moveNumbers,
  realNumbers,
  textNumbers,
  tileNumber,
  wideNumbers,
  type Answer,
  type Dice,
  type Kernel,
  type Score,
} from "./kernel";
import type { HintReason } from "../net/types";
import names from "./names.json";
import { ruleNumbers } from "./rules";

export interface Ply {
  seat: number;
  move: string;
  /** The tile drawn. */
  tile: string | null;
  /** Whether the move ended the turn. */
  passesOn: boolean;
  scores: Score[];
}

export interface RoundState {
  starter: number;
  turn: number;
  /** Tiles drawn in the current turn. */
  draws: number;
  plies: number;
  startTotals: number[];
  totals: number[];
  startDraws: { seat: number; tile: string }[];
  /** As they were dealt. */
  dealt: string[][];
  pool: string[];
  /** As they are now, in the order the tiles came. */
  racks: string[][];
  poolSize: number;
  end: { reason: string; seats: number[]; winners: number[]; scores: Score[] } | null;
}

export interface Standing {
  rounds: number;
  isOver: boolean;
  isLastRound: boolean;
  winners: number[];
  totals: number[];
}

export interface LegalMove {
  move: string;
  points: number;
  bonus: string | null;
}

/** The settings of a search, as `triomino.kernel.Effort`. */
export interface Effort {
  /** `null`: the time counts. */
  rollouts: number | null;
  milliseconds: number;
  may_draw: boolean;
  forced_draw_prior: number;
  win_weight: number;
  endgame_nodes: number;
  endgame_pool: number;
  judges: boolean;
  /** `null`: one more than there are players. */
  horizon: number | null;
  greedy_rivals: boolean;
  prior_worlds: number;
  plies: number;
}

/** The settings of hints and reviews: those of the server. */
export const EFFORTS: Record<"hint" | "review", Effort> = names.efforts;

const effortNumbers = ({ rollouts, milliseconds, ...rest }: Effort): number[] => [
  ...wideNumbers(rollouts ?? 0),
  ...wideNumbers(milliseconds * 1e6),
  Number(rest.may_draw),
  rest.forced_draw_prior,
  rest.win_weight,
  rest.endgame_nodes,
  rest.endgame_pool,
  Number(rest.judges),
  rest.horizon ?? -1,
  Number(rest.greedy_rivals),
  rest.prior_worlds,
  rest.plies,
];

export interface Candidate {
  move: string;
  win: number;
  margin: number;
  /** The standard error of the margin. */
  error: number;
  worlds: number;
  exact: boolean;
}

/** The deal of a recorded round. */
export interface Dealt {
  starter: number;
  startDraws: readonly { seat: number; tile: string }[];
  racks: readonly (readonly string[])[];
  pool: readonly string[];
}

/** What is found at one ply of a round: see `native/review.hpp`. */
export interface Assessment {
  /** The part of the round that each seat is expected to win; `null` if the ply was forced. */
  shares: number[] | null;
  /** Of a draw, before its tile was known. */
  drawn: number[] | null;
  decision: Decision | null;
}

export interface Decision {
  played: Estimate;
  best: Estimate;
  noise: number;
  mark: Mark | null;
  why: Fact[];
}

interface Estimate {
  move: string;
  win: number;
  margin: number;
}

export type Mark = "inaccuracy" | "mistake" | "blunder";

/** How the shares of a judge become chances. */
export interface Calibration {
  slope: number;
  slope_left: number;
  strengths: number[];
}

export interface Chances {
  /** Of every seat, before the first ply and after every one. */
  after: number[][];
  luck: number[];
}

export interface Fact {
  kind: HintReason["kind"];
  points: number;
  chance: number;
  bonus: string | null;
  /** How many tiles are kept that fit at *number*. */
  count: number;
  number: number | null;
}

const FACTS = [
  ...(["points", "bonus", "out", "draw", "danger"] as const),
  ...(["stuck", "keeps", "fits", "hopes"] as const),
];
/** What the kernel counts a win as, to share it among up to six, and a point. */
const WIN_UNIT = 60 * 1024;
const MARGIN_UNIT = 64;
const MARKS = [null, "inaccuracy", "mistake", "blunder"] as const;
const ENDS = [null, "out", "blocked", "abandoned"];
/** The bots by the numbers of the kernel. */
const LEVELS = [
  ...["random", "beginner", "easy", "greedy"],
  ...["medium", "hard", "expert", "champion"],
];
const orNull = (number: number): number | null => (number < 0 ? null : number);
const bonusOf = (number: number): string | null => BONUSES[number] ?? null;
const required = (move: string): number[] => {
  const numbers = moveNumbers(move);
  if (!numbers) throw new Error(`${move} is no move`);
  return numbers;
};

const tileNumbers = (tiles: readonly string[]): number[] => [
  tiles.length,
  ...tiles.map(tileNumber),
];

const readFacts = (answer: Answer): Fact[] =>
  answer.list(() => ({
    kind: FACTS[answer.next()] as Fact["kind"],
    points: answer.next(),
    chance: answer.next() / answer.next(),
    bonus: bonusOf(answer.next()),
    count: answer.next(),
    number: orNull(answer.next()),
  }));

type Rules = Readonly<Record<string, unknown>>;

export class KernelMatch {
  private constructor(
    private readonly kernel: Kernel,
    readonly players: number,
    private readonly handle: number,
  ) {}

  /** Begin a match; the seeds are those of `fair/1`. */
  static open(
    kernel: Kernel,
    rules: Rules,
    players: number,
    serverSeed: string,
    playerSeeds: readonly string[],
  ): KernelMatch {
    const seeds = [...hexNumbers(serverSeed), ...textNumbers(playerSeeds.join(","))];
    const numbers = [...ruleNumbers(rules), players, ...seeds];
    return new KernelMatch(kernel, players, kernel.call("open", numbers).next());
  }

  /** Begin a match whose deals are known. */
  static openDealt(
    kernel: Kernel,
    rules: Rules,
    players: number,
    deals: readonly Dealt[],
  ): KernelMatch {
    const dealt = deals.flatMap(({ starter, startDraws, racks, pool }) => [
      ...[starter, startDraws.length],
      ...startDraws.flatMap(({ seat, tile }) => [seat, tileNumber(tile)]),
      ...[...racks, pool].flatMap(tileNumbers),
    ]);
    const numbers = [...ruleNumbers(rules), players, deals.length, ...dealt];
    return new KernelMatch(kernel, players, kernel.call("open_dealt", numbers).next());
  }

  close(): void {
    this.kernel.call("close", [this.handle]);
  }

  standing(): Standing {
    const answer = this.kernel.call("match", [this.handle]);
    const players = answer.next();
    const standing = {
      rounds: answer.next(),
      isOver: answer.flag(),
      isLastRound: answer.flag(),
      winners: answer.seats(),
    };
    answer.next(); // who starts next, which the kernel knows by itself
    return { ...standing, totals: answer.times(players, () => answer.next()) };
  }

  round(number: number): RoundState {
    const answer = this.kernel.call("round", [this.handle, number]);
    const players = answer.next();
    const each = <T>(read: () => T): T[] => answer.times(players, read);
    const state = {
      starter: answer.next(),
      turn: answer.next(),
      draws: answer.next(),
      plies: answer.next(),
      startTotals: each(() => answer.next()),
      totals: each(() => answer.next()),
      startDraws: answer.list(() => ({ seat: answer.next(), tile: answer.tile() })),
      dealt: each(() => answer.tiles()),
      pool: answer.tiles(),
      racks: each(() => answer.tiles()),
      poolSize: answer.next(),
    };
    const reason = ENDS[answer.next()] ?? null;
    const end = { seats: answer.seats(), winners: answer.seats(), scores: answer.scores() };
    return { ...state, end: reason === null ? null : { reason, ...end } };
  }

  plies(round: number, first = 0): Ply[] {
    const answer = this.kernel.call("plies", [this.handle, round, first]);
    return answer.list(() => {
      const [seat, move, tile] = [answer.next(), answer.move(), answer.next()];
      const passesOn = answer.flag();
      const drawn = tile < 0 ? null : (names.tiles[tile] as string);
      return { seat, move, tile: drawn, passesOn, scores: answer.scores() };
    });
  }

  choices(): LegalMove[] {
    const answer = this.kernel.call("choices", [this.handle]);
    return answer.list(() => ({
      move: answer.move(),
      points: answer.next(),
      bonus: bonusOf(answer.next()),
    }));
  }

  /** Why a move is refused now, or `null`. */
  whyNot(move: string): string | null {
    return names.whys[this.#ask("why_not", move) - 1] ?? null;
  }

  /** Play a move; returns why it is refused, or `null`. */
  play(move: string): string | null {
    return names.whys[this.#ask("play", move) - 1] ?? null;
  }

  #ask(what: "why_not" | "play", move: string): number {
    return this.kernel.call(what, [this.handle, ...required(move)]).next();
  }

  undo(count: number): void {
    this.kernel.call("undo", [this.handle, count]);
  }

  nextRound(): void {
    this.kernel.call("next_round", [this.handle]);
  }

  abandon(seat: number): void {
    this.kernel.call("abandon", [this.handle, seat]);
  }

  winnersWith(headStart: readonly number[]): number[] {
    return this.kernel.call("winners_with", [this.handle, ...headStart]).seats();
  }

  /** The best moves of the seat to move, and the dice afterwards. */
  search(effort: Effort, dice: Dice): [Candidate[], Dice] {
    const numbers = [...effortNumbers(effort), ...dice, ...Array<number>(8).fill(0)];
    const answer = this.kernel.call("search", [this.handle, ...numbers]);
    const after = answer.dice();
    const found = answer.list(() => {
      const move = answer.move();
      const [worlds, wins, margins] = [answer.wide(), answer.wide(), answer.wide()];
      const squares = answer.wide();
      const exact = answer.flag();
      const count = Math.max(1, worlds);
      const margin = margins / MARGIN_UNIT / count;
      const spread = Math.max(0, squares / MARGIN_UNIT ** 2 / count - margin * margin);
      const error = exact ? 0 : Math.sqrt(spread / count);
      return { move, win: wins / WIN_UNIT / count, margin, error, worlds, exact };
    });
    return [found, after];
  }

  /** The move of a bot for the seat to move. */
  choose(level: string, dice: Dice, limit: { rollouts?: number; milliseconds?: number }): string {
    const number = LEVELS.indexOf(level);
    const { rollouts = 0, milliseconds = 0 } = limit;
    const numbers = [number, ...dice, ...wideNumbers(rollouts), ...wideNumbers(milliseconds * 1e6)];
    const answer = this.kernel.call("choose", [this.handle, ...numbers]);
    answer.dice();
    return answer.move();
  }

  /** The facts about a legal move, and the dice afterwards. */
  facts(move: string, dice: Dice): [Fact[], Dice] {
    const answer = this.kernel.call("facts", [this.handle, ...dice, ...required(move)]);
    const after = answer.dice();
    return [readFacts(answer), after];
  }

  /** What is to be said of a ply; with the number of plies, of the position after the last. */
  assess(round: number, ply: number, effort: Effort, seed = 1): Assessment {
    const numbers = [this.handle, round, ply, ...effortNumbers(effort), seed];
    const answer = this.kernel.call("assess", numbers);
    const shares = (): number[] | null => (answer.flag() ? answer.reals(this.players) : null);
    const found = { shares: shares(), drawn: shares() };
    if (!answer.flag()) return { ...found, decision: null };
    const estimate = (): Estimate => ({
      move: answer.move(),
      win: answer.real(),
      margin: answer.real(),
    });
    const [played, best, noise] = [estimate(), estimate(), answer.real()];
    const mark = MARKS[answer.next()] ?? null;
    return { ...found, decision: { played, best, noise, mark, why: readFacts(answer) } };
  }

  /** The chances in a round, from the assessments of all its plies and of what is after them. */
  chances(round: number, map: Calibration, found: readonly Assessment[]): Chances {
    const shares = (parts: number[] | null): number[] => (parts ? [1, ...realNumbers(parts)] : [0]);
    const answer = this.kernel.call("chances", [
      ...[this.handle, round],
      ...realNumbers([map.slope, map.slope_left, ...map.strengths]),
      ...found.flatMap(({ shares: now, drawn }) => [...shares(now), ...shares(drawn)]),
    ]);
    const after = found.map(() => answer.reals(this.players));
    return { after, luck: answer.reals(this.players) };
  }
}
