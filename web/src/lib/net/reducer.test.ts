import { describe, expect, it } from "vitest";
import { boardOf, scoreLines, rackOf, reduce, type Known } from "./reducer";
import type { Now, State, TurnInfo } from "./types";

const now = (turn: number, ply = 5): Now => ({
  ply,
  turn,
  totals: [0, 0],
  rack_sizes: [2, 2],
  pool_size: 38,
  draws: 0,
  is_last_round: false,
});
const turn = (seat: number, move: string, more: Partial<TurnInfo> = {}): TurnInfo => ({
  seat,
  move,
  points: 0,
  scores: [],
  ...more,
});
const STATE: State = {
  type: "state",
  version: 5,
  table: "abc",
  state: "playing",
  rules: { edition: "classic" },
  options: {},
  seats: [],
  you: [0],
  is_host: true,
  fair: { algorithm: "", commitment: "" },
  here: [0],
  racks: { "0": ["1-3-4", "0-0-5"] },
  round: { number: 1, starter: 0, start_draws: [], turns: [] },
  now: now(0),
};
const start = (): Known => reduce(null, STATE).known as Known;
const with_pending = (): Known => ({
  ...start(),
  pending: { id: 7, move: "U(0,0)=3-4-1", seat: 0, ply: 5 },
});

