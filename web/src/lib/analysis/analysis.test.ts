import { beforeAll, expect, it } from "vitest";
import { withWords } from "../language.svelte";
import type { Analysis, MarkedMove } from "../net/types";
import type { MatchRecord } from "../replay/record";
import { isAnalysisOf, betterMoveText, curve, marked, roundStarts } from "./analysis";

beforeAll(() => withWords(Promise.resolve(), "main", "replay"));

const move = (turn: number, mark?: MarkedMove["mark"]): MarkedMove => ({
  turn,
  seat: 0,
  win: 0.5,
  margin: 0,
  best: "U(0,0)=1-3-4",
  best_win: 0.612,
  best_margin: 3,
  lost: 0.11,
  ...(mark ? { mark, why: [{ kind: "points" as const, points: 8 }] } : {}),
});
const player = {
  decisions: 1,
  luck: 0,
  lost: 0,
  lost_points: 0,
  inaccuracies: 0,
  mistakes: 0,
  blunders: 0,
  noise: 0,
};
const ANALYSIS: Analysis = {
  players: [
    { seat: 0, ...player },
    { seat: 1, ...player },
  ],
  rounds: [
    {
      chances: [
        [0.5, 0.5],
        [0.4, 0.6],
        [0.3, 0.7],
      ],
      moves: [move(0, "mistake"), move(1)],
    },
    {
      chances: [
        [0.5, 0.5],
        [0.9, 0.1],
      ],
      moves: [move(0, "blunder")],
    },
  ],
};
const turn = { seat: 0, move: "draw", points: -5 };
const RECORD: MatchRecord = {
  rules: { edition: "classic" },
  players: [{ name: "Ada" }, { name: "Ben" }],
  rounds: [
    { starter: 0, turns: [turn, turn] },
    { starter: 1, turns: [turn] },
  ],
};

it("has a point for every moment of the match", () => {
  expect(curve(ANALYSIS)).toHaveLength(5);
  expect(roundStarts(ANALYSIS)).toEqual([0, 3]);
});
it("finds the moments after a mistake", () => {
  expect(marked(ANALYSIS).map(({ step, mark }) => [step, mark])).toEqual([
    [1, "mistake"],
    [4, "blunder"],
  ]);
});
it("is of one record and of no other", () => {
  expect(isAnalysisOf(ANALYSIS, RECORD)).toBe(true);
  expect(isAnalysisOf(ANALYSIS, { ...RECORD, rounds: RECORD.rounds.slice(1) })).toBe(false);
  expect(isAnalysisOf(ANALYSIS, { ...RECORD, rounds: [...RECORD.rounds].reverse() })).toBe(false);
  expect(isAnalysisOf(ANALYSIS, { ...RECORD, players: RECORD.players.slice(1) })).toBe(false);
});
it("says what would have been better", () => {
  const [first] = marked(ANALYSIS);
  expect(first && betterMoveText(first)).toBe(
    "Mistake. Better: 1-3-4. The tile scores 8 points. 61% chance to win the round instead of 50%.",
  );
  expect(first && betterMoveText({ ...first, best: "draw", why: [] })).toBe(
    "Mistake. Better: Draw. 61% chance to win the round instead of 50%.",
  );
});
