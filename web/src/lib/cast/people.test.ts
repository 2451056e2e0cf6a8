import { describe, expect, it } from "vitest";
import type { EndInfo, TurnInfo } from "../net/types";
import { moods, speakers } from "./mood";
import { monograms, peopleOf } from "./people";

describe("monograms", () => {
  it("are the first letter, where nobody else has it", () => {
    expect(monograms(["Ann", "ben", "Éva", "דנה", "👩‍👧 Zoe"])).toEqual(["A", "B", "É", "ד", "👩‍👧"]);
  });
  it("have a second letter where names begin alike, and are never the same", () => {
    expect(monograms(["Ann", "Ben", "Anna"])).toEqual(["An", "B", "Aa"]);
    for (const names of [
      ["A", "A", "A"],
      ["Al", "Al", "al", "AL"],
      ["", " ", "?"],
    ])
      expect(new Set(monograms(names)).size).toBe(names.length);
  });
});

it("gives a face to bots of the cast only", () => {
  const given = [{ name: "Milo" }, { name: "Milo", bot: "easy" }, { name: "Easy", bot: "easy" }];
  const people = peopleOf(["Milo", "Milo", "Easy"], given);
  expect(people.map(({ cast }) => cast)).toEqual([null, "Milo", null]);
  expect(people.map(({ level }) => level)).toEqual([null, "easy", "easy"]);
});

const turn = (seat: number, points: number, bonus?: string): TurnInfo => ({
  seat,
  points,
  move: "draw",
  scores: [],
  ...(bonus ? { bonus } : {}),
});
const end = (seats: number[], points: number[]): EndInfo => ({
  reason: "out",
  seats,
  points,
  scores: [],
  racks: [],
});

describe("moods", () => {
  it("follow the last turn of each player", () => {
    const turns = [turn(0, 50, "hexagon"), turn(1, -5), turn(2, 8)];
    expect(moods(4, turns, null, null)).toEqual(["pleased", "sorry", "waiting", "waiting"]);
    expect(moods(3, [...turns, turn(0, 9)], null, null)).toEqual(["waiting", "sorry", "waiting"]);
  });
  it("follow the end of a round, with points and without", () => {
    expect(moods(3, [], end([1], [0, 30, 0]), null)).toEqual(["sorry", "pleased", "sorry"]);
    expect(moods(2, [], end([1], [0, 0]), null)).toEqual(["sorry", "pleased"]);
  });
  it("follow the result", () => {
    const result = { scores: [400, 300, 400], winners: [0, 2] };
    expect(moods(3, [], end([1], [0, 30, 0]), result)).toEqual(["pleased", "sorry", "pleased"]);
  });
});

describe("what bots say", () => {
  const bots = [false, true, true];
  it("is said at their first bonus of a round only", () => {
    const first = [turn(0, 40, "bridge"), turn(1, 40, "bridge")];
    expect(speakers(bots, first, null)).toEqual([{ seat: 1, mood: "pleased" }]);
    expect(speakers(bots, [...first, turn(2, 50, "hexagon")], null)).toHaveLength(1);
    expect(speakers(bots, [...first, turn(1, 50, "hexagon")], null)).toEqual([]);
    expect(speakers(bots, [turn(0, 40, "bridge")], null)).toEqual([]);
    expect(speakers(bots, [turn(1, 9)], null)).toEqual([]);
  });
  it("is said by one of them at the end", () => {
    const won = (...winners: number[]) => speakers(bots, [], { scores: [], winners });
    expect(won(2)).toEqual([{ seat: 2, mood: "pleased" }]);
    expect(won(0)).toEqual([{ seat: 1, mood: "sorry" }]);
    expect(speakers([false, false], [], { scores: [], winners: [0] })).toEqual([]);
  });
});
