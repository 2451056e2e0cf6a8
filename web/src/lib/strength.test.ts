import { describe, expect, it } from "vitest";
import { afterMatch, besides, fitting } from "./strength";

const bots = (...names: string[]) => names.map((name) => ({ name, why_not: null }));
const ALL = bots("beginner", "greedy", "club");
const NO_KERNEL = [...bots("beginner", "greedy"), { name: "club", why_not: "no compiler" }];

describe("a bot that fits", () => {
  it("is the same after one match, or after one of each", () => {
    for (const outcomes of [[], [1], [-1], [1, -1], [-1, 1, -1], [1, 0, 1]])
      expect(fitting({ level: "greedy", streak: outcomes.reduce(afterMatch, 0) }, ALL).level).toBe("greedy");
  });

  it("is one level up after two wins in a row, and the counting starts anew", () => {
    const streak = [-1, 1, 1].reduce(afterMatch, 0);
    expect(fitting({ level: "greedy", streak }, ALL)).toEqual({ level: "club", streak: 0 });
  });

  it("is one level down after two losses in a row", () => {
    const streak = [1, -1, -1].reduce(afterMatch, 0);
    expect(fitting({ level: "greedy", streak }, ALL)).toEqual({ level: "beginner", streak: 0 });
  });

  it("is never above the highest nor below the lowest", () => {
    expect(fitting({ level: "club", streak: 5 }, ALL).level).toBe("club");
    expect(fitting({ level: "beginner", streak: -5 }, ALL).level).toBe("beginner");
  });

  it("is one that plays here", () => {
    expect(fitting({ level: "club", streak: 0 }, NO_KERNEL).level).toBe("greedy");
    expect(fitting({ level: "greedy", streak: 2 }, NO_KERNEL).level).toBe("greedy");
    expect(fitting({ level: "greedy", streak: 0 }, []).level).toBe("greedy");
  });
});

it("can be made easier and harder by hand, as far as it goes", () => {
  expect(besides("greedy", 1, ALL)).toBe("club");
  expect(besides("greedy", -1, ALL)).toBe("beginner");
  expect(besides("club", 1, ALL)).toBeNull();
  expect(besides("beginner", -1, ALL)).toBeNull();
  expect(besides("greedy", 1, NO_KERNEL)).toBeNull();
});
