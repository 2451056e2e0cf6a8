import { expect, test } from "vitest";
import { clockText, endAfter, standInAfter } from "./away";

test("people wait as long as the server says", () => {
  const cases = [
    [null, 60, 600],
    [30, 30, 600],
    [300, 60, 600],
    [1800, 60, 1800],
    [86_400, 86_400, 86_400],
  ] as const;
  for (const [away, bot, end] of cases) {
    expect([standInAfter(away), endAfter(away)]).toEqual([bot, end]);
  }
});

test("a time is shown as on a clock", () => {
  expect([5, 750, 3723].map(clockText)).toEqual(["0:05", "12:30", "1:02:03"]);
});
