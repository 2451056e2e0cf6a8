/** Names of people and bots; default names are translated. */
import type { SeatSummary } from "./net/types";
import { textOr, t } from "./words";

function defaultName(name: string, bot: string | null, seat: number, mine: boolean): string {
  if (bot === null) return mine ? t("you") : t("new.player", { number: seat + 1 });
  // A second bot of the same level has a number.
  return textOr(`bot.${bot}`, bot) + (/ \d+$/.exec(name)?.[0] ?? "");
}

/** The name of a seat at a table; *mine* if it is the only seat of this device. */
export function seatName(seat: SeatSummary, index: number, mine = false): string | null {
  if (seat.name === null || !seat.is_made_up) return seat.name;
  return defaultName(seat.name, seat.bot, index, mine);
}

/** The name of a player in a record, which does not mark default names. */
export function playerName(
  { name, bot }: { name: string; bot?: string },
  seat: number,
  mine = false,
): string {
  const plain = name.replace(/ \d+$/, "").toLowerCase();
  return plain === (bot ?? "player") ? defaultName(name, bot ?? null, seat, mine) : name;
}
