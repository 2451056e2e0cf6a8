/** Requests of the host's page; each carries the host's key in a header of its own. */
import { request } from "./api";
import type { HostOverview, NewBan } from "./types";

export class Host {
  constructor(readonly key: string) {}

  #ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    return request<T>(method, `/api/host${path}`, body, { "x-host-key": this.key });
  }

  overview = (): Promise<HostOverview> => this.#ask("GET", "");
  close = (table: string): Promise<void> =>
    this.#ask("POST", `/tables/${encodeURIComponent(table)}/close`);
  removeSeatName = (table: string, seat: number): Promise<void> =>
    this.#ask("DELETE", `/tables/${encodeURIComponent(table)}/seats/${String(seat)}/name`);
  removeName = (person: string): Promise<void> => this.#ask("DELETE", `/people/${person}/name`);
  handled = (report: string): Promise<void> => this.#ask("POST", `/reports/${report}/handled`);
  ban = (ban: NewBan): Promise<void> => this.#ask("POST", "/bans", ban);
  lift = (kind: string, subject: string): Promise<void> =>
    this.#ask("DELETE", `/bans/${kind}/${subject}`);
}
