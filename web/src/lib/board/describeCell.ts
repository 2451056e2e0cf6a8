/** Descriptions of cells for the keyboard cursor. */
import { listUnits, t } from "../words";
import {
  cellText,
  neighbours,
  numbersOf,
  tileOf,
  vertexText,
  vertices,
  type Arrow,
  type Cell,
  type Place,
} from "./geometry";

export const ARROWS: Record<string, Arrow> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

const CORNERS = {
  up: ["bottomLeft", "top", "bottomRight"],
  down: ["bottom", "topLeft", "topRight"],
} as const;
const SIDES = { up: ["left", "right", "down"], down: ["left", "up", "right"] } as const;

/** Describe a tile with its corners and open sides, or an empty cell with the corners round it. */
export function describeCell(cell: Cell, places: readonly Place[], fits: string): string {
  const kind = cell.down ? "down" : "up";
  const laid = new Map(places.map((place) => [cellText(place.cell), place]));
  const place = laid.get(cellText(cell));
  const known = numbersOf(places);
  const corners = vertices(cell).flatMap((vertex, index) => {
    const number = known.get(vertexText(vertex));
    const where = CORNERS[kind][index] ?? "top";
    return number ? [t("walk.corner", { where: t(`walk.${where}`), number: number.value })] : [];
  });
  if (!place)
    return [t("walk.empty", { corners: listUnits(corners) }), fits].filter(Boolean).join(" ");
  const open = neighbours(cell).flatMap((other, side) =>
    laid.has(cellText(other)) ? [] : [t(`walk.${SIDES[kind][side] ?? "up"}`)],
  );
  return t("walk.tile", {
    tile: tileOf(place.numbers),
    corners: listUnits(corners),
    open: open.length ? t("walk.open", { sides: listUnits(open) }) : t("walk.closed"),
  });
}
