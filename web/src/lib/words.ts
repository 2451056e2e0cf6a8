/** Every text of the page, in the language that is spoken. */
import formatMessage, { type CompiledMessage } from "icu-minify/format";
import type catalogue from "../../../src/triomino/words/en.json";
import { locale, usesCards, currentLanguage } from "./language.svelte";
import { textKey } from "./messages";

export type Key = keyof typeof catalogue;
type Values = Record<string, string | number>;

const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;
const FIGURES = /^[-−+\d]|^[UD]\(/;

/** A value that keeps its own direction, whatever stands round it. */
function isolate(text: string): string {
  if (currentLanguage().dir === "rtl")
    return `${FIGURES.test(text) ? "\u2066" : "\u2068"}${text}\u2069`;
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

/** What the browser brings along for a language is made once. */
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
let plurals = new Intl.PluralRules("en");

/** A number as people write it: with a true minus, and a plus where asked for. */
export function signed(value: number, plus = true): string {
  const sign = value < 0 ? "−" : plus && value > 0 ? "+" : "";
  const text = sign + figures().format(Math.abs(value));
  // A number without a sign needs no help, and a percent sign finds it.
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

/** A compiled message with its values. */
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

/** The text of a key that is made up at run time, or the fallback where the catalogue has none. */
export function textOr(key: string, fallback: string, values: Values = {}): string {
  return key in currentLanguage().texts ? t(key as Key, values) : fallback;
}

/** Something to say, in whatever language is spoken when it is seen. */
export type LazyText = () => string;

/** Why the server said no. */
export const whyNot = ({ code }: { code: string }): string =>
  textOr(`why.${code}`, t("why.other", { code }));

/** The text for an error of `api`, in the language in use when it is shown. */
export const refusalText =
  (error: unknown): LazyText =>
  () =>
    whyNot(error as { code: string });

/** Names in a row; each keeps its own direction. */
export const joinNames = (names: readonly string[]): string => names.map(isolate).join(" · ");
/** Things one after the other, the last with an "and". */
export const listAnd = (things: readonly string[]): string => names().format(things);
/** Things one after the other. */
export const listUnits = (things: readonly string[]): string => units().format(things);
/** A date. */
export const day = (moment: number): string => days().format(moment);

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** How long ago a moment was. */
export function ago(moment: number, now = Date.now()): string {
  const seconds = Math.max(0, (now - moment) / 1000);
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? ["minute", 60];
  return distances().format(-Math.floor(seconds / size), unit);
}
