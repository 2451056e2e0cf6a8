import { describe, expect, it } from "vitest";
import { pageKernel } from "../kernel/pageKernel";
import { KernelMatch } from "../kernel/match";
import type { MatchRecord } from "../replay/record";
import { rulesOf } from "../scorepad/rules";
import {
  companions,
  course,
  EVERYTHING,
  fits,
  ofRecord,
  peopleIn,
  totals,
  type Entry,
  type Filter,
  type Played,
} from "./memory";

const BONUSES = ["bridge", "hexagon", "double_hexagon", "triple_hexagon"];

/** A match to 150 between bots, as a record; made in the kernel, which counts every point itself. */
function played(seed: number, players: number): MatchRecord {
  const rules = rulesOf({ edition: "classic", target: 150 }) as unknown as Record<string, unknown>;
  const hex = seed.toString(16).padStart(2, "0").repeat(32);
  const match = KernelMatch.open(
    pageKernel(),
    rules,
    players,
    hex,
    Array<string>(players).fill(""),
  );
  const rounds: MatchRecord["rounds"] = [];
  for (let number = 1; ; number++) {
    for (let ply = 0; !match.round(number).end; ply++)
      match.play(match.choose("greedy", [ply, seed], {}));
    const { starter, dealt, pool, end } = match.round(number);
    const turns = match.plies(number).map(({ seat, move, scores }) => {
      const bonus = scores.find(({ reason }) => BONUSES.includes(reason))?.reason;
      const points = scores.reduce((sum, one) => sum + one.points, 0);
      return { seat, move, points, ...(bonus ? { bonus } : {}) };
    });
    const points = dealt.map((_, seat) =>
      (end?.scores ?? []).reduce((sum, one) => sum + (one.seat === seat ? one.points : 0), 0),
    );
    rounds.push({ starter, racks: dealt, pool, turns, end: { reason: end?.reason ?? "", points } });
    if (match.standing().isOver) break;
    match.nextRound();
  }
  const { totals: scores, winners } = match.standing();
  const names = ["Ann", "Ben", "Cleo", "Dan"].slice(0, players);
  match.close();
  return { rules, players: names.map((name) => ({ name })), rounds, result: { scores, winners } };
}

const records = [1, 2, 3, 4, 5, 6].map((seed) => played(seed, 2 + (seed % 3)));
const list: Played[] = records.map((record, number) =>
  ofRecord(
    record,
    {
      ...{ id: String(number), when: 100 - number, where: number % 2 ? "here" : "server" },
      edition: "classic",
      names: record.players.map(({ name }) => name),
      ...{ mine: [number % 2], winners: record.result?.winners ?? [] },
    },
    null,
  ),
);

describe("a filter", () => {
  const NOW = 1_800_000_000_000;
  const entry = (id: string, changes: Partial<Entry>): Entry => ({
    ...{ id, when: NOW, where: "server", edition: "classic" },
    ...{ names: ["Ann", "Ben"], mine: [0], ...changes },
  });
  const entries = [
    entry("a", {}),
    entry("b", { where: "pad", names: [" ben ", "Cleo", "Ann"], mine: [2] }),
    entry("c", {
      where: "here",
      edition: "card",
      when: NOW - 8 * 86_400_000,
      names: ["Ann", "Cleo"],
    }),
  ];
  const ids = (filter: Partial<Filter>): string =>
    entries
      .filter((one) => fits(one, { ...EVERYTHING, ...filter }, NOW))
      .map(({ id }) => id)
      .join("");

  it("chooses by place, rules, people and time, and by all of them together", () => {
    expect(ids({})).toBe("abc");
    expect(ids({ where: "pad" })).toBe("b");
    expect(ids({ edition: "classic" })).toBe("ab");
    expect(ids({ person: "BEN" })).toBe("ab");
    // Oneself is not somebody to choose by.
    expect(ids({ person: "Ann" })).toBe("");
    expect(ids({ days: 7 })).toBe("ab");
    expect(ids({ days: 30, person: "Cleo" })).toBe("bc");
    expect(ids({ days: 7, person: "Cleo", where: "here" })).toBe("");
  });

  it("offers everybody once", () => {
    expect(peopleIn(entries)).toEqual(["Ben", "Cleo"]);
  });
});

describe("statistics", () => {
  it("equal a plain count over the records", () => {
    // Line by line, with nothing of the code that is tested.
    const plain = { matches: 0, won: 0, bestRound: 0, bridges: 0, hexagons: 0, draws: 0 };
    let [points, rounds] = [0, 0];
    for (let number = 0; number < records.length; number++) {
      const record = records[number] as MatchRecord;
      const me = number % 2;
      plain.matches++;
      if (record.result?.winners.includes(me)) plain.won++;
      for (const round of record.rounds) {
        let here = 0;
        for (const turn of round.turns) {
          if (turn.seat !== me) continue;
          here += turn.points;
          if (turn.move === "draw") plain.draws++;
          if (turn.bonus === "bridge") plain.bridges++;
          if (turn.bonus === "hexagon") plain.hexagons++;
          if (turn.bonus === "double_hexagon") plain.hexagons += 2;
          if (turn.bonus === "triple_hexagon") plain.hexagons += 3;
        }
        here += round.end?.points?.[me] ?? 0;
        if (here > plain.bestRound) plain.bestRound = here;
        points += here;
        rounds++;
      }
    }
    expect(plain.draws).toBeGreaterThan(0);
    expect(plain.bridges + plain.hexagons).toBeGreaterThan(0);
    expect(totals(list)).toEqual({ ...plain, average: points / rounds });
  });

  it("have rounds that add up to the scores which the kernel counted", () => {
    for (const [number, { rounds }] of list.entries())
      expect(
        rounds.reduce((sums, round) => sums.map((sum, seat) => sum + (round[seat] ?? 0))),
      ).toEqual(records[number]?.result?.scores);
  });

  it("tell with whom one plays, and how that went", () => {
    const ben = companions(list).find(({ name }) => name === "Ben");
    const games = [0, 2, 4].map((number) => records[number]?.result?.winners ?? []);
    expect(ben).toEqual({
      ...{ name: "Ben", matches: 3 },
      theirs: games.filter((winners) => winners.includes(1)).length,
      mine: games.filter((winners) => winners.includes(0)).length,
    });
    expect(companions([{ ...(list[0] as Played), mine: [] }])).toEqual([]);
  });

  it("sum up luck and what was given away in the order of time", () => {
    const some = list.map((one, number) => ({
      ...one,
      luck: number === 1 ? null : number,
      lost: 1,
    }));
    expect(course(some).map(({ luck, lost }) => [luck, lost])).toEqual([
      ...[
        [5, 1],
        [9, 2],
        [12, 3],
        [14, 4],
        [14, 5],
      ],
    ]);
    expect(totals([])).toMatchObject({ matches: 0, average: 0, bestRound: 0 });
  });
});
