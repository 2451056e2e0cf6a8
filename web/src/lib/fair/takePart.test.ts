import { deal } from "../kernel/deal";
import { getPublicKey, hashes, sign } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { beforeEach, expect, it, vi } from "vitest";
import type { FairFacts, MatchRecord } from "../replay/record";
import { checkDeal, signedTexts } from "./check";
import { acknowledgeKey, forgetParts, keepPart, receiptOf, seeKey } from "./receipts";
import {
  accepted,
  answerOpening,
  commitmentFor,
  dealSoFar,
  fullRules,
  keepDeal,
  type TableFacts,
} from "./takePart";
import { deviceCommitment, roundKey, serverCommitment } from "./texts";

hashes.sha512 = sha512;

class MemoryStorage {
  items = new Map<string, string>();
  get length(): number {
    return this.items.size;
  }
  key = (index: number): string | null => [...this.items.keys()][index] ?? null;
  getItem = (key: string): string | null => this.items.get(key) ?? null;
  setItem = (key: string, text: string): unknown => this.items.set(key, text);
  removeItem = (key: string): unknown => this.items.delete(key);
}
let storage = new MemoryStorage();
beforeEach(() => {
  storage = new MemoryStorage();
  vi.stubGlobal("localStorage", storage);
});

const SECRET = new Uint8Array(32).fill(7);
const KEY = bytesToHex(getPublicKey(SECRET));
const SEED = "5e".repeat(32);
const RULES = { edition: "classic", target: 200 };
const signed = (text: string, secret = SECRET): string =>
  bytesToHex(sign(utf8ToBytes(text), secret));

/** A table of this device, another one and a bot, as an honest server shows it. */
class Server {
  table = "t1";
  fair: FairFacts = {
    algorithm: "fair/2",
    table: "t1",
    commitment: serverCommitment("t1", SEED),
    public_key: KEY,
    seats: [{ devices: [] }, { devices: [] }, { bot: "easy" }],
    devices: [],
  };
  other = "0b".repeat(32);
  mine = "";

  get facts(): TableFacts {
    return {
      table: this.table,
      rules: RULES,
      bots: [null, null, "easy"],
      you: [0],
      fair: structuredClone(this.fair),
    };
  }

  /** This device sits down, then the other, and the host starts. */
  open(): TableFacts {
    this.mine = commitmentFor(this.facts) ?? "";
    accepted(this.table, this.mine);
    const theirs = deviceCommitment(this.table, this.fair.commitment, this.other);
    this.fair.devices = [this.mine, theirs].map((commitment) => ({ commitment, seed: null }));
    this.fair.seats = [{ devices: [0] }, { devices: [1] }, { bot: "easy" }];
    this.sign();
    return this.facts;
  }

  sign(secret = SECRET): void {
    const { opening, transcript } = signedTexts(this.fair, fullRules(RULES));
    this.fair.opening_signature = signed(opening, secret);
    this.fair.signature = signed(transcript, secret);
  }

  /** The record of the match, dealt from the seeds that came. */
  finish(mine: string | null, theirs: string | null = this.other): MatchRecord {
    const seeds = [mine, theirs];
    this.fair.devices?.forEach((device, number) => (device.seed = seeds[number] ?? null));
    this.sign();
    const rules = fullRules(RULES);
    const { transcript } = signedTexts(this.fair, rules);
    const key = roundKey(SEED, transcript, 1);
    const players = [{ name: "Ada" }, { name: "Ben" }, { name: "Easy", bot: "easy" }];
    return {
      rules,
      players,
      fair: { ...structuredClone(this.fair), server_seed: SEED },
      rounds: [{ ...deal(rules, 3, key, null), turns: [] }],
    };
  }
}

const failing = (record: MatchRecord): string[] =>
  checkDeal(record, receiptOf("t1"))
    .findings.filter(({ ok }) => ok === false)
    .map(({ step }) => step);

/** Play the part of this device to the end; returns its seed and the record. */
function play(server: Server): { seed: string; record: MatchRecord } {
  const answer = answerOpening(server.open());
  if (!answer || !("seed" in answer)) throw new Error("it did not reveal");
  const record = server.finish(answer.seed);
  return { seed: answer.seed, record };
}

