/** A position of one's own as a riddle; the kernel knows every move and judges them. */
import { parsePlace } from "../board/geometry";
import type { Kernel } from "../kernel/kernel";
import { EFFORTS, type KernelMatch } from "../kernel/match";
import { matchOf } from "../local/review";
import { namedDice } from "../local/session";
import { reduce, type Known } from "../net/reducer";
import type { Moved, Now, State, TurnInfo } from "../net/types";
import { racksAt } from "../replay/record";
import type { Source } from "../table/match.svelte";
import type { Mistake } from "./mistakes";
import type { Phase, Riddle } from "./puzzleTable.svelte";
import type { Answer } from "./year";

/** A move that wins so little less than the best is right, too. */
const EQUAL = 0.02;
const ROLLOUTS = 3000;
const REPLY = 300;
const BONUSES = ["bridge", "hexagon", "double_hexagon", "triple_hexagon"];

export class MistakeTable implements Riddle {
  known = $state.raw<Known | null>(null);
  joinedAt = $state(1);
  refusal = $state.raw<Source["refusal"]>(null);
  phase = $state<Phase>("open");
  given = $state.raw<Answer | null>(null);
  wrong = $state(0);
  readonly solution: Answer;
  readonly #match: KernelMatch;
  readonly #wins: Map<string, number>;

  constructor(
    readonly mistake: Mistake,
    private readonly kernel: Kernel,
  ) {
    const { rules, players, round, best } = mistake;
    const recorded = { format: "triomino-record/2", rules, players, rounds: [round] };
    this.#match = matchOf(recorded, kernel);
    const effort = { ...EFFORTS.review, rollouts: ROLLOUTS };
    const [found] = this.#match.search(effort, namedDice(kernel, "mistake", mistake.id));
    this.#wins = new Map(found.map(({ move, win }) => [move, win]));
    this.solution = this.#answer(best);
    this.restart();
  }

  close(): void {
    this.#match.close();
  }

  restart(): void {
    this.given = null;
    this.phase = "open";
    this.known = reduce(null, this.#state()).known;
  }

  show(): void {
    this.restart();
    this.#play(this.solution);
    this.phase = "shown";
  }

  move(move: string): void {
    if (this.phase !== "open" || this.#match.whyNot(move) !== null) return;
    const answer = this.#answer(move);
    const right = move === this.solution.move || answer.win >= this.solution.win - 100 * EQUAL;
    if (!right) this.wrong++;
    this.#play(answer);
    this.phase = right ? "solved" : "wrong";
  }

  send(): void {
    // Nobody else is at this table.
  }

  /** A move, its chance, how the turn goes on after a draw, and what the next player does. */
  #answer(move: string): Answer {
    const win = Math.round(100 * (this.#wins.get(move) ?? 0));
    if (this.#match.play(move) !== null) return { move, win, reply: null };
    const before = this.mistake.round.turns.length;
    const isOver = (): boolean => this.#match.round(1).end !== null;
    const choose = (): string => {
      const dice = namedDice(this.kernel, "reply", this.mistake.id, move);
      return this.#match.choose("champion", dice, { rollouts: REPLY });
    };
    while (!isOver() && this.#match.round(1).turn === this.mistake.seat) this.#match.play(choose());
    const plies = this.#match.plies(1, before);
    const reply = isOver() ? null : choose();
    this.#match.undo(plies.length);
    const drawn = plies.flatMap(({ tile }) => tile ?? []);
    const then = drawn.length ? plies.at(-1)?.move : undefined;
    return { move, win, reply, ...(then === undefined ? {} : { drawn, then }) };
  }

  /** Show a move and the reply to it, and take both back in the kernel. */
  #play(answer: Answer): void {
    this.given = answer;
    const before = this.mistake.round.turns.length;
    const { move, reply, drawn, then } = answer;
    const own = then === undefined ? [move] : [...(drawn ?? []).map(() => "draw"), then];
    // What follows the right move does not matter any more.
    const moves = answer === this.solution ? [move] : [...own, ...(reply !== null ? [reply] : [])];
    for (const move of moves) this.#match.play(move);
    const turns = this.#match.plies(1, before).map(({ seat, move, scores }): TurnInfo => {
      const bonus = scores.find(({ reason }) => BONUSES.includes(reason))?.reason;
      const points = scores.reduce((sum, score) => sum + score.points, 0);
      return { seat, move, points, scores: [], ...(bonus ? { bonus } : {}) };
    });
    const now = { ...this.#now(), turn: -1 };
    this.#match.undo(moves.length);
    const message: Moved = { type: "moved", version: 2, since: 1, turns, now };
    this.known = reduce(this.known, message).known;
  }

  #now(): Now {
    const { turn, totals, racks, poolSize, draws, plies } = this.#match.round(1);
    return {
      ...{ ply: plies, turn, totals, pool_size: poolSize, draws, is_last_round: false },
      rack_sizes: racks.map((rack) => rack.length),
    };
  }

  #state(): State {
    const { seat, rules, players, round } = this.mistake;
    const rack = racksAt(
      { rules, players, rounds: [round] },
      { round: 0, turns: round.turns.length },
    )?.[seat];
    const plain = {
      substitute: null,
      is_free: false,
      help: null,
      head_start: 0,
      is_made_up: false,
    };
    return {
      ...{ type: "state", version: 1, table: "mistake", state: "playing", rules },
      options: { help: "places", undo: false },
      seats: players.map(({ name, bot = null }) => ({
        ...{ ...plain, name, bot },
        kind: bot === null ? "person" : "bot",
      })),
      ...{ you: [seat], is_host: true, here: [seat] },
      fair: { algorithm: "", commitment: "" },
      racks: { [seat]: rack ?? [] },
      round: {
        ...{ number: 1, starter: round.starter, start_draws: [] },
        turns: round.turns.map((turn) => ({ ...turn, scores: [] })),
      },
      now: {
        ...this.#now(),
        choices: this.#match
          .choices()
          .map(({ move, points }) => (parsePlace(move) ? { move } : { move, points })),
      },
    } as State;
  }
}
