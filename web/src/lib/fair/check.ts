/**
 * Check a deal and say exactly what is proven, as docs/fair.md defines it and `triomino verify`
 * does. The page checks deals through {@link checkDeal} only; for the deals of a record, the kernel
 * has to be loaded.
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { isSame } from "../json";
import { deal } from "../kernel/deal";
import { pageKernel } from "../kernel/pageKernel";
import type { FairFacts, MatchRecord } from "../replay/record";
import { rulesOf } from "../scorepad/rules";
import type { Receipt } from "./receipts";
import { isSigned } from "./signature";
import {
  deviceCommitment,
  openingText,
  roundKey,
  rulesHash,
  serverCommitment,
  transcriptText,
  type FairSeat,
} from "./texts";

export type Step =
  | "form"
  | "commitment"
  | "devices"
  | "opening"
  | "transcript"
  | "deals"
  | "draws"
  | "promised"
  | "kept"
  | "key"
  | "own";
export interface Finding {
  step: Step;
  /** `null` if it cannot be checked. */
  ok: boolean | null;
}

/** The part of a seat in the deal; of several devices, one that took part is enough. */
export type SeatPart = "bot" | "took_part" | "withheld" | "no_commitment";

export interface Claim {
  /**
   * Who took part in the deal: the devices of every person, some of them, or nobody but the
   * server. `old` is `fair/1`, which does not prove it; `wrong` means that the check failed.
   */
  kind: "all" | "some" | "nobody" | "old" | "wrong";
  /**
   * The part of this device: its seed is in the deal; it was revealed and dropped, or held back;
   * its commitment was left out; it committed to none; or it had no seat as far as is known.
   */
  mine: "took_part" | "dropped" | "withheld" | "left_out" | "out" | "unknown";
  seats: SeatPart[];
  /** How many devices committed and revealed nothing. */
  withheld: number;
  /** Between how many deals a server and all but one of the devices could choose by withholding. */
  choices: number;
}
export interface Verdict {
  findings: Finding[];
  claim: Claim;
}

/** A deal to check: a record, or what is known of a match that is not over. */
export type DealFacts = Pick<MatchRecord, "rules" | "players" | "fair" | "rounds">;

/** Check a deal; whatever the record holds, there is a verdict. */
export function checkDeal(record: DealFacts, receipt: Receipt | null): Verdict {
  if (record.rounds?.length) pageKernel(); // a kernel that is not loaded proves nothing wrong
  try {
    return record.fair?.algorithm === "fair/2"
      ? checkTwo(record, record.fair, receipt)
      : checkOne(record, receipt);
  } catch {
    return wrong([{ step: "form", ok: false }]);
  }
}

const NOTHING: Claim = { kind: "wrong", mine: "unknown", seats: [], withheld: 0, choices: 1 };
const wrong = (findings: Finding[]): Verdict => ({ findings, claim: NOTHING });

/** What is claimed; a seed that was not used proves nothing wrong about the others. */
function verdict(findings: Finding[], claim: Claim): Verdict {
  const failed = findings.some(({ step, ok }) => ok === false && step !== "own");
  return failed ? wrong(findings) : { findings, claim };
}

// --- fair/2 -------------------------------------------------------------------------------------

const HEX_32 = /^[0-9a-f]{64}$/;
const HEX_64 = /^[0-9a-f]{128}$/;
const TABLE = /^[!-~]{1,40}$/;

/** Each device that withholds its seed doubles the deals to choose from. */
const MOST_DEVICES = 24;

type Devices = NonNullable<FairFacts["devices"]>;

/** The texts of a deal that were signed. */
export function signedTexts(
  { table = "", public_key = "", commitment, seats = [], devices = [] }: FairFacts,
  rules: Record<string, unknown>,
): { opening: string; transcript: string } {
  const opening = openingText({
    table,
    public_key,
    commitment,
    rules: rulesHash(rules),
    seats,
    devices: devices.map((one) => one.commitment),
  });
  return {
    opening,
    transcript: transcriptText(
      opening,
      devices.map(({ seed }) => seed ?? null),
    ),
  };
}

