import { expect, it } from "vitest";
import { replaySteps, playersOf, readRecords, stateAt, type MatchRecord } from "./record";

const RECORD: MatchRecord = {
  rules: { edition: "classic" },
  players: [{ name: "Ada" }, { name: "Greta", bot: "greedy" }],
  rounds: [
    {
      starter: 0,
      turns: [
        { seat: 0, move: "U(0,0)=1-3-4", points: 8 },
        { seat: 1, move: "D(0,0)=4-3-5", points: 12 },
      ],
      end: { reason: "out", points: [0, 30] },
      scores: [8, 42],
    },
    {
      starter: 1,
      turns: [{ seat: 1, move: "U(0,0)=0-0-1", points: 1 }],
      end: { reason: "out" },
      scores: [8, 43],
    },
  ],
};

it("has a moment before each round and after each turn", () => {
  expect(replaySteps(RECORD)).toHaveLength(5);
});
it("adds the scores up as they came", () => {
  expect(replaySteps(RECORD).map((moment) => stateAt(RECORD, moment).totals)).toEqual([
    [0, 0],
    [8, 0],
    [8, 42],
    [8, 42],
    [8, 43],
  ]);
});
it("shows the end of a round on its last turn only", () => {
  expect(replaySteps(RECORD).map((moment) => stateAt(RECORD, moment).end !== null)).toEqual([
    false,
    false,
    true,
    false,
    true,
  ]);
});

const FILE = { format: "triomino-record/2", ...RECORD };
it("reads one match, or one in every line", () => {
  expect(readRecords(JSON.stringify(FILE, null, 2))).toHaveLength(1);
  expect(readRecords(`${JSON.stringify(FILE)}\n${JSON.stringify(FILE)}\n`)).toHaveLength(2);
});
it("knows the bots of version 1 by their new names", () => {
  const players = [
    { name: "Ada" },
    { name: "Expert 2", bot: "expert" },
    { name: "Greta", bot: "greedy" },
  ];
  const old = { ...RECORD, format: "triomino-record/1", players };
  expect(playersOf(old)).toEqual([
    { name: "Ada" },
    { name: "hard 2", bot: "hard" },
    { name: "Greta", bot: "easy" },
  ]);
  expect(playersOf({ ...RECORD, format: "triomino-record/2", players })).toEqual(players);
});
it("says what is no record", () => {
  for (const text of ["", "hello", "{"]) expect(() => readRecords(text)).toThrow("notJson");
  for (const one of [
    {},
    [],
    null,
    7,
    { ...FILE, format: "triomino-position/1" },
    { ...FILE, rounds: [] },
    { ...FILE, players: [{ name: "Ada" }] },
    { ...FILE, rounds: [{ turns: [{ seat: 0, move: 3, points: 0 }] }] },
  ])
    expect(() => readRecords(JSON.stringify(one))).toThrow("notRecord");
});
