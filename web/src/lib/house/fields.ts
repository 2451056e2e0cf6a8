/** The fields of the rules, as the file made from them says; no rule is decided here. */
import data from "../../rules.json";
import type { EditionName } from "../editions";
import { isSame } from "../json";
import type { Json } from "../net/types";
import { textOr, t } from "../words";

export type Value = string | number | boolean | null | number[] | Record<string, number>;
export type Field =
  | { kind: "flag" }
  | { kind: "choice"; values: string[]; menu?: string[] }
  | { kind: "number"; optional: boolean }
  | { kind: "numbers" }
  | { kind: "racks" };

export const SECTIONS = Object.entries(data.sections as Record<string, string[]>);
export const FIELDS = data.fields as unknown as Record<string, Field>;
/** Fields that the edition settles: nobody is asked for them. */
export const HIDDEN_FIELDS: string[] = data.unasked;
/** The levels, the weakest first. */
export const BOTS: string[] = data.bots;
/** Of ten rounds, those that even the strongest loses to one that takes the most points: measured. */
export const LOST_OF_TEN: number = data.lost_of_ten;

/** The values that people choose from: not all sets of tiles are for playing. */
export function choicesOf(name: string): string[] {
  const field = FIELDS[name];
  return field?.kind === "choice" ? (field.menu ?? field.values) : [];
}

/** What an edition says. */
export const editionValue = (edition: EditionName, name: string): Value =>
  ((data.editions[edition] ?? data.editions.classic) as Record<string, unknown>)[name] as Value;

/** The changes that differ from an edition, with a field set to a value. */
export function withChange(changes: Json, edition: EditionName, name: string, value: Value): Json {
  const rest = Object.entries(changes).filter(([other]) => other !== name);
  if (!isSame(value, editionValue(edition, name))) rest.push([name, value]);
  return Object.fromEntries(rest);
}

/** A value in words. */
export function valueText(name: string, value: Value): string {
  if (value === null) return t("new.nothing");
  if (typeof value === "boolean") return value ? t("new.yes") : t("new.no");
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "object")
    return Object.entries(value)
      .map(([players, size]) => `${players}: ${size}`)
      .join(", ");
  return textOr(`rule.${name}.${value}`, String(value));
}
