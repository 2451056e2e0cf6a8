import { beforeAll, expect, it } from "vitest";
import { targetText } from "../editions";
import { withWords } from "../language.svelte";
import { roundScores } from "./roundScores";
import { opensRound } from "./draft";
import { sheetOf, type Act } from "./pad";
import { standing, pointsToGo } from "./phrases";
import { rulesOf } from "./rules";

beforeAll(() => withWords(Promise.resolve(), "main", "pad"));

const setup = (edition: string): Act => ({
  do: "setup",
  rules: rulesOf({ edition, target: 400 }),
  names: ["Ann", "Ben"],
});
const TURN: Act = { do: "turn", person: 0, sum: 15 };
const OUT: Act = { do: "out", person: 0, left: [[], { points: 7 }] };

it("says how much more it takes, and of what", () => {
  const over = sheetOf([setup("classic"), TURN]);
  expect([
    targetText({ ...over.ledger.rules }, "sheet"),
    pointsToGo(over, 0),
    pointsToGo(over, 1),
  ]).toEqual(["to more than 400", "386 to go", "401 to go"]);
  const reach = sheetOf([setup("classic-hebrew"), TURN]);
  expect([
    targetText({ ...reach.ledger.rules }, "sheet"),
    pointsToGo(reach, 0),
    pointsToGo(reach, 1),
  ]).toEqual(["to 400", "385 to go", "400 to go"]);
});

it("says who leads while a match runs, and who won when it is over", () => {
  const running = sheetOf([setup("classic"), TURN]);
  expect([standing(running, 0), standing(running, 1)]).toEqual(["leads", ""]);
  const won = sheetOf([setup("classic"), TURN, { do: "extra", person: 0, points: 400 }, OUT]);
  expect(won.ledger.isOver).toBe(true);
  expect([0, 1].map((one) => [standing(won, one), pointsToGo(won, one)])).toEqual([
    ["won", ""],
    ["", ""],
  ]);
});

it("ends a match between two rounds without an empty round", () => {
  const ended = sheetOf([setup("classic"), TURN, OUT, { do: "abandoned", person: null }]);
  expect(ended.ledger.isOver).toBe(true);
  expect([0, 1].map((one) => standing(ended, one) + pointsToGo(ended, one))).toEqual(["", ""]);
  expect(ended.lines.map((_, index) => opensRound(ended, index))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(roundScores(ended)).toHaveLength(1);
  // A round that somebody played in stays a round.
  const inside = sheetOf([setup("classic"), TURN, OUT, TURN, { do: "abandoned", person: 1 }]);
  expect(inside.lines.map((_, index) => opensRound(inside, index))).toEqual([
    false,
    false,
    false,
    true,
    false,
  ]);
  expect(roundScores(inside)).toHaveLength(2);
  expect([standing(inside, 0), standing(inside, 1)]).toEqual(["won", ""]);
});
