/** The options of a local table: defaults, checks and names, as the server has them. */
import data from "../../rules.json";
import cast from "../../cast.json";
import { KernelRefusal, type Kernel } from "../kernel/kernel";
import { ruleNumbers } from "../kernel/rules";
import type { RematchOptions, SeatPlan, TableOptions } from "../net/types";
import { readHouseRules } from "../scorepad/rules";
import { TableRefusal, type FullOptions } from "./events";

type Json = Record<string, unknown>;

const CAST = Object.entries(cast.names);
/** Baselines that no menu offers, besides the levels. */
const BOTS = ["random", "greedy", ...cast.levels];
const MOST_TARGET = 5000;
const MOST_ROUNDS_WON = 50;

const fullPlan = (plan: SeatPlan): Required<SeatPlan> => ({
  kind: plan.kind,
  name: plan.name ?? null,
  bot: plan.bot ?? null,
  help: plan.help ?? null,
  head_start: plan.head_start ?? 0,
});

/** Options without gaps; the rules are not read yet. */
const filled = (options: TableOptions): FullOptions => ({
  seats: options.seats.map(fullPlan),
  rules: options.rules ?? { edition: "classic" },
  clock_seconds: options.clock_seconds ?? null,
  ...(options.reserve_seconds !== undefined && { reserve_seconds: options.reserve_seconds }),
  away_seconds: options.away_seconds === undefined ? 300 : options.away_seconds,
  undo: options.undo ?? true,
  help: options.help ?? "points",
  hints: options.hints ?? true,
  listed: options.listed ?? false,
  pace: options.pace ?? "quick",
  spectators_react: options.spectators_react ?? false,
});

/** Every rule, in the order of records. */
function allRules(changes: Json, players: number, kernel: Kernel): Json {
  const rules = readHouseRules(changes) as unknown as Json | null;
  if (!rules) throw new TableRefusal("malformed", "these are no rules");
  try {
    // The kernel refuses what no match can be played by.
    kernel.call("deal", [...ruleNumbers(rules), players, 0, ...Array<number>(32).fill(0)]);
  } catch (error) {
    if (error instanceof KernelRefusal) throw new TableRefusal("malformed", error.message);
    throw error;
  }
  return rules;
}

/** Valid options with every rule written out; throws if no such table is possible. */
export function checkOptions(given: TableOptions, kernel: Kernel): FullOptions {
  const options = filled(given);
  const rules = allRules(options.rules, options.seats.length, kernel);
  const most = rules["scoring"] ? MOST_TARGET : MOST_ROUNDS_WON;
  if (((rules["target"] as number | null) ?? 0) > most)
    throw new TableRefusal("target_too_high", `at a table the target is at most ${most}`);
  for (const plan of options.seats) {
    if (plan.kind === "bot" && !BOTS.includes(plan.bot ?? ""))
      throw new TableRefusal("unknown_bot", `unknown bot '${plan.bot}'`);
    if (plan.kind !== "bot" && plan.bot !== null)
      throw new TableRefusal("no_bot", "only the seat of a bot names a bot");
    if (plan.name !== null) cleanName(plan.name);
    if (plan.head_start && !rules["scoring"])
      throw new TableRefusal("no_points", "a head start needs a game with points");
  }
  if (options.seats.every(({ kind }) => kind === "bot"))
    throw new TableRefusal("no_people", "at least one seat is for a person");
  return { ...options, rules };
}

/** The options of a rematch: those of the match before, with some changes. */
export function rematchOptions(
  before: FullOptions,
  changes: RematchOptions,
  names: readonly (string | null)[],
  kernel: Kernel,
): FullOptions {
  const seats = before.seats.map((plan, seat) => {
    const named = plan.kind === "bot" && names[seat] !== defaultName(before.seats, seat);
    return named ? { ...plan, name: names[seat] ?? null } : plan;
  });
  return checkOptions({ ...before, ...changes, seats }, kernel);
}

// --- Names --------------------------------------------------------------------------------------

/** Who of the cast is called so, in any case or letters. */
export function castMember(name: string): string | null {
  const wanted = name.toLowerCase();
  const found = CAST.find((forms) => forms.some((form) => form.toLowerCase() === wanted));
  return found?.[0] ?? null;
}

export const isOfCast = (name: string | null): boolean => name !== null && name in cast.names;

/** The names of the cast that nobody has. */
export function freeNames(taken: readonly (string | null)[]): string[] {
  const members = taken.map((name) => name && castMember(name));
  return CAST.map(([name]) => name).filter((name) => !members.includes(name));
}

/** The options with a name of the cast for every bot without one, or with somebody else's. */
export function nameBots(options: FullOptions, random: () => number): FullOptions {
  const free = freeNames(options.seats.map(({ name }) => name));
  for (let i = free.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [free[i], free[j]] = [free[j] as string, free[i] as string];
  }
  const used = new Set(
    options.seats.flatMap(({ kind, name }) => (kind !== "bot" && name ? [castMember(name)] : [])),
  );
  const seats = options.seats.map((plan) => {
    const needs = plan.kind === "bot" && (plan.name === null || used.has(plan.name));
    const named = needs ? { ...plan, name: free.shift() ?? plan.name } : plan;
    used.add(castMember(named.name ?? ""));
    return named;
  });
  return { ...options, seats };
}

/** The name of a seat that has none. */
export function defaultName(seats: readonly SeatPlan[], seat: number): string {
  const plan = seats[seat];
  if (plan?.kind !== "bot") return `Player ${seat + 1}`;
  const bot = String(plan.bot);
  const before = seats.slice(0, seat).filter((one) => one.bot === bot && one.name === null).length;
  return bot.charAt(0).toUpperCase() + bot.slice(1) + (before ? ` ${before + 1}` : "");
}

const BLANK = new Set("\u115f\u1160\u2800\u3164\uffa0");
/** Separators of the oldest kind, which `\s` leaves out. */
const OLD_SPACES = "\x1c\x1d\x1e\x1f\x85";

/** Whether the server splits words there. */
const isSpace = (char: string): boolean =>
  OLD_SPACES.includes(char) || (char !== "\ufeff" && /\s/.test(char));

const words = (text: string): string =>
  [...text]
    .map((char) => (isSpace(char) ? " " : char))
    .join("")
    .split(" ")
    .filter(Boolean)
    .join(" ");

/** A name fit for display: no invisible characters, single spaces, at most 40 long. */
export function cleanName(name: string): string {
  const visible = [...words(name)].filter((char) => !/\p{C}/u.test(char) && !BLANK.has(char));
  const text = [...words(visible.join("").normalize("NFC"))].slice(0, 40).join("").trim();
  if (!/[\p{L}\p{N}\p{S}]/u.test(text))
    throw new TableRefusal("bad_name", "a name needs at least one letter, number or sign");
  return text;
}

// --- What a state tells of them -----------------------------------------------------------------

/** The edition and every field that differs from it. */
export function ruleChanges(rules: Json): Json {
  const edition = rules["edition"] as keyof typeof data.editions;
  const usual = data.editions[edition] as Json;
  const changed = Object.keys(usual).filter(
    (name) => JSON.stringify(rules[name]) !== JSON.stringify(usual[name]),
  );
  return { edition, ...Object.fromEntries(changed.map((name) => [name, rules[name]])) };
}
