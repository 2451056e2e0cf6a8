/** The names of levels in version 1 of files and settings; today's `hard` was `expert` then. Pure. */
const LEVELS_1: Record<string, string> = {
  greedy: "easy",
  club: "medium",
  expert: "hard",
  master: "expert",
};

/** The current id of a bot of version 1. */
export const botFrom1 = (bot: string): string => LEVELS_1[bot] ?? bot;
