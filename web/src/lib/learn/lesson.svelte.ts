/** A table without a server: its answers are precomputed. */
import { reduce, type Known } from "../net/reducer";
import type { Moved, State } from "../net/types";
import type { Source } from "../table/match.svelte";

export interface LessonData {
  goal: string;
  /** The bonus to be found, if there is something to find. */
  bonus: string | null;
  /** Whether it comes after the guided first game. */
  more: boolean;
  state: State;
  /** The answer to each move, by version and move. */
  answers: Record<string, Moved>;
}

export class Lesson implements Source {
  known = $state.raw<Known | null>(null);
  joinedAt = $state(1);
  refusal = $state.raw<Source["refusal"]>(null);
  readonly goal: string;

  constructor(readonly data: LessonData) {
    this.goal = data.goal;
    this.restart();
  }

  /** Start again. */
  restart(): void {
    const { state } = this.data;
    const bots = [null, "easy"];
    const seats = state.seats.map((seat, index) => ({
      ...seat,
      name: "",
      bot: bots[index] ?? null,
      is_made_up: true,
    }));
    this.known = reduce(null, { ...state, seats }).known;
  }

  /** Whether the turn is over. */
  get isOver(): boolean {
    return this.known?.now?.turn !== 0;
  }

  /** Whether the goal was reached. */
  get isDone(): boolean {
    const last = this.known?.turns.at(-1);
    const { bonus } = this.data;
    return this.isOver && (bonus === null || last?.bonus === bonus);
  }

  move(move: string): void {
    const answer = this.data.answers[`${this.known?.version} ${move}`];
    if (answer) this.known = reduce(this.known, answer).known;
  }

  send(): void {
    // There is no server to send to.
  }
}
