/** A puzzle as a table: the answers are known, and a wrong one is followed by its reply. */
import { parsePlace, type Place } from "../board/geometry";
import { judge } from "../kernel/referee";
import { reduce, type Known } from "../net/reducer";
import type { Moved, Now, State, TurnInfo } from "../net/types";
import { rulesOf } from "../scorepad/rules";
import { drawScores, unplacedScores } from "../scorepad/scoring";
import { CAST, type CastName } from "../seatNames";
import type { Source } from "../table/match.svelte";
import type { Answer, Puzzle } from "./year";

export type Phase = "open" | "wrong" | "solved" | "shown";

const CHANGES = { edition: "classic", target: null };
const RULES = rulesOf(CHANGES);
const [SELF, OTHER] = [0, 1];

/** Who of the cast sits opposite in a puzzle. */
export const opponent = (number: number): CastName => CAST[number % CAST.length] as CastName;

/** What a table of any kind offers to the page of puzzles. */
export interface Riddle extends Source {
  readonly phase: Phase;
  /** The answer given last. */
  readonly given: Answer | null;
  readonly solution: Answer;
  readonly wrong: number;
  restart(): void;
  show(): void;
}

export class PuzzleTable implements Riddle {
  known = $state.raw<Known | null>(null);
  joinedAt = $state(1);
  refusal = $state.raw<Source["refusal"]>(null);
  phase = $state<Phase>("open");
  given = $state.raw<Answer | null>(null);
  /** The wrong answers so far. */
  wrong = $state(0);

  /** *number* says who of the cast sits opposite. */
  constructor(
    readonly puzzle: Puzzle,
    private readonly number = 0,
  ) {
    this.restart();
  }

  get solution(): Answer {
    return this.puzzle.answers[0] as Answer;
  }

  /** Put everything back as it was. */
  restart(): void {
    this.given = null;
    this.phase = "open";
    this.known = reduce(null, this.#state()).known;
  }

  /** Show the best move. */
  show(): void {
    this.restart();
    this.#play(this.solution);
    this.phase = "shown";
  }

  move(move: string): void {
    const answer = this.puzzle.answers.find((one) => one.move === move);
    if (!answer || this.phase !== "open") return;
    const right = answer === this.solution;
    if (!right) this.wrong++;
    this.#play(answer);
    this.phase = right ? "solved" : "wrong";
  }

  send(): void {
    // Nobody else is at this table.
  }

  #play(answer: Answer): void {
    this.given = answer;
    const { move, reply, drawn = [], then } = answer;
    const turns: TurnInfo[] = drawn.map((tile, at) => ({
      ...this.#turn(SELF, "draw", this.places, at + 1),
      tile,
    }));
    const own = drawn.length ? (then ?? "end") : move;
    turns.push(this.#turn(SELF, own, this.places, drawn.length));
    const place = parsePlace(own);
    // What follows the right move does not matter any more.
    if (reply !== null && answer !== this.solution)
      turns.push(this.#turn(OTHER, reply, [...this.places, ...(place ? [place] : [])]));
    const message: Moved = {
      type: "moved",
      version: 1 + turns.length,
      since: 1,
      turns,
      now: this.#now(turns, OTHER),
    };
    this.known = reduce(this.known, message).known;
  }

  get places(): Place[] {
    return this.puzzle.board.flatMap((text) => parsePlace(text) ?? []);
  }

  /** *draws* are those of the turn so far, with this one. */
  #turn(seat: number, move: string, board: readonly Place[], draws = 0): TurnInfo {
    const place = parsePlace(move);
    if (!place) {
      const scores =
        move === "draw" ? drawScores(seat, draws, RULES) : unplacedScores(seat, draws, RULES);
      return { seat, move, points: scores.reduce((sum, one) => sum + one.points, 0), scores: [] };
    }
    const verdict = judge(board, place, RULES);
    if (!verdict.legal) return { seat, move, points: 0, scores: [] };
    const { points, bonus } = verdict;
    return { seat, move, points, scores: [], ...(bonus ? { bonus } : {}) };
  }

  #now(turns: readonly TurnInfo[], turn: number): Now {
    const { puzzle } = this;
    const gained = (seat: number): number =>
      turns.filter((one) => one.seat === seat).reduce((sum, { points }) => sum + points, 0);
    const count = (seat: number, of: (move: string) => boolean): number =>
      turns.filter((one) => one.seat === seat && of(one.move)).length;
    const laid = (seat: number): number => count(seat, (move) => parsePlace(move) !== null);
    const drew = (seat: number): number => count(seat, (move) => move === "draw");
    return {
      ply: 1 + turns.length,
      turn,
      totals: puzzle.scores.map((score, seat) => score + gained(seat)),
      rack_sizes: puzzle.racks.map((rack, seat) => rack.length + drew(seat) - laid(seat)),
      pool_size: puzzle.pool - drew(SELF) - drew(OTHER),
      draws: 0,
      is_last_round: true,
      ...(turn === SELF ? { choices: puzzle.answers.map(({ move }) => ({ move })) } : {}),
    };
  }

  #state(): State {
    const { puzzle } = this;
    const seat = { name: "", substitute: null, is_free: false, help: null, head_start: 0 };
    return {
      type: "state",
      version: 1,
      table: "puzzle",
      state: "playing",
      rules: CHANGES,
      options: { help: "places", undo: false },
      seats: [
        { ...seat, kind: "person", bot: null, is_made_up: true },
        {
          ...seat,
          kind: "bot",
          name: opponent(this.number),
          bot: "expert",
          is_made_up: true,
        },
      ],
      you: [SELF],
      is_host: true,
      fair: { algorithm: "", commitment: "" },
      here: [SELF],
      racks: { [SELF]: puzzle.racks[SELF] as string[] },
      round: {
        number: 1,
        starter: OTHER,
        start_draws: [],
        turns: puzzle.board.map((move) => ({ seat: OTHER, move, points: 0, scores: [] })),
      },
      now: this.#now([], SELF),
    } as State;
  }
}