function checkTwo(record: DealFacts, fair: FairFacts, receipt: Receipt | null): Verdict {
  if (!isFormed(record, fair)) return wrong([{ step: "form", ok: false }]);
  const { table = "", public_key = "", server_seed, seats = [], devices = [] } = fair;
  const { opening, transcript } = signedTexts(fair, record.rules);
  const key = (round: number): Uint8Array => roundKey(server_seed ?? "", transcript, round);
  const mine = ownPart(receipt, devices);
  const findings: Finding[] = [
    { step: "form", ok: true },
    {
      step: "commitment",
      ok:
        server_seed === undefined ? null : serverCommitment(table, server_seed) === fair.commitment,
    },
    {
      step: "devices",
      ok: devices.every(
        ({ commitment, seed }) =>
          seed === null || deviceCommitment(table, fair.commitment, seed) === commitment,
      ),
    },
    { step: "opening", ok: isSigned(opening, fair.opening_signature ?? "", public_key) },
    { step: "transcript", ok: isSigned(transcript, fair.signature ?? "", public_key) },
    { step: "deals", ok: server_seed === undefined ? null : areDealt(record, key) },
    { step: "draws", ok: server_seed === undefined ? null : areDrawn(record) },
    { step: "promised", ok: isSameAsKept(receipt?.commitment, fair.commitment) },
    { step: "kept", ok: isKept(receipt, opening, transcript) },
    { step: "key", ok: isSameAsKept(receipt?.public_key, public_key) },
    { step: "own", ok: ["out", "unknown"].includes(mine) ? null : mine === "took_part" },
  ];
  const parts = seats.map((seat) => seatPart(seat, devices));
  const people = parts.filter((one) => one !== "bot");
  const withheld = devices.filter(({ seed }) => seed === null).length;
  const kind =
    withheld === devices.length
      ? "nobody"
      : withheld || people.includes("no_commitment")
        ? "some"
        : "all";
  const choices = 2 ** Math.max(0, devices.length - 1);
  return verdict(findings, { kind, mine, seats: parts, withheld, choices });
}

const isSameAsKept = (kept: string | undefined, now: string): boolean | null =>
  kept === undefined ? null : kept === now;

function isKept(receipt: Receipt | null, opening: string, transcript: string): boolean | null {
  const same = [
    isSameAsKept(receipt?.opening, opening),
    isSameAsKept(receipt?.transcript, transcript),
  ];
  return same.includes(false) ? false : same.includes(true) ? true : null;
}

function ownPart(receipt: Receipt | null, devices: Devices): Claim["mine"] {
  if (!receipt?.seats.length) return "unknown";
  for (const { commitment, seed, revealed } of receipt.parts) {
    const listed = devices.find((one) => one.commitment === commitment);
    if (listed) return listed.seed === seed ? "took_part" : revealed ? "dropped" : "withheld";
  }
  return receipt.parts.some(({ accepted }) => accepted) ? "left_out" : "out";
}

function seatPart(seat: FairSeat, devices: Devices): SeatPart {
  if ("bot" in seat) return "bot";
  if (!seat.devices.length) return "no_commitment";
  return seat.devices.some((one) => devices[one]?.seed) ? "took_part" : "withheld";
}

