/** The state of a table as one client knows it, and how each message changes it. Pure. */
import { parsePlace, tileOf, type Place } from "../board/geometry";
import type { Now, ServerMessage, State, TurnInfo } from "./types";

export interface Pending {
  id: number;
  move: string;
  seat: number;
  /** The position it is played in. */
  ply: number;
}

export interface Known {
  state: State;
  version: number;
  turns: TurnInfo[];
  now: Now | null;
  /** When the clock of this turn runs out, on the clock of `performance.now()`. */
  deadline: number | null;
  racks: Record<string, string[]>;
  here: number[];
  spectators: number;
  pending: Pending | null;
  /** Since when each absent person has been away, on the clock of `performance.now()`. */
  away: Record<string, number>;
  /**
   * How the last request of this client's seats for an undo ended, until the next change of the position:
   * it lapsed if somebody played on instead of answering.
   */
  undoOutcome: "refused" | "allowed" | "lapsed" | null;
}

export interface Step {
  known: Known | null;
  /** A message was missed: say hello again. */
  resync?: boolean;
  /** The pending move was not played yet: after a lost connection, send it again. */
  unplayed?: Pending;
  /** Why the last command was refused. */
  refused?: { code: string; detail: string; mine: boolean };
}

/** The racks of the receiver's seats after some turns. */
export function racksAfter(
  racks: Record<string, string[]>,
  turns: readonly TurnInfo[],
): Record<string, string[]> {
  const out = { ...racks };
  for (const turn of turns) {
    const rack = out[turn.seat];
    if (!rack) continue;
    const place = parsePlace(turn.move);
    if (place) {
      const tile = tileOf(place.numbers);
      out[turn.seat] = rack.filter((other) => other !== tile);
    } else if (turn.tile) out[turn.seat] = [...rack, turn.tile];
  }
  return out;
}

/** The end of the time a message says is left. The date of this device does not matter. */
const deadlineOf = (now: Now | null | undefined, at: number): number | null =>
  now?.remaining === undefined || now.remaining === null ? null : at + now.remaining;

const awaySince = (away: Record<string, number> | undefined, at: number): Record<string, number> =>
  Object.fromEntries(
    Object.entries(away ?? {}).map(([seat, seconds]) => [seat, at - 1000 * seconds]),
  );

const hasAsked = (known: Known): boolean =>
  !!known.state.undo && known.state.you.includes(known.state.undo.seat);

/** How a request for an undo by a seat of this client has ended with a new state. */
function undoOutcome(known: Known | null, state: State): Known["undoOutcome"] {
  if (!known || state.undo) return null;
  if (known.now?.ply === state.now?.ply) return hasAsked(known) ? "refused" : known.undoOutcome;
  const shorter = (state.round?.turns.length ?? 0) < known.turns.length;
  const sameRound = state.round?.number === known.state.round?.number;
  return hasAsked(known) && sameRound && shorter ? "allowed" : null;
}

/** A move ends every request for an undo, and the reminders of who moved. */
function stateAfter(state: State, turns: readonly TurnInfo[]): State {
  const moved = (seat: number): boolean => turns.some((one) => one.seat === seat && !one.by_bot);
  const reminders = (state.reminders ?? []).filter(({ seat }) => !moved(seat));
  if (!state.undo && reminders.length === (state.reminders?.length ?? 0)) return state;
  const rest = { ...state, reminders };
  delete rest.undo;
  return rest;
}

function stateStep(known: Known | null, message: State, at: number): Step {
  // Much can happen at a table that does not concern a move under way.
  const pending = known?.pending?.ply === message.now?.ply ? (known?.pending ?? null) : null;
  return {
    known: {
      state: message,
      version: message.version,
      turns: message.round?.turns ?? [],
      now: message.now ?? null,
      deadline: deadlineOf(message.now, at),
      racks: message.racks ?? {},
      here: message.here,
      spectators: message.spectators ?? 0,
      pending,
      away: awaySince(message.away, at),
      undoOutcome: undoOutcome(known, message),
    },
    ...(pending ? { unplayed: pending } : {}),
  };
}

/** The step that a message received *at* a time of `performance.now()` leads to. */
export function reduce(
  known: Known | null,
  message: ServerMessage,
  at: number = performance.now(),
): Step {
  switch (message.type) {
    case "state":
      return stateStep(known, message, at);
    case "moved": {
      if (!known || message.version <= known.version) return { known };
      if (message.since !== known.version) return { known, resync: true };
      return {
        known: {
          ...known,
          state: stateAfter(known.state, message.turns),
          version: message.version,
          turns: [...known.turns, ...message.turns],
          now: message.now,
          deadline: deadlineOf(message.now, at),
          racks: racksAfter(known.racks, message.turns),
          pending: null,
          undoOutcome: hasAsked(known) ? "lapsed" : null,
        },
      };
    }
    case "current": {
      const pending = known?.pending;
      return pending ? { known, unplayed: pending } : { known };
    }
    case "refused": {
      const refused = { code: message.code, detail: message.detail, mine: message.id !== null };
      if (known?.pending && known.pending.id === message.id)
        return { known: { ...known, pending: null }, refused };
      return { known, refused };
    }
    case "presence":
      if (!known) return { known };
      return {
        known: {
          ...known,
          here: message.here,
          spectators: message.spectators,
          away: awaySince(message.away, at),
        },
      };
    default:
      return { known };
  }
}

/** The tiles on the board in the order they were laid, the pending one included. */
export function boardOf(known: Known): Place[] {
  const moves = known.turns.map(({ move }) => move);
  if (known.pending) moves.push(known.pending.move);
  return moves.map(parsePlace).filter((place) => place !== null);
}

/** A seat's rack without the pending tile. */
export function rackOf(known: Known, seat: number): string[] {
  const rack = known.racks[seat] ?? [];
  const pending = known.pending?.seat === seat ? parsePlace(known.pending.move) : null;
  if (!pending) return rack;
  const tile = tileOf(pending.numbers);
  return rack.filter((other) => other !== tile);
}

export interface ScoreLine {
  seat: number;
  points: number;
  bonus: string | null;
  draws: number;
  /** The placement, or what ended the turn. */
  move: string;
  byBot: boolean;
  turns: number;
}

/** The lines of a score sheet: one for everything a player did in one turn. */
export function scoreLines(turns: readonly TurnInfo[]): ScoreLine[] {
  const out: ScoreLine[] = [];
  let open = false;
  for (const turn of turns) {
    const last = out.at(-1);
    const line =
      open && last && last.seat === turn.seat
        ? last
        : { seat: turn.seat, points: 0, bonus: null, draws: 0, move: "", byBot: false, turns: 0 };
    if (line !== last) out.push(line);
    line.points += turn.points;
    line.turns += 1;
    line.byBot ||= turn.by_bot ?? false;
    line.move = turn.move;
    if (turn.move === "draw") line.draws += 1;
    else line.bonus = turn.bonus ?? null;
    open = turn.move === "draw";
  }
  return out;
}
