import { expect, it } from "vitest";
import { EMPTY, endingOf, laidTurn } from "./draft";
import { sheetOf, type Act } from "./pad";
import { rulesOf } from "./rules";
import { statistics } from "./stats";

const LOG: Act[] = [
  { do: "setup", rules: rulesOf({ edition: "classic" }), names: ["Ann", "Ben"] },
  { do: "turn", person: 0, sum: 15 },
  { do: "turn", person: 1, sum: 4, draws: 2, bonus: "bridge" },
  { do: "turn", person: 0, sum: 3, bonus: "double_hexagon" },
  { do: "out", person: 0, left: [[], { points: 7 }] },
];

it("counts what people did on evenings past", () => {
  const [ann, ben] = statistics([sheetOf(LOG), sheetOf(LOG)]);
  expect(ann).toMatchObject({
    name: "Ann",
    matches: 2,
    wins: 2,
    bestTurn: 63,
    hexagons: 4,
    draws: 0,
  });
  expect(ben).toMatchObject({
    name: "Ben",
    matches: 2,
    wins: 0,
    bestTurn: 34,
    bridges: 2,
    draws: 4,
  });
});

it("takes three numbers in any order where a set has no mirror images", () => {
  const draft = { ...EMPTY, digits: [4, 3, 1] };
  expect(laidTurn(draft, 0, rulesOf({ edition: "classic" }))?.tile).toBe("1-3-4");
  expect(laidTurn(draft, 0, rulesOf({ edition: "six-player" }))?.tile).toBe("1-4-3");
  expect(laidTurn({ ...EMPTY, digits: [4, 3] }, 0, rulesOf({ edition: "classic" }))).toBeNull();
});

it("ends a turn without a tile as the edition says", () => {
  expect(endingOf(3, rulesOf({ edition: "classic" }))).toBe("end");
  expect(endingOf(2, rulesOf({ edition: "classic" }))).toBe("pass");
  expect(endingOf(1, rulesOf({ edition: "casual" }))).toBe("end");
});
