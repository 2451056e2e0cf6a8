import { describe, expect, it } from "vitest";
import type { RoundInfo } from "../net/types";
import { decidingDraws, startRule } from "./startReason";

const round = (number: number, starter: number, start_draws: [number, string][]): RoundInfo => ({
  number,
  starter,
  start_draws,
  turns: [],
});

describe("who starts", () => {
  it("is decided by the last draw of the starter", () => {
    const tied = round(1, 1, [
      [0, "3-4-5"],
      [1, "2-5-5"],
      [0, "0-0-1"],
      [1, "1-1-1"],
    ]);
    expect(decidingDraws(tied)).toEqual([
      [0, "0-0-1"],
      [1, "1-1-1"],
    ]);
    expect(startRule(tied, "set_up")).toBe("redrawn");
    expect(startRule(round(1, 0, tied.start_draws.slice(0, 2)), "set_up")).toBe("draw");
  });
  it("follows from the rule where nobody draws", () => {
    expect(startRule(round(1, 0, []), "rotate_left")).toBe("triple");
    expect(startRule(round(2, 0, []), "set_up")).toBe("triple");
    expect(startRule(round(2, 0, []), "rotate_left")).toBe("turns");
    expect(startRule(round(2, 0, []), "round_winner")).toBe("winner");
  });
});
