/** The player's side of a table: the rack shown, the legal choices and the current selection. */
import { untrack } from "svelte";
import { afterFrame } from "../afterFrame";
import {
  cellText,
  openCells,
  parsePlace,
  placeText,
  pointsOf,
  tileOf,
  turnedTo,
  type Cell,
  type Place,
} from "../board/geometry";
import type { Ghost } from "../board/ghost";
import { rule } from "../editions";
import { scoreLines, rackOf, type ScoreLine } from "../net/reducer";
import type { Choice, Hint } from "../net/types";
import { hintText, worthText } from "./phrases";
import { settings } from "../settings.svelte";
import { t, whyNot } from "../words";
import type { Match } from "./match.svelte";

export type Action = "draw" | "pass" | "end" | "keep";

/** Milliseconds until somebody who is here and thinks may be reminded. */
const SLOW = 45_000;
const START: Cell = { x: 0, y: 0, down: false };

interface Option {
  choice: Choice;
  place: Place;
  tile: string;
}

export class Hand {
  readonly match: Match;

  constructor(match: Match) {
    this.match = match;
    // Clear the selection when the turn ends.
    $effect(() => {
      if (!this.mine) this.chosen = this.aimed = this.confirming = null;
    });
    // A hint aims at its place, which then waits for confirmation like any other.
    $effect(() => {
      const best = this.hint?.moves[0];
      if (best) untrack(() => this.#aimAt(best.move));
    });
    $effect(() => {
      if (this.chosen !== null && !this.rack.includes(this.chosen)) this.chosen = this.aimed = null;
    });
    $effect(() => {
      this.#slow = null;
      void this.#ply;
      const seat = this.#awaited;
      if (seat === null) return;
      const timer = setTimeout(() => (this.#slow = seat), SLOW);
      return () => clearTimeout(timer);
    });
  }

  /** The seat whose rack is shown, if several people share a device. */
  shown = $state<number | null>(null);
  /** How many of the tiles laid meanwhile are still to be replayed. */
  unseen = $state(0);
  chosen = $state<string | null>(null);
  /** The place that waits for confirmation. */
  aimed = $state<string | null>(null);
  /** A move on its first frame: its tile is painted before anything else is computed. */
  laying = $state<string | null>(null);
  rotation = $state(0);
  /** A costly action that waits for confirmation, because a tile fits. */
  confirming = $state<Action | null>(null);

  // --- Rack -------------------------------------------------------------------------------------

  /** Whether the next player's rack is hidden until they ask for it, on a shared device. */
  curtain = $derived.by(() => {
    const { you, playing, now } = this.match;
    return you.length > 1 && playing && !!now && you.includes(now.turn) && now.turn !== this.shown;
  });
  seat = $derived.by((): number | null =>
    this.match.you.length > 1 ? this.shown : (this.match.you[0] ?? null),
  );
  rack = $derived.by((): string[] => {
    const { known } = this.match;
    if (!known || this.seat === null || this.curtain) return [];
    const tiles = [...rackOf(known, this.seat)];
    if (settings.sort === "points")
      tiles.sort((a, b) => pointsOf(b) - pointsOf(a) || a.localeCompare(b));
    return tiles;
  });
  /** Whether it is this player's turn to act. */
  mine = $derived.by(() => {
    const { playing, now, known } = this.match;
    return playing && now?.turn === this.seat && !known?.pending && !this.curtain;
  });
  /** A bot plays for this seat. */
  hasSubstitute = $derived.by(
    () => this.seat !== null && !!this.match.table?.seats[this.seat]?.substitute,
  );

  // --- Choices ----------------------------------------------------------------------------------

  choices = $derived.by((): Choice[] =>
    this.mine && !this.hasSubstitute ? (this.match.now?.choices ?? []) : [],
  );
  options = $derived.by((): Option[] =>
    this.choices.flatMap((choice) => {
      const place = parsePlace(choice.move);
      return place ? [{ choice, place, tile: tileOf(place.numbers) }] : [];
    }),
  );
  canPlace = $derived.by(() => this.options.length > 0);
  /** The help that this seat has. */
  help = $derived.by(
    () => (this.seat === null ? null : this.match.table?.seats[this.seat]?.help) ?? this.match.help,
  );
  /** The number of places of each tile, or `null` if the table gives no help. */
  playable = $derived.by((): Map<string, number> | null => {
    if (this.help === "none") return null;
    const found = new Map<string, Set<string>>();
    for (const { tile, place } of this.options) {
      const cells = found.get(tile) ?? new Set();
      cells.add(cellText(place.cell));
      found.set(tile, cells);
    }
    return new Map([...found].map(([tile, cells]) => [tile, cells.size]));
  });
  /** The reason why drawing is not allowed now, or `null` if it is. */
  noDrawCode = $derived.by(() => {
    const { now } = this.match;
    if (!this.mine || this.hasSubstitute || !now?.why_not_draw) return null;
    return now.why_not_draw === "must_place" && now.draws ? "drawn_must_place" : now.why_not_draw;
  });
  /** The same in words; empty if drawing is allowed. */
  whyNotDraw = $derived.by(() =>
    this.noDrawCode === null ? "" : whyNot({ code: this.noDrawCode }),
  );
  drawsLeft = $derived.by(() => {
    const { table, now } = this.match;
    return table && now ? Math.min(rule(table.rules, "max_draws") - now.draws, now.pool_size) : 0;
  });
  undoable = $derived.by(
    () =>
      this.match.playing &&
      !!this.match.table?.options["undo"] &&
      this.seat !== null &&
      !this.match.known?.pending &&
      !this.match.table.undo &&
      this.match.known?.undoOutcome !== "refused" &&
      this.match.turns.some((one) => one.seat === this.seat),
  );

  // --- Waiting for somebody ---------------------------------------------------------------------

  /** The seat of a person who is here and to move, while this player waits. */
  #awaited = $derived.by((): number | null => {
    const { now, playing, you, table, known } = this.match;
    if (!now || !playing || this.seat === null || you.includes(now.turn)) return null;
    const { kind, substitute } = table?.seats[now.turn] ?? {};
    const isThere = kind === "person" && !substitute && known?.here.includes(now.turn);
    return isThere ? now.turn : null;
  });
  #ply = $derived.by(() => this.match.now?.ply);
  /** The seat of a person who takes long. */
  #slow = $state<number | null>(null);
  /** The seat to remind; `null` while nobody keeps others waiting. */
  remindable = $derived.by(() => (this.isReminded ? null : this.#slow));
  isReminded = $derived.by(
    () =>
      this.#slow !== null &&
      (this.match.table?.reminders ?? []).some(({ seat }) => seat === this.#slow),
  );

  /** Whether a hint may be asked for. */
  hintable = $derived.by(
    () =>
      this.mine &&
      !this.hasSubstitute &&
      this.choices.length > 1 &&
      this.match.source.hint !== undefined &&
      !!this.match.table?.options["hints"] &&
      !this.match.table.is_rated,
  );
  /** The hint for this move, if one was asked for. */
  hint = $derived.by((): Hint | null => {
    const { hint } = this.match.source;
    return this.mine && hint && hint.ply === this.match.known?.now?.ply ? hint : null;
  });

  askHint(): void {
    this.match.source.send({ type: "ask_hint", seat: this.seat });
  }

  #aimAt(move: string): void {
    const place = parsePlace(move);
    if (!place) return;
    this.choose(tileOf(place.numbers));
    this.aimed = this.ghosts.find((ghost) => ghost.key === move)?.key ?? this.aimed;
  }

  /** The choice for an action other than a placement. */
  choiceFor(word: Action): Choice | undefined {
    return this.choices.find((choice) => choice.move === word);
  }

  // --- Selection --------------------------------------------------------------------------------

  /** The number of rotations of the chosen tile: several only on an empty table. */
  orientations = $derived.by(() =>
    this.match.places.length || this.chosen === null
      ? 1
      : this.options.filter(({ tile }) => tile === this.chosen).length,
  );
  ghosts = $derived.by((): Ghost[] => {
    const { places } = this.match;
    const tile = this.chosen;
    if (!this.mine || tile === null || !this.rack.includes(tile)) return [];
    if (this.help === "none") return this.#blankGhosts(tile);
    const own = this.options.filter((one) => one.tile === tile);
    const turn = this.rotation % Math.max(1, own.length);
    return (places.length ? own : own.slice(turn, turn + 1))
      .map(({ choice, place }) => ({
        key: choice.move,
        place,
        label: worthText(choice.points, choice.bonus),
        short: choice.bonus ? `${worthText(choice.points, null)}★` : worthText(choice.points, null),
        points: choice.points ?? 0,
      }))
      .sort((a, b) => b.points - a.points);
  });
  aim = $derived.by(() => this.ghosts.find((ghost) => ghost.key === this.aimed) ?? null);
  reach = $derived.by((): Cell[] => this.options.map(({ place }) => place.cell));
  /** The tiles drawn in this turn. */
  drawnTiles = $derived.by((): string[] => {
    const { turns, now } = this.match;
    return turns
      .slice(turns.length - (now?.draws ?? 0))
      .flatMap((one) => (one.tile && one.seat === this.seat ? [one.tile] : []));
  });
  /** The index of the first turn since the seat to move played last. */
  firstNewTurn = $derived.by(
    () => this.match.turns.map(({ seat }) => seat).lastIndexOf(this.match.now?.turn ?? -1) + 1,
  );
  /** The last score lines since then. */
  recentLines = $derived.by((): ScoreLine[] =>
    scoreLines(this.match.turns.slice(this.firstNewTurn)).slice(-4),
  );

  /** Without help every cell beside a tile may be tried. */
  #blankGhosts(tile: string): Ghost[] {
    const { places } = this.match;
    const blank = places.length > 0;
    return (blank ? openCells(places) : [START]).map((cell) => {
      const place = turnedTo(tile, cell, places);
      return { key: placeText(place), place, label: "", blank };
    });
  }

  /** Show the rack of the seat to move, and replay what happened since its last turn. */
  show(): void {
    const { turns, now } = this.match;
    this.unseen = turns.slice(this.firstNewTurn).filter(({ move }) => parsePlace(move)).length;
    this.shown = now?.turn ?? null;
  }

  /** Say why drawing is not allowed, as the server would. */
  explainNoDraw(): void {
    const code = this.noDrawCode;
    if (code !== null) this.match.source.refusal = { code, detail: "", key: 0 };
  }

  choose(tile: string | null): void {
    this.unseen = 0;
    this.match.source.refusal = null;
    this.confirming = this.aimed = null;
    this.rotation = 0;
    this.chosen = this.mine && !this.hasSubstitute ? tile : null;
    const [only, more] = this.ghosts;
    if (only && !more && !only.blank) this.aimed = only.key;
  }

  rotate(): void {
    this.rotation += 1;
    this.aimed = this.ghosts[0]?.key ?? null;
  }

  play(move: string): void {
    if (!this.mine || this.seat === null || this.laying !== null) return;
    const seat = this.seat;
    this.unseen = 0;
    const settle = (): void => {
      this.laying = null;
      this.chosen = this.aimed = this.confirming = null;
      this.match.source.move(move, seat);
    };
    if (this.ghosts.some((ghost) => ghost.key === move)) {
      this.laying = move;
      afterFrame(settle);
    } else settle();
  }

  /** Play an action; if it costs points although a tile fits, ask for confirmation first. */
  act(word: Action): void {
    if (word !== "keep" && this.canPlace && this.confirming !== word) this.confirming = word;
    else this.play(word);
  }

  /** A short text on what to do now. */
  status = $derived.by(() => {
    const { table, now, known, places } = this.match;
    if (!table || !now || !known || now.end) return "";
    if (this.match.you.length && this.hasSubstitute) return t("status.bot");
    if (!this.mine)
      return known.pending ? "" : t("status.waiting", { name: this.match.name(now.turn) });
    const best = this.hint?.moves[0];
    if (best && (this.aim ? this.aim.key === best.move : !this.chosen)) return hintText(best);
    if (this.chosen && this.ghosts.length > 1 && !this.aim) return t("status.choosePlace");
    if (this.chosen && !this.ghosts.length) return t("status.noPlace", { tile: this.chosen });
    if (!places.length)
      return t(rule(table.rules, "starter_free_choice") ? "status.open" : "status.openForced");
    if (this.help === "none") return t("status.your");
    if (this.choiceFor("keep")) return t("status.keep");
    if (this.canPlace) return t("status.playable", { count: this.playable?.size ?? 0 });
    if (this.choiceFor("draw")) return t("status.nothingDraw");
    return t("status.nothing");
  });
}
