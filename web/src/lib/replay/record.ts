/** The record of a match, and its state after every step. Pure. */
import { parsePlace, tileOf } from "../board/geometry";
import type { FairSeat } from "../fair/texts";
import { isObject } from "../json";
import { botFrom1 } from "../legacyLevels";
import type { PastRound, TurnInfo } from "../net/types";

const FORMAT = "triomino-record/2";
const FORMAT_1 = "triomino-record/1";

/** How a match was dealt; see docs/fair.md. */
export interface FairFacts {
  algorithm: string;
  commitment: string;
  /** Secret until the match is over. */
  server_seed?: string;
  /** `fair/1` only. */
  player_seeds?: string[];
  // The rest is `fair/2` only.
  table?: string;
  public_key?: string;
  seats?: FairSeat[];
  devices?: { commitment: string; seed: string | null }[];
  opening_signature?: string;
  signature?: string;
}

export interface MatchRecord {
  format?: string;
  rules: Record<string, unknown>;
  players: { name: string; bot?: string }[];
  fair?: FairFacts;
  rounds: {
    starter: number;
    start_draws?: { seat: number; tile: string }[];
    racks?: string[][];
    pool?: string[];
    turns: { seat: number; move: string; tile?: string; points: number; bonus?: string }[];
    end?: { reason: string; points?: number[] };
    scores?: number[];
  }[];
  result?: { scores: number[]; winners: number[] };
  /** What a table adds to the match by its rules; see docs/formats.md. */
  extra?: { head_start?: number[]; scores?: number[]; winners?: number[]; rounds?: number };
}

/** The file is not a record; the message is a key of the catalogue. */
export class RecordError extends Error {}

/** Parse the records of a file: one JSON object, or one in every line. */
export function readRecords(text: string): MatchRecord[] {
  let found: unknown[];
  try {
    found = [JSON.parse(text)];
  } catch {
    try {
      found = text
        .split("\n")
        .filter((one) => one.trim())
        .map((one) => JSON.parse(one) as unknown);
    } catch {
      throw new RecordError("notJson");
    }
  }
  if (!found.length) throw new RecordError("notJson");
  for (const one of found) if (!isRecord(one)) throw new RecordError("notRecord");
  return found as MatchRecord[];
}

/** The players of a record, with the current names of bots. */
export function playersOf({ format, players }: MatchRecord): MatchRecord["players"] {
  if (format !== FORMAT_1) return players;
  return players.map(({ name, bot }) => {
    if (bot === undefined) return { name };
    // A bot without a name of its own was named after its level.
    const now = botFrom1(bot);
    const [plain, number = ""] = name.split(/(?= \d+$)/);
    return { name: plain?.toLowerCase() === bot ? now + number : name, bot: now };
  });
}

/** The head start of each seat; none where the record has none that can be read. */
export function headStarts({ players, extra }: MatchRecord): number[] {
  const found: unknown = isObject(extra) ? extra["head_start"] : null;
  const isRead =
    Array.isArray(found) && found.length === players.length && found.every(Number.isInteger);
  return isRead ? (found as number[]) : players.map(() => 0);
}

/**
 * The scores and winners of a match that is over, with the head starts; otherwise `null`. A match that
 * ended after a number of rounds has them beside its record, which is unfinished by its rules.
 */
export function finalResult(record: MatchRecord): { scores: number[]; winners: number[] } | null {
  const { result, extra } = record;
  const ahead = headStarts(record);
  const { scores, winners } = extra ?? {};
  if (!result && Array.isArray(scores) && Array.isArray(winners)) return { scores, winners };
  if (!result || !ahead.some((points) => points)) return result ?? null;
  return {
    scores: ahead.map((points, seat) => points + (result.scores[seat] ?? 0)),
    winners: Array.isArray(extra?.winners) ? extra.winners : result.winners,
  };
}

