/**
 * A table in this browser: the state that its events add up to, and what may happen next.
 *
 * It does what the server's `Table` does for a table whose people all sit at one device. Commands
 * check and return an event; `apply` carries it out. Every rule of the game is the kernel's.
 */
import { hexNumbers, hexText, type Kernel } from "../kernel/kernel";
import { KernelMatch, type Ply, type RoundState } from "../kernel/match";
import type { Help, SeatSummary } from "../net/types";
import { TableRefusal, type Created, type FullOptions, type LocalEvent } from "./events";
import { castMember, cleanName, defaultName, freeNames, isOfCast } from "./options";

/** The bot that plays for people who gave up. */
const SUBSTITUTE = "easy";
/** The most moves that a seat has to play before it may ask for an undo again. */
const LONGEST_WAIT = 32;

export interface Chair {
  readonly isBot: boolean;
  readonly level: string | null;
  readonly defaultName: string;
  /** `null` while the seat is free. */
  name: string | null;
  readonly help: Help | null;
  readonly headStart: number;
  substitute: string | null;
  gaveUp: boolean;
  /** How many moves the person has played, those taken back included. */
  moves: number;
  /** The ply at which the seat last asked for an undo. */
  undoAsked: number | null;
  undoRefusals: number;
  /** How many *moves* it takes before the seat may ask again. */
  undoAfter: number;
}

export interface PendingUndo {
  id: number;
  seat: number;
  moves: number;
  agreed: Set<number>;
}

export type TableState = "open" | "playing" | "finished" | "closed";

function chairOf({ options, names }: Created, seat: number): Chair {
  const plan = options.seats[seat] as FullOptions["seats"][number];
  const usual = defaultName(options.seats, seat);
  const isBot = plan.kind === "bot";
  return {
    isBot,
    level: plan.bot,
    defaultName: usual,
    name:
      (!isBot && names?.[seat]) || (plan.kind === "link" ? null : cleanName(plan.name ?? usual)),
    help: plan.help,
    headStart: plan.head_start,
    substitute: null,
    gaveUp: false,
    moves: 0,
    undoAsked: null,
    undoRefusals: 0,
    undoAfter: 0,
  };
}

export class LocalTable {
  version = 1;
  readonly options: FullOptions;
  readonly chairs: Chair[];
  readonly commitment: string;
  readonly serverSeed: string;
  readonly created: number;
  updated: number;
  state: TableState = "open";
  match: KernelMatch | null = null;
  /** For every round, which plies a bot played for a person. */
  byBot: boolean[][] = [];
  undo: PendingUndo | null = null;
  paused: number | null = null;
  closedWhy: string | null = null;
  rematch: string | null = null;
  /** The version of the event that made the current position; 0 before the start. */
  ply = 0;
  /** How many of the latest events are moves of the current round. */
  movesInARow = 0;
  /** The rounds that are over do not change. */
  #past: { round: RoundState; plies: Ply[] }[] = [];
  #now: { round: RoundState; plies: Ply[] } | null = null;

  constructor(
    readonly id: string,
    created: Created,
    private readonly kernel: Kernel,
  ) {
    this.options = created.options;
    this.created = this.updated = created.at;
    this.serverSeed = created.server_seed;
    this.commitment = hexText(
      kernel.call("sha256", [32, ...hexNumbers(created.server_seed)]).bytes(),
    );
    this.chairs = created.options.seats.map((_, seat) => chairOf(created, seat));
  }

  /** Build a table from its events. */
  static load(id: string, events: readonly LocalEvent[], kernel: Kernel): LocalTable {
    const [first, ...rest] = events;
    if (first?.type !== "created") throw new Error("a table begins with its creation");
    const table = new LocalTable(id, first, kernel);
    for (const event of rest) table.apply(event);
    return table;
  }

  close(): void {
    this.match?.close();
    this.match = null;
  }

  // --- Queries ----------------------------------------------------------------------------------

