/** Texts for turns, hints and reasons. */
import { parsePlace, tileOf } from "../board/geometry";
import type { Speech } from "../cast/mood";
import type { CastName } from "../seatNames";
import type { ScoreLine } from "../net/reducer";
import type { HintMove, HintReason, TurnInfo } from "../net/types";
import { textOr, signed, t } from "../words";

export const bonusName = (bonus: string): string => textOr(`bonus.${bonus}`, bonus);

/** The label of a place: its points and the name of a bonus. */
export function worthText(
  points: number | null | undefined,
  bonus: string | null | undefined,
): string {
  const sum = points ? signed(points) : "";
  if (!bonus) return sum;
  return sum ? t("worth.bonus", { points: sum, bonus: bonusName(bonus) }) : bonusName(bonus);
}

/** Why a line of the score sheet has its points. */
export function lineReason(line: ScoreLine): string {
  const parts: string[] = [];
  if (line.draws) parts.push(t("line.drew", { count: line.draws }));
  if (line.bonus) parts.push(bonusName(line.bonus));
  if (line.move === "pass") parts.push(t("line.pass"));
  if (line.move === "keep") parts.push(t("line.keep"));
  if (line.byBot) parts.push(t("line.byBot"));
  return parts.join(", ");
}

/** The favourite phrase of somebody of the cast; empty while it is not loaded. */
export const phrase = (cast: CastName | null | undefined, mood: Speech["mood"]): string =>
  cast ? textOr(`cast.${cast.toLowerCase()}.${mood}`, "") : "";

export const percent = (part: number): number => Math.round(100 * part);

/** Why a move is good, in sentences: what it gains, and the risk that it takes. */
export function reasonsText(move: string, reasons: readonly HintReason[]): string {
  const bonus = reasons.find(({ kind }) => kind === "bonus")?.bonus;
  const said = reasons.flatMap((reason) => {
    const { kind, points, chance = 1 } = reason;
    if (kind === "danger" || kind === "hopes")
      return t(`hint.${kind}`, { percent: percent(chance), points });
    if (kind === "stuck" || kind === "fits") return t(`hint.${kind}`, { percent: percent(chance) });
    if (kind === "keeps")
      return t("hint.keeps", { count: reason.count ?? 0, number: reason.number ?? 0 });
    if (kind === "tie") return t("hint.tie", { move: moveText(reason.move ?? "") });
    if (kind === "bonus")
      return textOr(`hint.${bonus ?? ""}`, "", { points: signed(gain(reasons)) });
    if (kind === "draw") return points ? t("hint.draw", { points: -points }) : t("hint.drawFree");
    if (kind === "out") return t("hint.out");
    // The sentence about a bonus holds these points too.
    return bonus ? [] : t("hint.points", { points });
  });
  if (said.length) return said.join(" ");
  return parsePlace(move) ? t("hint.none") : t("hint.act", { act: textOr(`act.${move}`, move) });
}

/** A move in short: the tile that is laid, or what is done. */
export function moveText(move: string): string {
  const place = parsePlace(move);
  return place ? tileOf(place.numbers) : textOr(`act.${move}`, move);
}

const GAINS: readonly HintReason["kind"][] = ["points", "bonus", "out"];

/** The points of a placement, its bonus included. */
const gain = (reasons: readonly HintReason[]): number =>
  reasons.reduce((sum, { kind, points }) => sum + (GAINS.includes(kind) ? points : 0), 0);

/** A hint in words: how often it wins the round, and why. */
export const hintText = ({ move, win, why }: HintMove): string =>
  t("hint.text", { percent: percent(win), why: reasonsText(move, why) });

/** A turn as one sentence. */
export function plySentence(turn: TurnInfo, name: string): string {
  const place = parsePlace(turn.move);
  if (place) {
    const values = { name, tile: tileOf(place.numbers), points: turn.points };
    if (turn.bonus) return t("said.bonus", { ...values, bonus: bonusName(turn.bonus) });
    return turn.points ? t("said.placed", values) : t("said.laid", values);
  }
  if (turn.tile) return t("said.drew", { name, tile: turn.tile, points: signed(turn.points) });
  return textOr(`said.${turn.move}`, turn.move, { name, points: signed(turn.points) });
}
