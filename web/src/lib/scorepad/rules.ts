/** The rules a pad is reckoned with: an edition's, from the file made of them, with changes. */
import data from "../../rules.json";
import type { EditionName } from "../editions";
import type { Json } from "../net/types";

export interface Rules {
  edition: EditionName;
  tile_set: "56" | "76";
  racks: Record<string, number>;
  next_starter: string;
  opening_draw: boolean;
  triple_start_bonus: number;
  triple_zero_start: number | null;
  scoring: boolean;
  placement_sum: string;
  bridge_rule: string;
  bridge_bonus: number;
  hexagon_bonuses: [number, number, number];
  draw_cost: number;
  max_draws: number;
  draw_ends_turn: boolean;
  no_play_extra: number;
  no_play_extra_when: string;
  may_keep: boolean;
  draw_obligation: string;
  empty_pool_penalty: number;
  out_bonus: number;
  out_takes_opponents: boolean;
  blocked: string;
  blocked_tie: string;
  blocked_when: string;
  floor_at_zero: boolean;
  target: number | null;
  target_test: string;
  target_latch: string;
  match_tie: string;
}

export const TILES = data.tiles as Record<Rules["tile_set"], string[]>;
export const BONUSES = ["bridge", "hexagon", "double_hexagon", "triple_hexagon"] as const;
export type Bonus = (typeof BONUSES)[number];
export const HEXAGONS: readonly Bonus[] = BONUSES.slice(1);
export const LEAST_TILES = data.least_tiles as Record<Bonus, number>;

/** All fields of an edition with what was changed. */
export function rulesOf(changes: Json): Rules {
  const edition = (changes["edition"] ?? "classic") as EditionName;
  return { ...data.editions[edition], ...changes, edition } as unknown as Rules;
}

/** Whether a round goes to whoever ended it, whatever the points. */
export const winsByEnding = (rules: Rules): boolean =>
  !rules.scoring || data.wins_by_ending.includes(rules.edition);

/** Whether a total makes the running round the last one. */
export const reached = (rules: Rules, total: number): boolean =>
  rules.target !== null &&
  (total > rules.target || (total === rules.target && rules.target_test === ">="));

export const bonusPoints = (rules: Rules, bonus: Bonus): number =>
  bonus === "bridge"
    ? rules.bridge_bonus
    : (rules.hexagon_bonuses[HEXAGONS.indexOf(bonus)] as number);

// --- Rules from strangers ------------------------------------------------------------------------

const isWhole = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

const LIMITS: Record<string, [number, number]> = { max_draws: [1, 76], target: [1, 1_000_000] };

function fits(name: string, value: unknown): boolean {
  const field = (data.fields as Record<string, { kind: string; values?: string[]; optional?: boolean }>)[name];
  switch (field?.kind) {
    case "flag":
      return typeof value === "boolean";
    case "choice":
      return typeof value === "string" && (field.values ?? []).includes(value);
    case "number":
      if (value === null) return field.optional === true;
      return isWhole(value, ...(LIMITS[name] ?? ([0, 9999] as [number, number])));
    case "numbers":
      return Array.isArray(value) && value.length === 3 && value.every((one) => isWhole(one, 0, 9999));
    case "racks":
      return (
        typeof value === "object" &&
        value !== null &&
        !Array.isArray(value) &&
        Object.keys(value).length > 0 &&
        Object.entries(value).every(([key, size]) => /^[2-6]$/.test(key) && isWhole(size, 1, 38))
      );
    default:
      return false;
  }
}

/** The edition and what differs from it, in the order of the fields; `null` for what is no rules. */
export function readRules(value: unknown): Json | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const given = value as Json;
  const edition = given["edition"] ?? "classic";
  if (typeof edition !== "string" || !Object.hasOwn(data.editions, edition)) return null;
  const usual = data.editions[edition as EditionName] as Json;
  const names = Object.keys(data.fields);
  const rest = Object.keys(given).filter((name) => name !== "edition");
  if (!rest.every((name) => names.includes(name) && fits(name, given[name]))) return null;
  const out: Json = { edition };
  for (const name of names)
    if (rest.includes(name) && JSON.stringify(given[name]) !== JSON.stringify(usual[name]))
      out[name] = given[name];
  return out;
}
