/** The deal of a round from its key, as docs/fair.md defines it. Pure. */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { pointsOf, readTile, tileOf } from "../board/geometry";

const RANGE = 2 ** 32;

/** The stream of random words of a key, with the draws and shuffles made from it. */
export class Words {
  used = 0;
  #key: Uint8Array;
  #block = new DataView(new ArrayBuffer(32));

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  next(): number {
    const place = this.used % 8;
    if (place === 0) {
      const counter = new Uint8Array(8);
      new DataView(counter.buffer).setBigUint64(0, BigInt(this.used / 8));
      const block = hmac(sha256, this.#key, counter);
      this.#block = new DataView(block.buffer, block.byteOffset, block.byteLength);
    }
    this.used += 1;
    return this.#block.getUint32(4 * place);
  }

  below(n: number): number {
    const limit = RANGE - (RANGE % n);
    for (;;) {
      const word = this.next();
      if (word < limit) return word % n;
    }
  }

  shuffle<T>(list: readonly T[]): T[] {
    const out = [...list];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [out[i], out[j]] = [out[j] as T, out[i] as T];
    }
    return out;
  }
}

/** All tiles of a set in ascending order. */
export function tiles(set: string): string[] {
  const numbers = [0, 1, 2, 3, 4, 5];
  return numbers
    .flatMap((a) => numbers.flatMap((b) => numbers.map((c) => [a, b, c] as const)))
    .filter(([a, b, c]) =>
      set === "56" ? a <= b && b <= c : tileOf([a, b, c]) === `${a}-${b}-${c}`,
    )
    .map((one) => one.join("-"));
}

export interface Deal {
  racks: string[][];
  start_draws: { seat: number; tile: string }[];
  starter: number;
  pool: string[];
}

type Read = (name: string) => unknown;

/** Deal a round; *starter* is set if it is known before the deal. */
export function deal(read: Read, players: number, words: Words, starter: number | null): Deal {
  const size = (read("racks") as Record<string, number>)[players] ?? 0;
  const all = words.shuffle(tiles(String(read("tile_set"))));
  const racks = Array.from({ length: players }, (_, seat) =>
    all.slice(seat * size, (seat + 1) * size),
  );
  const pool = all.slice(players * size);
  if (starter !== null) return { racks, start_draws: [], starter, pool };
  if (read("starter") === "highest_triple")
    return { racks, start_draws: [], starter: highestCard(racks), pool };
  return { racks, ...drawForStart(pool, players, read("start_redraw") === "all", words) };
}

function drawForStart(
  before: string[],
  players: number,
  everyone: boolean,
  words: Words,
): Omit<Deal, "racks"> {
  const seats = Array.from({ length: players }, (_, seat) => seat);
  const shown: Deal["start_draws"] = [];
  let pool = [...before];
  let taken: string[] = [];
  let drawing = seats;
  for (let lap = 0; lap < 1000; lap++) {
    if (pool.length < drawing.length) {
      pool = words.shuffle([...pool, ...taken]);
      taken = [];
    }
    const now = drawing.map((seat) => ({ seat, tile: pool.shift() ?? "" }));
    shown.push(...now);
    taken.push(...now.map(({ tile }) => tile));
    const best = Math.max(...now.map(({ tile }) => pointsOf(tile)));
    const tied = now.filter(({ tile }) => pointsOf(tile) === best).map(({ seat }) => seat);
    if (tied.length === 1)
      return {
        start_draws: shown,
        starter: tied[0] as number,
        pool: words.shuffle([...pool, ...taken]),
      };
    drawing = everyone ? seats : tied;
  }
  throw new Error("this pool decides nothing");
}

/** A sort key: triple or not, then the value, then the numbers from the highest down. */
function rank(tile: string): number[] {
  const numbers = [...readTile(tile)].sort((a, b) => b - a);
  return [Number(new Set(numbers).size === 1), pointsOf(tile), ...numbers];
}

function highestCard(racks: string[][]): number {
  let best: { seat: number; rank: number[] } | null = null;
  racks.forEach((rack, seat) => {
    for (const tile of rack) {
      const own = rank(tile);
      const first = best ? own.findIndex((value, index) => value !== best?.rank[index]) : 0;
      if (!best || (first >= 0 && (own[first] ?? 0) > (best.rank[first] ?? 0)))
        best = { seat, rank: own };
    }
  });
  return (best as { seat: number } | null)?.seat ?? 0;
}
