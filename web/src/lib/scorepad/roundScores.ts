/** The scores of a sheet for the chart. Pure. */
import type { RoundScores } from "../chart/scores";
import { changesOf, isEnd } from "./draft";
import type { Sheet } from "./pad";

/** The points of every line, by round. */
export function roundScores(sheet: Sheet): RoundScores[] {
  const out: { turns: RoundScores["turns"][number][]; end: number[] | null }[] = [];
  sheet.lines.forEach(({ entry, round }, index) => {
    if (entry.do === "setup" || entry.do === "players") return;
    // A match abandoned between two rounds gets no empty last round.
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
