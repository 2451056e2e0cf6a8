/** The kernel as WebAssembly: one function over whole numbers. See `native/calls.hpp`. */
import { placeText, type Place } from "../board/geometry";
import names from "./names.json";

/** The calls, in the order of `native/calls.hpp`. */
export const CALLS = [
  ...["open", "close", "match", "round", "plies", "choices", "why_not", "play", "undo"],
  ...["next_round", "abandon", "winners_with", "sample", "search", "choose", "facts"],
  ...["judge", "placements", "deal", "sha256", "round_key", "network"],
  ...["open_dealt", "assess", "chances"],
] as const;
export type CallName =
  | "open"
  | "close"
  | "match"
  | "round"
  | "plies"
  | "choices"
  | "why_not"
  | "play"
  | "undo"
  | "next_round"
  | "abandon"
  | "winners_with"
  | "sample"
  | "search"
  | "choose"
  | "facts"
  | "judge"
  | "placements"
  | "deal"
  | "sha256"
  | "round_key"
  | "network"
  | "open_dealt"
  | "assess"
  | "chances";

export const BONUSES = [null, "bridge", "hexagon", "double_hexagon", "triple_hexagon"] as const;
const KINDS = ["place", "draw", "keep", "end", "pass"];

/** Input that the kernel does not accept; its message is for programmers. */
export class KernelRefusal extends Error {}

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  prepare(count: number): number;
  call(what: number): number;
  answer(): number;
}

export class Kernel {
  private constructor(private readonly raw: Exports) {
    raw._initialize();
  }

  /** Load a build; the *network* is what bots that search judge positions by. */
  static async load(module: WebAssembly.Module, network?: Uint8Array): Promise<Kernel> {
    let memory: WebAssembly.Memory | null = null;
    const clock = (_id: number, _precision: bigint, at: number): number => {
      const nanoseconds = BigInt(Math.round(performance.now() * 1e6));
      if (memory) new DataView(memory.buffer).setBigUint64(at, nanoseconds, true);
      return 0;
    };
    const instance = await WebAssembly.instantiate(module, {
      wasi_snapshot_preview1: { clock_time_get: clock },
    });
    const raw = instance.exports as unknown as Exports;
    memory = raw.memory;
    const kernel = new Kernel(raw);
    if (network) kernel.call("network", [network.length, ...network]);
    return kernel;
  }

  call(what: CallName, numbers: readonly number[]): Answer {
    const { raw } = this;
    // The memory may grow with every call, and then its buffer is another one.
    const at = raw.prepare(numbers.length);
    new Int32Array(raw.memory.buffer, at, numbers.length).set(numbers);
    const size = raw.call(CALLS.indexOf(what) + 1);
    const answer = new Int32Array(raw.memory.buffer, raw.answer(), size).slice();
    if (answer[0]) throw new KernelRefusal(String.fromCharCode(...answer.subarray(1)));
    return new Answer(answer);
  }
}

/** Reads the numbers of an answer. */
export class Answer {
  #at = 1;

  constructor(private readonly numbers: Int32Array) {}

  next(): number {
    return this.numbers[this.#at++] as number;
  }
  flag(): boolean {
    return this.next() !== 0;
  }
  /** A list with its length in front. */
  list<T>(read: () => T): T[] {
    return this.times(this.next(), read);
  }
  times<T>(count: number, read: () => T): T[] {
    return Array.from({ length: count }, read);
  }
  tile(): string {
    return tileText(this.next());
  }
  tiles(): string[] {
    return this.list(() => this.tile());
  }
  move(): string {
    const [kind = 0, x = 0, y = 0, down = 0, a = 0, b = 0, c = 0] = this.times(7, () =>
      this.next(),
    );
    if (kind) return KINDS[kind] as string;
    const place: Place = { cell: { x, y, down: down === 1 }, numbers: [a, b, c] };
    return placeText(place);
  }
  scores(): Score[] {
    return this.list(() => ({
      seat: this.next(),
      reason: names.reasons[this.next()] as string,
      points: this.next(),
    }));
  }
  /** A whole number of 64 bits; sums here stay far below 2 ** 53. */
  wide(): number {
    const low = this.next() >>> 0;
    return this.next() * 2 ** 32 + low;
  }
  dice(): Dice {
    return [this.next(), this.next()];
  }
  real(): number {
    return new Float64Array(Int32Array.of(this.next(), this.next()).buffer)[0] as number;
  }
  reals(count: number): number[] {
    return this.times(count, () => this.real());
  }
  /** Seats from a bit mask. */
  seats(): number[] {
    const bits = this.next();
    return [0, 1, 2, 3, 4, 5].filter((seat) => (bits >> seat) & 1);
  }
  bytes(): number[] {
    return [...this.numbers.subarray(this.#at)];
  }
}

export interface Score {
  seat: number;
  reason: string;
  points: number;
}

/** The state of a generator: two words of 32 bits, the lower first. */
export type Dice = readonly [number, number];

export const tileText = (tile: number): string => names.tiles[tile] as string;
export const tileNumber = (tile: string): number => names.tiles.indexOf(tile);

const PLACE = /^([UD])\((0|-?[1-9]\d{0,8}) *, *(0|-?[1-9]\d{0,8})\)=([0-5])-([0-5])-([0-5])$/;

/** A move as the kernel reads it, or `null` if the text is none. */
export function moveNumbers(text: string): number[] | null {
  const kind = KINDS.indexOf(text);
  if (kind > 0) return [kind, 0, 0, 0, 0, 0, 0];
  const found = PLACE.exec(text);
  return (
    found && [
      0,
      Number(found[2]),
      Number(found[3]),
      Number(found[1] === "D"),
      ...found.slice(4).map(Number),
    ]
  );
}

/** A whole number of 64 bits as two words. */
export const wideNumbers = (number: number): Dice => [number | 0, Math.floor(number / 2 ** 32) | 0];

/** Numbers that are not whole, as two words each. */
export const realNumbers = (numbers: readonly number[]): number[] => [
  ...new Int32Array(Float64Array.from(numbers).buffer),
];

/** Bytes of text, with their number in front. */
export function textNumbers(text: string): number[] {
  const bytes = new TextEncoder().encode(text);
  return [bytes.length, ...bytes];
}

export const hexNumbers = (hex: string): number[] =>
  (hex.match(/../g) ?? []).map((byte) => parseInt(byte, 16));
export const hexText = (bytes: readonly number[]): string =>
  bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
