/** Rules as the kernel reads them: a number for every field. */
import names from "./names.json";

type Json = Readonly<Record<string, unknown>>;

const VALUES = names.values as Record<string, string[]>;
const NONE = names.none as Record<string, number>;

/** The number of a field; a value that is none of its own becomes one that the kernel refuses. */
function numberOf(rules: Json, field: string): number {
  const [name = "", count] = field.split("_");
  if (name === "racks") return (rules["racks"] as Record<string, number>)[count ?? ""] ?? 0;
  if (name === "hexagon") return (rules["hexagon_bonuses"] as number[])[Number(count) - 1] ?? -1;
  if (name === "tiles") return Number(rules["tile_set"]);
  const value = rules[field];
  if (value === null) return NONE[field] ?? -2;
  if (typeof value === "string") return VALUES[field]?.indexOf(value) ?? -2;
  return typeof value === "boolean" ? Number(value) : typeof value === "number" ? value : -2;
}

/** All rules, as records write them, as the kernel reads them. */
export const ruleNumbers = (rules: Json): number[] =>
  names.rules.map((field) => numberOf(rules, field));
