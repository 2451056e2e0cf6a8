import { expect, test } from "vitest";
import { rounded } from "./session";

test("rounds as Python does", () => {
  // What round(number, 1) says there.
  const tenths = [
    [10.35, 10.3],
    [-14.35, -14.3],
    [10.25, 10.2],
    [10.75, 10.8],
    [-0.25, -0.2],
    [0.05, 0.1],
    [0.15, 0.1],
    [2.675, 2.7],
    [-0.04, 0],
    [7, 7],
  ] as const;
  for (const [number, told] of tenths) expect(rounded(number, 1)).toBe(told);
  expect(rounded(2.675, 2)).toBe(2.67);
  expect(rounded(0.125, 2)).toBe(0.12);
  expect(rounded(0.375, 2)).toBe(0.38);
});
