import { expect, test } from "vitest";
import english from "../../../../src/triomino/words/en.json";
import { rulesOf } from "../scorepad/rules";
import { paragraphOf, RULE_REASONS } from "../table/refusals";
import { BOOKS, figure, rackFigure, sumText, EXERCISES, verdictOf, workedText } from "./book";

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

test("a worked sum is written with true minus signs", () => {
  const key = "rules.sum.none";
  expect(workedText({ key, values: {}, start: 20, parts: [-5, -10], total: -5 })).toBe(
    "20 − 5 − 10 = −5",
  );
  expect(workedText({ key, values: {}, start: 0, parts: [12, 10], total: 22 })).toBe(
    "12 + 10 = 22",
  );
  expect(workedText({ key, values: {}, start: 0, parts: [40], total: 40 })).toBe("+40");
});

test("every figure of the guide is there, and every key of it has a text", () => {
  for (const book of Object.values(BOOKS)) {
    const names = [...book.scores, ...book.answers].map((one) => one.figure);
    for (const name of names) expect((rackFigure(name) ?? figure(name)).board).toBeDefined();
    const keys = [
      ...[...book.minute, ...book.scores, ...book.answers].map(({ key }) => key),
      ...book.answers.flatMap(({ question, source }) => [question, `rules.source.${source}`]),
      ...[...book.sums, ...book.advice, ...book.leaflet].map(({ key }) => key),
      ...book.scores.map(({ worth }) => worth).filter(Boolean),
      ...book.misses.map((name) => `rules.figure.${name}`),
    ];
    expect(keys.filter((key) => !(key in english))).toEqual([]);
  }
});

test("every refusal of the rules has its paragraph, and no other has one", () => {
  for (const { paragraphs } of Object.values(BOOKS))
    expect([...RULE_REASONS].sort()).toEqual(Object.keys(paragraphs).sort());
  expect(paragraphOf("drawn_must_place")).toBe("must_place");
  expect(paragraphOf("not_your_turn")).toBeNull();
});
