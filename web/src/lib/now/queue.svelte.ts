/** A place in the queue of those who want to play now; it comes back by itself. */
import { registerDevice } from "../net/api";
import { socketUrl } from "../net/earlySocket";
import { Refusal } from "../net/refusal";
import type { JoinQueue, QueueLeft, QueueRefused, QueueState, QueueTable } from "../net/types";
import { type LazyText, refusalText, t } from "../words";

type News = QueueState | QueueTable | QueueLeft | QueueRefused;

/** What somebody wants to play. */
export interface Wish {
  edition: string;
  players: number;
}

const BEAT = 5000;
const AGAIN = 1000;
const CLOSED_HOUSE = 4404;

export class Queue {
  /** How the waiting goes; `null` while there is no place. */
  state = $state.raw<QueueState | null>(null);
  /** When the waiting began, on the clock of `performance.now()`. */
  since = $state(0);
  lost = $state(false);
  problem = $state.raw<LazyText | null>(null);
  /** Whether this page asked for bots. */
  asked = $state(false);
  waiting = $state(false);
  #socket: WebSocket | null = null;
  #again: ReturnType<typeof setTimeout> | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  #join: JoinQueue | null = null;

  constructor(readonly ontable: (table: string, isRunning: boolean) => void) {}

  /** Take a place. */
  async join(wish: Wish, name: string): Promise<void> {
    this.#join = { type: "join", ...wish, name: name.trim() || null };
    this.problem = null;
    this.waiting = true;
    this.asked = false;
    try {
      await registerDevice();
    } catch (error) {
      this.#stop(refusalText(error));
      return;
    }
    this.#open();
  }

  takeBots(): void {
    this.asked = true;
    this.#say({ type: "bots" });
  }

  /** Give the place up. */
  leave(): void {
    this.#say({ type: "leave" });
    this.#stop(null);
  }

  /** The page goes; another one of the same person may still wait. */
  close(): void {
    this.#stop(null);
  }

  #say(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #open(): void {
    const socket = new WebSocket(socketUrl("/ws/queue"));
    this.#socket = socket;
    socket.onopen = () => this.#say(this.#join ?? { type: "ping" });
    socket.onmessage = (event) => this.#receive(JSON.parse(String(event.data)) as News);
    socket.onclose = (event) => {
      if (this.#socket !== socket) return;
      if (event.code === CLOSED_HOUSE) {
        this.#stop(() => t("now.closed"));
        return;
      }
      this.lost = true;
      this.#again = setTimeout(() => this.#open(), AGAIN);
    };
    clearInterval(this.#beat);
    this.#beat = setInterval(() => this.#say({ type: "ping" }), BEAT);
  }

  #receive(news: News): void {
    this.lost = false;
    if (news.type === "waiting") {
      if (!this.state) this.since = performance.now() - 1000 * news.waited;
      this.state = news;
    } else if (news.type === "table") {
      this.#stop(null);
      this.ontable(news.table, news.is_running ?? false);
    } else if (news.type === "left") this.#stop(null);
    else if (news.code === "not_yet" || news.code === "not_waiting") this.asked = false;
    else this.#stop(refusalText(new Refusal(news.code, news.detail)));
  }

  #stop(problem: LazyText | null): void {
    this.waiting = false;
    this.state = null;
    this.lost = false;
    this.problem = problem;
    clearTimeout(this.#again);
    clearInterval(this.#beat);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }
}
