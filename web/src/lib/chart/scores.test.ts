import { describe, expect, it } from "vitest";
import type { TurnInfo } from "../net/types";
import { curve, ticks } from "./scores";

const turn = (seat: number, move: string, points: number): TurnInfo => ({
  seat,
  move,
  points,
  scores: [],
});

describe("the scores over a match", () => {
  it("begin at nothing and have a point for every line of the sheet", () => {
    const found = curve(2, [
      {
        turns: [turn(0, "U(0,0)=1-3-4", 8), turn(1, "draw", -5), turn(1, "D(0,0)=4-3-5", 12)],
        end: [0, 30],
      },
      { turns: [turn(0, "U(0,0)=0-0-5", 5)], end: null },
    ]);
    expect(found.totals).toEqual([
      [0, 0],
      [8, 0],
      [8, 7],
      [8, 37],
      [13, 37],
    ]);
    expect(found.ends).toEqual([3]);
  });

  it("stand between round numbers", () => {
    expect(ticks(0, 400)).toEqual([0, 100, 200, 300, 400]);
    expect(ticks(-25, 63)).toEqual([0, 50]);
    expect(ticks(0, 0)).toEqual([0]);
  });
});
