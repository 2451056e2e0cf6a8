/** A club evening as this device sees it, kept up to date. */
import { registerDevice, request } from "../net/api";
import type { ClubMade, ClubOptions, ClubRequest, ClubState, ClubTable } from "../net/types";
import { watchSocket } from "../net/watchSocket";
import { shownName } from "../seatNames";
import { type LazyText, refusalText } from "../words";

export type Act = ClubRequest["act"];

const KEY = "triomino.club.";

/** The secret that makes this browser the host of an evening. */
const secretOf = (club: string): string | null => localStorage.getItem(KEY + club);
export const keepSecret = (club: string, secret: string): void =>
  localStorage.setItem(KEY + club, secret);

const url = (club: string): string => `/api/clubs/${encodeURIComponent(club)}`;

/** Open an evening whose host is this browser; returns its path. */
export async function openEvening(options: ClubOptions): Promise<string> {
  const made = await request<ClubMade>("POST", "/api/clubs", options);
  keepSecret(made.club, made.secret);
  return made.path;
}

/** An evening once, as this device may see it. */
export function lookAt(club: string): Promise<ClubState> {
  const secret = secretOf(club);
  return request("GET", url(club), undefined, secret === null ? {} : { "x-club-host": secret });
}

export class Evening {
  state = $state.raw<ClubState | null>(null);
  missing = $state(false);
  lost = $state(false);
  busy = $state(false);
  problem = $state.raw<LazyText | null>(null);

  constructor(readonly id: string) {}

  /** The secret of the host, if this browser has it. */
  get secret(): string | null {
    return secretOf(this.id);
  }

  /** Follow what happens until the returned function is called. */
  follow(): () => void {
    return watchSocket(`/ws/clubs/${encodeURIComponent(this.id)}`, {
      onmessage: () => void this.look(),
      onmissing: () => (this.missing = true),
      onlost: () => (this.lost = true),
    });
  }

  private async look(): Promise<void> {
    try {
      this.take(await lookAt(this.id));
      this.lost = false;
    } catch {
      this.lost = true;
    }
  }

  /** Answers may overtake each other; the newest counts. */
  private take(state: ClubState): void {
    if (this.state && state.version < this.state.version) return;
    const players = state.players.map((player) => ({ ...player, name: shownName(player.name) }));
    this.state = { ...state, players };
  }

  /** Do something; returns whether it was done. */
  async act(act: Act): Promise<boolean> {
    this.busy = true;
    this.problem = null;
    try {
      if (act.type === "join") await registerDevice();
      const body: ClubRequest = { act, secret: this.secret };
      this.take(await request<ClubState>("POST", `${url(this.id)}/acts`, body));
      return true;
    } catch (error) {
      this.problem = refusalText(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  name(player: number): string {
    return this.state?.players[player]?.name ?? "";
  }

  names(players: readonly number[]): string[] {
    return players.map((player) => this.name(player));
  }

  /** The table where this device plays now, with its number from 1. */
  get own(): { table: ClubTable; number: number } | null {
    const { you, rounds } = this.state ?? {};
    const tables = rounds?.at(-1)?.tables ?? [];
    const at = tables.findIndex(({ players }) => players.includes(you ?? -1));
    const table = tables[at];
    return table && table.totals === null ? { table, number: at + 1 } : null;
  }
}
