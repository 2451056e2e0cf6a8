/**
 * The part of this device in a deal: it commits to a seed when it sits down, and reveals it only
 * after it has checked what the server signed. See docs/fair.md.
 */
import type { EditionName } from "../editions";
import { editionValue, FIELDS } from "../house/fields";
import { randomHex } from "../randomHex";
import type { Fairness, SeatSummary } from "../net/types";
import type { FairFacts } from "../replay/record";
import { checkDeal, signedTexts, type DealFacts } from "./check";
import { keep, keepPart, receiptOf, type Doubt, type Part, type Receipt } from "./receipts";
import { isSigned } from "./signature";
import { deviceCommitment, openingText, rulesHash } from "./texts";

export { warmUp } from "./signature";

/** What the server says of a table. */
export interface TableFacts {
  table: string;
  /** The edition and what differs from it. */
  rules: Record<string, unknown>;
  /** The bot of each seat; `null` for people. */
  bots: (string | null)[];
  /** The seats of this device. */
  you: number[];
  fair: FairFacts;
}

/** Rules with every field, as they are hashed. */
export function fullRules(rules: Record<string, unknown>): Record<string, unknown> {
  const edition = (rules["edition"] ?? "classic") as EditionName;
  const fields = Object.keys(FIELDS).map((name) => [name, editionValue(edition, name)]);
  return { ...Object.fromEntries(fields), edition, ...rules };
}

/** A table as the server describes it. */
export interface Described {
  id: string;
  rules: Record<string, unknown>;
  seats: SeatSummary[];
  you?: number[];
  fair: Fairness;
}

export function factsOf({ id, rules, seats, you = [], fair }: Described): TableFacts {
  return {
    table: id,
    rules,
    bots: seats.map((seat) => (seat.kind === "bot" ? seat.bot : null)),
    you,
    fair: fairFacts(id, fair),
  };
}

/** The deal of a table as it would be in a record. */
function fairFacts(table: string, fair: Fairness): FairFacts {
  const seats = fair.seats?.map(({ bot, devices = [] }) => (bot ? { bot } : { devices }));
  const devices = fair.devices?.map(({ commitment, seed = null }) => ({ commitment, seed }));
  return { ...fair, table, seats: seats ?? [], devices: devices ?? [] };
}

/** The deal of a match that is not over, to be checked as far as that is possible. */
export const dealSoFar = ({ rules, bots, fair }: TableFacts): DealFacts => ({
  rules: fullRules(rules),
  players: bots.map((bot) => ({ name: "", ...(bot === null ? {} : { bot }) })),
  fair,
  rounds: [],
});

/**
 * The commitment of this device for a table, the same until the deal; `null` if it takes none. The
 * seed is stored before anything is returned, so that a reload of the page does not lose it.
 */
export function commitmentFor({ table, rules, you, fair }: TableFacts): string | null {
  if (fair.algorithm !== "fair/2") return null;
  const { commitment: server, public_key = "" } = fair;
  keep(table, { seats: you, commitment: server, public_key, rules: rulesHash(fullRules(rules)) });
  const parts = receiptOf(table)?.parts ?? [];
  const usable = ({ commitment, seed }: Part): boolean =>
    deviceCommitment(table, server, seed) === commitment;
  const isOnServer = ({ commitment }: Part): boolean => isListed(fair, commitment);
  const known = parts.filter(usable).find(isOnServer) ?? parts.find(usable);
  if (known) return known.commitment;
  const seed = randomHex(32);
  const commitment = deviceCommitment(table, server, seed);
  keepPart(table, { commitment, seed });
  return commitment;
}

/** Whether a commitment is among those that the server shows. */
export const isListed = ({ devices = [] }: FairFacts, commitment: string): boolean =>
  devices.some((one) => one.commitment === commitment);

/** Remember that the server has a commitment of this device. */
export function accepted(table: string, commitment: string): void {
  const part = receiptOf(table)?.parts.find((one) => one.commitment === commitment);
  if (part) keepPart(table, { ...part, accepted: true });
}

/** The seed to reveal, or the reason not to; `null` if this device has no part in the deal. */
export function answerOpening(facts: TableFacts): { seed: string } | { doubt: Doubt } | null {
  const { table, fair } = facts;
  const receipt = receiptOf(table);
  const listed = (fair.devices ?? []).map(({ commitment }) => commitment);
  const part = receipt?.parts.find(({ commitment }) => isListed(fair, commitment));
  if (!receipt || (!part && !receipt.parts.some((one) => one.accepted))) return null;
  keep(table, { seats: facts.you });
  const doubt = doubtAbout(facts, receipt, listed.indexOf(part?.commitment ?? ""));
  if (doubt || !part) {
    keep(table, { doubt: doubt ?? "left_out" });
    return { doubt: doubt ?? "left_out" };
  }
  const { opening } = signedTexts(fair, fullRules(facts.rules));
  keep(table, { opening, opening_signature: fair.opening_signature ?? "" });
  keepPart(table, { ...part, revealed: true });
  return { seed: part.seed };
}

function doubtAbout(
  { table, rules, bots, you, fair }: TableFacts,
  receipt: Receipt,
  device: number,
): Doubt | null {
  const { public_key = "", seats = [], devices = [] } = fair;
  if (fair.commitment !== receipt.commitment || public_key !== receipt.public_key) return "server";
  const devicesOf = (seat: number): number[] => {
    const one = seats[seat];
    return one && "devices" in one ? one.devices : [];
  };
  if (device < 0 || !you.length || !you.every((seat) => devicesOf(seat).includes(device)))
    return "left_out";
  const digest = rulesHash(fullRules(rules));
  const same =
    (fair.table ?? table) === table &&
    digest === receipt.rules &&
    seats.length === bots.length &&
    seats.every((seat, number) => ("bot" in seat ? seat.bot : null) === bots[number]);
  if (!same) return "table";
  // What is checked is what was compared above, not a text that came with it.
  const text = openingText({
    table,
    public_key,
    commitment: fair.commitment,
    rules: digest,
    seats,
    devices: devices.map(({ commitment }) => commitment),
  });
  // A seed is for one opening of a table only.
  if (text !== (receipt.opening ?? text)) return "table";
  return isSigned(text, fair.opening_signature ?? "", public_key) ? null : "signature";
}

/**
 * Keep what the server signed with the deal, so that it cannot say something else later. Returns
 * what a person should be told, or `null` if all is well.
 */
export function keepDeal(facts: TableFacts): "dropped" | "wrong" | null {
  const { table, fair } = facts;
  const receipt = receiptOf(table);
  if (!receipt) return null;
  const soFar = dealSoFar(facts);
  const { kind, mine } = checkDeal(soFar, receipt).claim;
  if (kind === "wrong") return "wrong";
  keep(table, {
    seats: facts.you,
    ...signedTexts(fair, soFar.rules),
    opening_signature: fair.opening_signature ?? "",
    signature: fair.signature ?? "",
  });
  return mine === "dropped" ? "dropped" : null;
}
