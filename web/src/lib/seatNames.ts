/** What people and bots are called. A name that nobody gave is said in the reader's words. */
import type { SeatSummary } from "./net/types";
import { textOr, t } from "./words";

function defaultName(name: string, bot: string | null, seat: number, mine: boolean): string {
  if (bot === null) return mine ? t("you") : t("new.player", { number: seat + 1 });
  // The second of its kind has a number.
  return textOr(`bot.${bot}`, bot) + (/ \d+$/.exec(name)?.[0] ?? "");
}

/** Whoever has a seat at a table; *mine*: the only seat of this device. */
export function seatName(seat: SeatSummary, index: number, mine = false): string | null {
  if (seat.name === null || !seat.is_made_up) return seat.name;
  return defaultName(seat.name, seat.bot, index, mine);
}

/** A player of a record, which has the names alone. */
export function playerName(
  { name, bot }: { name: string; bot?: string },
  seat: number,
  mine = false,
): string {
  const plain = name.replace(/ \d+$/, "").toLowerCase();
  return plain === (bot ?? "player") ? defaultName(name, bot ?? null, seat, mine) : name;
}
