/** Every text of the page, from one catalogue. */
import catalogue from "../../../src/triomino/words/en.json";
import { isPseudo, pseudo, type Pseudo } from "./pseudo";

export type Key = keyof typeof catalogue;
type Values = Record<string, string | number>;

const LANGUAGE = "en";
const plurals = new Intl.PluralRules(LANGUAGE);
const figures = new Intl.NumberFormat(LANGUAGE);
const PART = /\{(\w+), plural,((?:\s*(?:\w+|=\d+) \{[^{}]*\})+)\s*\}|\{(\w+)\}|[^{]+/g;
const CASE = /(\w+|=\d+) \{([^{}]*)\}/g;
const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;

/** A made-up language, asked for in the address, shows what does not fit or is not translated. */
function asked(): Pseudo | null {
  try {
    const named = new URLSearchParams(location.search).get("language");
    if (named !== null) sessionStorage.setItem("language", named);
    const kept = sessionStorage.getItem("language");
    return isPseudo(kept) ? kept : null;
  } catch {
    return null; // a window that keeps nothing, or no window
  }
}

const made_up = asked();
export const direction = made_up === "xx-rtl" ? "rtl" : "ltr";

/** Say to the browser in which language and direction the page reads. */
export function announceLanguage(): void {
  document.documentElement.lang = made_up ?? LANGUAGE;
  document.documentElement.dir = direction;
}

/** A value that keeps its own direction, whatever stands round it. */
function isolated(text: string, numeric: boolean): string {
  if (direction === "rtl") return `${numeric ? "\u2066" : "\u2068"}${text}\u2069`;
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

/** A number as people write it: with a true minus, and a plus where asked for. */
export function signed(value: number, plus = true): string {
  const sign = value < 0 ? "−" : plus && value > 0 ? "+" : "";
  return isolated(sign + figures.format(Math.abs(value)), true);
}

const NUMERIC = /^[-−+\d]|^[UD]\(/;
const plain = (value: string | number): string =>
  typeof value === "number" ? signed(value, false) : isolated(value, NUMERIC.test(value));

export function format(message: string, values: Values): string {
  const letters = made_up ? (text: string): string => pseudo(text, made_up) : (text: string) => text;
  return message.replace(
    PART,
    (text, counted: string | undefined, cases: string | undefined, name: string | undefined) => {
      if (name !== undefined) return plain(values[name] ?? "");
      if (counted === undefined || cases === undefined) return letters(text);
      const value = Number(values[counted] ?? 0);
      const found = new Map([...cases.matchAll(CASE)].map((one) => [one[1], one[2] as string]));
      const chosen =
        found.get(`=${value}`) ?? found.get(plurals.select(value)) ?? found.get("other") ?? "";
      return letters(chosen).replaceAll("#", plain(value));
    },
  );
}

/** The text of a key. */
export const t = (key: Key, values: Values = {}): string => format(catalogue[key], values);

/** The text of a key that is made up at run time, or the fallback where the catalogue has none. */
export function maybe(key: string, fallback: string, values: Values = {}): string {
  return key in catalogue ? t(key as Key, values) : fallback;
}

const distances = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto" });
const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** How long ago a moment was. */
export function ago(moment: number, now = Date.now()): string {
  const seconds = Math.max(0, (now - moment) / 1000);
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? ["minute", 60];
  const text = distances.format(-Math.floor(seconds / size), unit);
  return made_up ? pseudo(text, made_up) : text;
}
