import { expect, it } from "vitest";
import { GifEncoder } from "./gif";

/** Decode LZW as the format describes it: sequences kept as arrays, codes read bit by bit. */
function unpack(data: number[], bits: number): number[] {
  const clear = 1 << bits;
  const out: number[] = [];
  let at = 0;
  const read = (size: number): number => {
    let code = 0;
    for (let bit = 0; bit < size; bit++, at++)
      code |= (((data[at >> 3] as number) >> (at & 7)) & 1) << bit;
    return code;
  };
  let table: number[][] = [];
  let size = bits + 1;
  let last: number[] | null = null;
  for (;;) {
    const code = read(size);
    if (code === clear + 1) return out;
    if (code === clear) {
      table = Array.from({ length: clear + 2 }, (_, index) => (index < clear ? [index] : []));
      size = bits + 1;
      last = null;
      continue;
    }
    if (code > table.length || (code === table.length && !last)) throw new Error(`code ${code}`);
    const entry: number[] = table[code] ?? [...(last ?? []), (last ?? [])[0] as number];
    out.push(...entry);
    if (last && table.length < 4096) table.push([...last, entry[0] as number]);
    if (table.length === 1 << size && size < 12) size += 1;
    last = entry;
  }
}

/** The frames of a GIF as they are seen, with their delays. */
function decode(file: Uint8Array): {
  size: number[];
  palette: number[];
  frames: number[][];
  delays: number[];
} {
  let at = 0;
  const byte = (): number => file[at++] as number;
  const pair = (): number => byte() + 256 * byte();
  const blocks = (): number[] => {
    const out: number[] = [];
    for (let length = byte(); length; length = byte())
      for (let index = 0; index < length; index++) out.push(byte());
    return out;
  };
  expect(new TextDecoder().decode(file.slice(0, 6))).toBe("GIF89a");
  at = 6;
  const size = [pair(), pair()];
  const [width = 0, height = 0] = size;
  const flags = byte();
  at += 2;
  const palette = Array.from(
    { length: 2 << (flags & 7) },
    () => (byte() << 16) | (byte() << 8) | byte(),
  );
  const seen = Array.from({ length: width * height }, () => -1);
  const frames: number[][] = [];
  const delays: number[] = [];
  for (;;) {
    const kind = byte();
    if (kind === 0x3b) break;
    if (kind === 0x21) {
      const label = byte();
      const data = blocks();
      if (label === 0xf9) delays.push((data[1] ?? 0) + 256 * (data[2] ?? 0));
      continue;
    }
    expect(kind).toBe(0x2c);
    const [left, top, wide, high] = [pair(), pair(), pair(), pair()] as const;
    expect(left + wide <= width && top + high <= height).toBe(true);
    expect(byte()).toBe(0);
    const bits = byte();
    const pixels = unpack(blocks(), bits);
    expect(pixels).toHaveLength(wide * high);
    pixels.forEach((value, index) => {
      seen[(top + Math.floor(index / wide)) * width + left + (index % wide)] = value;
    });
    frames.push([...seen]);
  }
  expect(at).toBe(file.length);
  return { size, palette, frames, delays };
}

/** The same pseudo-random numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const WIDTH = 120;
const HEIGHT = 90;
const grey = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => index * 0x10101);

// Noise fills the table of codes several times; even areas have long sequences.
it.each([
  ["noise", 256, 1],
  ["noise", 200, 2],
  ["few colours", 3, 3],
  ["even areas", 16, 400],
  ["one colour", 2, 1e9],
])("keeps every pixel of %s in %i colours", (_, colours, run) => {
  const random = numbers(colours);
  let value = 0;
  const frames = Array.from({ length: 4 }, () =>
    Uint8Array.from({ length: WIDTH * HEIGHT }, (_, index) => {
      if (index % run === 0 && run < 1e9) value = random(colours);
      return value;
    }),
  );
  const gif = new GifEncoder(WIDTH, HEIGHT, grey(colours));
  frames.forEach((pixels, index) => gif.add({ pixels, delay: 60 + 300 * index }));
  const found = decode(gif.finish());
  expect(found.size).toEqual([WIDTH, HEIGHT]);
  expect(found.palette.slice(0, colours)).toEqual(grey(colours));
  expect(found.delays).toEqual([60, 360, 660, 960]);
  expect(found.frames).toEqual(frames.map((pixels) => [...pixels]));
});

it("ends correctly after any number of codes", () => {
  const random = numbers(7);
  for (let length = 1; length < 700; length++) {
    const pixels = Uint8Array.from({ length }, () => random(4));
    const gif = new GifEncoder(length, 1, grey(4));
    gif.add({ pixels, delay: 1 });
    expect(decode(gif.finish()).frames).toEqual([[...pixels]]);
  }
});

it("stores only what changed", () => {
  const size = (change: number): number => {
    const random = numbers(9);
    const first = Uint8Array.from({ length: WIDTH * HEIGHT }, () => random(64));
    const second = first.map((value, index) => (index % WIDTH < change ? 63 - value : value));
    const gif = new GifEncoder(WIDTH, HEIGHT, grey(64));
    gif.add({ pixels: first, delay: 1 });
    gif.add({ pixels: second, delay: 1 });
    return gif.finish().length;
  };
  expect(size(4) - size(0)).toBeLessThan((size(WIDTH) - size(0)) / 15);
});
