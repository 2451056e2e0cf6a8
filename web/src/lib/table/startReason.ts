/** Why the starter of a round starts. */
import { pointsOf } from "../board/geometry";
import { rule } from "../editions";
import type { Json, RoundInfo } from "../net/types";
import { t } from "../words";

/** The draw that decided: the starter's last one; those before it were ties. */
export const decidingDraw = ({ start_draws, starter }: RoundInfo): number =>
  start_draws.map(([who]) => who).lastIndexOf(starter);

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
  const [, tile] = round.start_draws[decidingDraw(round)] ?? [0, "0-0-0"];
  return t(`start.why.${why}`, { points: pointsOf(tile) });
}
