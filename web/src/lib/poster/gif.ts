/** A small encoder of animated GIF pictures. Pure. */

export interface GifFrame {
  /** The index in the palette of every pixel, row by row. */
  pixels: Uint8Array;
  /** How long the frame stays, in hundredths of a second. */
  delay: number;
}

const MOST_CODES = 4096;

/** A growing buffer of bytes. */
class Bytes {
  private data = new Uint8Array(1 << 14);
  private length = 0;

  push(...values: number[]): void {
    if (this.length + values.length > this.data.length) {
      const more = new Uint8Array(this.data.length * 2);
      more.set(this.data);
      this.data = more;
    }
    for (const value of values) this.data[this.length++] = value;
  }

  /** Numbers of two bytes, the low one first. */
  pair(...values: number[]): void {
    for (const value of values) this.push(value & 255, value >> 8);
  }

  text(value: string): void {
    for (const sign of value) this.push(sign.charCodeAt(0));
  }

  get all(): Uint8Array<ArrayBuffer> {
    return this.data.slice(0, this.length);
  }
}

/** Append the pixels, packed by LZW, in blocks of at most 255 bytes. */
function pack(out: Bytes, pixels: Uint8Array, bits: number): void {
  const clear = 1 << bits;
  let block: number[] = [];
  let held = 0;
  let heldBits = 0;
  let size = bits + 1;
  // The code of every known sequence, by the code of all but its last pixel and that pixel.
  let codes = new Map<number, number>();
  let next = clear + 2;

  const flush = (): void => {
    if (block.length) out.push(block.length, ...block);
    block = [];
  };
  const write = (code: number): void => {
    held |= code << heldBits;
    heldBits += size;
    for (; heldBits >= 8; heldBits -= 8, held >>>= 8) if (block.push(held & 255) === 255) flush();
  };

  out.push(bits);
  write(clear);
  let prefix = pixels[0] as number;
  for (let index = 1; index < pixels.length; index++) {
    const pixel = pixels[index] as number;
    const key = (prefix << 8) | pixel;
    const known = codes.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    write(prefix);
    prefix = pixel;
    if (next < MOST_CODES) {
      if (next === 1 << size) size += 1;
      codes.set(key, next++);
    } else {
      write(clear);
      codes = new Map();
      next = clear + 2;
      size = bits + 1;
    }
  }
  write(prefix);
  // A reader has one more code by now, which can make the last one a bit wider.
  if (next === 1 << size && next < MOST_CODES) size += 1;
  write(clear + 1);
  if (heldBits) block.push(held & 255);
  flush();
  out.push(0);
}

/** The smallest box round all pixels that differ: left, top, width and height. */
function changed(before: Uint8Array, after: Uint8Array, width: number): number[] {
  let [left, top, right, bottom] = [Infinity, Infinity, -1, -1];
  for (let index = 0; index < after.length; index++) {
    if (before[index] === after[index]) continue;
    const x = index % width;
    const y = (index - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = y;
  }
  return right < 0 ? [0, 0, 1, 1] : [left, top, right - left + 1, bottom - top + 1];
}

/** Encodes frames one after another; each stores only the box that changed. */
export class GifEncoder {
  private readonly out = new Bytes();
  private readonly bits: number;
  private before: Uint8Array | null = null;

  /** A palette has at most 256 colours, each 0xrrggbb; the picture repeats for ever. */
  constructor(
    private readonly width: number,
    private readonly height: number,
    palette: readonly number[],
  ) {
    this.bits = Math.max(2, Math.ceil(Math.log2(palette.length)));
    this.out.text("GIF89a");
    this.out.pair(width, height);
    this.out.push(0xf0 | (this.bits - 1), 0, 0);
    for (let index = 0; index < 1 << this.bits; index++) {
      const colour = palette[index] ?? 0;
      this.out.push(colour >> 16, (colour >> 8) & 255, colour & 255);
    }
    this.out.push(0x21, 0xff, 11);
    this.out.text("NETSCAPE2.0");
    this.out.push(3, 1, 0, 0, 0);
  }

  add({ pixels, delay }: GifFrame): void {
    const { width, height } = this;
    const [left = 0, top = 0, wide = width, high = height] = this.before
      ? changed(this.before, pixels, width)
      : [];
    this.before = pixels;
    const box = new Uint8Array(wide * high);
    for (let row = 0; row < high; row++) {
      const start = (top + row) * width + left;
      box.set(pixels.subarray(start, start + wide), row * wide);
    }
    // The frame before stays below this one.
    this.out.push(0x21, 0xf9, 4, 1 << 2);
    this.out.pair(delay);
    this.out.push(0, 0, 0x2c);
    this.out.pair(left, top, wide, high);
    this.out.push(0);
    pack(this.out, box, this.bits);
  }

  /** The whole file. */
  finish(): Uint8Array<ArrayBuffer> {
    this.out.push(0x3b);
    return this.out.all;
  }
}
