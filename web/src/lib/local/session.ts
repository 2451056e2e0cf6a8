/** What the server's socket does, for a local table: a message in, the messages that answer it out. */
import { hexText, type Dice, type Kernel } from "../kernel/kernel";
import { EFFORTS, type Candidate, type Effort, type Fact } from "../kernel/match";
import { PROTOCOL } from "../net/protocolVersion";
import type { AskHint, ClientMessage, HintMove, HintReason, ServerMessage } from "../net/types";
import { CHAMPION_ROLLOUTS } from "./champion";
import { TableRefusal, type LocalEvent } from "./events";
import { movedOf, stateOf } from "./snapshot";
import type { LocalTable } from "./table";

type Command = Exclude<ClientMessage, { type: "hello" | "ping" | "react" | "ask_hint" | "reveal" }>;

const MOST_HINTS = 3;

/** The generator with this name: `Rng.named` in Python. */
export function namedDice(kernel: Kernel, ...parts: (string | number)[]): Dice {
  const bytes = [...new TextEncoder().encode(parts.join(" "))];
  const digest = hexText(kernel.call("sha256", [bytes.length, ...bytes]).bytes());
  return [parseInt(digest.slice(8, 16), 16) | 0, parseInt(digest.slice(0, 8), 16) | 0];
}

/** Rounded to so many decimals, halves to the even digit, as Python rounds. */
export function rounded(number: number, decimals: number): number {
  const scale = 10 ** decimals;
  const fixed = Number(number.toFixed(decimals)) + 0; // not -0
  // toFixed rounds halves up. Of the halves, 10.25 for one, a double holds only those that are an
  // odd number of eighths with two decimals, of quarters with one; 10.35 is a little less.
  const parts = number * 2 ** (decimals + 1);
  if (!Number.isInteger(parts) || parts % 2 === 0) return fixed;
  const low = Math.floor(number * scale);
  return (low % 2 ? low + 1 : low) / scale;
}

export const reasonOf = ({ kind, points, chance, bonus, count, number }: Fact): HintReason => ({
  kind,
  points,
  chance: rounded(chance, 2),
  ...(bonus === null ? {} : { bonus }),
  ...(count ? { count } : {}),
  ...(number === null ? {} : { number }),
});

/** Moves whose chances to win differ by less are as good as each other. */
const EQUAL = 0.01;

/** The second of some candidates if it is as good as the first, by all that is known. */
function asGood([best, second]: readonly Candidate[]): string | null {
  if (!best || !second) return null;
  const both = best.exact && second.exact;
  const noise = ({ win, worlds }: Candidate): number => (win * (1 - win)) / Math.max(1, worlds);
  const apart = both ? 0 : Math.max(EQUAL, 2 * Math.sqrt(noise(best) + noise(second)));
  const points = both ? 0 : 1 + 2 * (best.error + second.error);
  const differs =
    Math.abs(best.win - second.win) > apart || Math.abs(best.margin - second.margin) > points;
  return differs ? null : second.move;
}

export class LocalSession {
  /** *store* keeps an event before it counts; *now* is the date. */
  constructor(
    private readonly kernel: Kernel,
    readonly table: LocalTable,
    private readonly store: (event: LocalEvent, version: number) => Promise<void>,
    private readonly now: () => number,
    private readonly hintEffort: Effort = EFFORTS.hint,
  ) {}

  /** Carry out a message of the page; what it is told, in order. */
  async handle(message: ClientMessage): Promise<ServerMessage[]> {
    try {
      return await this.#dispatch(message);
    } catch (error) {
      if (!(error instanceof TableRefusal)) throw error;
      const id = "id" in message ? (message.id ?? null) : null;
      const { version } = this.table;
      return [{ type: "refused", id, code: error.code, detail: error.message, version }];
    }
  }

