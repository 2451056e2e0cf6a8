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

/** One reason for a move, in words. */
export function reasonText(reason: HintReason): string {
  const points = signed(reason.points);
  if (reason.kind === "bonus")
    return t("worth.bonus", { points, bonus: bonusName(reason.bonus ?? "") });
  if (reason.kind === "danger")
    return t("hint.danger", {
      percent: percent(reason.chance ?? 1),
      points: reason.points,
    });
  return t(`hint.${reason.kind}`, { points });
}

/** A hint in one line: what to do, how often that wins the round, and why. */
export function hintText(move: HintMove): string {
  const reasons = move.why.map(reasonText).join("; ") || textOr(`act.${move.move}`, move.move);
  return t("hint.text", { percent: percent(move.win), why: reasons });
}

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
