/** What is hashed and signed for a deal of `fair/2`, as docs/fair.md defines it. Pure. */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { isObject } from "../json";

/** Who plays at a seat: a bot, or people by the numbers of their devices that committed. */
export type FairSeat = { bot: string } | { devices: number[] };

/** What the server fixes and signs before any seed is revealed. */
export interface Opening {
  table: string;
  public_key: string;
  /** The commitment of the server. */
  commitment: string;
  /** The hash of the rules; see {@link rulesHash}. */
  rules: string;
  seats: readonly FairSeat[];
  /** The commitments of the devices. */
  devices: readonly string[];
}

const OPENING = "triomino fair/2 opening\n";
const TRANSCRIPT = "triomino fair/2 transcript\n";

const hash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

export const serverCommitment = (table: string, seed: string): string =>
  hash(`triomino fair/2 server\n${table}\n${seed}\n`);

export const deviceCommitment = (table: string, server: string, seed: string): string =>
  hash(`triomino fair/2 device\n${table}\n${server}\n${seed}\n`);

/** JSON in one form only: keys sorted, no spaces, ASCII. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (isObject(value))
    return `{${Object.keys(value)
      .sort()
      .map((key) => `${canonical(key)}:${canonical(value[key])}`)
      .join(",")}}`;
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The hash of rules that are written out in full. */
export const rulesHash = (rules: Record<string, unknown>): string => hash(canonical(rules));

export function openingText(opening: Opening): string {
  const seats = opening.seats.map((seat, number) =>
    "bot" in seat
      ? `seat ${number} bot ${seat.bot}\n`
      : `seat ${number} devices ${seat.devices.join(",") || "-"}\n`,
  );
  const devices = opening.devices.map((commitment, number) => `device ${number} ${commitment}\n`);
  return (
    `${OPENING}table ${opening.table}\nkey ${opening.public_key}\nserver ${opening.commitment}\n` +
    `rules ${opening.rules}\n${seats.join("")}${devices.join("")}`
  );
}

/** The opening with the seed of every device; `null` for one that revealed none. */
export function transcriptText(opening: string, seeds: readonly (string | null)[]): string {
  const lines = seeds.map((seed, number) => `seed ${number} ${seed ?? "-"}\n`);
  return TRANSCRIPT + opening.slice(OPENING.length) + lines.join("");
}

export function roundKey(seed: string, transcript: string, round: number): Uint8Array {
  const message = `triomino fair/2 round\n${hash(transcript)}\n${round}\n`;
  return hmac(sha256, hexToBytes(seed), utf8ToBytes(message));
}