  async #dispatch(message: ClientMessage): Promise<ServerMessage[]> {
    switch (message.type) {
      case "hello":
        if (message.protocol !== PROTOCOL)
          throw new TableRefusal("protocol", `this server speaks protocol ${PROTOCOL}`);
        return [this.catchUp(message.version ?? null)];
      case "ping":
        return [{ type: "pong", id: message.id ?? 0, at: this.now() }];
      case "react":
        return [{ type: "reaction", seat: this.#seatOf(message.seat ?? null), sign: message.sign }];
      case "ask_hint":
        return [this.#hint(message)];
      case "reveal":
        throw new TableRefusal("no_commitments", "this table is of the time before commitments");
      default: {
        const told = await this.change(this.#check(message));
        return [told, { type: "ack", id: message.id, version: this.table.version }];
      }
    }
  }

  /** What a client at *version* needs: nothing, the last moves, or the whole state. */
  catchUp(version: number | null): ServerMessage {
    const { table } = this;
    if (version === table.version) return { type: "current", version };
    const missed = table.version - (version ?? 0);
    const moves = version !== null && missed > 0 && missed <= table.movesInARow;
    return moves && table.state === "playing" ? movedOf(table, version, missed) : stateOf(table);
  }

  /** Store an event, carry it out and say what the page is told. */
  async change(event: LocalEvent): Promise<ServerMessage> {
    const { table } = this;
    const [since, state] = [table.version, table.state];
    await this.store(event, since + 1);
    table.apply(event);
    const moved = event.type === "moved" && table.state === state;
    return moved ? movedOf(table, since, 1) : stateOf(table);
  }

  #check(message: Command): LocalEvent {
    const { table } = this;
    const at = this.now();
    this.#checkBasis(message);
    const seat = this.#seatOf("seat" in message ? (message.seat ?? null) : null);
    switch (message.type) {
      case "move":
        return table.move(seat, message.move, at);
      case "next_round":
        return table.nextRound(at);
      case "undo":
        return table.askUndo(seat, at);
      case "answer_undo":
        return table.answerUndo(seat, message.agree, at);
      case "give_up":
        return table.giveUp(seat, at);
      case "return":
        return table.comeBack(seat, at);
      case "pause":
        return table.pause(seat, at);
      case "resume":
        return table.resume(seat, at);
      case "end_match":
        return table.endMatch();
      default:
        return table.waitFor(message.whom);
    }
  }

  /** Throw unless a message is about the current position or the open request. */
  #checkBasis(message: Command | AskHint): void {
    const { table } = this;
    if ("ply" in message && message.ply !== table.ply)
      throw new TableRefusal("stale", "the position has changed since");
    if (message.type === "answer_undo" && table.undo && message.request !== table.undo.id)
      throw new TableRefusal("stale", "this is no longer the request");
  }

  /** The seat the page speaks for: the one it names, else its seat to move, else its first. */
  #seatOf(wanted: number | null): number {
    const { table } = this;
    if (wanted !== null) {
      if (!table.own.includes(wanted))
        throw new TableRefusal("not_yours", `seat ${wanted} is not yours`);
      return wanted;
    }
    const [first] = table.own;
    if (first === undefined)
      throw new TableRefusal("spectator", "you watch this table; take a seat to play");
    const turn = table.match ? table.round().round.turn : -1;
    return table.own.includes(turn) ? turn : first;
  }

  #hint(message: AskHint): ServerMessage {
    const { table } = this;
    const seat = this.#seatOf(message.seat ?? null);
    this.#checkBasis(message);
    table.checkHint(seat);
    const moves = this.bestMoves();
    return { type: "hint", id: message.id, ply: message.ply, moves };
  }

  /** The best moves of the seat to move, with reasons. */
  bestMoves(): HintMove[] {
    const { table } = this;
    const match = table.running;
    const named = namedDice(this.kernel, "hint", table.round().plies.length);
    const [found, after] = match.search(this.hintEffort, named);
    let dice = after;
    const told = found.slice(0, MOST_HINTS).map(({ move, win, margin }) => {
      const [facts, next] = match.facts(move, dice);
      dice = next;
      const why = facts.map(reasonOf);
      return { move, win: rounded(win, 3), margin: rounded(margin, 1), why };
    });
    const tie = asGood(found);
    if (tie !== null) told[0]?.why.push({ kind: "tie", points: 0, chance: 1, move: tie });
    return told;
  }

  /** The move of the bot that is to move. */
  chooseForBot(): string {
    const { table } = this;
    const { turn } = table.round().round;
    const level = table.bot(turn) ?? "easy";
    const dice = namedDice(this.kernel, "bot", table.serverSeed, table.version);
    const limit = level === "champion" ? { rollouts: CHAMPION_ROLLOUTS } : {};
    return table.running.choose(level, dice, limit);
  }

  /** Play a move of a bot, or begin the next round if only bots are left. */
  async playBot(move: string | null): Promise<ServerMessage> {
    const { table } = this;
    if (move === null) return this.change(table.nextRound(this.now()));
    return this.change(table.move(table.round().round.turn, move, this.now(), true));
  }
}