/** Whether a value has every field that is shown; the rules are not checked here. */
function isRecord(value: unknown): value is MatchRecord {
  if (!isObject(value) || ![FORMAT, FORMAT_1].includes(String(value["format"]))) return false;
  const { rules, players, rounds } = value;
  if (!isObject(rules) || !Array.isArray(players) || !Array.isArray(rounds) || !rounds.length)
    return false;
  const seats = players.length;
  const isTurn = (turn: unknown): boolean =>
    isObject(turn) &&
    Number.isInteger(turn["seat"]) &&
    (turn["seat"] as number) < seats &&
    typeof turn["move"] === "string" &&
    typeof turn["points"] === "number";
  return (
    seats > 0 &&
    players.every((one) => isObject(one) && typeof one["name"] === "string") &&
    rounds.every(
      (one) => isObject(one) && Array.isArray(one["turns"]) && one["turns"].every(isTurn),
    )
  );
}

export interface ReplayStep {
  round: number;
  /** The number of turns of that round played so far. */
  turns: number;
}

/** All steps of a match, from the first empty table on. */
export const replaySteps = (record: MatchRecord): ReplayStep[] =>
  record.rounds.flatMap((round, number) =>
    Array.from({ length: round.turns.length + 1 }, (_, turns) => ({ round: number, turns })),
  );

export interface ReplayState {
  past: PastRound[];
  turns: TurnInfo[];
  end: { points: number[] } | null;
  totals: number[];
}

/** The table and score sheet after a step. */
export function stateAt(record: MatchRecord, moment: ReplayStep): ReplayState {
  const zeros = record.players.map(() => 0);
  const past = record.rounds.slice(0, moment.round).map((round, index) => ({
    number: index + 1,
    starter: round.starter,
    turns: round.turns.map(asTurn),
    end: round.end
      ? {
          reason: round.end.reason,
          seats: [],
          points: round.end.points ?? zeros,
          scores: [],
          racks: [],
        }
      : null,
    totals: round.scores ?? zeros,
  }));
  const round = record.rounds[moment.round];
  const all = round?.turns.map(asTurn) ?? [];
  const turns = all.slice(0, moment.turns);
  const over = !!round?.end && moment.turns === all.length;
  const before = past.at(-1)?.totals ?? zeros;
  const totals =
    over && round?.scores
      ? round.scores
      : zeros.map(
          (_, seat) =>
            (before[seat] ?? 0) +
            turns.filter((turn) => turn.seat === seat).reduce((sum, turn) => sum + turn.points, 0),
        );
  return { past, turns, end: over ? { points: round?.end?.points ?? zeros } : null, totals };
}

function asTurn(turn: MatchRecord["rounds"][number]["turns"][number]): TurnInfo {
  return { ...turn, scores: [] };
}

/**
 * The rack of every seat after a step, in the order dealt and drawn; `null` where the record does
 * not hold the deal.
 */
export function racksAt(record: MatchRecord, moment: ReplayStep): string[][] | null {
  const round = record.rounds[moment.round];
  if (!Array.isArray(round?.racks) || round.racks.length !== record.players.length) return null;
  if (!round.racks.every(Array.isArray)) return null;
  const racks = round.racks.map((rack) => [...rack]);
  for (const { seat, move, tile } of round.turns.slice(0, moment.turns)) {
    const rack = racks[seat];
    const place = parsePlace(move);
    if (!rack) return null;
    if (place) {
      const index = rack.indexOf(tileOf(place.numbers));
      if (index < 0) return null;
      // One piece only: a set can hold the same numbers twice.
      rack.splice(index, 1);
    } else if (tile !== undefined) rack.push(tile);
  }
  return racks;
}

/** The size of the largest rack of a round. */
export const mostTiles = (record: MatchRecord, round: number): number =>
  Math.max(
    ...replaySteps(record)
      .filter((moment) => moment.round === round)
      .flatMap((moment) => racksAt(record, moment)?.map((rack) => rack.length) ?? 0),
    0,
  );
