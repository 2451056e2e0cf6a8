/** Descriptions of cells: for the keyboard cursor, and for lists of places. */
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

/**
 * Name a place by the tiles it lies against, each with the two numbers of the shared side. Unlike
 * "left" or "above" that holds whichever way the board is turned.
 */
export function placeName(cell: Cell, places: readonly Place[]): string {
  const laid = new Map(places.map((place) => [cellText(place.cell), place]));
  const sides = neighbours(cell).flatMap((other) => {
    const place = laid.get(cellText(other));
    if (!place) return [];
    const edge = neighbours(other).findIndex((back) => cellText(back) === cellText(cell));
    const side = [place.numbers[edge], place.numbers[(edge + 1) % 3]].join("-");
    return [t("places.beside", { tile: tileOf(place.numbers), side })];
  });
  return sides.length ? listUnits(sides) : t("places.middle");
}
