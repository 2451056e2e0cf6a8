import { beforeAll, expect, it } from "vitest";
import { withWords } from "../language.svelte";
import type { HintReason } from "../net/types";
import { hintText } from "./phrases";

beforeAll(() => withWords(Promise.resolve(), "main"));

const said = (move: string, ...why: HintReason[]): string =>
  hintText({ move, win: 0.53, margin: 2, why });
const PLACE = "U(0,0)=1-3-4";

it("says what a placement gains, and the risk that it takes", () => {
  expect(said(PLACE, { kind: "points", points: 8 })).toBe(
    "Hint: 53% chance to win. The tile scores 8 points.",
  );
  expect(said(PLACE, { kind: "points", points: 1 })).toContain("The tile scores one point.");
  expect(
    said(
      PLACE,
      { kind: "bonus", points: 40, bonus: "bridge" },
      { kind: "points", points: 8 },
      { kind: "danger", points: 40, chance: 0.31 },
    ),
  ).toBe(
    "Hint: 53% chance to win. It makes a bridge: +48. " +
      "31% chance that the next player scores 40 or more.",
  );
  for (const bonus of ["hexagon", "double_hexagon", "triple_hexagon"])
    expect(said(PLACE, { kind: "bonus", points: 50, bonus })).toMatch(
      /closes .*hexagons?.*: \+50\.$/,
    );
});
it("says both that a tile makes a hexagon and that it is the last", () => {
  const why: HintReason[] = [
    { kind: "bonus", points: 50, bonus: "hexagon" },
    { kind: "out", points: 8 },
  ];
  expect(said(PLACE, ...why)).toMatch(
    /a hexagon: \+58\. It is the last tile, so the round ends\.$/,
  );
});
it("names an action, and what it costs", () => {
  expect(said("draw", { kind: "draw", points: -5 })).toMatch(/Drawing costs 5 points, but nothing/);
  expect(said("draw", { kind: "draw", points: 0 })).toMatch(/Drawing costs nothing, and nothing/);
  expect(said("pass")).toMatch(/\. Pass: nothing else is better\.$/);
  expect(said(PLACE)).toMatch(/\. Nothing else is better\.$/);
});
it("says what may follow, what is kept, and what is as good", () => {
  const points = 0;
  expect(said(PLACE, { kind: "stuck", points, chance: 0.42 })).toMatch(
    /42% chance that the next player finds no place\.$/,
  );
  expect(said(PLACE, { kind: "keeps", points, count: 2, number: 5 })).toMatch(
    /After it, 2 of your tiles fit at a 5\.$/,
  );
  expect(said("draw", { kind: "draw", points: -5 }, { kind: "fits", points, chance: 0.3 })).toMatch(
    /30% of the unseen tiles fit\.$/,
  );
  const hopes = { kind: "hopes" as const, points: 40, chance: 0.08 };
  expect(said("draw", { kind: "draw", points: -5 }, hopes)).toMatch(
    /8% of the unseen tiles would score 40 or more at once\.$/,
  );
  expect(said(PLACE, { kind: "points", points: 8 }, { kind: "tie", points, move: "draw" })).toMatch(
    /scores 8 points\. Just as good: Draw\.$/,
  );
  expect(said(PLACE, { kind: "tie", points, move: "D(-1,0)=1-2-3" })).toMatch(/good: 1-2-3\.$/);
});
