/** Every text of the page, from one catalogue. */
import catalogue from "../../../src/triomino/words/en.json";

export type Key = keyof typeof catalogue;
type Values = Record<string, string | number>;

const LANGUAGE = "en";
const plurals = new Intl.PluralRules(LANGUAGE);
const figures = new Intl.NumberFormat(LANGUAGE);
const PLURAL = /\{(\w+), plural,((?:\s*(?:\w+|=\d+) \{[^{}]*\})+)\s*\}/g;
const CASE = /(\w+|=\d+) \{([^{}]*)\}/g;

const plain = (value: string | number): string =>
  typeof value === "number" ? signed(value, false) : value;

/** A number as people write it: with a true minus, and a plus where asked for. */
export function signed(value: number, plus = true): string {
  if (value < 0) return `−${figures.format(-value)}`;
  return plus && value > 0 ? `+${figures.format(value)}` : figures.format(value);
}

export function format(message: string, values: Values): string {
  return message
    .replace(PLURAL, (_, name: string, cases: string) => {
      const value = Number(values[name] ?? 0);
      const found = new Map([...cases.matchAll(CASE)].map((one) => [one[1], one[2] as string]));
      const chosen =
        found.get(`=${value}`) ?? found.get(plurals.select(value)) ?? found.get("other") ?? "";
      return chosen.replaceAll("#", plain(value));
    })
    .replace(/\{(\w+)\}/g, (_, name: string) => plain(values[name] ?? ""));
}

/** The text of a key. */
export const t = (key: Key, values: Values = {}): string => format(catalogue[key], values);

/** The text of a key that is made up at run time, or the fallback where the catalogue has none. */
export function maybe(key: string, fallback: string, values: Values = {}): string {
  return key in catalogue ? t(key as Key, values) : fallback;
}
