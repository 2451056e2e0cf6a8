/** Pads written by version 1 of the page, from `tests/old`, with the sheets it computed. */
import { describe, expect, it } from "vitest";
import device from "../../../../tests/old/browser-pads.json";
import expected from "../../../../tests/old/pads/expected.json";
import type { Json } from "../net/types";
import { padFromCsv, padToCsv } from "./csvFile";
import { padFromJson, padToJson } from "./jsonFile";
import { logFrom1 } from "./legacy";
import { linesOf, sheetOf, type Act, type Setup } from "./pad";
import { houseRulesOf, isComplete, readRules1, type Rules } from "./rules";

const files = import.meta.glob("../../../../tests/old/pads/*", {
  eager: true,
  query: "?raw",
  import: "default",
});
const textOf = (name: string): string => files[`../../../../tests/old/pads/${name}`] as string;

/** What version 1 allowed. */
const THEN = { voluntary_draw: "always", must_place_after_last_draw: false };

function shown(log: readonly Act[]): Json {
  const { names, lines, ledger, next } = sheetOf(log);
  return {
    names,
    next,
    lines: lines.length,
    totals: ledger.totals,
    winners: ledger.winners,
    leaders: ledger.leaders,
    round: ledger.round,
    is_last_round: ledger.isLastRound,
    is_over: ledger.isOver,
  };
}
const rulesIn = (log: readonly Act[]): Rules => (linesOf(log)[0] as Setup).rules;

describe("a pad of version 1", () => {
  it.each(Object.entries(expected))(
    "%s is read as it was meant, and written as version 2",
    (name, then) => {
      const text = textOf(name);
      const log = name.endsWith(".csv") ? padFromCsv(text) : padFromJson(text);
      expect(then).toMatchObject(shown(log));
      expect(sheetOf(log).lines.map(({ totals }) => totals)).toEqual(then.line_totals);
      const file = JSON.parse(padToJson(log)) as { format: string; log: Act[] };
      expect(file.format).toBe("triomino-pad/2");
      expect(file.log.every((act) => act.do !== "setup" || isComplete(act.rules))).toBe(true);
      expect(padFromJson(JSON.stringify(file))).toEqual(log);
      expect(padFromCsv(padToCsv(log))).toEqual(linesOf(log));
    },
  );

  it("goes on under the rules that it began with", () => {
    expect(houseRulesOf(rulesIn(padFromJson(textOf("classic-running.json"))))).toMatchObject(THEN);
    expect(readRules1({ edition: "card" })?.round_won_by).toBe("ending");
    expect(readRules1({ edition: "casual" })?.round_won_by).toBe("ending");
    expect(readRules1({ edition: "casual", scoring: true })?.round_won_by).toBe("points");
    expect(readRules1({ edition: "classic", scoring: false })?.round_won_by).toBe("ending");
    expect(readRules1("six-player")).toMatchObject(THEN);
    expect(readRules1({ edition: "classic", voluntary_draw: "never" })).toMatchObject({
      voluntary_draw: "never",
    });
  });

  it("has no rule that came later", () => {
    expect(readRules1({ edition: "card", piece: "card" })).toBeNull();
    expect(readRules1({ round_won_by: "points" })).toBeNull();
  });
});

describe("a pad that the page before kept on this device", () => {
  const rows = device.indexedDB.rows as unknown as {
    id: keyof typeof device.expected;
    log: Act[];
  }[];
  it.each(rows)("$id keeps its totals and its rules", ({ id, log }) => {
    const now = logFrom1(log);
    expect(device.expected[id]).toMatchObject(shown(now));
    const rules = rulesIn(now);
    expect(isComplete(rules)).toBe(true);
    // What people had changed is still changed, and what they had not is as it was.
    expect(rules).toMatchObject(device.expected[id].rules);
    expect(rules).toEqual(readRules1(device.expected[id].rules));
    expect(logFrom1(now)).toEqual(now);
    expect(padFromJson(padToJson(now))).toEqual(now);
  });
});
