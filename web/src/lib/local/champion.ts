/**
 * Rollouts of the champion in this browser. A time limit would make it weaker on a slow phone; this
 * number is what the native kernel reaches in the 50 ms it has on a server, so the champion is the
 * same everywhere.
 */
export const CHAMPION_ROLLOUTS = 20_000;
