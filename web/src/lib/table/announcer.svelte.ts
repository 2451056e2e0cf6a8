/** Announces turns to screen readers, and repeats the last announcement on request. */
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

  /** Follow a table; *onturns* is called with the turns that are new. */
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

  /** Announce a text. */
  say(text: string): void {
    // Screen readers repeat a text only if it differs.
    this.text = text === this.text ? `${text}\u00a0` : text;
  }

  repeat(): void {
    this.say(this.#last);
  }

  /** The turns since the last call. */
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
    // Without help the status says no more than whose turn it is.
    this.#last = [...new Set(parts)].join(" ");
    this.say(this.#last);
  }
}
