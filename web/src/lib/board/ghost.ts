import type { Cell, Place } from "./geometry";

/** A place to play. */
export interface Ghost {
  key: string;
  place: Place;
  label: string;
  /** What stands there where the label has no room. */
  short?: string;
  /** What is read where the label is a sign. */
  said?: string;
  /** Nothing is known of it but where it is. */
  blank?: boolean;
}

/** What a tile has just given, shown beside it for a moment. */
export interface Float {
  cell: Cell;
  text: string;
  key: number;
  /** It closed something: a bridge or a hexagon. */
  bonus?: boolean;
}
