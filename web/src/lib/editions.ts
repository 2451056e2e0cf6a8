/** What the page shows of each edition, from a file generated from the rules. */
import editions from "../editions.json";
import { currentLanguage } from "./language.svelte";
import type { Json } from "./net/types";
import { textOr, t } from "./words";

export type EditionName = keyof typeof editions;
export interface Edition {
  players: number[];
  tiles: number;
  piece: string;
  scoring: boolean;
  max_draws: number;
  draw_ends_turn: boolean;
  target: number | null;
  target_test: string;
  bridge_rule: string;
  placement_sum: string;
  starter_free_choice: boolean;
  next_starter: string;
}

export const EDITIONS = editions as Record<EditionName, Edition>;

/** All editions, with the Hebrew one first for readers of Hebrew. */
export function editionNames(): EditionName[] {
  const names = Object.keys(EDITIONS) as EditionName[];
  const readers = [currentLanguage().code, ...navigator.languages];
  if (!readers.some((one) => /^(he|iw)\b/.test(one))) return names;
  return names.sort((a, b) => Number(b === "classic-hebrew") - Number(a === "classic-hebrew"));
}

/** One field of a table's rules: the house rule, or the value of the edition. */
export function rule<K extends keyof Edition>(rules: Json, field: K): Edition[K] {
  if (field in rules) return rules[field] as Edition[K];
  const edition = EDITIONS[(rules["edition"] as EditionName | undefined) ?? "classic"];
  return (edition ?? EDITIONS.classic)[field];
}

export function editionName(rules: Json): string {
  const name = String(rules["edition"] ?? "classic");
  return textOr(`edition.${name}`, name);
}

/** How many rounds a match has, where it ends after a number of them. */
type Rounds = number | null | undefined;

/** The target of a match, short for a sheet or as a sentence; empty for a single round. */
export function targetText(rules: Json, where: "sheet" | "end", rounds?: Rounds): string {
  if (rounds) return t(where === "end" ? "end.rounds" : "match.rounds", { count: rounds });
  const target = rule(rules, "target");
  if (target === null) return "";
  return t(rule(rules, "target_test") === ">" ? `${where}.targetOver` : `${where}.target`, {
    target,
  });
}

/** The edition and the target of a match. */
export function matchName(rules: Json, rounds?: Rounds): string {
  const target = rule(rules, "target");
  const edition = editionName(rules);
  if (rounds) return `${edition} · ${t("match.rounds", { count: rounds })}`;
  return target === null ? edition : t("match.to", { edition, target });
}
