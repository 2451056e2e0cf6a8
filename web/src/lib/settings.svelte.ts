/** Settings stored on this device. */
import type { Json, Pace } from "./net/types";
import { botFrom1 } from "./legacyLevels";
import { nextStreak } from "./botLevel";

export type Theme = "auto" | "day" | "night";

interface Settings {
  /** The format; see {@link VERSION}. */
  version: number;
  name: string;
  theme: Theme;
  /** The language chosen here; otherwise the browser's. */
  language: string | null;
  /** The target of a game with one click; without one it is a single round. */
  target: number | null;
  /** Whether such a game has points. */
  points: boolean;
  /** What was last played with strangers. */
  now: { edition: string; players: number };
  /** The rules of the last table that was set up here. */
  rules: Json | null;
  /** The last table that a friend was invited to. */
  invitation: string | null;
  /** The bot to play against, and the matches won in a row, or lost if negative. */
  level: string;
  streak: number;
  /** Whether a game with one click lives in this browser or on the server. */
  where: "here" | "server";
  /** How long bots take for a move at new tables. */
  pace: Pace;
  /** The tables counted in the streak. */
  counted: string[];
  tables: string[];
  sort: "dealt" | "points";
  /** Notices that need not be shown again. */
  told: string[];
  /** The lessons done. */
  lessons: string[];
  /** Whether there are sounds; until it is chosen here, they are off where several people play. */
  sound: boolean | null;
  /** Mark numbers with notches as well as colours. */
  notches: boolean;
  /** The board turns by itself when that makes its tiles larger. */
  turn: boolean;
  /** Single keys act as commands. */
  keys: boolean;
  /** What to be told while the page is closed, and the minutes of the day when not. */
  push: { wishes: Wish[]; quiet: { begin: number; end: number } | null } | null;
  /** When the server was last told so. */
  pushed: number;
  /** Notify the player whose turn it is while the page is hidden. */
  notify: boolean;
}

type Wish = "turns" | "invitations" | "reminders";

/** The key in `localStorage`. */
export const KEY = "triomino";
/**
 * Version 1 had no version number and other names for the levels; until version 2 it was not known
 * whether sounds were chosen.
 */
const VERSION = 3;
const DEFAULTS: Settings = {
  version: VERSION,
  name: "",
  theme: "auto",
  language: null,
  target: null,
  points: true,
  now: { edition: "classic", players: 2 },
  rules: null,
  invitation: null,
  level: "beginner",
  streak: 0,
  where: "here",
  pace: "quick",
  counted: [],
  tables: [],
  sort: "points",
  told: [],
  lessons: [],
  sound: null,
  notches: false,
  turn: true,
  keys: true,
  notify: false,
  push: null,
  pushed: 0,
};

/** Parse stored settings of any version. */
export function readSettings(text: string | null): Settings {
  const stored = { ...DEFAULTS, version: 1, ...(JSON.parse(text ?? "{}") as Partial<Settings>) };
  if (stored.version < 2) stored.level = botFrom1(stored.level);
  if (stored.version < 3 && stored.sound) stored.sound = null;
  return { ...stored, version: VERSION };
}

function load(): Settings {
  try {
    return readSettings(localStorage.getItem(KEY));
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings = $state<Settings>(load());

export function saveSettings(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A private window has no storage; the game goes on.
  }
  document.documentElement.dataset["theme"] = settings.theme;
}

/** Remember that a notice was shown. */
export function markTold(what: string): void {
  if (!settings.told.includes(what)) settings.told = [...settings.told, what];
  saveSettings();
}

/** Remember that a lesson was done. */
export function markLesson(goal: string): void {
  if (!settings.lessons.includes(goal)) settings.lessons = [...settings.lessons, goal];
  saveSettings();
}

/** Remember a table, the newest first. */
export function rememberTable(table: string): void {
  if (settings.tables[0] === table) return;
  settings.tables = [table, ...settings.tables.filter((other) => other !== table)].slice(0, 30);
  saveSettings();
}

/** Count a match against the current bot once: won (1), lost (-1) or drawn (0). */
export function countMatch(table: string, outcome: number): void {
  if (settings.counted.includes(table)) return;
  settings.counted = [table, ...settings.counted].slice(0, 12);
  settings.streak = nextStreak(settings.streak, outcome);
  saveSettings();
}

/** Forget a table that no longer exists. */
export function forgetTable(table: string): void {
  settings.tables = settings.tables.filter((other) => other !== table);
  saveSettings();
}