/** Whether every field is there and well formed, and the seats are those of the players. */
function isFormed({ players }: DealFacts, fair: FairFacts): boolean {
  const { table, public_key, commitment, server_seed, seats, devices } = fair;
  if (!Array.isArray(seats) || !Array.isArray(devices)) return false;
  const hex = [public_key, commitment, ...devices.map((one) => one.commitment)];
  const seeds = [server_seed ?? null, ...devices.map(({ seed }) => seed)];
  const numbers = seats.flatMap((seat) => ("bot" in seat ? [] : seat.devices));
  const first = [...new Set(numbers)];
  return (
    TABLE.test(table ?? "") &&
    hex.every((one) => HEX_32.test(one ?? "")) &&
    seeds.every((one) => one === null || HEX_32.test(one)) &&
    [fair.opening_signature, fair.signature].every((one) => HEX_64.test(one ?? "")) &&
    new Set(hex.slice(2)).size === devices.length &&
    devices.length <= MOST_DEVICES &&
    seats.length === players.length &&
    seats.every((seat, number) =>
      "bot" in seat
        ? seat.bot === players[number]?.bot
        : players[number]?.bot === undefined && isAscending(seat.devices),
    ) &&
    // Devices are numbered by their first seat.
    isSame(
      first,
      devices.map((_, number) => number),
    )
  );
}

const isAscending = (numbers: readonly number[]): boolean =>
  numbers.every((one, index) => index === 0 || one > (numbers[index - 1] as number));

// --- fair/1 -------------------------------------------------------------------------------------

const SEED = /^([0-9a-f]{2}){0,32}$/;

/** The commitment of `fair/1` to a server seed. */
export const commitmentOne = (seed: string): string => bytesToHex(sha256(hexToBytes(seed)));

/** The key of a round of `fair/1`. */
export function roundKeyOne(seed: string, players: readonly string[], round: number): Uint8Array {
  return hmac(sha256, hexToBytes(seed), utf8ToBytes(`fair/1|${round}|${players.join(",")}`));
}

function checkOne(record: DealFacts, receipt: Receipt | null): Verdict {
  const fair = record.fair;
  const seeds = fair?.player_seeds ?? [];
  const server = fair?.server_seed ?? "";
  const formed =
    fair?.algorithm === "fair/1" &&
    SEED.test(server) &&
    server.length === 64 &&
    seeds.length === record.players.length &&
    seeds.every((seed) => SEED.test(seed));
  if (!formed) return wrong([{ step: "form", ok: false }]);
  const own = Object.entries(receipt?.seeds ?? {});
  const used = own.every(([seat, seed]) => seeds[Number(seat)] === seed);
  return verdict(
    [
      { step: "form", ok: true },
      { step: "commitment", ok: commitmentOne(server) === fair.commitment },
      { step: "deals", ok: areDealt(record, (round) => roundKeyOne(server, seeds, round)) },
      { step: "draws", ok: areDrawn(record) },
      { step: "promised", ok: isSameAsKept(receipt?.commitment, fair.commitment) },
      { step: "own", ok: own.length ? used : null },
    ],
    {
      ...NOTHING,
      kind: "old",
      seats: record.players.map(({ bot }) => (bot === undefined ? "no_commitment" : "bot")),
    },
  );
}

// --- The deals ----------------------------------------------------------------------------------

/** Whether every round was dealt from its key. */
function areDealt(record: DealFacts, key: (round: number) => Uint8Array): boolean {
  return record.rounds.every(({ racks, start_draws, starter, pool }, index) => {
    const again = deal(
      rulesOf(record.rules) as unknown as Record<string, unknown>,
      record.players.length,
      key(index + 1),
      settledStarter(record, index),
    );
    return isSame(again, { racks, start_draws: start_draws ?? [], starter, pool });
  });
}

/** Whether every tile drawn was the next one of the pool. */
const areDrawn = (record: DealFacts): boolean =>
  record.rounds.every(({ turns, pool }) =>
    turns.flatMap(({ tile }) => tile ?? []).every((tile, index) => tile === pool?.[index]),
  );

/** The starter, if a house rule settles it before the deal. */
function settledStarter(record: DealFacts, index: number): number | null {
  const before = record.rounds[index - 1];
  const rule = rulesOf(record.rules).next_starter;
  if (!before || rule === "set_up") return null;
  if (rule === "rotate_left") return (before.starter + 1) % record.players.length;
  // Only the rules can tell who won the round before, so trust the record.
  return record.rounds[index]?.starter ?? null;
}
