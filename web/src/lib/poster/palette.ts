/** The colours of an animated picture: those of the poster, and their mixtures along edges. Pure. */
import { ACCENT, FILLS, GROUND, INK, IVORY, MUTED, onFill, TEXT } from "./poster";

const STEPS = 8;
/** A tile's shadow on the ground: black at two fifths. */
const SHADOW = "#0c131a";

const PAIRS: (readonly [string, string])[] = [
  [GROUND, TEXT],
  [GROUND, ACCENT],
  [GROUND, MUTED],
  [GROUND, IVORY],
  [GROUND, "#ffffff"],
  [SHADOW, GROUND],
  [SHADOW, IVORY],
  [IVORY, INK],
  ...FILLS.flatMap((fill, value) => [
    [IVORY, fill] as const,
    [fill, onFill(value) === INK ? INK : "#ffffff"] as const,
    [INK, fill] as const,
  ]),
];

const parse = (colour: string): number => parseInt(colour.slice(1), 16);
const channels = (colour: number): [number, number, number] => [
  colour >> 16,
  (colour >> 8) & 255,
  colour & 255,
];

function mix(from: number, to: number, part: number): number {
  const end = channels(to);
  return channels(from).reduce(
    (sum, value, index) => sum * 256 + Math.round(value + ((end[index] ?? 0) - value) * part),
    0,
  );
}

/** The plain colours first, exactly as they are. */
export const PALETTE: number[] = [
  ...new Set([
    ...PAIRS.flat().map(parse),
    ...PAIRS.flatMap(([from, to]) =>
      Array.from({ length: STEPS - 1 }, (_, index) =>
        mix(parse(from), parse(to), (index + 1) / STEPS),
      ),
    ),
  ]),
];

/** Return a function that finds the nearest colour of the palette for every pixel. */
export function indexer(): (rgba: Uint8ClampedArray) => Uint8Array {
  const colours = PALETTE.map(channels);
  const known = new Map<number, number>();
  const nearest = (colour: number): number => {
    const [r, g, b] = channels(colour);
    let best = 0;
    let least = Infinity;
    colours.forEach(([x, y, z], index) => {
      const far = (r - x) ** 2 + (g - y) ** 2 + (b - z) ** 2;
      if (far < least) [best, least] = [index, far];
    });
    return best;
  };
  return (rgba) => {
    const out = new Uint8Array(rgba.length / 4);
    let last = -1;
    let index = 0;
    for (let at = 0; at < out.length; at++) {
      const colour =
        ((rgba[4 * at] as number) << 16) |
        ((rgba[4 * at + 1] as number) << 8) |
        (rgba[4 * at + 2] as number);
      if (colour !== last) {
        last = colour;
        const found = known.get(colour);
        index = found ?? nearest(colour);
        if (found === undefined) known.set(colour, index);
      }
      out[at] = index;
    }
    return out;
  };
}
