/**
 * The score sheet of a match as a fold over scores and round ends. Pure.
 *
 * Mirrors `triomino.ledger`, name for name; `tests/ledger/vectors.json` tests both.
 */
import type { Rules } from "./rules";

export type EndReason = "out" | "blocked" | "abandoned";

/** The end of a round. */
export interface End {
  reason: EndReason;
  /** Who went out, or won a blocked round by the rules. */
  seats: readonly number[];
  /** Who won the round or, if it was abandoned, the match. */
  winners: readonly number[];
}

/** Points for a seat. */
export interface Points {
  seat: number;
  points: number;
}

interface Fields {
  rules: Rules;
  seats: readonly number[];
  totals: readonly number[];
  roundTotals: readonly number[];
  starter: number | null;
  round: number;
  entries: number;
  latchedAt: number | null;
  end: End | null;
  mostRounds: number | null;
}

/** The standing of a match. Immutable: every entry returns a new one. */
export class Ledger {
  readonly rules: Rules;
  /** Who plays, in the order of turns. */
  readonly seats: readonly number[];
  /** Points, or rounds won in a series without points; people who left keep theirs. */
  readonly totals: readonly number[];
  /** The totals at the start of the round. */
  readonly roundTotals: readonly number[];
  /** Who started the round, or `null` if it is not known yet. */
  readonly starter: number | null;
  readonly round: number;
  /** The number of entries in this round: its moves and the settlement. */
  readonly entries: number;
  /** The entry of this round that met the target; 0 if it was met before the round. */
  readonly latchedAt: number | null;
  readonly end: End | null;
  /** After so many rounds a match to a target ends although nobody has met it. */
  readonly mostRounds: number | null;

  private constructor(fields: Fields) {
    this.rules = fields.rules;
    this.seats = fields.seats;
    this.totals = fields.totals;
    this.roundTotals = fields.roundTotals;
    this.starter = fields.starter;
    this.round = fields.round;
    this.entries = fields.entries;
    this.latchedAt = fields.latchedAt;
    this.end = fields.end;
    this.mostRounds = fields.mostRounds;
  }

  /** A ledger for seats 0, 1, …; *totals* and *latched* are the state at the start of the round. */
  static open(
    rules: Rules,
    players: number,
    {
      totals = [],
      starter = null,
      latched = false,
      mostRounds = null,
    }: {
      totals?: readonly number[];
      starter?: number | null;
      latched?: boolean;
      mostRounds?: number | null;
    } = {},
  ): Ledger {
    const begun = totals.length ? [...totals] : Array<number>(players).fill(0);
    return new Ledger({
      rules,
      seats: [...Array(players).keys()],
      totals: begun,
      roundTotals: begun,
      starter,
      round: 1,
      entries: 0,
      latchedAt: latched ? 0 : null,
      end: null,
      mostRounds,
    });
  }

  private with(changes: Partial<Fields>): Ledger {
    return new Ledger({ ...this, ...changes });
  }

  // --- Entries ----------------------------------------------------------------------------------

  /** With one more entry: all the scores of a move. */
  after(scores: readonly Points[]): Ledger {
    const totals = [...this.totals];
    const entries = this.entries + 1;
    const isTested = this.rules.target_latch === "any_moment";
    let { latchedAt } = this;
    for (const { seat, points } of scores) {
      const total = (totals[seat] ?? 0) + points;
      totals[seat] = total;
      // Tested after every single score, because a target once met stays met.
      if (isTested && latchedAt === null && meetsTarget(this.rules, total)) latchedAt = entries;
    }
    return this.with({ totals, entries, latchedAt });
  }

  /** With an entry of points that people agreed on. */
  adjusted(seat: number, points: number): Ledger {
    return this.after([{ seat, points }]);
  }

  /** With the round ended; its settlement must have been entered. */
  close(reason: EndReason, seats: readonly number[] = []): Ledger {
    const winners = this.roundWinners(seats);
    const totals = [...this.totals];
    // A series without points counts the rounds won.
    if (!this.rules.scoring && this.rules.target !== null)
      for (const seat of winners) totals[seat] = (totals[seat] ?? 0) + 1;
    return this.with({ totals, end: { reason, seats, winners } });
  }

  /** With the match abandoned, by one seat or by everybody. */
  abandon(gaveUp: number | null = null): Ledger {
    const others = gaveUp === null ? [] : this.seats.filter((seat) => seat !== gaveUp);
    return this.with({ end: { reason: "abandoned", seats: [], winners: this.highest(others) } });
  }

