/** The pictures of a round, one for every tile laid. Pure. */
import { parsePlace } from "../board/geometry";
import type { Poster } from "../poster/poster";
import { finalResult, stateAt, type MatchRecord } from "./record";

interface Texts {
  title: string;
  names: readonly string[];
  foot: string;
  scoring: boolean;
}

/** Posters with the same room for the board, the seats in order; the last has the final scores. */
export function roundFrames(record: MatchRecord, round: number, texts: Texts): Poster[] {
  const turns = record.rounds[round]?.turns ?? [];
  const all = turns.flatMap(({ move }) => parsePlace(move) ?? []);
  const room = all.map(({ cell }) => cell);
  const steps = turns.flatMap(({ move }, index) => (parsePlace(move) ? [index + 1] : []));
  // A draw or pass after the last tile, and the settlement, belong to the last picture.
  if (steps.length) steps[steps.length - 1] = turns.length;
  const isLast = round === record.rounds.length - 1;
  return steps.map((turns, index) => {
    const { turns: played, totals } = stateAt(record, { round, turns });
    const ended = index === steps.length - 1;
    const final = ended && isLast ? finalResult(record) : null;
    const scores = final?.scores ?? totals;
    return {
      title: texts.title,
      foot: texts.foot,
      room,
      last: ended ? null : (room[index] ?? null),
      places: all.slice(0, index + 1),
      bridges: played
        .filter(({ bonus }) => bonus === "bridge")
        .flatMap(({ move }) => parsePlace(move) ?? []),
      lines: texts.names.map((name, seat) => ({
        name,
        score: texts.scoring ? String(scores[seat] ?? 0).replace("-", "−") : "",
        first: final?.winners.includes(seat) ?? false,
      })),
    };
  });
}
