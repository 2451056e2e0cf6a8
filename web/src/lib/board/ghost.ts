import type { Cell, Place } from "./geometry";

/** A place to play. */
export interface Ghost {
  key: string;
  place: Place;
  label: string;
  /** Shown where the label does not fit. */
  short?: string;
  /** Read aloud where the label is only a symbol. */
  said?: string;
  /** Only its cell is known. */
  blank?: boolean;
}

/** The points of the last tile, shown beside it for a moment. */
export interface Float {
  cell: Cell;
  text: string;
  key: number;
  /** It made a bridge or closed a hexagon. */
  bonus?: boolean;
}
