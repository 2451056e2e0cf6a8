/** How large the tiles of a rack are. */

export const GAP = 4;
/** A thumb hits a tile of this width. */
export const COMFORTABLE = 52;
const SMALLEST = 42;
const MOST_ROWS = 3;

/** The width of a tile: in as few rows as leave it comfortable; of too many tiles it shrinks. */
export function tileSize(tiles: number, width: number): number {
  const side = (rows: number): number =>
    Math.floor((width + GAP) / Math.max(1, Math.ceil(tiles / rows))) - GAP;
  for (let rows = 1; rows <= MOST_ROWS; rows++)
    if (side(rows) >= COMFORTABLE) return Math.min(side(rows), largest(rows, width));
  return Math.max(SMALLEST, side(MOST_ROWS));
}

const largest = (rows: number, width: number): number => (rows > 1 ? 60 : width > 640 ? 78 : 64);
