/** A game with one click. */
import { rememberTable, settings } from "../settings.svelte";
import * as api from "./api";
import type { Json } from "./types";

/** Start a game against a bot of the current level; returns the path of its table. */
export async function startQuickGame(rules: Json): Promise<string> {
  const table = await api.create({
    seats: [{ kind: "link" }, { kind: "bot", bot: settings.level }],
    rules,
  });
  await api.sit(table, settings.name || null, 0);
  await api.start(table.id);
  rememberTable(table.id);
  return `/t/${table.id}`;
}
