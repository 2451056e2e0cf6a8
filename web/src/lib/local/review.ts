/**
 * The analysis of a match, as `triomino.analysis.Review` has it: the kernel assesses every ply, here
 * the findings are put together and rounded. Pure.
 */
import calibration from "../../../../src/triomino/analysis/calibration.json";
import type { Kernel } from "../kernel/kernel";
import {
  KernelMatch,
  type Assessment,
  type Calibration,
  type Chances,
  type Dealt,
  type Mark,
} from "../kernel/match";
import type { Analysis, AnalysedPlayer, MarkedMove } from "../net/types";
import type { MatchRecord } from "../replay/record";
import { readHouseRules } from "../scorepad/rules";
import { reasonOf, rounded } from "./session";

/** What an analysis needs of a record. */
export type Recorded = Pick<MatchRecord, "format" | "rules" | "players" | "rounds">;

/** The record holds too little, or nothing that can be played. */
export class NotReviewable extends Error {}

/** The match of a record in the kernel, with all its moves. */
export function matchOf(record: Recorded, kernel: Kernel): KernelMatch {
  const rules = readHouseRules(record.rules) as unknown as Record<string, unknown> | null;
  const deals = record.rounds.map(({ starter, start_draws: startDraws = [], racks, pool }) => ({
    ...{ starter, startDraws, racks, pool },
  }));
  const isDealt = deals.every(({ racks, pool }) => racks && pool);
  if (record.format !== "triomino-record/2" || !rules || !isDealt)
    throw new NotReviewable("this record cannot be analysed here");
  const match = KernelMatch.openDealt(kernel, rules, record.players.length, deals as Dealt[]);
  record.rounds.forEach(({ turns, end }, number) => {
    if (number) match.nextRound();
    for (const { move } of turns)
      if (match.play(move) !== null) throw new NotReviewable(`${move} cannot be played`);
    if (end?.reason === "abandoned") match.abandon(-1);
  });
  return match;
}

interface StoredMap {
  slope: number;
  slope_left: number;
  slope_strength: number;
  strengths: Record<string, number>;
}

/** How shares become chances in a match of these players: bots that are known have a strength. */
export function calibrationOf({ rules, players }: Recorded): Calibration {
  const maps = calibration.maps as Record<string, StoredMap>;
  const map = maps[`${String(rules["edition"])}/${players.length}`] ?? maps["any"];
  if (!map) return { slope: 1, slope_left: 0, strengths: players.map(() => 0) };
  const known = players.flatMap(({ bot }) => map.strengths[bot ?? ""] ?? []);
  const mean = known.length ? sum(known) / known.length : 0;
  const strengths = players.map(({ bot }) => map.strengths[bot ?? ""] ?? mean);
  const slope_left = map.slope_left + (map.slope_strength * sum(strengths)) / players.length;
  return { slope: map.slope, slope_left, strengths };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);

/** What is found of one round: an assessment for every ply and for what is after the last. */
export interface RoundFindings {
  plies: Assessment[];
  chances: Chances;
}

/** The analysis of a match from the findings in its rounds. */
export function analysisOf(record: Recorded, found: readonly RoundFindings[]): Analysis {
  const rounds = found.map(({ plies, chances }, round) => ({
    chances: chances.after.map((now) => now.map((part) => rounded(part, 4))),
    moves: plies.flatMap((one, turn) => markedMove(record, round, turn, one) ?? []),
  }));
  return { players: record.players.map((_, seat) => playerOf(record, found, seat)), rounds };
}

function markedMove(
  { rounds }: Recorded,
  round: number,
  turn: number,
  { decision }: Assessment,
): MarkedMove | null {
  if (!decision) return null;
  const { played, best, noise, mark, why } = decision;
  return {
    turn,
    seat: rounds[round]?.turns[turn]?.seat ?? 0,
    win: rounded(played.win, 4),
    margin: rounded(played.margin, 1),
    best: best.move,
    best_win: rounded(best.win, 4),
    best_margin: rounded(best.margin, 1),
    lost: rounded(best.win - played.win, 4),
    noise: rounded(noise, 4),
    ...(mark ? { mark } : {}),
    ...(why.length ? { why: why.map(reasonOf) } : {}),
  };
}

function playerOf(
  { rounds }: Recorded,
  found: readonly RoundFindings[],
  seat: number,
): AnalysedPlayer {
  const own = found.flatMap(({ plies }, round) =>
    plies.flatMap(({ decision }, turn) =>
      decision && rounds[round]?.turns[turn]?.seat === seat ? [decision] : [],
    ),
  );
  const count = (wanted: Mark): number => own.filter(({ mark }) => mark === wanted).length;
  const lost = sum(own.map(({ best, played }) => best.win - played.win)) / Math.max(1, own.length);
  const points = sum(own.map(({ best, played }) => best.margin - played.margin));
  return {
    seat,
    decisions: own.length,
    luck: rounded(sum(found.map(({ chances }) => chances.luck[seat] ?? 0)), 4),
    lost: rounded(lost * own.length, 4),
    lost_points: rounded(points, 1),
    inaccuracies: count("inaccuracy"),
    mistakes: count("mistake"),
    blunders: count("blunder"),
    noise: rounded(Math.hypot(...own.map(({ noise }) => noise)), 4),
  };
}
