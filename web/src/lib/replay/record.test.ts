import { describe, expect, it } from "vitest";
import { tileOf, parsePlace } from "../board/geometry";
import {
  finalResult,
  headStarts,
  mostTiles,
  playersOf,
  racksAt,
  readRecords,
  replaySteps,
  stateAt,
  type MatchRecord,
} from "./record";

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

it("adds head starts to the result", () => {
  const result = { scores: [8, 43], winners: [1] };
  expect(finalResult(RECORD)).toBeNull();
  expect(finalResult({ ...RECORD, result })).toEqual(result);
  const extra = { head_start: [50, 0], scores: [58, 43], winners: [0] };
  expect(headStarts({ ...RECORD, extra })).toEqual([50, 0]);
  expect(finalResult({ ...RECORD, result, extra })).toEqual({ scores: [58, 43], winners: [0] });
});
it("ignores head starts that are none", () => {
  for (const head_start of [7, ["a", 1], [1], null]) {
    const bent = { ...RECORD, extra: { head_start } } as unknown as MatchRecord;
    expect(headStarts(bent)).toEqual([0, 0]);
  }
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

const GOLDEN = import.meta.glob<string>("../../../../tests/golden/*.jsonl", {
  query: "?raw",
  import: "default",
  eager: true,
});

describe.each(Object.entries(GOLDEN))("the racks of %s", (_, text) => {
  const records = readRecords(text);

  it("hold every piece that is neither laid nor in the pool", () => {
    for (const record of records) {
      const most = record.rounds.map(() => 0);
      for (const moment of replaySteps(record)) {
        const round = record.rounds[moment.round];
        const racks = racksAt(record, moment);
        if (!round || !racks) throw new Error("no racks");
        most[moment.round] = Math.max(
          most[moment.round] ?? 0,
          ...racks.map(({ length }) => length),
        );
        const turns = round.turns.slice(0, moment.turns);
        const laid = turns.flatMap(({ move }) => {
          const place = parsePlace(move);
          return place ? tileOf(place.numbers) : [];
        });
        const drawn = turns.filter(({ move }) => move === "draw").length;
        const all = [...racks.flat(), ...laid, ...(round.pool ?? []).slice(drawn)];
        expect(all.sort()).toEqual([...(round.racks ?? []).flat(), ...(round.pool ?? [])].sort());
      }
      expect(record.rounds.map((_, round) => mostTiles(record, round))).toEqual(most);
    }
  });

  it("are empty for the seat that goes out, and for no other", () => {
    let outs = 0;
    for (const record of records)
      record.rounds.forEach((round, number) => {
        const racks = racksAt(record, { round: number, turns: round.turns.length });
        const empty = racks?.flatMap((rack, seat) => (rack.length ? [] : [seat]));
        const out = round.end?.reason === "out" ? [round.turns.at(-1)?.seat] : [];
        expect(empty).toEqual(out);
        outs += out.length;
      });
    expect(outs).toBeGreaterThan(0);
  });
});
it("takes one of two equal pieces, and shows no rack that cannot be known", () => {
  const round = {
    starter: 0,
    racks: [["1-3-4", "1-3-4"], ["0-0-0"]],
    turns: [
      { seat: 0, move: "U(0,0)=3-4-1", points: 8 },
      { seat: 1, move: "draw", tile: "2-2-2", points: -5 },
    ],
  };
  const record = { ...RECORD, rounds: [round] };
  expect(racksAt(record, { round: 0, turns: 2 })).toEqual([["1-3-4"], ["0-0-0", "2-2-2"]]);
  expect(racksAt(RECORD, { round: 0, turns: 0 })).toBeNull();
  expect(mostTiles(RECORD, 0)).toBe(0);
  const bent = { ...round, turns: [{ seat: 1, move: "U(0,0)=3-4-1", points: 8 }] };
  expect(racksAt({ ...RECORD, rounds: [bent] }, { round: 0, turns: 1 })).toBeNull();
});
