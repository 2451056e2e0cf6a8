/** The fields of the rules, from a file generated from them; no rule is decided here. */
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
/** Fields that the edition decides, so the panel does not show them. */
export const HIDDEN_FIELDS: string[] = data.unasked;
/** By level, the rounds of ten that it still loses to the level below, as measured. */
export const LOST_OF_TEN: Record<string, number> = data.lost_of_ten;

/** The values offered for a field: not every set of tiles is for playing. */
export function choicesOf(name: string): string[] {
  const field = FIELDS[name];
  return field?.kind === "choice" ? (field.menu ?? field.values) : [];
}

/** The value of a field in an edition. */
export const editionValue = (edition: EditionName, name: string): Value =>
  ((data.editions[edition] ?? data.editions.classic) as Record<string, unknown>)[name] as Value;

/** *changes* with a field set to a value, or removed if that is the value of the edition. */
export function withChange(changes: Json, edition: EditionName, name: string, value: Value): Json {
  const rest = Object.entries(changes).filter(([other]) => other !== name);
  if (!isSame(value, editionValue(edition, name))) rest.push([name, value]);
  return Object.fromEntries(rest);
}

/** A value as text. */
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
