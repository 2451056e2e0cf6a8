/** The rules of a pad, and how files store them; the names are those of the library. */
import data from "../../rules.json";
import type { EditionName } from "../editions";
import { isObject, isSame } from "../json";
import type { Json } from "../net/types";

/** All rules; typed are those that the pad and the referee use. */
export interface Rules {
  edition: EditionName;
  tile_set: string;
  piece: "tile" | "card";
  round_won_by: "points" | "ending";
  racks: Record<string, number>;
  next_starter: "set_up" | "rotate_left" | "round_winner";
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

const TILES = data.tiles as Record<string, string[]>;
/** All tiles of the set. */
export const tilesOf = (rules: Rules): string[] => TILES[rules.tile_set] ?? [];
export const BONUSES = ["bridge", "hexagon", "double_hexagon", "triple_hexagon"] as const;
export type Bonus = (typeof BONUSES)[number];
export const HEXAGONS: readonly Bonus[] = BONUSES.slice(1);
export const LEAST_TILES = data.least_tiles as Record<Bonus, number>;

/** The rules of an edition with some changes. */
export function rulesOf(changes: Json): Rules {
  const edition = (changes["edition"] ?? "classic") as EditionName;
  return { edition, ...data.editions[edition], ...changes } as unknown as Rules;
}

/** The edition and the differences from it. */
export function houseRulesOf(rules: Rules): Json & { edition: EditionName } {
  const usual = data.editions[rules.edition] as Json;
  const own = Object.entries(rules).filter(
    ([name, value]) => name in usual && !isSame(value, usual[name]),
  );
  return { edition: rules.edition, ...Object.fromEntries(own) };
}

/** Whether the set has tiles that are mirror images of others. */
export const hasMirrorImages = (rules: Rules): boolean =>
  tilesOf(rules).some((tile) => tile.split("-").sort().join("-") !== tile);

export const bonusPoints = (rules: Rules, bonus: Bonus): number =>
  bonus === "bridge"
    ? rules.bridge_bonus
    : (rules.hexagon_bonuses[HEXAGONS.indexOf(bonus)] as number);

// --- Rules from files ---------------------------------------------------------------------------

const isNumber = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

const LIMITS: Record<string, [number, number]> = { max_draws: [1, 76], target: [1, 1_000_000] };

function fits(name: string, value: unknown): boolean {
  const field = (
    data.fields as Record<string, { kind: string; values?: string[]; optional?: boolean }>
  )[name];
  switch (field?.kind) {
    case "flag":
      return typeof value === "boolean";
    case "choice":
      return typeof value === "string" && (field.values ?? []).includes(value);
    case "number":
      if (value === null) return field.optional === true;
      return isNumber(value, ...(LIMITS[name] ?? ([0, 9999] as [number, number])));
    case "numbers":
      return (
        Array.isArray(value) && value.length === 3 && value.every((one) => isNumber(one, 0, 9999))
      );
    case "racks":
      return (
        typeof value === "object" &&
        value !== null &&
        !Array.isArray(value) &&
        Object.keys(value).length > 0 &&
        Object.entries(value).every(([key, size]) => /^[2-6]$/.test(key) && isNumber(size, 1, 38))
      );
    default:
      return false;
  }
}

/** The edition and its changes, each checked, or `null` if one is invalid. */
function readChanges(given: Json): (Json & { edition: EditionName }) | null {
  const { edition = "classic", ...rest } = given;
  if (typeof edition !== "string" || !Object.hasOwn(data.editions, edition)) return null;
  if (!Object.entries(rest).every(([name, value]) => fits(name, value))) return null;
  return { ...rest, edition: edition as EditionName };
}

/** All rules, in the order of the fields, from an edition and the differences from it. */
function complete(changes: Json & { edition: EditionName }, usual: Json): Rules {
  const all = { ...usual, ...changes };
  const fields = Object.keys(data.fields).map((name) => [name, all[name]]);
  return { edition: changes.edition, ...Object.fromEntries(fields) } as Rules;
}

/** All rules, from an edition and the differences from it, or `null` if they are invalid. */
export function readHouseRules(value: unknown): Rules | null {
  const changes = isObject(value) ? readChanges(value) : null;
  return changes && complete(changes, data.editions[changes.edition]);
}

/** Read the rules of version 2 files: every field must be there, so no default matters. */
export function readRules(value: unknown): Rules | null {
  return isComplete(value) ? readHouseRules(value) : null;
}

/** Read the rules of version 1 files: an edition of its time and the differences from it. */
export function readRules1(value: unknown): Rules | null {
  const given = typeof value === "string" ? { edition: value } : value;
  if (!isObject(given) || "piece" in given || "round_won_by" in given) return null;
  const changes = readChanges(given);
  if (!changes) return null;
  const then = data.version_1[changes.edition] as Json;
  const rules = complete(changes, { ...data.editions[changes.edition], ...then });
  // Version 1 had no such field: a round without points went to whoever ended it.
  return rules.scoring ? rules : { ...rules, round_won_by: "ending" };
}

/** Whether every field is there: only version 1 left out the values of the edition. */
export const isComplete = (value: unknown): boolean =>
  isObject(value) && ["edition", ...Object.keys(data.fields)].every((name) => name in value);
