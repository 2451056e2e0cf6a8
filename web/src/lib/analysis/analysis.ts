/** The marks of an analysed match, and their texts. Pure. */
import type { Analysis, MarkedMove } from "../net/types";
import { moveText, percent, reasonsText } from "../table/phrases";
import type { MatchRecord } from "../replay/record";
import { t } from "../words";

export type Mark = NonNullable<MarkedMove["mark"]>;

/** The usual symbols of annotated games, so that no mark depends on colour alone. */
export const SYMBOLS: Record<Mark, string> = { inaccuracy: "?!", mistake: "?", blunder: "??" };
export const MARKS = Object.keys(SYMBOLS) as Mark[];

/** A marked decision, and the step of the match after it. */
export type Marked = MarkedMove & { mark: Mark; round: number; step: number };

/** Whether an analysis has the players, rounds and turns of this record. */
export const isAnalysisOf = (analysis: Analysis, record: MatchRecord): boolean =>
  analysis.players.length === record.players.length &&
  analysis.rounds.length === record.rounds.length &&
  analysis.rounds.every(
    ({ chances }, round) => chances.length === (record.rounds[round]?.turns.length ?? 0) + 1,
  );

/** The chances of all seats after every step of the match. */
export const curve = (analysis: Analysis): number[][] =>
  analysis.rounds.flatMap(({ chances }) => chances);

/** The first step of each round. */
export function roundStarts(analysis: Analysis): number[] {
  let next = 0;
  return analysis.rounds.map(({ chances }) => {
    const start = next;
    next += chances.length;
    return start;
  });
}

/** All marked decisions, in order. */
export function marked(analysis: Analysis): Marked[] {
  const first = roundStarts(analysis);
  return analysis.rounds.flatMap(({ moves }, round) =>
    moves.flatMap((move) =>
      move.mark
        ? [{ ...move, mark: move.mark, round, step: (first[round] ?? 0) + move.turn + 1 }]
        : [],
    ),
  );
}

/** The mark, the better move, and the chances of both. */
export function betterMoveText(one: Marked): string {
  const values = {
    mark: t(`mark.${one.mark}`),
    move: moveText(one.best),
    why: one.why?.length ? reasonsText(one.best, one.why) : "",
    best: percent(one.best_win),
    win: percent(one.win),
  };
  return values.why ? t("analysis.betterWhy", values) : t("analysis.better", values);
}

/** The chances after a step as one line. */
export const chancesText = (now: readonly number[], names: readonly string[]): string =>
  names
    .map((name, seat) => t("analysis.chance", { name, percent: percent(now[seat] ?? 0) }))
    .join(" · ");
