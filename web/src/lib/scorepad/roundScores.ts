/** A sheet as the chart of scores needs it. Pure. */
import type { RoundScores } from "../chart/scores";
import { changesOf, isEnd } from "./draft";
import type { Sheet } from "./pad";

/** What every line gave, round by round. */
export function roundScores(sheet: Sheet): RoundScores[] {
  const out: { turns: RoundScores["turns"][number][]; end: number[] | null }[] = [];
  sheet.lines.forEach(({ entry, round }, index) => {
    if (entry.do === "setup" || entry.do === "players") return;
    // A match that ended between two rounds has no empty round after the last one.
    if (entry.do === "abandoned" && out.length < round) return;
    while (out.length < round) out.push({ turns: [], end: null });
    const now = out[round - 1] as (typeof out)[number];
    const points = changesOf(sheet, index);
    if (isEnd(entry)) now.end = sheet.names.map((_, person) => points.get(person) ?? 0);
    else if ("person" in entry && entry.person !== null)
      now.turns.push({
        seat: entry.person,
        move: "",
        points: points.get(entry.person) ?? 0,
        scores: [],
      });
  });
  return out;
}
