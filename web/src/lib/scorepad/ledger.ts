/**
 * The score sheet of a match as one fold: scores and round ends go in, everything else follows. Pure.
 *
 * The same as `triomino.ledger`, name for name; `tests/ledger/vectors.json` holds both to it.
 */
import type { Rules } from "./rules";

export type EndReason = "out" | "blocked" | "abandoned";

/** The end of a round. */
export interface End {
  reason: EndReason;
  /** Who went out, or whom the rules name the winner of a blocked round. */
  seats: readonly number[];
  /** Who won the round taken by itself; of an abandoned one, who won by it. */
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
}

/** What a match stands at. It never changes: every entry gives another one. */
export class Ledger {
  readonly rules: Rules;
  /** Who plays, in the order of turns. */
  readonly seats: readonly number[];
  /** Points, or the rounds won in a series that keeps none; people who left keep theirs. */
  readonly totals: readonly number[];
  /** The totals with which the round began. */
  readonly roundTotals: readonly number[];
  /** Who started the round, where that is known yet. */
  readonly starter: number | null;
  readonly round: number;
  /** How often something was entered in this round: every move, and the settlement. */
  readonly entries: number;
  /** The entry of this round with which the target was met; 0 if it was met before. */
  readonly latchedAt: number | null;
  readonly end: End | null;

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
  }

  /** A ledger for seats 0, 1, …; *totals* and *latched* are what the round begins with. */
  static open(
    rules: Rules,
    players: number,
    {
      totals = [],
      starter = null,
      latched = false,
    }: { totals?: readonly number[]; starter?: number | null; latched?: boolean } = {},
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
    });
  }

  private with(changes: Partial<Fields>): Ledger {
    return new Ledger({ ...this, ...changes });
  }

  // --- Entering ----------------------------------------------------------------------------------

  /** With one more entry, such as all that a move scored. */
  after(scores: readonly Points[]): Ledger {
    const totals = [...this.totals];
    const entries = this.entries + 1;
    const isTested = this.rules.target_latch === "any_moment";
    let { latchedAt } = this;
    for (const { seat, points } of scores) {
      const total = (totals[seat] ?? 0) + points;
      totals[seat] = total;
      // Tested after every single score: once met, it stays met.
      if (isTested && latchedAt === null && meetsTarget(this.rules, total)) latchedAt = entries;
    }
    return this.with({ totals, entries, latchedAt });
  }

  /** With an entry of points that people agreed on. */
  adjusted(seat: number, points: number): Ledger {
    return this.after([{ seat, points }]);
  }

  /** With the round at its end, settled already. */
  close(reason: EndReason, seats: readonly number[] = []): Ledger {
    const winners = this.roundWinners(seats);
    const totals = [...this.totals];
    // Where no points are kept, a series counts the rounds won.
    if (!this.rules.scoring && this.rules.target !== null)
      for (const seat of winners) totals[seat] = (totals[seat] ?? 0) + 1;
    return this.with({ totals, end: { reason, seats, winners } });
  }

  /** With the match given up, by one seat to the others or by everybody. */
  abandon(gaveUp: number | null = null): Ledger {
    const others = gaveUp === null ? [] : this.seats.filter((seat) => seat !== gaveUp);
    return this.with({ end: { reason: "abandoned", seats: [], winners: this.highest(others) } });
  }

  /** With another round begun. */
  nextRound(starter: number | null = null): Ledger {
    const isMet = this.rules.target !== null && this.isLastRound;
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

  /** With others at the table: *people* have a total by now, *seats* of them play. */
  seated(seats: readonly number[], people: number): Ledger {
    const fresh = Array<number>(people - this.totals.length).fill(0);
    return this.with({
      seats,
      totals: [...this.totals, ...fresh],
      roundTotals: [...this.roundTotals, ...fresh],
    });
  }

  // --- What follows ------------------------------------------------------------------------------

  /** What each has won or lost in this round so far. */
  get points(): number[] {
    return this.totals.map((now, seat) => now - (this.roundTotals[seat] ?? 0));
  }

  /** Whether the target has been met, so that it stays met. */
  get latched(): boolean {
    return this.latchedAt !== null;
  }

  /** Whether no further round follows, but for a tie. */
  get isLastRound(): boolean {
    if (this.rules.target === null || this.latched) return true;
    return (
      this.end !== null &&
      this.seats.some((seat) => meetsTarget(this.rules, this.totals[seat] ?? 0))
    );
  }

  /** Whether the match is decided. */
  get isOver(): boolean {
    if (this.end === null) return false;
    if (this.end.reason === "abandoned") return true;
    const isTied = this.rules.match_tie === "extra_round" && this.leaders.length > 1;
    return this.isLastRound && !isTied;
  }

  /** Who is ahead; after a single round that goes to whoever ended it, those who won it. */
  get leaders(): readonly number[] {
    if (this.end && this.end.reason !== "abandoned" && this.isWonByEnding) return this.end.winners;
    return this.highest(this.seats);
  }

  /** Who won the match; several share a victory. Empty while it runs, or if all gave up. */
  get winners(): readonly number[] {
    if (!this.end || !this.isOver) return [];
    return this.end.reason === "abandoned" ? this.end.winners : this.leaders;
  }

  /** Who starts the round after this one, where the rules settle it without a draw. */
  get nextStarter(): number | null {
    if (!this.end || this.isOver) return null;
    switch (this.rules.next_starter) {
      case "set_up":
        return null;
      case "rotate_left":
        return this.seatAfter(this.starter);
      case "round_winner": {
        // Of several winners, the first to play after the last starter, who comes last.
        const first = this.seatAfter(this.starter);
        const at = first === null ? 0 : this.seats.indexOf(first);
        const order = [...this.seats.slice(at), ...this.seats.slice(0, at)];
        const { winners } = this.end;
        return order.find((seat) => winners.includes(seat)) ?? null;
      }
    }
  }

  /** Who plays after *seat*; `null` if that one does not play. */
  seatAfter(seat: number | null): number | null {
    const at = seat === null ? -1 : this.seats.indexOf(seat);
    return at < 0 ? null : (this.seats[(at + 1) % this.seats.length] ?? null);
  }

  // --- Details -----------------------------------------------------------------------------------

  /** Whether this is a single round that goes to whoever ended it. */
  private get isWonByEnding(): boolean {
    return this.rules.target === null && winsByEnding(this.rules);
  }

  private roundWinners(seats: readonly number[]): readonly number[] {
    if (winsByEnding(this.rules) && seats.length) return seats;
    // A single round is won by the total, a round of a match by what it brought.
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

/** Whether a single round goes to whoever ended it, as it must where no points are kept. */
export const winsByEnding = (rules: Rules): boolean =>
  rules.round_won_by === "ending" || !rules.scoring;

/** Whether *total* is as much as the match is played to. */
export function meetsTarget({ target, target_test }: Rules, total: number): boolean {
  if (target === null) return false;
  return target_test === ">=" ? total >= target : total > target;
}
