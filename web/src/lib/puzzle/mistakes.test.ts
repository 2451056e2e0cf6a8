import { describe, expect, it } from "vitest";
import type { Marked } from "../analysis/analysis";
import { pageKernel } from "../kernel/pageKernel";
import { KernelMatch } from "../kernel/match";
import type { MatchRecord } from "../replay/record";
import { added, mistakesOf, readStock, without, type Stock } from "./mistakes";
import { MistakeTable } from "./mistakeTable.svelte";
import type { Kernel } from "../kernel/kernel";
import { rulesOf } from "../scorepad/rules";

declare const thinkingKernel: () => Promise<Kernel>;
const kernel = await thinkingKernel();

/** A round that two bots played, as a record. */
function played(): MatchRecord {
  const rules = rulesOf({ edition: "classic", target: null }) as unknown as Record<string, unknown>;
  const match = KernelMatch.open(pageKernel(), rules, 2, "5e".repeat(32), ["", ""]);
  const { starter, startDraws, dealt, pool } = match.round(1);
  for (let ply = 0; !match.round(1).end && ply < 60; ply++)
    match.play(match.choose("greedy", [ply, 7], {}));
  const turns = match.plies(1).map(({ seat, move, tile, scores }) => ({
    ...{ seat, move, points: scores.reduce((sum, { points }) => sum + points, 0) },
    ...(tile === null ? {} : { tile }),
  }));
  const players = [{ name: "Ann" }, { name: "Greta", bot: "greedy" }];
  const round = { starter, start_draws: startDraws, racks: dealt, pool, turns };
  return { format: "triomino-record/2", rules, players, rounds: [round] };
}

const record = played();
const turnsOf = (seat: number): number[] =>
  (record.rounds[0]?.turns ?? []).flatMap((turn, index) =>
    turn.seat === seat && turn.move.includes("=") && index > 6 ? [index] : [],
  );
const [turn = 0] = turnsOf(0);
const [theirs = 0] = turnsOf(1);
const best = record.rounds[0]?.turns[turn]?.move ?? "";
const mark = (turn: number, seat: number, lost: number): Marked =>
  ({
    ...{ turn, seat, lost, best, round: 0, step: turn + 1, mark: "mistake", win: 0.2 },
    ...{ best_win: 0.5, margin: 0, best_margin: 9, why: [] },
  }) as Marked;

describe("mistakes", () => {
  const found = mistakesOf("abc", record, [mark(turn, 0, 0.3), mark(theirs, 1, 0.3)], [0]);

  it("are one's own, above a margin, with the round as far as it had come", () => {
    expect(found.map(({ id }) => id)).toEqual([`abc/0/${turn}`]);
    expect(found[0]?.round.turns).toHaveLength(turn);
    expect(mistakesOf("abc", record, [mark(turn, 0, 0.07)], [0])).toEqual([]);
    expect(mistakesOf("abc", record, [mark(turn, 0, 0.3)], [])).toEqual([]);
  });

  it("are kept once, until they are solved", () => {
    const none: Stock = { open: [], solved: [] };
    const stock = added(none, found);
    expect(added(stock, found)).toEqual(stock);
    expect(readStock(JSON.stringify(stock))).toEqual(stock);
    const solved = without(stock, found[0]?.id ?? "");
    expect(solved.open).toEqual([]);
    expect(added(solved, found).open).toEqual([]);
    for (const text of [null, "x", "[]", '{"open":[1,null,{"id":"a"}],"solved":[7]}'])
      expect(readStock(text)).toEqual(none);
  });

  it("are played with the kernel: a wrong move is replied to, the best solves it", () => {
    const table = new MistakeTable(found[0] as never, kernel);
    const choices = table.known?.now?.choices ?? [];
    expect(choices.map(({ move }) => move)).toContain(best);
    table.move("U(90,90)=0-0-0");
    expect(table.phase).toBe("open");
    for (const { move } of choices) {
      table.move(move);
      expect(["wrong", "solved"]).toContain(table.phase);
      expect(table.known?.turns[turn]).toMatchObject({ seat: 0, move });
      if (table.phase === "wrong" && table.given?.reply)
        expect(table.known?.turns.at(-1)).toMatchObject({ seat: 1, move: table.given.reply });
      if (move === "draw") {
        // One's own turn ends before the other player replies.
        expect(table.given?.drawn?.length).toBeGreaterThan(0);
        expect(table.given?.then).not.toBe("draw");
        expect(table.known?.turns.at(-2)).toMatchObject({ seat: 0, move: table.given?.then });
      }
      table.restart();
      expect(table.known?.turns).toHaveLength(turn);
    }
    table.move(best);
    expect(table.phase).toBe("solved");
    table.close();
  });
});
