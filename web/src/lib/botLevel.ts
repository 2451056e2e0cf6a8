/** The level of the bot to play against, adjusted by the results of past matches. Pure. */
import type { BotInfo } from "./net/types";

export interface LevelState {
  level: string;
  /** Wins in a row, or losses if negative. */
  streak: number;
}

/** So many wins or losses in a row change the level. */
const STREAK_TO_MOVE = 2;

/** The streak after one more match: won (1), lost (-1) or drawn (0). */
export function nextStreak(streak: number, outcome: number): number {
  return outcome && Math.sign(streak) === outcome ? streak + outcome : outcome;
}

/** One level up after a winning streak, one down after a losing one, if this server can play it. */
export function adjustedLevel({ level, streak }: LevelState, bots: readonly BotInfo[]): LevelState {
  const step = Math.abs(streak) >= STREAK_TO_MOVE ? Math.sign(streak) : 0;
  const moved = levelBeside(level, step, bots);
  if (moved !== null) return { level: moved, streak: step ? 0 : streak };
  return { level: levelBeside(level, 0, bots) ?? level, streak };
}

/** The level *steps* up, or the next one below it that this server can play. */
export function levelBeside(level: string, steps: number, bots: readonly BotInfo[]): string | null {
  const index = bots.findIndex(({ name }) => name === level) + steps;
  if (index >= bots.length) return null;
  const here = bots.slice(0, index + 1).filter((bot) => bot.why_not === null);
  const found = here.at(-1)?.name ?? null;
  return steps > 0 && found === level ? null : found;
}
