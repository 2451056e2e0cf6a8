/** The part of this device in the deal of a table: it commits, checks and reveals by itself. */
import { acknowledgeKey, receiptOf, seeKey, type Doubt } from "../fair/receipts";
import { loadedTakePart, loadTakePart } from "../fair/loadTakePart";
import * as api from "./api";
import type { State } from "./types";

/** What a person should be told about a deal. */
export type DealNews = { kind: "doubt"; doubt: Doubt } | { kind: "dropped" | "wrong" };

type TakePart = typeof import("../fair/takePart");

export class DealPart {
  /** Something is not as it should be. */
  news = $state.raw<DealNews | null>(null);
  /** The server signs with another key than the one this device knew. */
  isKeyNew = $state(false);
  #isDealt = false;
  #steps = Promise.resolve();

  constructor(
    readonly table: string,
    readonly reveal: (seed: string) => void,
  ) {}

  /** A person has read it. */
  dismiss(): void {
    this.news = null;
    if (this.isKeyNew) acknowledgeKey();
    this.isKeyNew = false;
  }

  /** Do what the table waits for, if this device has a seat. */
  follow(state: State): void {
    if (state.fair.algorithm !== "fair/2" || !state.you.length || this.#isDealt) return;
    this.isKeyNew = seeKey(state.fair.public_key ?? "");
    // The commitment comes with the seat.
    if (state.state === "open" && api.isSitting(this.table)) return;
    const isDealt = state.state !== "open" && state.state !== "opening";
    this.#isDealt = isDealt;
    if (isDealt && receiptOf(this.table)?.transcript !== undefined) return;
    // A seed that is waited for goes out before the page is drawn.
    const takePart = loadedTakePart();
    if (state.state === "opening" && takePart) this.#answer(state, takePart);
    // A request that fails is repeated with the next state; the game goes on without.
    else this.#steps = this.#steps.then(() => this.#follow(state)).catch(() => undefined);
  }

  /** Whether the server has the seed of this device. */
  #hasRevealed({ fair }: State): boolean {
    const parts = receiptOf(this.table)?.parts ?? [];
    const isMine = (commitment: string): boolean =>
      parts.some((part) => part.commitment === commitment);
    return fair.devices?.some((one) => one.revealed && isMine(one.commitment)) ?? false;
  }

  /** Reveal the seed, or say why not. */
  #answer(state: State, fair: TakePart): void {
    if (this.#hasRevealed(state)) return;
    const answer = fair.answerOpening(fair.factsOf({ ...state, id: state.table }));
    if (answer && "seed" in answer) this.reveal(answer.seed);
    else if (answer) this.news = { kind: "doubt", doubt: answer.doubt };
  }

  async #follow(state: State): Promise<void> {
    const takePart = await loadTakePart();
    const table = { ...state, id: state.table };
    if (state.state === "open") {
      await api.commit(table);
    } else if (state.state === "opening") {
      this.#answer(state, takePart);
    } else {
      // The first look at the table comes first.
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const found = takePart.keepDeal(takePart.factsOf(table));
      if (found) this.news = { kind: found };
    }
  }
}