it("commits, reveals after the check, and knows that it took part", () => {
  const server = new Server();
  const { record } = play(server);
  expect(keepDeal({ ...server.facts, fair: record.fair as FairFacts })).toBeNull();
  const { findings, claim } = checkDeal(record, receiptOf("t1"));
  expect(findings.map(({ ok }) => ok)).toEqual(findings.map(() => true));
  expect(claim).toEqual({
    kind: "all",
    mine: "took_part",
    seats: ["took_part", "took_part", "bot"],
    withheld: 0,
    choices: 2,
  });
});

it("stores the seed before it says its commitment, and reveals it after a reload", () => {
  const server = new Server();
  const facts = server.open();
  const kept = [...storage.items.values()].map((one) => JSON.parse(one) as { seed?: string });
  const seeds = kept.flatMap(({ seed }) => seed ?? []);
  expect(seeds).toHaveLength(1);
  expect(commitmentFor(server.facts)).toBe(server.mine);
  expect(answerOpening(facts)).toEqual({ seed: seeds[0] });
  expect(answerOpening(facts)).toEqual({ seed: seeds[0] });
});

it("draws afresh for every table", () => {
  const [one, two] = [new Server(), new Server()];
  two.table = "t2";
  play(one);
  two.open();
  expect(receiptOf("t1")?.parts[0]?.seed).not.toBe(receiptOf("t2")?.parts[0]?.seed);
});

it("reveals the seed that the server has, whichever tab drew it", () => {
  const server = new Server();
  const facts = server.open();
  const late = "0c".repeat(32);
  const commitment = deviceCommitment("t1", server.fair.commitment, late);
  keepPart("t1", { commitment, seed: late });
  const answer = answerOpening(facts);
  expect(answer).toEqual({ seed: receiptOf("t1")?.parts.find((one) => one.accepted)?.seed });
  server.fair.devices = [{ commitment, seed: null }];
  expect(commitmentFor(server.facts)).toBe(commitment);
});

const LIES: Record<string, [string, (server: Server) => void]> = {
  "another commitment of the server": [
    "server",
    ({ fair }) => (fair.commitment = serverCommitment("t1", "00".repeat(32))),
  ],
  "another key": ["server", ({ fair }) => (fair.public_key = "ab".repeat(32))],
  "a commitment left out": [
    "left_out",
    ({ fair }) => {
      fair.devices?.shift();
      fair.seats = [{ devices: [] }, { devices: [0] }, { bot: "easy" }];
    },
  ],
  "a seat without its device": [
    "left_out",
    ({ fair }) => (fair.seats = [{ devices: [1] }, { devices: [0, 1] }, { bot: "easy" }]),
  ],
  "another bot": [
    "table",
    ({ fair }) => (fair.seats = [{ devices: [0] }, { devices: [1] }, { bot: "hard" }]),
  ],
};
for (const [lie, [doubt, tell]] of Object.entries(LIES))
  it(`does not reveal after ${lie}`, () => {
    const server = new Server();
    server.open();
    tell(server);
    server.sign();
    expect(answerOpening(server.facts)).toEqual({ doubt });
    expect(receiptOf("t1")?.doubt).toBe(doubt);
    expect(receiptOf("t1")?.parts.every((part) => !part.revealed)).toBe(true);
  });

it("does not reveal under other rules or a wrong signature", () => {
  const server = new Server();
  const facts = server.open();
  expect(answerOpening({ ...facts, rules: { edition: "classic" } })).toEqual({ doubt: "table" });
  server.sign(new Uint8Array(32).fill(8));
  expect(answerOpening(server.facts)).toEqual({ doubt: "signature" });
  expect(answerOpening({ ...facts, table: "t2" })).toBeNull();
});

it("reveals its seed for one opening only", () => {
  const server = new Server();
  expect(answerOpening(server.open())).toHaveProperty("seed");
  const added = deviceCommitment("t1", server.fair.commitment, "0d".repeat(32));
  server.fair.devices?.push({ commitment: added, seed: null });
  server.fair.seats = [{ devices: [0] }, { devices: [1, 2] }, { bot: "easy" }];
  server.sign();
  expect(answerOpening(server.facts)).toEqual({ doubt: "table" });
});

it("says who withheld, and what that leaves to trust", () => {
  const server = new Server();
  const answer = answerOpening(server.open()) as { seed: string };
  const record = server.finish(answer.seed, null);
  expect(checkDeal(record, null).claim).toMatchObject({
    kind: "some",
    mine: "unknown",
    seats: ["took_part", "withheld", "bot"],
    withheld: 1,
  });
  expect(checkDeal(record, receiptOf("t1")).claim).toMatchObject({
    kind: "some",
    mine: "took_part",
  });
  const alone = server.finish(null, null);
  expect(checkDeal(alone, null).claim).toMatchObject({ kind: "nobody", withheld: 2 });
});

