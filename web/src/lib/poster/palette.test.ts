import { expect, it } from "vitest";
import { indexer, PALETTE } from "./palette";
import { FILLS, GROUND, INK, IVORY } from "./poster";

it("has room in a GIF, and every plain colour exactly", () => {
  expect(PALETTE.length).toBeLessThanOrEqual(256);
  for (const colour of [GROUND, INK, IVORY, ...FILLS])
    expect(PALETTE).toContain(parseInt(colour.slice(1), 16));
});
it("finds the nearest colour", () => {
  const [r, g, b] = [0x14, 0x20, 0x2b];
  const found = indexer()(
    Uint8ClampedArray.from([r, g, b, 255, r + 1, g, b - 1, 255, 255, 254, 255, 255]),
  );
  expect([...found].map((index) => PALETTE[index])).toEqual([0x14202b, 0x14202b, 0xffffff]);
});
