/** A game with one click. */
import type { CastName } from "../seatNames";
import { rememberTable, settings } from "../settings.svelte";
import * as api from "./api";
import type { Json } from "./types";

/** Start a game against a bot of the current level; returns the path of its table.
 *
 * Without an *opponent* the server chooses who of the cast it is.
 */
export async function startQuickGame(
  rules: Json,
  opponent: CastName | null = null,
): Promise<string> {
  const table = await api.create({
    seats: [{ kind: "link" }, { kind: "bot", bot: settings.level, name: opponent }],
    rules,
    pace: settings.pace,
  });
  await api.sit(table, settings.name || null, 0);
  await api.start(table.id);
  rememberTable(table.id);
  return `/t/${table.id}`;
}
