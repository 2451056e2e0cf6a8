/** How long people wait for somebody who is away; the server decides by the same times. */

const STAND_IN_AFTER = 60;
const END_AFTER = 600;
const SLOW = 3600;

/** Seconds of absence after which a bot may be asked to play, given the `away_seconds` of a table. */
export function standInAfter(away: number | null): number {
  if (away === null) return STAND_IN_AFTER;
  return away >= SLOW ? away : Math.min(STAND_IN_AFTER, away);
}

/** Seconds of absence after which a match may be ended without a winner. */
export const endAfter = (away: number | null): number => Math.max(END_AFTER, away ?? 0);

/** A time as people read it on a clock: 0:05, 12:30, 1:02:03. */
export function clockText(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = two(Math.floor(seconds) % 60);
  return hours ? `${String(hours)}:${two(minutes)}:${rest}` : `${String(minutes)}:${rest}`;
}
