import { describe, expect, it } from "vitest";
import type { EndInfo, TurnInfo } from "../net/types";
import { cheerOf, LONGEST } from "./cheer";

const turn = (bonus?: string): TurnInfo => ({
  seat: 0,
  move: "U(0,0)=1-2-3",
  points: 6,
  scores: [],
  ...(bonus === undefined ? {} : { bonus }),
});
const end = (reason: string): EndInfo => ({
  reason,
  seats: [0],
  points: [5, 0],
  scores: [],
  racks: [[], []],
});
const people = [false, false];
const bots = [true, true];
const won = { scores: [5, 0], winners: [0] };

describe("what is celebrated", () => {
  it("grows from a bridge over a hexagon to a win, and is shorter than 1.5 s", () => {
    const cheers = [
      cheerOf([turn("bridge")], null, null, people),
      cheerOf([turn("hexagon")], null, null, people),
      cheerOf([turn()], end("out"), won, people),
    ];
    const strengths = cheers.map((one) => one?.strength ?? 0);
    expect(strengths).toEqual([...strengths].sort((a, b) => a - b));
    expect(new Set(strengths).size).toBe(3);
    for (const one of cheers) expect(one?.length).toBeLessThanOrEqual(LONGEST);
    expect(LONGEST).toBeLessThan(1500);
  });
  it("is smaller for a bot", () => {
    const of = (who: boolean[]): number =>
      cheerOf([turn("hexagon")], null, null, who)?.strength ?? 0;
    expect(of(bots)).toBeLessThan(of(people));
    expect(cheerOf([], end("out"), { ...won, winners: [0, 1] }, [true, false])?.seat).toBe(1);
  });
  it("is nothing for an ordinary tile, a blocked round and a match given up", () => {
    expect(cheerOf([turn()], null, null, people)).toBeNull();
    expect(cheerOf([turn()], end("blocked"), null, people)).toBeNull();
    expect(cheerOf([turn("bridge")], end("abandoned"), won, people)).toBeNull();
    expect(cheerOf([turn()], end("out"), null, people)?.kind).toBe("out");
  });
});
