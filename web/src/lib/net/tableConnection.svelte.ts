/** The connection to a table: one socket that reconnects by itself. */
import { holdReload, checkVersion, loadNewer } from "../pageVersion.svelte";
import { registerDevice } from "./api";
import { DealPart } from "./dealPart.svelte";
import { isLocal } from "../local/ids";
import { takeEarlySocket } from "./earlySocket";
import { reportOnline } from "./connectivity.svelte";
import { PROTOCOL } from "./protocolVersion";
import { reduce, type Known, type Pending } from "./reducer";
import { openSocket, type TableSocket } from "./transport";
import type { Command, Hint, ServerMessage, Sign } from "./types";

export interface ShownReaction {
  /** `null` is somebody who watches. */
  seat: number | null;
  sign: string;
  key: number;
}

const ABOUT_A_POSITION: ReadonlySet<string> = new Set<Command["type"]>([
  "next_round",
  "undo",
  "ask_hint",
]);

/** Milliseconds for which a command waits for the connection: later it may not be wanted any more. */
const PATIENCE = 10_000;

export class TableConnection {
  known = $state.raw<Known | null>(null);
  connected = $state(false);
  /** Nothing has been received for a while. */
  lost = $state(false);
  missing = $state(false);
  refusal = $state.raw<{ code: string; detail: string; key: number } | null>(null);
  reactions = $state.raw<ShownReaction[]>([]);
  /** The seats whose reactions are not shown here. */
  muted: ReadonlySet<number> = new Set();
  /** The last hint received. */
  hint = $state.raw<Hint | null>(null);
  /** The version at which this client joined; anything newer has just happened. */
  joinedAt = $state(0);
  /** The table is being set up and dealt by one click, so that nobody has to be waited for. */
  isBeingDealt = $state(false);
  readonly deal: DealPart;

  #socket: TableSocket | null = null;
  #id = 0;
  #secret: string | null = null;
  /** This socket has sent the secret of the device. */
  #identified = false;
  #retryDelay = 150;
  #closed = false;
  /** This socket has not had the answer to its hello yet. */
  #joining = true;
  /** The command that was given last while there was no connection. */
  #unsent: { command: object; at: number } | null = null;
  /** The last message that revealed a seed; if it came too late, the deal says so. */
  #revealId = -1;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #lostTimer: ReturnType<typeof setTimeout> | undefined;
  // Do not reload the page while a move is pending.
  #releaseHold = holdReload(() => !!this.known?.pending);

