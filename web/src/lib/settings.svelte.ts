/** What this device remembers. */
export type Theme = "auto" | "day" | "night";

interface Kept {
  name: string;
  theme: Theme;
  target: number | null;
  tables: string[];
  sort: "dealt" | "points";
}

const KEY = "triomino";
const FIRST: Kept = { name: "", theme: "auto", target: null, tables: [], sort: "points" };

function read(): Kept {
  try {
    return { ...FIRST, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>) };
  } catch {
    return { ...FIRST };
  }
}

export const settings = $state<Kept>(read());

export function keep(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A private window keeps nothing; the game goes on.
  }
  document.documentElement.dataset["theme"] = settings.theme;
}

/** Remember a table of this device, the newest first. */
export function remember(table: string): void {
  if (settings.tables[0] === table) return;
  settings.tables = [table, ...settings.tables.filter((other) => other !== table)].slice(0, 12);
  keep();
}
