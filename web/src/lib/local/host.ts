/**
 * The tables of this browser, in a Worker: opens them from the store, answers the page, lets bots
 * move. Another tab may have the same table open; of two events with one version the first counts.
 */
import type { Kernel } from "../kernel/kernel";
import type {
  ArrivedTable,
  ArrivingTable,
  ClientMessage,
  RematchOptions,
  ServerMessage,
  TableOptions,
  TableSummary,
} from "../net/types";
import { arrivalOf, handOver } from "./arrival";
import { TableRefusal, type Created, type LocalEvent } from "./events";
import { newLocalId } from "./ids";
import { checkOptions, nameBots, rematchOptions } from "./options";
import { LocalSession } from "./session";
import { recordOf, stateOf, summaryOf } from "./snapshot";
import { Conflict, type TableStore } from "./store";
import { LocalTable } from "./table";

/** How long a bot takes for a move, in milliseconds: as on the server. */
const PACES = { calm: 1500, quick: 600, at_once: 240 } as const;

export type Listener = (message: ServerMessage) => void;

interface Opened {
  session: LocalSession;
  listeners: Set<Listener>;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Changes follow one another. */
  queue: Promise<unknown>;
}

const randomHex = (bytes: number): string =>
  [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");

export class LocalHost {
  #opened = new Map<string, Promise<Opened>>();

  constructor(
    private readonly kernel: Kernel,
    private readonly store: TableStore,
    /** Tell other tabs that a table changed. */
    private readonly announce: (table: string) => void,
    private readonly now: () => number = Date.now,
    /** Hand a match over to the server. */
    private readonly arrive: (table: ArrivingTable) => Promise<ArrivedTable> = handOver,
  ) {}

  // --- Setting up -------------------------------------------------------------------------------

  /** Set up a table; whoever is no bot sits here. */
  async create(given: TableOptions): Promise<TableSummary> {
    const checked = nameBots(checkOptions(given, this.kernel), Math.random);
    return this.#begin(checkOptions(checked, this.kernel));
  }

  /** Another match of the same people, at a new table. */
  async rematch(id: string, changes: RematchOptions): Promise<TableSummary> {
    return this.#change(id, async (opened) => {
      const { table } = opened.session;
      table.checkRematch();
      const names = table.chairs.map(({ name }) => name);
      const next = await this.#begin(
        rematchOptions(table.options, changes, names, this.kernel),
        names,
      );
      this.#tell(
        opened,
        await opened.session.change({ type: "rematched", at: this.now(), table: next.id }),
      );
      return next;
    });
  }

  async #begin(options: Created["options"], names?: (string | null)[]): Promise<TableSummary> {
    const id = newLocalId(randomHex(6));
    const created: Created = {
      type: "created",
      at: this.now(),
      options,
      server_seed: randomHex(32),
      ...(names ? { names } : {}),
    };
    await this.store.append(id, 1, created);
    return this.look(id);
  }

  /**
   * Move a match to the server, which plays it on; from then on this table only leads there. Until
   * the server has it and that is stored here, the match goes on here: one side owns it at a time.
   */
  moveAway(id: string, friend: number | null, name: string): Promise<ArrivedTable> {
    return this.#change(id, async (opened) => {
      const { session } = opened;
      const arrived = await this.arrive(arrivalOf(session.table, friend, name));
      const event = { type: "moved_away", at: this.now(), table: arrived.id } as const;
      this.#tell(opened, await session.change(event));
      this.announce(id);
      return arrived;
    });
  }

  /** Take a free seat. */
  async sit(id: string, name: string | null, seat: number | null): Promise<void> {
    await this.#command(id, (table) => table.takeSeat(name, seat, this.now()));
  }

  /** Deal the first round. */
  async start(id: string): Promise<void> {
    await this.#command(id, (table) => table.start(this.now()));
  }

  #command(id: string, check: (table: LocalTable) => LocalEvent): Promise<void> {
    return this.#change(id, async (opened) => {
      this.#tell(opened, await opened.session.change(check(opened.session.table)));
      this.announce(id);
    });
  }

  // --- Questions --------------------------------------------------------------------------------

  async look(id: string): Promise<TableSummary> {
    return summaryOf((await this.#open(id)).session.table);
  }

  async record(id: string): Promise<unknown> {
    const { table } = (await this.#open(id)).session;
    if (!table.isOver && table.state !== "closed")
      throw new TableRefusal("not_finished", "the match is not over yet");
    return recordOf(table);
  }

  // --- The page at a table ----------------------------------------------------------------------

  async listen(id: string, listener: Listener): Promise<void> {
    const opened = await this.#open(id);
    opened.listeners.add(listener);
    this.#schedule(opened);
  }

  async leave(id: string, listener: Listener): Promise<void> {
    const opened = await this.#opened.get(id);
    if (!opened) return;
    opened.listeners.delete(listener);
    if (opened.listeners.size) return;
    clearTimeout(opened.timer);
    this.#opened.delete(id);
    await opened.queue;
    opened.session.table.close();
  }

  async receive(id: string, message: ClientMessage, listener: Listener): Promise<void> {
    await this.#change(id, async (opened) => {
      const { table } = opened.session;
      const before = table.version;
      for (const answer of await opened.session.handle(message)) {
        const forAll =
          answer.type === "moved" || answer.type === "state" || answer.type === "reaction";
        if (forAll && (table.version !== before || answer.type === "reaction"))
          this.#tell(opened, answer);
        else listener(answer);
      }
      if (table.version !== before) this.announce(id);
    });
  }

  /** Another tab has changed a table. */
  async changedElsewhere(id: string): Promise<void> {
    const opened = await this.#opened.get(id);
    if (opened && (await this.store.version(id)) !== opened.session.table.version)
      await this.#change(id, (same) => this.#reload(id, same));
  }

  // --- One change after the other ---------------------------------------------------------------

  async #change<T>(id: string, work: (opened: Opened) => Promise<T>): Promise<T> {
    const opened = await this.#open(id);
    const turn = opened.queue.then(async () => {
      try {
        return await work(opened);
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        await this.#reload(id, opened);
        throw new TableRefusal("stale", "the table has changed since; catch up first");
      }
    });
    opened.queue = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#schedule(opened);
    }
  }

  #open(id: string): Promise<Opened> {
    let found = this.#opened.get(id);
    if (!found) {
      found = this.#load(id);
      this.#opened.set(id, found);
      found.catch(() => this.#opened.delete(id));
    }
    return found;
  }

  async #load(id: string): Promise<Opened> {
    const session = await this.#session(id);
    return { session, listeners: new Set(), timer: undefined, queue: Promise.resolve() };
  }

  async #session(id: string): Promise<LocalSession> {
    const events = await this.store.load(id);
    if (!events.length) throw new TableRefusal("no_table", "there is no such table");
    const table = LocalTable.load(id, events, this.kernel);
    const keep = (event: LocalEvent, version: number) => this.store.append(id, version, event);
    return new LocalSession(this.kernel, table, keep, this.now);
  }

  async #reload(id: string, opened: Opened): Promise<void> {
    const before = opened.session;
    opened.session = await this.#session(id);
    before.table.close();
    this.#tell(opened, stateOf(opened.session.table));
  }

  #tell(opened: Opened, message: ServerMessage): void {
    for (const listener of opened.listeners) listener(message);
  }

  // --- Bots -------------------------------------------------------------------------------------

  /** Let the bot that is to move do so in its time, while somebody looks on. */
  #schedule(opened: Opened): void {
    clearTimeout(opened.timer);
    const { table } = opened.session;
    const isDue = table.waitsForBot() !== null || table.waitsForNobody;
    if (!opened.listeners.size || !isDue) return;
    opened.timer = setTimeout(() => void this.#moveBot(opened), PACES[table.options.pace]);
  }

  async #moveBot(opened: Opened): Promise<void> {
    const { id } = opened.session.table;
    await this.#change(id, async (same) => {
      const { session } = same;
      const seat = session.table.waitsForBot();
      if (seat === null && !session.table.waitsForNobody) return;
      this.#tell(same, await session.playBot(seat === null ? null : session.chooseForBot()));
      this.announce(id);
    }).catch((error: unknown) => {
      if (!(error instanceof TableRefusal)) throw error;
    });
  }
}
