import { expect, it } from "vitest";
import { GAP, tileSize } from "./tileSize";

/** A phone of 360 px without its margins. */
const PHONE = 340;
const rows = (tiles: number, width: number): number =>
  Math.ceil(tiles / Math.floor((width + GAP) / (tileSize(tiles, width) + GAP)));

it("keeps tiles comfortable on a phone as long as three rows hold them", () => {
  for (let tiles = 1; tiles <= 18; tiles++) {
    expect(tileSize(tiles, PHONE)).toBeGreaterThanOrEqual(52);
    expect(rows(tiles, PHONE)).toBe(Math.ceil(tiles / 6));
  }
});

it("shrinks the tiles of a longer rack, and never needs a fourth row", () => {
  for (let tiles = 19; tiles <= 21; tiles++) {
    expect(tileSize(tiles, PHONE)).toBeGreaterThanOrEqual(42);
    expect(rows(tiles, PHONE)).toBe(3);
  }
});

it("is not larger than a tile should be", () => {
  expect(tileSize(1, PHONE)).toBe(64);
  expect(tileSize(5, 1200)).toBe(78);
});