  constructor(readonly table: string) {
    this.deal = new DealPart(table, (seed) => {
      this.#revealId = ++this.#id;
      this.#send({ type: "reveal", seed, id: this.#revealId });
    });
    addEventListener("online", this.#resume);
    document.addEventListener("visibilitychange", this.#resume);
    this.#lostTimer = setTimeout(() => (this.lost = true), 4000);
    this.#open();
  }

  close(): void {
    this.#closed = true;
    this.#releaseHold();
    removeEventListener("online", this.#resume);
    document.removeEventListener("visibilitychange", this.#resume);
    clearTimeout(this.#retry);
    clearTimeout(this.#lostTimer);
    clearInterval(this.#heartbeat);
    this.#socket?.close();
  }

  #resume = (): void => {
    if (document.visibilityState !== "visible" || this.#closed) return;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#send({ type: "ping", id: 0 });
    else if (this.#socket?.readyState !== WebSocket.CONNECTING) {
      clearTimeout(this.#retry);
      this.#open();
    }
  };

  #open(): void {
    const first = takeEarlySocket(this.table);
    const socket: TableSocket = first?.socket ?? openSocket(this.table);
    const isServed = !isLocal(this.table);
    if (isServed) this.#register();
    this.#socket = socket;
    this.#joining = true;
    const opened = (): void => {
      if (socket !== this.#socket) return;
      // The early socket has sent its own hello.
      if (!first) this.#sendHello();
      if (isServed) reportOnline();
      // A restarted server may serve a newer page.
      if (this.known) void checkVersion();
      clearInterval(this.#heartbeat);
      this.#heartbeat = setInterval(() => this.#send({ type: "ping", id: 0 }), 25_000);
    };
    socket.addEventListener("open", opened);
    socket.onmessage = (event) => {
      if (socket !== this.#socket) return;
      this.#retryDelay = 150;
      this.connected = true;
      this.lost = false;
      clearTimeout(this.#lostTimer);
      this.#lostTimer = undefined;
      this.#receive(JSON.parse(String(event.data)) as ServerMessage, event.timeStamp);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#reconnectLater();
    };
    if (socket.readyState === WebSocket.OPEN) opened();
    for (const event of first?.heard ?? []) socket.onmessage(event);
    if (socket.readyState === WebSocket.CLOSED) this.#reconnectLater();
  }

  /** A known device has its cookie and need not wait for this. */
  #register(): void {
    registerDevice().then(
      ({ secret }) => {
        this.#secret = secret;
        this.#identify();
      },
      () => undefined, // the socket reconnects and tries again
    );
  }

  #reconnectLater(): void {
    this.connected = false;
    clearInterval(this.#heartbeat);
    if (this.#closed || this.missing) return;
    this.#lostTimer ??= setTimeout(() => (this.lost = true), 3000);
    this.#retry = setTimeout(() => this.#open(), this.#retryDelay);
    this.#retryDelay = Math.min(3000, this.#retryDelay * 2);
  }

  #send(message: object): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #sendHello(version: number | null = this.known?.version ?? null): void {
    const secret = this.#secret;
    this.#identified = secret !== null;
    this.#send({ type: "hello", table: this.table, version, secret, protocol: PROTOCOL });
  }

  /** A client without a seat may have connected before it had the cookie: identify it now. */
  #identify(): void {
    const watching = this.known && !this.known.state.you.length;
    if (watching && this.#secret !== null && !this.#identified) this.#sendHello(null);
  }

  #receive(message: ServerMessage, at: number): void {
    if (message.type === "reaction") {
      if (message.seat !== null && this.muted.has(message.seat)) return;
      const shown = { seat: message.seat, sign: message.sign, key: ++this.#id };
      this.reactions = [...this.reactions, shown];
      setTimeout(() => (this.reactions = this.reactions.filter((one) => one !== shown)), 3500);
      return;
    }
    if (message.type === "hint") {
      this.hint = message;
      return;
    }
    if (message.type === "state") this.deal.follow(message);
    if (message.type === "refused" && message.id === this.#revealId) return;
    const step = reduce(this.known, message, at);
    const joined = this.#joining && ["state", "moved", "current"].includes(message.type);
    if (joined) this.#joining = false;
    this.joinedAt ||= step.known?.version ?? 0;
    this.known = step.known;
    this.#identify();
    if (step.resync) this.#sendHello();
    if (step.unplayed && joined) this.#sendMove(step.unplayed.move, step.unplayed.seat);
    if (joined && this.#unsent) {
      const { command, at } = this.#unsent;
      this.#unsent = null;
      if (performance.now() < at + PATIENCE) this.#send(command);
    }
    // The server is newer than this page, or older.
    if (step.refused?.code === "protocol") void loadNewer();
    if (step.refused) {
      if (step.refused.code === "no_table") this.missing = true;
      else if (step.refused.code !== "stale") this.refusal = { ...step.refused, key: ++this.#id };
    }
  }

  /** Play a move: it is shown at once and taken back if the server refuses it. */
  move(move: string, seat: number): void {
    if (!this.known || this.known.pending) return;
    this.refusal = null;
    this.#sendMove(move, seat);
  }

  #sendMove(move: string, seat: number): void {
    if (!this.known?.now) return;
    const { ply } = this.known.now;
    const pending: Pending = { id: ++this.#id, move, seat, ply };
    this.known = { ...this.known, pending };
    this.#send({ type: "move", move, seat, ply, id: pending.id });
  }

  /** Send any command other than a move. */
  send(command: Command): void {
    if (!this.known) return;
    this.refusal = null;
    const about = ABOUT_A_POSITION.has(command.type) ? { ply: this.known.now?.ply ?? 0 } : {};
    const message = { ...command, ...about, id: ++this.#id };
    if (!this.#send(message)) this.#unsent = { command: message, at: performance.now() };
  }

  react(sign: Sign, seat: number | null): void {
    this.#send({ type: "react", sign, seat });
  }
}
