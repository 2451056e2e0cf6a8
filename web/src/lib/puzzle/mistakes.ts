/** One's own mistakes in analysed matches: they come back as puzzles until they are solved. */
import type { Marked } from "../analysis/analysis";
import type { HintReason } from "../net/types";
import type { MatchRecord } from "../replay/record";

/** A position of one's own with a better move. */
export interface Mistake {
  /** The table, the round and the turn. */
  id: string;
  seat: number;
  rules: MatchRecord["rules"];
  players: MatchRecord["players"];
  /** The round up to the mistake. */
  round: MatchRecord["rounds"][number];
  /** What was played, and what it cost of the chance to win. */
  move: string;
  lost: number;
  best: string;
  why: HintReason[];
}

export interface Stock {
  /** Still to be solved, the newest first. */
  open: Mistake[];
  /** The ids of those that were solved; they do not come back. */
  solved: string[];
}

/** The key in `localStorage`. */
export const KEY = "triomino-mistakes";
/** The least loss: what the analysis calls a mistake, one round in twelve. */
export const LEAST_LOST = 0.08;
/** So many are kept; one takes three kilobytes. */
const MOST = 40;
const MOST_SOLVED = 500;
const NONE: Stock = { open: [], solved: [] };

/** The mistakes of some seats in an analysed match. */
export function mistakesOf(
  table: string,
  record: MatchRecord,
  marks: readonly Marked[],
  seats: readonly number[],
): Mistake[] {
  return marks.flatMap(({ round: number, turn, seat, lost, best, why = [] }) => {
    const round = record.rounds[number];
    const played = round?.turns[turn];
    const byBot = (played as { extra?: { by_bot?: boolean } } | undefined)?.extra?.by_bot;
    if (!round?.racks || !round.pool || !played || byBot) return [];
    if (lost < LEAST_LOST || !seats.includes(seat)) return [];
    const { starter, start_draws = [], racks, pool } = round;
    const turns = round.turns.slice(0, turn).map(({ seat, move, tile, points, bonus }) => ({
      ...{ seat, move, points },
      ...(tile === undefined ? {} : { tile }),
      ...(bonus === undefined ? {} : { bonus }),
    }));
    return {
      id: `${table}/${number}/${turn}`,
      ...{ seat, rules: record.rules, players: record.players, move: played.move },
      round: { starter, start_draws, racks, pool, turns },
      ...{ lost, best, why },
    };
  });
}

/** Add mistakes that are not known yet. */
export function added({ open, solved }: Stock, found: readonly Mistake[]): Stock {
  const known = new Set([...open.map(({ id }) => id), ...solved]);
  const fresh = found.filter(({ id }) => !known.has(id));
  return fresh.length ? { open: [...fresh, ...open].slice(0, MOST), solved } : { open, solved };
}

/** Take a mistake away for good. */
export const without = ({ open, solved }: Stock, id: string): Stock => ({
  open: open.filter((one) => one.id !== id),
  solved: [id, ...solved.filter((one) => one !== id)].slice(0, MOST_SOLVED),
});

/** Parse what is stored; what cannot be read is left out. */
export function readStock(text: string | null): Stock {
  try {
    const { open, solved } = JSON.parse(text ?? "{}") as Partial<Stock>;
    const isMistake = (one: Mistake | null): boolean =>
      typeof one?.id === "string" &&
      Number.isInteger(one.seat) &&
      typeof one.best === "string" &&
      Array.isArray(one.players) &&
      Array.isArray(one.why) &&
      Array.isArray(one.round?.turns) &&
      Array.isArray(one.round.racks);
    return {
      open: Array.isArray(open) ? open.filter(isMistake) : [],
      solved: Array.isArray(solved) ? solved.filter((id) => typeof id === "string") : [],
    };
  } catch {
    return NONE;
  }
}

export function loadStock(): Stock {
  try {
    return readStock(localStorage.getItem(KEY));
  } catch {
    return NONE;
  }
}

export function saveStock(stock: Stock): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(stock));
  } catch {
    // A private window, or a full storage: they are found again with the next analysis.
  }
}
