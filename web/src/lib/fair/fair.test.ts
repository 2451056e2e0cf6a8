import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { deal } from "../kernel/deal";
import { rulesOf } from "../scorepad/rules";
import page from "../../../../docs/fair.md?raw";
import type { FairFacts, MatchRecord } from "../replay/record";
import { checkDeal, commitmentOne, roundKeyOne, signedTexts } from "./check";
import type { Receipt } from "./receipts";
import { warmUp } from "./signature";
import { deviceCommitment, roundKey, rulesHash, serverCommitment } from "./texts";

// The test vectors of docs/fair.md.
const vectors = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(
  (one) => JSON.parse(one[1] as string) as Record<string, any>,
);
const of = (name: string): Record<string, any>[] => {
  const found = vectors.filter(({ vector }) => vector === name);
  expect(found.length, name).toBeGreaterThan(0);
  return found;
};

describe("the vectors of fair/1", () => {
  it("commitments", () => {
    for (const { server_seed, commitment: made } of of("commitment"))
      expect(commitmentOne(server_seed)).toBe(made);
  });
  it("keys", () => {
    for (const { server_seed, player_seeds, round, key } of of("key"))
      expect(bytesToHex(roundKeyOne(server_seed, player_seeds, round))).toBe(key);
  });
  it("deals", () => {
    for (const one of of("deal")) {
      const rules = rulesOf(one["rules"]) as unknown as Record<string, unknown>;
      const key = roundKeyOne(one["server_seed"], one["player_seeds"], one["round"]);
      const { racks, start_draws, starter, pool } = one;
      expect(
        deal(rules, one["player_seeds"].length, key, one["known_starter"]),
        one["note"],
      ).toEqual({
        racks,
        start_draws,
        starter,
        pool,
      });
    }
  });
});

describe("the vectors of fair/2", () => {
  it("commitments and rules", () => {
    for (const one of of("fair/2 server commitment"))
      expect(serverCommitment(one["table"], one["server_seed"])).toBe(one["commitment"]);
    for (const one of of("fair/2 device commitment"))
      expect(deviceCommitment(one["table"], one["server_commitment"], one["seed"])).toBe(
        one["commitment"],
      );
    for (const one of of("fair/2 rules")) expect(rulesHash(one["rules"])).toBe(one["digest"]);
  });
  it("matches: texts, keys, deals and what they prove", () => {
    for (const one of of("fair/2 match")) {
      const fair = one["fair"] as FairFacts;
      const { opening, transcript } = signedTexts(fair, one["rules"]);
      expect([opening, transcript]).toEqual([one["opening"], one["transcript"]]);
      for (const { round, key } of one["keys"])
        expect(bytesToHex(roundKey(fair.server_seed ?? "", transcript, round))).toBe(key);
      const { racks, start_draws, starter, pool } = one;
      const players = (fair.seats ?? []).map((seat) => ({ name: "", ...("bot" in seat && seat) }));
      const rounds = [{ racks, start_draws, starter, pool, turns: [] }];
      const { findings, claim } = checkDeal({ rules: one["rules"], players, fair, rounds }, null);
      expect(findings.filter(({ ok }) => ok === false)).toEqual([]);
      expect([claim.kind, claim.seats, claim.withheld]).toEqual([
        one["case"],
        one["parts"],
        one["withheld"],
      ]);
    }
  });
});

const seed = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
function record(): MatchRecord {
  const rules = rulesOf({ edition: "classic" }) as unknown as Record<string, unknown>;
  const round = deal(rules, 2, roundKeyOne(seed, ["c0ffee", ""], 1), null);
  return {
    rules: { edition: "classic" },
    players: [{ name: "Ada" }, { name: "Ben" }],
    fair: {
      algorithm: "fair/1",
      commitment: commitmentOne(seed),
      server_seed: seed,
      player_seeds: ["c0ffee", ""],
    },
    rounds: [
      { ...round, turns: [{ seat: 0, move: "draw", tile: round.pool[0] as string, points: -5 }] },
    ],
  };
}
const receipt = (seed0: string, commitment = commitmentOne(seed)): Receipt => ({
  seats: [0],
  parts: [],
  commitment,
  seeds: { "0": seed0 },
});
const failing = (one: MatchRecord, promised: Receipt | null = null): string[] =>
  checkDeal(one, promised)
    .findings.filter(({ ok }) => ok === false)
    .map(({ step }) => step);

it("knows a signature when it sees one", () => {
  expect(warmUp()).toBe(true);
});

describe("checking a record of fair/1", () => {
  it("finds nothing wrong with a fair one, and says that it proves little", () => {
    const own = checkDeal(record(), receipt("c0ffee"));
    expect(own.findings.map(({ ok }) => ok)).toEqual([true, true, true, true, true, true]);
    expect(own.claim.kind).toBe("old");
    const other = checkDeal(record(), null);
    expect(other.findings.map(({ ok }) => ok)).toEqual([true, true, true, true, null, null]);
    expect(other.claim.kind).toBe("old");
  });
  it("finds a rack that was not dealt", () => {
    const bent = record();
    bent.rounds[0]?.racks?.[0]?.reverse();
    expect(failing(bent)).toEqual(["deals"]);
    expect(checkDeal(bent, null).claim.kind).toBe("wrong");
  });
  it("finds a tile that was not the next", () => {
    const bent = record();
    const turn = bent.rounds[0]?.turns[0];
    if (turn) turn.tile = bent.rounds[0]?.pool?.[1] ?? "";
    expect(failing(bent)).toEqual(["draws"]);
  });
  it("finds another commitment and another seed", () => {
    const bent = record();
    if (bent.fair) bent.fair.commitment = commitmentOne("00".repeat(32));
    expect(failing(bent, receipt("beef"))).toEqual(["commitment", "promised", "own"]);
    const own = record();
    expect(failing(own, receipt("beef"))).toEqual(["own"]);
  });
  it("says that there is nothing to check", () => {
    const { fair: _, ...bare } = record();
    expect(failing(bare)).toEqual(["form"]);
  });
});
