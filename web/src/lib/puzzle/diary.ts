/** What this device has solved: the days, and how many in a row. */

/** How a day's puzzle went: solved with so many wrong answers before, or given up. */
export interface Entry {
  wrong: number;
  solved: boolean;
}

/** By day; see `dayOf`. */
export type Diary = Record<string, Entry>;

/** The key in `localStorage`. */
export const KEY = "triomino-puzzles";

/** Parse a stored diary; what cannot be read is left out. */
export function readDiary(text: string | null): Diary {
  try {
    const stored: unknown = JSON.parse(text ?? "{}");
    const found: Diary = {};
    for (const [day, entry] of Object.entries(stored as object)) {
      const { wrong, solved } = (entry ?? {}) as Partial<Entry>;
      if (/^\d+$/.test(day) && typeof wrong === "number" && typeof solved === "boolean")
        found[day] = { wrong, solved };
    }
    return found;
  } catch {
    return {};
  }
}

/**
 * How many days in a row were solved, up to today or, while today's is still open, yesterday. A day
 * solved later counts too: what matters is that none is missing.
 */
export function streak(diary: Diary, today: number): number {
  const solved = (day: number): boolean => diary[day]?.solved === true;
  let day = solved(today) ? today : today - 1;
  let count = 0;
  for (; solved(day); day--) count++;
  return count;
}

export const solvedCount = (diary: Diary): number =>
  Object.values(diary).filter(({ solved }) => solved).length;

export function loadDiary(): Diary {
  try {
    return readDiary(localStorage.getItem(KEY));
  } catch {
    return {};
  }
}

/** Remember how a day went; a day that was solved stays solved. */
export function write(diary: Diary, day: number, entry: Entry): Diary {
  const before = diary[day];
  const next = before?.solved ? diary : { ...diary, [day]: entry };
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // A private window has no storage; the puzzle is solved all the same.
  }
  return next;
}
