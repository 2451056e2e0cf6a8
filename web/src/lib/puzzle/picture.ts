/** The picture of a puzzle to share: the board as it was, the tiles and the question. */
import { parsePlace } from "../board/geometry";
import type { Poster } from "../poster/poster";
import { day as dateText, t } from "../words";
import { momentOf, type Puzzle } from "./year";

/** What anybody sees who has not tried yet; *row* is the number of days in a row. */
export function pictureOf(
  { kind, board, racks }: Pick<Puzzle, "kind" | "board" | "racks">,
  day: number,
  row: number,
  foot: string,
): Poster {
  return {
    places: board.flatMap((text) => parsePlace(text) ?? []),
    bridges: [],
    title: t("puzzle.of", { day: dateText(momentOf(day)) }),
    lines: [
      { name: t(`puzzle.kind.${kind}`), score: "", first: true },
      { name: racks[0].join("  "), score: "", first: false },
      { name: t("puzzle.streak", { count: row }), score: "", first: false },
    ],
    foot,
  };
}