it("notices that its seed was dropped", () => {
  const server = new Server();
  answerOpening(server.open());
  const record = server.finish(null);
  expect(checkDeal(record, receiptOf("t1")).claim.mine).toBe("dropped");
  expect(keepDeal({ ...server.facts, fair: record.fair as FairFacts })).toBe("dropped");
});

const CHANGES: [string, string[], (record: MatchRecord, fair: FairFacts) => unknown][] = [
  [
    "the table",
    ["commitment", "devices", "opening", "transcript", "deals"],
    (_, fair) => (fair.table = "t9"),
  ],
  ["a rule", ["opening", "transcript", "deals"], ({ rules }) => (rules["draw_cost"] = 6)],
  [
    "a seed",
    ["devices", "transcript", "deals"],
    (_, fair) =>
      (fair.devices = fair.devices?.map((one) => ({ ...one, seed: "00".repeat(32) })) ?? []),
  ],
  [
    "a seed left out",
    ["transcript", "deals"],
    (_, fair) =>
      (fair.devices =
        fair.devices?.map((one, number) => (number ? { ...one, seed: null } : one)) ?? []),
  ],
  ["the server's seed", ["commitment", "deals"], (_, fair) => (fair.server_seed = "00".repeat(32))],
  [
    "the key",
    ["opening", "transcript", "deals", "key"],
    (_, fair) => (fair.public_key = "ab".repeat(32)),
  ],
  ["the first signature", ["opening"], (_, fair) => (fair.opening_signature = "00".repeat(64))],
  ["the second signature", ["transcript"], (_, fair) => (fair.signature = "00".repeat(64))],
  ["a rack", ["deals"], ({ rounds }) => rounds[0]?.racks?.[1]?.reverse()],
  [
    "the number of a device",
    ["form"],
    (_, fair) => (fair.seats = [{ devices: [1] }, { devices: [0] }, { bot: "easy" }]),
  ],
  [
    "a bot that was a person",
    ["form"],
    ({ players }) => (players[1] = { name: "Ben", bot: "easy" }),
  ],
  ["a field that is missing", ["form"], (_, fair) => delete fair.public_key],
];
for (const [what, steps, change] of CHANGES)
  it(`finds a change of ${what}`, () => {
    const { record } = play(new Server());
    expect(failing(record)).toEqual([]);
    change(record, record.fair as FairFacts);
    expect(failing(record).filter((step) => step !== "kept" && step !== "own")).toEqual(steps);
    expect(checkDeal(record, receiptOf("t1")).claim.kind).toBe("wrong");
  });

it("does not say that an unfinished match was dealt fairly", () => {
  const server = new Server();
  const { record } = play(server);
  const { server_seed: _, ...fair } = record.fair as FairFacts;
  const { findings } = checkDeal(dealSoFar({ ...server.facts, fair }), null);
  const open = findings.filter(({ ok }) => ok === null).map(({ step }) => step);
  expect(open).toEqual(["commitment", "deals", "draws", "promised", "kept", "key", "own"]);
});

it("keeps what it saw first, and forgets what it took away", () => {
  const server = new Server();
  server.open();
  server.fair.commitment = "00".repeat(32);
  commitmentFor(server.facts);
  expect(receiptOf("t1")?.commitment).toBe(serverCommitment("t1", SEED));
  forgetParts("t1");
  expect(receiptOf("t1")?.parts).toEqual([]);
});

it("says once that the server has another key", () => {
  expect([seeKey(KEY), seeKey(KEY)]).toEqual([false, false]);
  expect([seeKey("00"), seeKey("00")]).toEqual([true, true]);
  acknowledgeKey();
  expect(seeKey("00")).toBe(false);
});

it("reads what the version before kept", () => {
  storage.setItem(
    "triomino-fair",
    JSON.stringify({ old: { commitment: "c", seeds: { "1": "5" } } }),
  );
  expect(receiptOf("old")).toMatchObject({ seats: [1], commitment: "c", seeds: { "1": "5" } });
  expect(receiptOf("none")).toBeNull();
});

it("takes part without a storage, too", () => {
  vi.stubGlobal("localStorage", undefined);
  const server = new Server();
  server.table = server.fair.table = "private";
  server.fair.commitment = serverCommitment("private", SEED);
  expect(answerOpening(server.open())).toHaveProperty("seed");
});