  /** The round with this number, or the current one. */
  round(number = this.byBot.length): { round: RoundState; plies: Ply[] } {
    const match = this.running;
    const read = () => ({ round: match.round(number), plies: match.plies(number) });
    if (number === this.byBot.length) return (this.#now ??= read());
    return (this.#past[number - 1] ??= read());
  }

  get running(): KernelMatch {
    if (!this.match) throw new TableRefusal("not_started", "the match has not begun");
    return this.match;
  }

  get isOver(): boolean {
    return this.match !== null && this.match.standing().isOver;
  }

  /** The seats of this device. */
  get own(): number[] {
    return this.chairs.flatMap(({ isBot, name }, seat) => (isBot || name === null ? [] : [seat]));
  }

  /** The seats where a person plays now. */
  get people(): number[] {
    return this.own.filter((seat) => this.chairs[seat]?.substitute === null);
  }

  chair(seat: number): Chair {
    return this.chairs[seat] as Chair;
  }

  /** The bot that moves at a seat now, or `null`. */
  bot(seat: number): string | null {
    const chair = this.chair(seat);
    return chair.isBot ? chair.level : chair.substitute;
  }

  get headStart(): number[] {
    return this.chairs.map(({ headStart }) => headStart);
  }

  /** The seat to move if a bot plays there, else `null`. */
  waitsForBot(): number | null {
    if (this.state !== "playing" || this.paused !== null) return null;
    const { round } = this.round();
    return round.end || this.bot(round.turn) === null ? null : round.turn;
  }

  /** Whether the next round must begin by itself because only bots are left. */
  get waitsForNobody(): boolean {
    if (this.state !== "playing" || this.people.length) return false;
    return this.round().round.end !== null && !this.isOver;
  }

  summary(seat: number): SeatSummary {
    const chair = this.chair(seat);
    return {
      kind: chair.isBot ? "bot" : "person",
      name: chair.name,
      bot: chair.level,
      substitute: chair.substitute,
      is_free: chair.name === null,
      is_made_up: chair.name === chair.defaultName || (chair.isBot && isOfCast(chair.name)),
      help: chair.help,
      head_start: chair.headStart,
    };
  }

  // --- Commands: check, and return the event ----------------------------------------------------

  /** Take a free seat; without a *name* the seat's default name is used. */
  takeSeat(name: string | null, wanted: number | null, at: number): LocalEvent {
    this.#mustBe("open");
    const free = this.chairs.flatMap((chair, seat) => (chair.name === null ? [seat] : []));
    const seat = wanted ?? free[0];
    if (seat === undefined) throw new TableRefusal("full", "every seat is taken");
    if (!free.includes(seat)) throw new TableRefusal("taken", `seat ${seat} is not free`);
    const called = name === null ? this.chair(seat).defaultName : cleanName(name);
    const isTaken = this.chairs.some(
      (chair) => chair.name === called && !(chair.isBot && isOfCast(chair.name)),
    );
    if (isTaken) throw new TableRefusal("name_taken", `somebody here is already called ${called}`);
    return { type: "seated", at, seat, name: called };
  }

  start(at: number): LocalEvent {
    this.#mustBe("open");
    if (this.chairs.some(({ name }) => name === null))
      throw new TableRefusal("seats_free", "some seats are still free");
    return { type: "started", at };
  }

  /** Play a move; the kernel is asked by `apply`, so the move is tried there and here at once. */
  move(seat: number, move: string, at: number, byBot = false): LocalEvent {
    this.mustGoOn();
    const { round } = this.round();
    if (round.turn !== seat && !round.end)
      throw new TableRefusal("not_your_turn", "it is not this seat's turn");
    if (byBot !== (this.bot(seat) !== null))
      throw new TableRefusal("not_yours", "a bot plays here; take your seat back first");
    const why = this.running.whyNot(move);
    if (why !== null) throw new TableRefusal(why, `${move}: ${why}`);
    const forPerson = byBot && !this.chair(seat).isBot;
    return { type: "moved", at, seat, move, ...(forPerson ? { by_bot: true } : {}) };
  }

  checkHint(seat: number): void {
    this.mustGoOn();
    if (!this.options.hints) throw new TableRefusal("no_hints", "there are no hints at this table");
    const { round } = this.round();
    if (round.end || round.turn !== seat)
      throw new TableRefusal("not_your_turn", "it is not this seat's turn");
  }

  nextRound(at: number): LocalEvent {
    this.mustGoOn();
    if (!this.round().round.end)
      throw new TableRefusal("round_running", "the round is not over yet");
    return { type: "round", at };
  }

  askUndo(seat: number, at: number): LocalEvent {
    this.mustGoOn();
    if (!this.options.undo)
      throw new TableRefusal("no_undo", "moves cannot be taken back at this table");
    const { round, plies } = this.round();
    if (round.end)
      throw new TableRefusal("revealed", "the tiles of this round were shown; it stays as it is");
    const last = plies.map((ply) => ply.seat).lastIndexOf(seat);
    if (last < 0)
      throw new TableRefusal("nothing_to_undo", "you have no move to take back in this round");
    const moves = plies.length - last;
    if (!this.#mustAgree(seat, moves).length) return { type: "undone", at, moves };
    this.#checkRequest(this.chair(seat));
    return { type: "undo_asked", at, seat, moves };
  }

  #checkRequest(chair: Chair): void {
    if (this.undo)
      throw new TableRefusal("undo_open", "there is a request already; it ends with the next move");
    if (chair.undoAsked === this.ply)
      throw new TableRefusal("undo_wait", "you have asked already; wait for the next move");
    const wait = chair.undoAfter - chair.moves;
    if (wait > 0)
      throw new TableRefusal(
        "undo_wait",
        `the others declined; ${wait} more of your moves and you may ask again`,
      );
  }

  /** The seats that have to agree: people who have played since. */
  #mustAgree(seat: number, moves: number): number[] {
    const moved = this.round()
      .plies.slice(-moves)
      .map((ply) => ply.seat);
    return this.own.filter(
      (other) => other !== seat && !this.chair(other).gaveUp && moved.includes(other),
    );
  }

  answerUndo(seat: number, agree: boolean, at: number): LocalEvent {
    this.mustGoOn();
    const { undo } = this;
    const asked = undo ? this.#mustAgree(undo.seat, undo.moves) : [];
    if (!undo || !asked.includes(seat))
      throw new TableRefusal("nothing_asked", "nobody asks this seat to take a move back");
    const missing = asked.filter((other) => other !== seat && !undo.agreed.has(other));
    if (agree && !missing.length) return { type: "undone", at, moves: undo.moves };
    return { type: "undo_answered", at, seat, agree };
  }

  giveUp(seat: number, at: number): LocalEvent {
    this.#mustBe("playing");
    if (this.chair(seat).gaveUp)
      throw new TableRefusal("gave_up", "this seat has already given up");
    const last = this.people.length === 1 && this.people[0] === seat;
    if (this.chairs.length <= 2 || last) return { type: "gave_up", at, seat };
    if (this.bot(seat) !== null) throw new TableRefusal("bot_plays", "a bot already plays here");
    return { type: "bot_took", at, seat, bot: SUBSTITUTE, reason: "gave_up" };
  }

  comeBack(seat: number, at: number): LocalEvent {
    this.#mustBe("playing");
    if (this.chair(seat).substitute === null)
      throw new TableRefusal("you_play", "no bot plays for this seat");
    return { type: "returned", at, seat };
  }

  pause(seat: number, at: number): LocalEvent {
    this.mustGoOn();
    return { type: "paused", at, seat };
  }

  resume(seat: number, at: number): LocalEvent {
    this.#mustBe("playing");
    if (this.paused === null) throw new TableRefusal("not_paused", "the match is not paused");
    return { type: "resumed", at, seat };
  }

  /** Nobody can be away from the device that the table is in. */
  waitFor(whom: number): never {
    this.#mustBe("playing");
    if (!this.own.includes(whom)) throw new TableRefusal("no_seat", `nobody sits at seat ${whom}`);
    throw new TableRefusal("not_awaited", "this is your own seat");
  }

  endMatch(): never {
    this.#mustBe("playing");
    throw new TableRefusal("nobody_away", "nobody else plays here; give up instead");
  }

  checkRematch(): void {
    if (this.state !== "finished" && this.state !== "closed")
      throw new TableRefusal("not_finished", "the match is not over yet");
    if (this.rematch !== null)
      throw new TableRefusal("rematched", `the rematch is at table ${this.rematch}`);
  }

  #mustBe(state: TableState): void {
    if (this.state === state) return;
    const wrong = { open: "has not begun", playing: "has begun already" };
    const why = this.state in wrong ? wrong[this.state as keyof typeof wrong] : "is over";
    throw new TableRefusal(`is_${this.state}`, `the match ${why}`);
  }

