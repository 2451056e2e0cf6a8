import { describe, expect, it } from "vitest";
import type { MatchRecord } from "./record";
import { packRecord, unpackRecord } from "./recordLink";

const turns = Array.from({ length: 40 }, (_, turn) => ({
  ...{ seat: turn % 2, move: `U(${turn},0)=0-0-${turn % 6}`, points: turn % 6 },
}));
const record: MatchRecord = {
  format: "triomino-record/2",
  rules: { edition: "classic" },
  players: [{ name: "Ànn ⟨שלום⟩" }, { name: "Greta", bot: "greedy" }],
  rounds: [{ starter: 0, turns }],
};

describe("a link that carries a record", () => {
  it("gives the same record back, packed and plain", async () => {
    for (const packs of [true, false]) {
      const text = await packRecord(record, packs);
      expect(text).toMatch(/^[zj][\w-]+$/);
      expect(await unpackRecord(text)).toEqual(record);
    }
    const [packed, plain] = [await packRecord(record), await packRecord(record, false)];
    expect(packed.length).toBeLessThan(plain.length / 3);
  });

  it("is refused when it is damaged, cut, something else or much too large", async () => {
    const text = await packRecord(record);
    const bomb = await packRecord({ ...record, players: [{ name: "a".repeat(5_000_000) }] });
    const others = ["", "z", "x123", "j!!", text.slice(0, -9), `z${text.slice(20)}`, "je30", bomb];
    for (const bad of others) expect(await unpackRecord(bad)).toBeNull();
  });
});
