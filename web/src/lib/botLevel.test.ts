import { describe, expect, it } from "vitest";
import { nextStreak, levelBeside, adjustedLevel } from "./botLevel";

const bots = (...names: string[]) => names.map((name) => ({ name, why_not: null }));
const ALL = bots("beginner", "easy", "medium");
const NO_KERNEL = [...bots("beginner", "easy"), { name: "medium", why_not: "no compiler" }];

describe("a bot that fits", () => {
  it("is the same after one match, or after one of each", () => {
    for (const outcomes of [[], [1], [-1], [1, -1], [-1, 1, -1], [1, 0, 1]])
      expect(
        adjustedLevel({ level: "easy", streak: outcomes.reduce(nextStreak, 0) }, ALL).level,
      ).toBe("easy");
  });

  it("is one level up after two wins in a row, and the counting starts anew", () => {
    const streak = [-1, 1, 1].reduce(nextStreak, 0);
    expect(adjustedLevel({ level: "easy", streak }, ALL)).toEqual({ level: "medium", streak: 0 });
  });

  it("is one level down after two losses in a row", () => {
    const streak = [1, -1, -1].reduce(nextStreak, 0);
    expect(adjustedLevel({ level: "easy", streak }, ALL)).toEqual({ level: "beginner", streak: 0 });
  });

  it("is never above the highest nor below the lowest", () => {
    expect(adjustedLevel({ level: "medium", streak: 5 }, ALL).level).toBe("medium");
    expect(adjustedLevel({ level: "beginner", streak: -5 }, ALL).level).toBe("beginner");
  });

  it("is one that plays here", () => {
    expect(adjustedLevel({ level: "medium", streak: 0 }, NO_KERNEL).level).toBe("easy");
    expect(adjustedLevel({ level: "easy", streak: 2 }, NO_KERNEL).level).toBe("easy");
    expect(adjustedLevel({ level: "easy", streak: 0 }, []).level).toBe("easy");
  });
});

it("can be made easier and harder by hand, as far as it goes", () => {
  expect(levelBeside("easy", 1, ALL)).toBe("medium");
  expect(levelBeside("easy", -1, ALL)).toBe("beginner");
  expect(levelBeside("medium", 1, ALL)).toBeNull();
  expect(levelBeside("beginner", -1, ALL)).toBeNull();
  expect(levelBeside("easy", 1, NO_KERNEL)).toBeNull();
});
