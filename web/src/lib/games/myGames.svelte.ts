/** The tables that this device has sat at, as the server knows them. */
import { untrack } from "svelte";
import * as api from "../net/api";
import { onReconnect } from "../net/connectivity.svelte";
import type { TableSummary } from "../net/types";
import { forgetTable, settings } from "../settings.svelte";

const EVERY = 15_000;

export class MyGames {
  tables = $state.raw<TableSummary[]>([]);
  /** Tables of others with a free seat. */
  lobby = $state.raw<TableSummary[]>([]);
  loaded = $state(false);

  /** Open or running, those where it is one's turn first. */
  running = $derived.by(() =>
    this.tables
      .filter(({ state }) => state !== "finished" && state !== "closed")
      .sort((a, b) => Number(isMyTurn(b)) - Number(isMyTurn(a)) || b.updated - a.updated),
  );
  finished = $derived.by(() => this.tables.filter(({ state }) => state === "finished"));

  /** Load now and from time to time while the page is seen; returns a function that stops it. */
  follow(): () => void {
    // What it loads must not make the effect that calls this run again.
    untrack(() => void this.load());
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void this.load();
    }, EVERY);
    const stop = onReconnect(() => void this.load());
    return () => {
      clearInterval(timer);
      stop();
    };
  }

  async load(): Promise<void> {
    const [found, lobby] = await Promise.all([
      Promise.all(settings.tables.map((id) => this.#over(id) ?? look(id))),
      api.lobby().catch(() => []),
    ]);
    this.tables = found.filter((table) => table !== null);
    this.lobby = lobby.filter((table) => !table.you?.length);
    this.loaded = true;
  }

  /** A match that is over does not change any more. */
  #over(id: string): TableSummary | undefined {
    return this.finished.find((table) => table.id === id);
  }
}

/** Whether a seat of this device is to move. */
export function isMyTurn({ standing, you = [] }: TableSummary): boolean {
  return standing?.turn != null && you.includes(standing.turn);
}

async function look(id: string): Promise<TableSummary | null> {
  try {
    return await api.look(id);
  } catch (error) {
    // Forget tables that the server no longer has.
    if ((error as api.Refusal).code === "no_table") forgetTable(id);
    return null;
  }
}