  /** With the next round begun. */
  nextRound(starter: number | null = null): Ledger {
    const isMet = this.rules.target !== null && (this.latched || this.isTargetMet);
    return this.with({
      roundTotals: this.totals,
      starter,
      round: this.round + 1,
      entries: 0,
      latchedAt: isMet ? 0 : null,
      end: null,
    });
  }

  /** With the starter of the round known. */
  startedBy(starter: number): Ledger {
    return this.with({ starter });
  }

  /** With other people seated: *people* have a total, *seats* of them play. */
  seated(seats: readonly number[], people: number): Ledger {
    const fresh = Array<number>(people - this.totals.length).fill(0);
    return this.with({
      seats,
      totals: [...this.totals, ...fresh],
      roundTotals: [...this.roundTotals, ...fresh],
    });
  }

  // --- Derived state ----------------------------------------------------------------------------

  /** The points of each person in this round so far. */
  get points(): number[] {
    return this.totals.map((now, seat) => now - (this.roundTotals[seat] ?? 0));
  }

  /** The points that are played for; `null` if the match ends after a number of rounds. */
  get goal(): number | null {
    return this.mostRounds === null ? this.rules.target : null;
  }

  /** Whether the target has been met, for good. */
  get latched(): boolean {
    return this.latchedAt !== null;
  }

  /** Whether no round follows, except after a tie. */
  get isLastRound(): boolean {
    if (this.rules.target === null || this.latched) return true;
    if (this.mostRounds !== null && this.round >= this.mostRounds) return true;
    return this.end !== null && this.isTargetMet;
  }

  /** Whether the match is decided. */
  get isOver(): boolean {
    if (this.end === null) return false;
    if (this.end.reason === "abandoned") return true;
    const isTied = this.rules.match_tie === "extra_round" && this.leaders.length > 1;
    return this.isLastRound && !isTied;
  }

  /** Who is ahead or, if a single round goes to whoever ended it, who won it. */
  get leaders(): readonly number[] {
    if (this.end && this.end.reason !== "abandoned" && this.isWonByEnding) return this.end.winners;
    return this.highest(this.seats);
  }

  /** The winners of the match; empty while it runs, or if everybody gave up. */
  get winners(): readonly number[] {
    if (!this.end || !this.isOver) return [];
    return this.end.reason === "abandoned" ? this.end.winners : this.leaders;
  }

  /** Who starts the next round, if the rules settle it without a draw. */
  get nextStarter(): number | null {
    if (!this.end || this.isOver) return null;
    switch (this.rules.next_starter) {
      case "set_up":
        return null;
      case "rotate_left":
        return this.seatAfter(this.starter);
      case "round_winner": {
        // Of several winners, the first in turn order after the last starter.
        const first = this.seatAfter(this.starter);
        const at = first === null ? 0 : this.seats.indexOf(first);
        const order = [...this.seats.slice(at), ...this.seats.slice(0, at)];
        const { winners } = this.end;
        return order.find((seat) => winners.includes(seat)) ?? null;
      }
    }
  }

  /** The seat after *seat*, or `null` if that one does not play. */
  seatAfter(seat: number | null): number | null {
    const at = seat === null ? -1 : this.seats.indexOf(seat);
    return at < 0 ? null : (this.seats[(at + 1) % this.seats.length] ?? null);
  }

  // --- Details ----------------------------------------------------------------------------------

  /** Whether somebody who plays has met the target now. */
  private get isTargetMet(): boolean {
    return this.seats.some((seat) => meetsTarget(this.rules, this.totals[seat] ?? 0));
  }

  /** Whether this is a single round that goes to whoever ended it. */
  private get isWonByEnding(): boolean {
    return this.rules.target === null && winsByEnding(this.rules);
  }

  private roundWinners(seats: readonly number[]): readonly number[] {
    if (winsByEnding(this.rules) && seats.length) return seats;
    // A single round is won by the total, a round of a match by its own points.
    return best(this.seats, this.rules.target === null ? this.totals : this.points);
  }

  private highest(seats: readonly number[]): number[] {
    return best(seats, this.totals);
  }
}

function best(seats: readonly number[], scored: readonly number[]): number[] {
  const most = Math.max(...seats.map((seat) => scored[seat] ?? 0));
  return seats.filter((seat) => scored[seat] === most);
}

/** Whether a single round goes to whoever ended it, as it always does without points. */
export const winsByEnding = (rules: Rules): boolean =>
  rules.round_won_by === "ending" || !rules.scoring;

/** Whether *total* meets the target of the match. */
export function meetsTarget({ target, target_test }: Rules, total: number): boolean {
  if (target === null) return false;
  return target_test === ">=" ? total >= target : total > target;
}
