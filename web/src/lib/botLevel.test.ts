import { describe, expect, it } from "vitest";
import { afterMatch, besides, fitting } from "./botLevel";

const bots = (...names: string[]) => names.map((name) => ({ name, why_not: null }));
const ALL = bots("beginner", "easy", "medium");
const NO_KERNEL = [...bots("beginner", "easy"), { name: "medium", why_not: "no compiler" }];

describe("a bot that fits", () => {
  it("is the same after one match, or after one of each", () => {
    for (const outcomes of [[], [1], [-1], [1, -1], [-1, 1, -1], [1, 0, 1]])
      expect(fitting({ level: "easy", streak: outcomes.reduce(afterMatch, 0) }, ALL).level).toBe(
        "easy",
      );
  });

  it("is one level up after two wins in a row, and the counting starts anew", () => {
    const streak = [-1, 1, 1].reduce(afterMatch, 0);
    expect(fitting({ level: "easy", streak }, ALL)).toEqual({ level: "medium", streak: 0 });
  });

  it("is one level down after two losses in a row", () => {
    const streak = [1, -1, -1].reduce(afterMatch, 0);
    expect(fitting({ level: "easy", streak }, ALL)).toEqual({ level: "beginner", streak: 0 });
  });

  it("is never above the highest nor below the lowest", () => {
    expect(fitting({ level: "medium", streak: 5 }, ALL).level).toBe("medium");
    expect(fitting({ level: "beginner", streak: -5 }, ALL).level).toBe("beginner");
  });

  it("is one that plays here", () => {
    expect(fitting({ level: "medium", streak: 0 }, NO_KERNEL).level).toBe("easy");
    expect(fitting({ level: "easy", streak: 2 }, NO_KERNEL).level).toBe("easy");
    expect(fitting({ level: "easy", streak: 0 }, []).level).toBe("easy");
  });
});

it("can be made easier and harder by hand, as far as it goes", () => {
  expect(besides("easy", 1, ALL)).toBe("medium");
  expect(besides("easy", -1, ALL)).toBe("beginner");
  expect(besides("medium", 1, ALL)).toBeNull();
  expect(besides("beginner", -1, ALL)).toBeNull();
  expect(besides("easy", 1, NO_KERNEL)).toBeNull();
});
