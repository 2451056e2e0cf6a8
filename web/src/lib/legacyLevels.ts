/** What version 1 of files and settings called the levels; a `hard` of today was an `expert` then. Pure. */
const LEVELS_1: Record<string, string> = {
  greedy: "easy",
  club: "medium",
  expert: "hard",
  master: "expert",
};

/** Today's id of a bot of version 1. */
export const botFrom1 = (bot: string): string => LEVELS_1[bot] ?? bot;
