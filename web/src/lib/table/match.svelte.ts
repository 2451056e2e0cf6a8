/** What everybody at a table sees, derived from its state. */
import { parsePlace, type Cell, type Place } from "../board/geometry";
import type { Float } from "../board/ghost";
import { moods, speakers, type Speech } from "../cast/mood";
import { peopleOf, type Person } from "../cast/people";
import type { Mood } from "../cast/faces";
import { seatName } from "../seatNames";
import { headStartRound, type RoundScores } from "../chart/scores";
import { targetText, matchName, rule } from "../editions";
import { boardOf, scoreLines, type Known } from "../net/reducer";
import type { Command, Hint, Now, State, TurnInfo } from "../net/types";
import { lineReason, worthText } from "./phrases";
import type { Poster } from "../poster/poster";
import { posterLines } from "../poster/posterLines";
import { type Cheer, cheerOf } from "../joy/cheer";
import { t } from "../words";

/** The source of a table: a server or a lesson. */
export interface Source {
  readonly known: Known | null;
  /** The version at which this client joined; anything newer has just happened. */
  readonly joinedAt: number;
  refusal: { code: string; detail: string; key: number } | null;
  /** The last hint; absent in a lesson. */
  readonly hint?: Hint | null;
  move(move: string, seat: number): void;
  send(command: Command): void;
}

export interface Gain {
  points: number;
  text: string;
  key: number;
}

export class Match {
  readonly source: Source;

  constructor(source: Source) {
    this.source = source;
  }

  known = $derived.by((): Known | null => this.source.known);
  table = $derived.by((): State | null => this.known?.state ?? null);
  now = $derived.by((): Now | null => this.known?.now ?? null);
  turns = $derived.by((): TurnInfo[] => this.known?.turns ?? []);
  you = $derived.by((): number[] => this.table?.you ?? []);
  scoring = $derived.by(() => (this.table ? rule(this.table.rules, "scoring") : true));
  target = $derived.by(() =>
    this.table && !this.table.rounds ? rule(this.table.rules, "target") : null,
  );
  help = $derived.by(() => this.table?.options["help"] ?? "points");
  names = $derived.by((): string[] =>
    (this.table?.seats ?? []).map(
      (seat, index) =>
        seatName(seat, index, this.you.length === 1 && this.you[0] === index) ??
        t("seat.free", { number: index + 1 }),
    ),
  );
  people = $derived.by((): Person[] => peopleOf(this.names, this.table?.seats ?? []));
  moods = $derived.by((): Mood[] =>
    moods(this.names.length, this.turns, this.now?.end ?? null, this.table?.result ?? null),
  );
  /** Who of the cast says something about what has just happened. */
  speakers = $derived.by((): Speech[] => {
    if (!this.isNew || this.known?.pending) return [];
    const bots = this.people.map(({ cast }) => cast !== null);
    return speakers(bots, this.turns, this.table?.result ?? null);
  });
  /** Whether no other person plays here. */
  alone = $derived.by(
    () =>
      !(this.table?.seats ?? []).some(
        (seat, index) => seat.kind === "person" && !this.you.includes(index),
      ),
  );
  playing = $derived.by(() => this.table?.state === "playing" && !this.now?.end);

  // --- The board --------------------------------------------------------------------------------

  places = $derived.by((): Place[] => (this.known ? boardOf(this.known) : []));
  last = $derived.by((): Cell | null => this.places.at(-1)?.cell ?? null);
  pending = $derived.by((): Cell | null => {
    const pending = this.known?.pending;
    return pending ? (parsePlace(pending.move)?.cell ?? null) : null;
  });
  bridges = $derived.by((): Place[] =>
    this.turns.filter((one) => one.bonus === "bridge").flatMap((one) => parsePlace(one.move) ?? []),
  );

  /** Changes with every round and every tile of one's own that was laid; of anybody's for those who watch. */
  turnAt = $derived.by(() => {
    const laid = this.turns.filter(
      ({ seat, move }) => move.includes("=") && (!this.you.length || this.you.includes(seat)),
    );
    return `${String(this.table?.round?.number ?? 0)}.${String(laid.length)}`;
  });

  // --- Last move --------------------------------------------------------------------------------

  isNew = $derived.by(() => !!this.known && this.known.version > this.source.joinedAt);
  /** The points of the last tile, to show beside it. */
  float = $derived.by((): Float | null => {
    const turn = this.turns.at(-1);
    const place = turn && parsePlace(turn.move);
    if (!turn || !place || this.known?.pending || !this.isNew) return null;
    const text = worthText(turn.points, turn.bonus);
    return text ? { cell: place.cell, text, key: this.turns.length, bonus: !!turn.bonus } : null;
  });
  /** The points that fly to the score. */
  gain = $derived.by(() => {
    const turn = this.turns.at(-1);
    return this.float && turn && this.scoring
      ? { cell: this.float.cell, seat: turn.seat, points: turn.points, key: this.float.key }
      : null;
  });
  /** What has just happened that is worth a celebration. */
  cheer = $derived.by((): Cheer | null => {
    if (!this.isNew || this.known?.pending) return null;
    const bots = (this.table?.seats ?? []).map(({ kind }) => kind === "bot");
    return cheerOf(this.turns, this.now?.end ?? null, this.table?.result ?? null, bots);
  });
  /** Several people play, perhaps in one room. */
  company = $derived.by(
    () => (this.table?.seats ?? []).filter(({ kind }) => kind === "person").length > 1,
  );
  /** The points of the latest turn, by seat. */
  latest = $derived.by((): Map<number, Gain> => {
    const line = this.known && this.isNew ? scoreLines(this.turns).at(-1) : null;
    if (!this.known || !line) return new Map();
    const gain = { points: line.points, text: lineReason(line), key: this.known.version };
    return new Map([[line.seat, gain]]);
  });

  // --- The match as a whole ---------------------------------------------------------------------

  /** The target, short for a sheet or as a sentence. */
  targetText(where: "sheet" | "end"): string {
    return this.table ? targetText(this.table.rules, where, this.table.rounds) : "";
  }
  /** The head start of each seat. */
  ahead = $derived.by((): number[] =>
    (this.table?.seats ?? []).map(({ head_start }) => head_start),
  );
  rounds = $derived.by((): RoundScores[] => [
    ...(this.table?.past ?? []).map(({ turns, end }) => ({ turns, end: end?.points ?? null })),
    { turns: this.turns, end: this.now?.end?.points ?? null },
    ...(this.table?.result ? headStartRound(this.ahead) : []),
  ]);
  /** The board and the scores as a poster. */
  poster = $derived.by((): Poster => {
    const totals = this.table?.result?.scores ?? this.now?.totals ?? [];
    const winners = this.table?.result?.winners ?? [];
    return {
      places: this.places,
      bridges: this.bridges,
      title: t("app"),
      lines: posterLines(this.names, totals, winners, this.scoring),
      foot: this.table ? matchName(this.table.rules, this.table.rounds) : "",
    };
  });

  name(seat: number | undefined): string {
    return seat === undefined ? "" : (this.names[seat] ?? "");
  }
}
