import { expect, test } from "vitest";
import english from "../../../../src/triomino/words/en.json";
import { rulesOf } from "../scorepad/rules";
import { BOOKS, figure, sumText, EXERCISES, verdictOf } from "./book";

const added = (name: string, edition: string): string => {
  const shown = figure(name);
  const rules = rulesOf({ edition });
  return sumText(shown, verdictOf(shown, rules), rules, shown.board.length === 0);
};

test("the figures have their printed scores", () => {
  const names = ["first", "match", "next", "bridge", "hexagon", "double_hexagon", "triple_hexagon"];
  expect(names.map((name) => added(name, "classic"))).toEqual([
    "1 + 3 + 4 = 8",
    "1 + 2 + 3 = 6",
    "2 + 2 + 3 = 7",
    "4 + 3 + 4 + 40 = 51",
    "1 + 5 + 5 + 50 = 61",
    "3 + 4 + 5 + 60 = 72",
    "1 + 1 + 3 + 70 = 75",
  ]);
});

test("in the card game only the first card adds its numbers, and without points nothing adds up", () => {
  expect(["first", "match", "bridge"].map((name) => added(name, "card"))).toEqual([
    "1 + 3 + 4 = 8",
    "",
    "+40",
  ]);
  expect(added("first", "casual")).toBe("");
});

test("what is wrong says why", () => {
  const why = ["wrongSide", "wrongCorner", "wrongTouch"].map((name) => {
    const verdict = verdictOf(figure(name), rulesOf({ edition: "classic" }));
    return verdict.legal ? null : verdict.why;
  });
  expect(why).toEqual(["corner_mismatch", "corner_mismatch", "no_shared_edge"]);
});

test("every key and every figure of every book has a text", () => {
  const keys = Object.values(BOOKS).flatMap(({ chapters }) =>
    chapters.flatMap(({ title, lines, figures }) => [
      title,
      ...lines.map(({ key }) => key),
      ...figures.map((name) => `rules.figure.${name}`),
    ]),
  );
  const tried = Object.values(EXERCISES).flatMap((goals) =>
    goals.map((goal) => `rules.try.${goal}`),
  );
  expect([...keys, ...tried].filter((key) => !(key in english))).toEqual([]);
});
