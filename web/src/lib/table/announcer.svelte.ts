/** What a turn is in words: said once to those who listen, and again when asked for. */
import { untrack } from "svelte";
import type { TurnInfo } from "../net/types";
import { plySentence } from "./phrases";
import { t } from "../words";
import type { Hand } from "./hand.svelte";

export class Announcer {
  readonly hand: Hand;
  text = $state("");
  #last = "";
  #version = 0;
  #round = 0;
  #turns = 0;

  /** Listens to a table; *onturns* hears of every turn that was not seen before. */
  constructor(hand: Hand, onturns: (turns: TurnInfo[]) => void) {
    this.hand = hand;
    $effect(() => {
      const { known } = hand.match;
      if (!known || known.pending || known.version === this.#version) return;
      const first = this.#version === 0;
      this.#version = known.version;
      untrack(() => {
        const news = this.#news();
        if (!first && news.length) onturns(news);
        this.#tell(first ? [] : news);
      });
    });
  }

  /** Say something of its own. */
  say(text: string): void {
    // The same words twice are heard twice only if they differ.
    this.text = text === this.text ? `${text}\u00a0` : text;
  }

  repeat(): void {
    this.say(this.#last);
  }

  /** The turns since the last time. */
  #news(): TurnInfo[] {
    const { turns, table } = this.hand.match;
    const round = table?.round?.number ?? 0;
    const from = round === this.#round ? this.#turns : 0;
    this.#round = round;
    this.#turns = turns.length;
    return turns.slice(from);
  }

  #tell(news: TurnInfo[]): void {
    const { hand } = this;
    const parts = news.map((turn) => plySentence(turn, hand.match.name(turn.seat)));
    if (hand.mine) parts.push(t("said.yourTurn"), hand.status);
    if (!parts.length) return;
    this.#last = parts.join(" ");
    this.say(this.#last);
  }
}
