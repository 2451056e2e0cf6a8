/** Why the starter of a round starts. */
import { pointsOf } from "../board/geometry";
import { rule } from "../editions";
import type { Json, RoundInfo } from "../net/types";
import { t } from "../words";

/** The draws that decided: those of the last time that the starter drew. */
export function decidingDraws(round: RoundInfo): [number, string][] {
  const { start_draws: draws, starter } = round;
  const times = draws.filter(([who]) => who === starter).length;
  return draws.filter(
    ([who], index) => draws.slice(0, index + 1).filter(([other]) => other === who).length === times,
  );
}

/** The rule by which a round has its starter. */
export function startRule(
  round: RoundInfo,
  nextStarter: string,
): "draw" | "redrawn" | "triple" | "turns" | "winner" {
  const draws = round.start_draws;
  if (draws.length)
    return draws.filter(([who]) => who === round.starter).length > 1 ? "redrawn" : "draw";
  if (round.number === 1 || nextStarter === "set_up") return "triple";
  return nextStarter === "rotate_left" ? "turns" : "winner";
}

/** Why the starter of a round starts, in words. */
export function startReason(round: RoundInfo, rules: Json): string {
  const why = startRule(round, rule(rules, "next_starter"));
  if (why !== "draw" && why !== "redrawn") return t(`start.why.${why}`);
  const draw = decidingDraws(round).find(([who]) => who === round.starter);
  return t(`start.why.${why}`, { points: pointsOf(draw?.[1] ?? "0-0-0") });
}
