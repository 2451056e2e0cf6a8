/** Names of people and bots; default names are translated. */
import data from "../cast.json";
import { currentLanguage } from "./language.svelte";
import type { SeatSummary } from "./net/types";
import { textOr, t } from "./words";

const cast = data.names;
export type CastName = keyof typeof cast;
/** The levels of bots, the weakest first. */
export const LEVELS: readonly string[] = data.levels;
export const CAST = Object.keys(cast) as CastName[];

/** Whether a name is one of the cast, who play as bots. */
export const isCast = (name: string | null): name is CastName => name !== null && name in cast;

/** A name of the cast at random that differs from all *taken* ones. */
export function randomCast(taken: readonly string[]): CastName {
  const used = taken.map((name) => name.trim().toLocaleLowerCase());
  const free = CAST.filter(
    (name) => !used.includes(name.toLowerCase()) && !used.includes(cast[name]),
  );
  return free[Math.floor(Math.random() * free.length)] ?? "Milo";
}

/** A name of the cast in the letters of the current language. */
export function castName(name: CastName): string {
  // The made-up language from right to left is for tests.
  return ["he", "xx-rtl"].includes(currentLanguage().code) ? cast[name] : name;
}

/** What the server calls somebody whose profile is deleted. */
const FORMER = /^Former player( \d+)?$/;

/** A name as the server gives it; that of a deleted profile in the language of the reader. */
export const shownName = (name: string): string => (FORMER.test(name) ? t("people.former") : name);

function defaultName(name: string, bot: string | null, seat: number, mine: boolean): string {
  if (bot === null && FORMER.test(name)) return t("people.former");
  if (bot === null) return mine ? t("you") : t("new.player", { number: seat + 1 });
  if (isCast(name)) return castName(name);
  // At tables from before the cast, a second bot of the same level has a number.
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
  if (bot !== undefined && isCast(name)) return castName(name);
  if (bot === undefined && FORMER.test(name)) return t("people.former");
  const plain = name.replace(/ \d+$/, "").toLowerCase();
  return plain === (bot ?? "player") ? defaultName(name, bot ?? null, seat, mine) : name;
}
