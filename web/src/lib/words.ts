/** Texts of the catalogue, formatted in the current language. */
import formatMessage, { type CompiledMessage } from "icu-minify/format";
import type catalogue from "../../../src/triomino/words/en.json";
import { locale, usesCards, currentLanguage } from "./language.svelte";
import { textKey } from "./messages";

export type Key = keyof typeof catalogue;
type Values = Record<string, string | number>;

const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;
const FIGURES = /^[-−+\d]|^[UD]\(/;

/** Wrap a value so that it keeps its own direction in any text. */
function isolate(text: string): string {
  if (currentLanguage().dir === "rtl")
    return `${FIGURES.test(text) && !RIGHT_TO_LEFT.test(text) ? "\u2066" : "\u2068"}${text}\u2069`;
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

/** Cache a formatter until the locale changes. */
function perLocale<T>(make: (locale: string) => T): () => T {
  let made: { locale: string; thing: T } | null = null;
  return () => {
    const wanted = locale();
    if (made?.locale !== wanted) made = { locale: wanted, thing: make(wanted) };
    return made.thing;
  };
}
const figures = perLocale((locale) => new Intl.NumberFormat(locale));
const distances = perLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));
const names = perLocale((locale) => new Intl.ListFormat(locale));
const units = perLocale((locale) => new Intl.ListFormat(locale, { type: "unit" }));
const days = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium" }));
const times = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }),
);
let plurals = new Intl.PluralRules("en");

/** Format a number with a true minus sign and, if asked for, a plus sign. */
export function signed(value: number, plus = true): string {
  const sign = value < 0 ? "−" : plus && value > 0 ? "+" : "";
  const text = sign + figures().format(Math.abs(value));
  // Without a sign it needs no isolation, and a percent sign after it is placed correctly.
  return sign ? isolate(text) : text;
}

const plain = (value: string | number): string =>
  typeof value === "number" ? signed(value, false) : isolate(value);
const formatters = {
  getNumberFormat: () => ({ format: (value: number) => signed(value, false) }) as Intl.NumberFormat,
  getPluralRules: (): Intl.PluralRules => {
    const wanted = currentLanguage().language.locale;
    if (plurals.resolvedOptions().locale !== wanted) plurals = new Intl.PluralRules(wanted);
    return plurals;
  },
  getDateTimeFormat: days,
};

/** Format a compiled message. */
export function format(message: CompiledMessage, values: Values): string {
  const given: Values = { ...values };
  for (const [name, value] of Object.entries(values)) given[textKey(name)] = plain(value);
  return String(formatMessage(message, "", given, { formatters }));
}

/** The text of a key. */
export function t(key: Key, values: Values = {}): string {
  const { texts } = currentLanguage();
  const message = (usesCards() ? texts[`${key}.card`] : undefined) ?? texts[key];
  if (message !== undefined) return format(message, values);
  console.error(`the text ${key} is not here`);
  return key;
}

/** The text of a computed key, or the fallback if the catalogue has none. */
export function textOr(key: string, fallback: string, values: Values = {}): string {
  return key in currentLanguage().texts ? t(key as Key, values) : fallback;
}

/** A text in the language in use when it is shown. */
export type LazyText = () => string;

/** The text for an error code of the server. */
export const whyNot = ({ code }: { code: string }): string =>
  textOr(`why.${code}`, t("why.other", { code }));

/** The text for an error of `api`, in the language in use when it is shown. */
export const refusalText =
  (error: unknown): LazyText =>
  () =>
    whyNot(error as { code: string });

/** Join names with dots; each keeps its own direction. */
export const joinNames = (names: readonly string[]): string => names.map(isolate).join(" · ");
/** A list with "and" before the last item. */
export const listAnd = (things: readonly string[]): string => names().format(things);
/** A list without a conjunction. */
export const listUnits = (things: readonly string[]): string => units().format(things);
/** A date. */
export const day = (moment: number): string => days().format(moment);
/** A date with the time of day. */
export const dayAndTime = (moment: number): string => times().format(moment);

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** A timestamp as a relative time such as "2 hours ago". */
export function ago(moment: number, now = Date.now()): string {
  const seconds = Math.max(0, (now - moment) / 1000);
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? ["minute", 60];
  return distances().format(-Math.floor(seconds / size), unit);
}
