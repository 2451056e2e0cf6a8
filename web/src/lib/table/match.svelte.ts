/** What all at a table see: made from what is known, for everything that shows it. */
import { parsePlace, type Cell, type Place } from "../board/geometry";
import type { Float } from "../board/ghost";
import { seatName } from "../seatNames";
import type { RoundScores } from "../chart/scores";
import { targetText, matchName, rule } from "../editions";
import { boardOf, scoreLines, type Known } from "../net/reducer";
import type { Command, Hint, Now, State, TurnInfo } from "../net/types";
import { lineReason, worthText } from "./phrases";
import type { Poster } from "../poster/poster";
import { posterLines } from "../poster/posterLines";
import { t } from "../words";

/** Where a table comes from: a server, or a lesson. */
export interface Source {
  readonly known: Known | null;
  /** The version one came in at: what is newer has just happened. */
  readonly joinedAt: number;
  refusal: { code: string; detail: string; key: number } | null;
  /** What was best when it was asked for; a lesson has its own way to help. */
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
  target = $derived.by(() => (this.table ? rule(this.table.rules, "target") : null));
  help = $derived.by(() => this.table?.options["help"] ?? "points");
  names = $derived.by((): string[] =>
    (this.table?.seats ?? []).map(
      (seat, index) =>
        seatName(seat, index, this.you.length === 1 && this.you[0] === index) ??
        t("seat.free", { number: index + 1 }),
    ),
  );
  playing = $derived.by(() => this.table?.state === "playing" && !this.now?.end);

  // --- The board ---------------------------------------------------------------------------------

  places = $derived.by((): Place[] => (this.known ? boardOf(this.known) : []));
  last = $derived.by((): Cell | null => this.places.at(-1)?.cell ?? null);
  pending = $derived.by((): Cell | null => {
    const pending = this.known?.pending;
    return pending ? (parsePlace(pending.move)?.cell ?? null) : null;
  });
  bridges = $derived.by((): Place[] =>
    this.turns.filter((one) => one.bonus === "bridge").flatMap((one) => parsePlace(one.move) ?? []),
  );

  // --- What has just happened --------------------------------------------------------------------

  isNew = $derived.by(() => !!this.known && this.known.version > this.source.joinedAt);
  /** What the tile just laid gave, beside it. */
  float = $derived.by((): Float | null => {
    const turn = this.turns.at(-1);
    const place = turn && parsePlace(turn.move);
    if (!turn || !place || this.known?.pending || !this.isNew) return null;
    const text = worthText(turn.points, turn.bonus);
    return text ? { cell: place.cell, text, key: this.turns.length, bonus: !!turn.bonus } : null;
  });
  /** The points on their way to the score. */
  gain = $derived.by(() => {
    const turn = this.turns.at(-1);
    return this.float && turn && this.scoring
      ? { cell: this.float.cell, seat: turn.seat, points: turn.points, key: this.float.key }
      : null;
  });
  /** What a seat's turn has just given. */
  latest = $derived.by((): Map<number, Gain> => {
    const line = this.known && this.isNew ? scoreLines(this.turns).at(-1) : null;
    if (!this.known || !line) return new Map();
    const gain = { points: line.points, text: lineReason(line), key: this.known.version };
    return new Map([[line.seat, gain]]);
  });

  // --- The match as a whole ----------------------------------------------------------------------

  /** What it is played to, for a sheet or as a sentence. */
  targetText(where: "sheet" | "end"): string {
    return this.table ? targetText(this.table.rules, where) : "";
  }
  rounds = $derived.by((): RoundScores[] => [
    ...(this.table?.past ?? []).map(({ turns, end }) => ({ turns, end: end?.points ?? null })),
    { turns: this.turns, end: this.now?.end?.points ?? null },
  ]);
  /** The board as a picture, with the scores under it. */
  poster = $derived.by((): Poster => {
    const totals = this.table?.result?.scores ?? this.now?.totals ?? [];
    const winners = this.table?.result?.winners ?? [];
    return {
      places: this.places,
      bridges: this.bridges,
      title: t("app"),
      lines: posterLines(this.names, totals, winners, this.scoring),
      foot: this.table ? matchName(this.table.rules) : "",
    };
  });

  name(seat: number | undefined): string {
    return seat === undefined ? "" : (this.names[seat] ?? "");
  }
}