  mustGoOn(): void {
    this.#mustBe("playing");
    if (this.paused !== null)
      throw new TableRefusal("paused", "the match is paused; end the pause first");
  }

  // --- Applying events --------------------------------------------------------------------------

  /** Carry out an event that was checked and stored. */
  apply(event: LocalEvent): void {
    this.version++;
    this.updated = event.at;
    this.movesInARow = event.type === "moved" ? this.movesInARow + 1 : 0;
    switch (event.type) {
      case "moved":
        this.#applyMove(event);
        break;
      case "undo_asked":
      case "undo_answered":
      case "undone":
        this.#applyUndo(event);
        break;
      case "started":
      case "round":
      case "gave_up":
        this.#applyToMatch(event);
        break;
      case "bot_took":
      case "returned":
        this.#changePlayer(event);
        break;
      default:
        this.#applyToTable(event);
    }
  }

  #applyToTable(event: LocalEvent): void {
    if (event.type === "seated") this.#seat(event.seat, event.name);
    else if (event.type === "paused") this.paused = event.seat;
    else if (event.type === "resumed") this.paused = null;
    else if (event.type === "rematched") this.rematch = event.table;
    else if (event.type === "moved_away")
      [this.state, this.closedWhy, this.rematch] = ["closed", "moved", event.table];
    else if (event.type === "closed")
      [this.state, this.closedWhy, this.paused] = ["closed", event.reason, null];
  }

  /** Seat a person; a bot of the cast with the same name takes another one. */
  #seat(seat: number, name: string): void {
    for (const chair of this.chairs)
      if (chair.isBot && isOfCast(chair.name) && chair.name === castMember(name))
        chair.name = freeNames(this.chairs.map((one) => one.name))[0] ?? chair.name;
    this.chair(seat).name = name;
  }

  #changePlayer(event: Extract<LocalEvent, { type: "bot_took" | "returned" }>): void {
    const chair = this.chair(event.seat);
    if (event.type === "bot_took") {
      chair.substitute = event.bot;
      this.undo = null;
      chair.gaveUp ||= event.reason === "gave_up";
    } else {
      chair.substitute = null;
      chair.gaveUp = false;
    }
  }

  #applyMove(event: Extract<LocalEvent, { type: "moved" }>): void {
    const why = this.running.play(event.move);
    if (why !== null) throw new Error(`${event.move}: ${why}`);
    this.#now = null;
    this.byBot.at(-1)?.push(event.by_bot ?? false);
    this.undo = null;
    this.ply = this.version;
    if (!event.by_bot) this.chair(event.seat).moves++;
    if (this.isOver) this.state = "finished";
  }

  #applyUndo(
    event: Extract<LocalEvent, { type: "undo_asked" | "undo_answered" | "undone" }>,
  ): void {
    if (event.type === "undo_asked") {
      const { seat, moves } = event;
      this.undo = { id: this.version, seat, moves, agreed: new Set() };
      this.chair(seat).undoAsked = this.ply;
    } else if (event.type === "undone") {
      this.running.undo(event.moves);
      this.#now = null;
      this.byBot.at(-1)?.splice(-event.moves);
      if (this.undo) this.chair(this.undo.seat).undoRefusals = 0;
      this.undo = null;
      this.ply = this.version;
    } else if (event.agree && this.undo) {
      this.undo.agreed.add(event.seat);
    } else {
      if (this.undo) this.#decline(this.chair(this.undo.seat));
      this.undo = null;
    }
  }

  /** Make a seat wait before it asks again: 1, 2, 4, … moves of its own. */
  #decline(chair: Chair): void {
    chair.undoRefusals++;
    chair.undoAfter = chair.moves + Math.min(2 ** (chair.undoRefusals - 1), LONGEST_WAIT);
  }

  #applyToMatch(event: Extract<LocalEvent, { type: "started" | "round" | "gave_up" }>): void {
    if (event.type === "started") {
      const { seats, rules } = this.options;
      const seeds = seats.map(() => "");
      this.match = KernelMatch.open(this.kernel, rules, seats.length, this.serverSeed, seeds);
      this.byBot = [[]];
      this.state = "playing";
    } else {
      if (event.type === "round" || this.round().round.end) this.#nextRound();
      if (event.type === "gave_up") {
        this.running.abandon(event.seat);
        this.undo = this.paused = null;
      }
    }
    this.#now = null;
    this.ply = this.version;
    if (this.isOver) this.state = "finished";
  }

  #nextRound(): void {
    this.undo = null; // it was about the round before
    this.running.nextRound();
    this.#now = null;
    this.byBot.push([]);
  }
}
