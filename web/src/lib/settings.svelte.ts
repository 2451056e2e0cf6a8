/** What this device remembers. */
import { botFrom1 } from "./legacyLevels";
import { nextStreak } from "./botLevel";

export type Theme = "auto" | "day" | "night";

interface Settings {
  /** How it is kept; see {@link VERSION}. */
  version: number;
  name: string;
  theme: Theme;
  /** The language chosen here; otherwise the browser's. */
  language: string | null;
  target: number | null;
  /** The bot that one plays against, and the matches in a row that were won, or lost below zero. */
  level: string;
  streak: number;
  /** The tables whose end is in the streak. */
  counted: string[];
  tables: string[];
  sort: "dealt" | "points";
  /** What was said once and need not be said again. */
  told: string[];
  sound: boolean;
  /** Every number also has its notches, for who does not go by colours. */
  notches: boolean;
  /** Single keys are commands. */
  keys: boolean;
  /** Say when it is one's turn while the page is not looked at. */
  notify: boolean;
}

/** Where it is kept. */
export const KEY = "triomino";
/** Version 1 had no number, and other names for the levels. */
const VERSION = 2;
const DEFAULTS: Settings = {
  version: VERSION,
  name: "",
  theme: "auto",
  language: null,
  target: null,
  level: "easy",
  streak: 0,
  counted: [],
  tables: [],
  sort: "points",
  told: [],
  sound: true,
  notches: false,
  keys: true,
  notify: false,
};

/** What is kept, as this version has it. */
export function readSettings(text: string | null): Settings {
  const stored = { ...DEFAULTS, version: 1, ...(JSON.parse(text ?? "{}") as Partial<Settings>) };
  if (stored.version < 2) stored.level = botFrom1(stored.level);
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
    // A private window keeps nothing; the game goes on.
  }
  document.documentElement.dataset["theme"] = settings.theme;
}

/** Remember that something was said. */
export function markTold(what: string): void {
  if (!settings.told.includes(what)) settings.told = [...settings.told, what];
  saveSettings();
}

/** Remember a table of this device, the newest first. */
export function rememberTable(table: string): void {
  if (settings.tables[0] === table) return;
  settings.tables = [table, ...settings.tables.filter((other) => other !== table)].slice(0, 12);
  saveSettings();
}

/** Count a match against the usual bot, once: won (1), lost (-1) or drawn (0). */
export function countMatch(table: string, outcome: number): void {
  if (settings.counted.includes(table)) return;
  settings.counted = [table, ...settings.counted].slice(0, 12);
  settings.streak = nextStreak(settings.streak, outcome);
  saveSettings();
}

/** A table that is no more. */
export function forgetTable(table: string): void {
  settings.tables = settings.tables.filter((other) => other !== table);
  saveSettings();
}
