/**
 * The pad and the referee of the page give the same answers as those of the library.
 *
 * `tests/test_pad_page.py` writes the cases and says in VITE_PAD_CASES where they are.
 */
import { describe, expect, it } from "vitest";
import { parsePlace, type Place } from "../board/geometry";
import type { Json } from "../net/types";
import { padFromCsv, padToCsv, readCsv } from "./csvFile";
import { padFromJson, padToJson } from "./jsonFile";
import { judge, wrongBoard } from "../kernel/referee";
import { linesOf, sheetOf, type Act } from "./pad";
import { rulesOf } from "./rules";

interface PadCase {
  log: Act[];
  sheet: unknown;
  lines: unknown;
  csv: string;
}
interface JudgeCase {
  rules: Json;
  board: string[];
  place: string;
  strict: boolean;
  answer: unknown;
}
interface Cases {
  pads: PadCase[];
  refused: Act[][];
  damaged: string[];
  judged: JudgeCase[];
}

const file = import.meta.env["VITE_PAD_CASES"] as string | undefined;
const cases: Cases = file
  ? ((await import(/* @vite-ignore */ file)) as { default: Cases }).default
  : { pads: [], refused: [], damaged: [], judged: [] };

/** The sheet with the names that the library gives things. */
function shown(log: Act[]): unknown {
  const sheet = sheetOf(log);
  return {
    names: sheet.names,
    next: sheet.next,
    laid: sheet.laid,
    seats: sheet.ledger.seats,
    round: sheet.ledger.round,
    end: sheet.ledger.end,
    is_last_round: sheet.ledger.isLastRound,
    is_over: sheet.ledger.isOver,
    leaders: sheet.ledger.leaders,
    winners: sheet.ledger.winners,
    lines: sheet.lines.map((line) => [
      line.round,
      line.scores.map(({ seat, reason, points }) => [seat, reason, points]),
      line.totals,
      line.isLastRound,
      line.cautions,
    ]),
  };
}

describe("beside the library", () => {
  it("a pad has the same sheet", () => {
    for (const { log, sheet } of cases.pads) expect(shown(log)).toEqual(sheet);
  });
  it("a pad has the same lines, and reads what it writes", () => {
    for (const { log, lines } of cases.pads) {
      expect(linesOf(log)).toEqual(lines);
      expect(padFromJson(padToJson(log))).toEqual(log);
    }
  });
  it("a pad is the same CSV", () => {
    for (const { log, lines, csv } of cases.pads) {
      expect(padToCsv(log)).toBe(csv);
      expect(padFromCsv(csv)).toEqual(lines);
    }
  });
  it("the same steps are refused", () => {
    for (const log of cases.refused)
      expect(() => padFromJson(padToJson(log)), JSON.stringify(log.at(-1))).toThrow();
  });
  it("the same texts are refused", () => {
    for (const text of cases.damaged) expect(() => padFromJson(text), text).toThrow();
  });
  it("the referee says the same", () => {
    for (const { rules, board, place, strict, answer } of cases.judged) {
      const places = board.map((text) => parsePlace(text) as Place);
      expect(wrongBoard(places, rulesOf(rules), strict)).toBe(false);
      expect(judge(places, parsePlace(place) as Place, rulesOf(rules), strict)).toEqual(answer);
    }
  });
});

describe("CSV", () => {
  it("reads quotes, commas and line ends", () => {
    expect(readCsv('a,"b,""c"""\r\n"x\ny",\n')).toEqual([
      ["a", 'b,"c"'],
      ["x\ny", ""],
    ]);
    expect(readCsv('a,"b')).toBeNull();
  });
});
