/** A score pad computed from its entries: lines with points, and the standing of the match. Pure. */
import {
  checkTurn,
  isName,
  MOST_DRAWS,
  MOST_PEOPLE,
  MOST_POINTS,
  PadError,
  type Blocked,
  type Entry,
  type Out,
  type Rack,
  type Turn,
} from "./acts";
import { Ledger } from "./ledger";
import { LEAST_TILES, tilesOf, type Rules } from "./rules";
import {
  blockedScores,
  blockedWinners,
  drawScores,
  emptyPoolScores,
  floored,
  laidScores,
  laidSum,
  outScores,
  tileSum,
  unplacedScores,
  type Score,
} from "./scoring";

/** What the rules do not allow; people may write it all the same. */
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

/** An entry with its scores. Scores and totals are indexed by person, not by seat. */
export interface Line {
  round: number;
  entry: Entry;
  scores: Score[];
  /** Everybody's total after it. */
  totals: readonly number[];
  isLastRound: boolean;
  cautions: Caution[];
}

/** A computed pad. */
export interface Sheet {
  /** All people with a column. */
  names: string[];
  lines: Line[];
  /** The standing of the match; its seats are people. */
  ledger: Ledger;
  /** The person to move, or `null` if people must say who starts or the match is over. */
  next: number | null;
  /** Tiles laid in this round. */
  laid: number;
}

/** Compute the sheet of some entries; throws `PadError` if one makes no sense. */
export const computeSheet = (entries: readonly Entry[]): Sheet => new SheetBuilder(entries).sheet;

/** The state of the running round besides its scores. */
class Round {
  /** The person who moved last. */
  last: number | null = null;
  /** Whether that turn laid a tile. */
  hasTile = false;
  laid = 0;
  draws = 0;
  readonly tiles = new Set<string>();
  readonly values = new Map<number, number>();
  /** Tiles drawn minus tiles laid, by person. */
  readonly held = new Map<number, number>();

  /** *first* is the starter, if the rules name one. */
  constructor(readonly first: number | null = null) {}
}

const add = <K>(map: Map<K, number>, key: K, count: number): void => {
  map.set(key, (map.get(key) ?? 0) + count);
};
const unique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

/** Computes a sheet in one pass over the entries. */
class SheetBuilder {
  private readonly rules: Rules;
  private readonly set: string[];
  private names: string[] = [];
  private ledger: Ledger;
  private round = new Round();
  private readonly lines: Line[] = [];

  constructor(entries: readonly Entry[]) {
    const setup = entries[0];
    if (setup?.do !== "setup") throw new PadError("no_setup");
    this.rules = setup.rules;
    this.set = tilesOf(this.rules);
    this.ledger = Ledger.open(this.rules, 0, { mostRounds: setup.rounds ?? null });
    entries.forEach((entry, number) => {
      const [scores, cautions] = this.write(entry, number);
      const { round, totals, isLastRound } = this.ledger;
      this.lines.push({ round, entry, scores, totals, isLastRound, cautions });
    });
  }

  get sheet(): Sheet {
    const { names, lines, ledger } = this;
    return { names, lines, ledger, next: this.next(), laid: this.round.laid };
  }

  private write(entry: Entry, number: number): [Score[], Caution[]] {
    switch (entry.do) {
      case "setup":
        if (number) throw new PadError("second_setup");
        return [
          [],
          this.seat(
            entry.names,
            entry.names.map((_, at) => at),
          ),
        ];
      case "players":
        return [[], this.seat(entry.names, entry.seats)];
      case "turn": {
        checkTurn(entry);
        const cautions = [...this.begin(entry.person), ...this.turnCautions(entry)];
        return [this.turn(entry), cautions];
      }
      case "out": {
        const cautions = [...this.begin(entry.person), ...this.outCautions(entry)];
        return [this.out(entry), cautions];
      }
      case "blocked": {
        const cautions = [...this.begin(null), ...this.blockedCautions(entry)];
        return [this.blocked(entry), cautions];
      }
      case "abandoned":
        if (entry.person !== null) this.checkPerson(entry.person);
        this.begin(null);
        this.ledger = this.ledger.abandon(entry.person);
        return [[], []];
      case "extra":
        this.checkPerson(entry.person);
        if (Math.abs(entry.points) > MOST_POINTS) throw new PadError("extra_points");
        this.ledger = this.ledger.adjusted(entry.person, entry.points);
        return [[], []];
    }
  }

  // --- People -----------------------------------------------------------------------------------

  private seat(names: string[], seats: number[]): Caution[] {
    if (!names.every(isName)) throw new PadError("no_name");
    if (!unique(names)) throw new PadError("same_name");
    if (names.length < this.names.length) throw new PadError("name_lost");
    if (names.length > MOST_PEOPLE) throw new PadError("too_many_people");
    if (!seats.length || !unique(seats) || seats.some((one) => one >= names.length))
      throw new PadError("no_seats");
    const isRunning = this.ledger.end === null && this.round.last !== null;
    const isChanged = seats.join() !== this.ledger.seats.join();
    this.names = names;
    this.ledger = this.ledger.seated(seats, names.length);
    const out: Caution[] = [];
    if (isChanged && !(seats.length in this.rules.racks)) out.push("player_count");
    if (isChanged && isRunning) out.push("mid_round");
    return out;
  }

  private checkPerson(person: number): void {
    if (!this.ledger.seats.includes(person)) throw new PadError("not_playing");
  }

  // --- Rounds -----------------------------------------------------------------------------------

  /** Begin the next round if the last one has ended. */
  private begin(person: number | null): Caution[] {
    if (person !== null) this.checkPerson(person);
    const { ledger } = this;
    if (ledger.end === null) return [];
    this.round = new Round(ledger.nextStarter);
    this.ledger = ledger.nextRound();
    return ledger.isOver && this.rules.target !== null ? ["match_over"] : [];
  }

