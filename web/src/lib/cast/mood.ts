/** How the players feel about a round, from what everybody can see. Pure. */
import type { EndInfo, Result, TurnInfo } from "../net/types";
import type { Mood } from "./faces";

/** Pleased after a bonus and at a win; sorry after a turn that cost points, and at a loss. */
export function moods(
  players: number,
  turns: readonly TurnInfo[],
  end: EndInfo | null,
  result: Result | null,
): Mood[] {
  const best = end ? Math.max(...end.points) : 0;
  return Array.from({ length: players }, (_, seat): Mood => {
    if (result) return result.winners.includes(seat) ? "pleased" : "sorry";
    if (end) {
      const won = best > 0 ? end.points[seat] === best : end.seats.includes(seat);
      return won ? "pleased" : "sorry";
    }
    const own = turns.filter((turn) => turn.seat === seat).at(-1);
    if (own?.bonus) return "pleased";
    return own && own.points < 0 ? "sorry" : "waiting";
  });
}

/** Who says their favourite phrase of which mood now. */
export interface Speech {
  seat: number;
  mood: "pleased" | "sorry";
}

/** Who speaks after the last turn: rarely, so that nobody tires of it.
 *
 * A bot speaks at its first bonus of a round and when the match is over.
 */
export function speakers(
  bots: readonly boolean[],
  turns: readonly TurnInfo[],
  result: Result | null,
): Speech[] {
  if (result) {
    const winner = result.winners.find((seat) => bots[seat]);
    if (winner !== undefined) return [{ seat: winner, mood: "pleased" }];
    const loser = bots.indexOf(true);
    return loser < 0 ? [] : [{ seat: loser, mood: "sorry" }];
  }
  const last = turns.at(-1);
  if (!last?.bonus || !bots[last.seat]) return [];
  const before = turns.slice(0, -1).some((turn) => turn.seat === last.seat && turn.bonus);
  return before ? [] : [{ seat: last.seat, mood: "pleased" }];
}