describe("what a client knows", () => {
  it("begins with a state", () => {
    const known = start();
    expect(known.version).toBe(5);
    expect(rackOf(known, 0)).toEqual(["1-3-4", "0-0-5"]);
  });

  it("follows moves: a placed tile leaves the rack, a drawn one comes", () => {
    const { known } = reduce(start(), {
      type: "moved",
      since: 5,
      version: 7,
      turns: [turn(0, "U(0,0)=3-4-1", { points: 8 }), turn(0, "draw", { tile: "2-2-2" })],
      now: now(1),
    });
    expect(known?.racks["0"]).toEqual(["0-0-5", "2-2-2"]);
    expect(known?.version).toBe(7);
    expect(known && boardOf(known)).toHaveLength(1);
  });

  it("does not hear a move twice", () => {
    const known = start();
    const old = {
      type: "moved",
      since: 4,
      version: 5,
      turns: [turn(1, "draw")],
      now: now(1),
    } as const;
    expect(reduce(known, { ...old, turns: [...old.turns] }).known).toBe(known);
  });

  it("asks again when it missed a move", () => {
    const step = reduce(start(), { type: "moved", since: 6, version: 7, turns: [], now: now(1) });
    expect(step.resync).toBe(true);
    expect(step.known?.version).toBe(5);
  });

  it("shows a move of its own at once", () => {
    const known = with_pending();
    expect(boardOf(known)).toHaveLength(1);
    expect(rackOf(known, 0)).toEqual(["0-0-5"]);
  });

  it("takes a refused move back", () => {
    const step = reduce(with_pending(), {
      type: "refused",
      id: 7,
      code: "corner_mismatch",
      detail: "",
      version: 5,
    });
    expect(step.refused?.code).toBe("corner_mismatch");
    expect(step.known && boardOf(step.known)).toEqual([]);
    expect(step.known && rackOf(step.known, 0)).toEqual(["1-3-4", "0-0-5"]);
  });

  it("keeps its move when something else is refused", () => {
    const step = reduce(with_pending(), { type: "refused", id: 3, code: "x", detail: "" });
    expect(step.known?.pending).not.toBeNull();
  });

  it("has its move once when the server tells it", () => {
    const { known } = reduce(with_pending(), {
      type: "moved",
      since: 5,
      version: 6,
      turns: [turn(0, "U(0,0)=3-4-1", { points: 8 })],
      now: now(1),
    });
    expect(known?.pending).toBeNull();
    expect(known && boardOf(known)).toHaveLength(1);
  });

  it("knows what was lost with the line", () => {
    expect(reduce(with_pending(), { type: "current", version: 5 }).unplayed?.move).toBe(
      "U(0,0)=3-4-1",
    );
    expect(reduce(start(), { type: "current", version: 5 }).unplayed).toBeUndefined();
  });

  it("keeps its move while others ask for an undo, come and go", () => {
    const asked = { ...STATE, version: 6, undo: { id: 6, seat: 1, moves: 1, agreed: [] } };
    const step = reduce(with_pending(), asked);
    expect(step.known?.pending?.id).toBe(7);
    expect(step.unplayed?.id).toBe(7);
    expect(step.known && boardOf(step.known)).toHaveLength(1);
  });

  it("knows that its request for an undo was declined, until the next move", () => {
    const undo = { id: 6, seat: 0, moves: 1, agreed: [] };
    const asked = reduce(start(), { ...STATE, version: 6, undo }).known;
    expect(asked?.undoOutcome).toBeNull();
    const refused = reduce(asked, { ...STATE, version: 7 }).known;
    expect(refused?.undoOutcome).toBe("refused");
    const left = reduce(refused, { ...STATE, version: 8 }).known;
    expect(left?.undoOutcome).toBe("refused");
    const moved = { type: "moved", since: 8, version: 9, turns: [], now: now(1, 9) } as const;
    expect(reduce(left, { ...moved, turns: [] }).known?.undoOutcome).toBeNull();
    // Allowed, or asked by another: nothing to tell.
    const allowed = reduce(asked, { ...STATE, version: 7, now: now(0, 7) }).known;
    expect(allowed?.undoOutcome).toBeNull();
    const others = reduce(start(), { ...STATE, version: 6, undo: { ...undo, seat: 1 } }).known;
    expect(reduce(others, { ...STATE, version: 7 }).known?.undoOutcome).toBeNull();
  });

  it("tells who asked for an undo that it was allowed, or that somebody played on", () => {
    const undo = { id: 6, seat: 0, moves: 1, agreed: [] };
    const turn = { seat: 0, move: "draw", points: 0, scores: [] };
    const round = { number: 1, starter: 0, start_draws: [] };
    const begun = { ...STATE, round: { ...round, turns: [turn] } };
    const asked = reduce(reduce(null, begun).known, { ...begun, version: 6, undo }).known;
    const back = { ...STATE, version: 7, round: { ...round, turns: [] }, now: now(0, 7) };
    const allowed = reduce(asked, back).known;
    expect(allowed?.undoOutcome).toBe("allowed");
    const other = { ...turn, seat: 1 };
    const moved = { type: "moved", since: 6, version: 7, turns: [other], now: now(0, 7) } as const;
    const lapsed = reduce(asked, { ...moved, turns: [other] }).known;
    expect([lapsed?.undoOutcome, lapsed?.state.undo]).toEqual(["lapsed", undefined]);
  });

  it("knows since when somebody is away, by its own clock", () => {
    const gone = reduce(
      start(),
      { type: "presence", here: [0], spectators: 0, away: { 1: 60 } },
      90_000,
    );
    expect(gone.known?.away).toEqual({ 1: 30_000 });
    const back = reduce(gone.known, { type: "presence", here: [0, 1], spectators: 0 }, 95_000);
    expect(back.known?.away).toEqual({});
  });

  it("drops a reminder once its seat has moved", () => {
    const reminders = [{ id: 6, seat: 0, by: 1 }];
    const known = reduce(start(), { ...STATE, version: 6, reminders }).known;
    const turn = { seat: 0, move: "draw", points: 0, scores: [] };
    const moved = { type: "moved", since: 6, version: 7, turns: [turn], now: now(0, 7) } as const;
    expect(reduce(known, { ...moved, turns: [turn] }).known?.state.reminders).toEqual([]);
  });

  it("drops its move in another position", () => {
    const undone = { ...STATE, version: 6, now: now(0, 6) };
    expect(reduce(with_pending(), undone).known?.pending).toBeNull();
  });

  it("counts down from when a message came, whatever the date is", () => {
    const timed = { ...STATE, now: { ...now(0), remaining: 30_000 } };
    expect(reduce(null, timed, 1000).known?.deadline).toBe(31_000);
    expect(reduce(null, STATE, 1000).known?.deadline).toBeNull();
    const last = { ...STATE, now: { ...now(0), remaining: 0 } };
    expect(reduce(null, last, 1000).known?.deadline).toBe(1000);
  });

  it("knows who is here", () => {
    const { known } = reduce(start(), { type: "presence", here: [0, 1], spectators: 2 });
    expect([known?.here, known?.spectators]).toEqual([[0, 1], 2]);
  });
});

describe("the score sheet", () => {
  it("has one line for what one player did in a row", () => {
    const found = scoreLines([
      turn(0, "U(0,0)=1-3-4", { points: 8 }),
      turn(1, "draw", { points: -5 }),
      turn(1, "draw", { points: -5 }),
      turn(1, "D(0,0)=4-3-5", { points: 52, bonus: "bridge" }),
      turn(0, "draw", { points: -5 }),
    ]);
    expect(found.map(({ seat, points, draws, bonus }) => [seat, points, draws, bonus])).toEqual([
      [0, 8, 0, null],
      [1, 42, 2, "bridge"],
      [0, -5, 1, null],
    ]);
  });

  it("keeps two turns of one player apart", () => {
    expect(scoreLines([turn(0, "pass"), turn(0, "pass")])).toHaveLength(2);
  });
});