  /** The person to move, if the entries settle it. */
  private next(): number | null {
    const { ledger, round } = this;
    if (ledger.end !== null) return ledger.nextStarter;
    return round.last === null ? round.first : ledger.seatAfter(round.last);
  }

  /** The expected size of the pool, if the rules name the size of a rack. */
  private get pool(): number | null {
    const players = this.ledger.seats.length;
    const size = this.rules.racks[String(players)];
    return size === undefined ? null : this.set.length - players * size - this.round.draws;
  }

  // --- A turn -----------------------------------------------------------------------------------

  private turnCautions(turn: Turn): Caution[] {
    const { rules, round, pool } = this;
    const out: Caution[] = [];
    const expected = this.next();
    const value = laidSum(turn);
    const draws = turn.draws ?? 0;
    if (expected !== null && expected !== turn.person) out.push("out_of_turn");
    if (value === null && !round.laid && !rules.opening_draw) out.push("must_open");
    if (value !== null) out.push(...this.tileCautions(turn.tile, value));
    if (turn.bonus && round.laid + 1 < LEAST_TILES[turn.bonus]) out.push("bonus_too_early");
    if (draws > rules.max_draws) out.push("too_many_draws");
    if (pool !== null && draws > Math.max(pool, 0)) out.push("pool_empty");
    if (draws && value !== null && rules.draw_ends_turn) out.push("draw_ends_turn");
    return out;
  }

  private tileCautions(tile: string | undefined, value: number): Caution[] {
    if (tile !== undefined && !this.set.includes(tile)) return ["not_in_set"];
    if (tile !== undefined && this.round.tiles.has(tile)) return ["laid_twice"];
    const alike = this.set.filter((one) => tileSum(one) === value).length;
    return (this.round.values.get(value) ?? 0) >= alike ? ["value_used_up"] : [];
  }

  private turn(turn: Turn): Score[] {
    const { rules, round, pool } = this;
    const { person, draws = 0 } = turn;
    const value = laidSum(turn);
    const scores: Score[] = [];
    for (let count = 1; count <= draws; count++) scores.push(...drawScores(person, count, rules));
    if (value !== null) {
      scores.push(...laidScores(turn, rules, !round.laid));
      round.laid += 1;
      add(round.held, person, -1);
      add(round.values, value, 1);
      if (turn.tile !== undefined) round.tiles.add(turn.tile);
    } else if (turn.how === "pass") {
      // A pass means that the pool is empty; only this house rule allows an earlier one.
      const isOptional = rules.draw_obligation === "one_then_optional";
      if (!(isOptional && draws && (pool === null || pool > draws)))
        scores.push(...emptyPoolScores(person, rules));
    } else scores.push(...unplacedScores(person, draws, rules));
    round.draws += draws;
    add(round.held, person, draws);
    round.last = person;
    round.hasTile = value !== null;
    if (this.ledger.starter === null) this.ledger = this.ledger.startedBy(person);
    return this.entered(scores);
  }

  /** Enter scores in the ledger; returns them as they count. */
  private entered(scores: Score[]): Score[] {
    const counted = this.rules.floor_at_zero ? floored(scores, this.ledger.totals) : scores;
    this.ledger = this.ledger.after(counted);
    return counted;
  }

  // --- The end of a round -----------------------------------------------------------------------

  private checkLeft(left: readonly Rack[]): void {
    if (left.length !== this.ledger.seats.length) throw new PadError("racks");
    for (const rack of left) {
      if (Array.isArray(rack)) continue;
      if (rack.points < 0 || rack.points > MOST_POINTS) throw new PadError("rack_points");
      if ((rack.count ?? 0) < 0 || (rack.count ?? 0) > MOST_DRAWS) throw new PadError("rack_count");
    }
  }

  private leftCautions(left: readonly Rack[]): Caution[] {
    const seen = left.flatMap((rack) => (Array.isArray(rack) ? rack : []));
    const out: Caution[] = [];
    if (seen.some((tile) => !this.set.includes(tile))) out.push("not_in_set");
    if (!unique(seen) || seen.some((tile) => this.round.tiles.has(tile))) out.push("laid_twice");
    return out;
  }

  private outCautions({ person, left }: Out): Caution[] {
    const { round } = this;
    const out: Caution[] = [];
    if (round.last !== person || !round.hasTile) out.push("out_of_turn");
    const size = this.rules.racks[String(this.ledger.seats.length)];
    if (size !== undefined && size + (round.held.get(person) ?? 0)) out.push("rack_not_empty");
    return [...out, ...this.leftCautions(left)];
  }

  private out({ person, left }: Out): Score[] {
    this.checkLeft(left);
    const others = left.filter((_, at) => this.ledger.seats[at] !== person);
    const scores = this.entered(outScores(person, others, this.rules));
    this.ledger = this.ledger.close("out", [person]);
    return scores;
  }

  private blockedCautions({ left }: Blocked): Caution[] {
    const isEarly = (this.pool ?? 0) > 0 && this.rules.blocked_when !== "all_pass";
    return [...(isEarly ? (["pool_left"] as const) : []), ...this.leftCautions(left)];
  }

  private blocked({ left }: Blocked): Score[] {
    this.checkLeft(left);
    const { seats } = this.ledger;
    const winners = blockedWinners(left, this.rules);
    const scores = this.entered(
      blockedScores(left, this.rules, winners).map((score) => ({
        ...score,
        seat: seats[score.seat] ?? 0,
      })),
    );
    this.ledger = this.ledger.close(
      "blocked",
      winners.map((at) => seats[at] ?? 0),
    );
    return scores;
  }
}
