/** Games with one click: against a bot, or with a friend who gets a link. */
import { isLocal } from "../local/ids";
import type { CastName } from "../seatNames";
import { rememberTable, saveSettings, settings } from "../settings.svelte";
import * as api from "./api";
import type { Json, TableOptions, TableSummary } from "./types";

/** The rules of the game that is played with one click. */
export function quickRules(): Json {
  if (!settings.points) return { edition: "casual" };
  return { edition: "classic", ...(settings.target ? { target: settings.target } : {}) };
}

/** Start a game against a bot of the current level; returns the path of its table.
 *
 * Without an *opponent* the server chooses who of the cast it is.
 */
export async function startQuickGame(
  rules: Json,
  opponent: CastName | null = null,
): Promise<string> {
  const table = await createWhere({
    seats: [{ kind: "link" }, { kind: "bot", bot: settings.level, name: opponent }],
    rules,
    pace: settings.pace,
  });
  const sit = (): Promise<void> => api.sit(table, settings.name || null, 0, true);
  if (isLocal(table.id)) await sit();
  else {
    // While this device sits down it connects, and its page is drawn. The connection reveals the
    // seed; if something is amiss, the page says what the table waits for.
    const { connectEarly } = await import("./connections");
    const connection = connectEarly(table.id);
    sit().catch(() => (connection.isBeingDealt = false));
  }
  rememberTable(table.id);
  return `/t/${table.id}`;
}

/** Set up a table where this device wants to play; here, if there is no other way. */
async function createWhere(options: TableOptions): Promise<TableSummary> {
  if (playsHere()) {
    try {
      return await api.createHere(options);
    } catch (error) {
      // An old browser, or one without storage.
      if (!api.hasServer || (error as api.Refusal).code !== "unavailable") throw error;
    }
  }
  return api.create(options);
}

/** Whether a game with one click lives in this browser. */
export const playsHere = (): boolean => !api.hasServer || settings.where === "here";

/** Set up a table for two by the rules used last; returns its path, where the link is shown.
 *
 * While nobody has taken the free seat of the last one, the invitation stays the same.
 */
export async function inviteFriend(): Promise<string> {
  const open = settings.invitation && (await api.look(settings.invitation).catch(() => null));
  if (open && open.state === "open" && open.you?.length && open.seats.some((seat) => seat.is_free))
    return `/t/${open.id}`;
  const table = await createForTwo();
  await api.sit(table, settings.name || null, 0);
  settings.invitation = table.id;
  rememberTable(table.id);
  return `/t/${table.id}`;
}

async function createForTwo(): Promise<TableSummary> {
  const create = (rules: Json): Promise<TableSummary> =>
    api.create({ seats: [{ kind: "link" }, { kind: "link" }], rules, pace: settings.pace });
  const classic = { edition: "classic" };
  try {
    return await create(settings.rules ?? classic);
  } catch (error) {
    // House rules for more players, or of another version of the game.
    if (!settings.rules || (error as api.Refusal).code !== "wrong") throw error;
    settings.rules = null;
    saveSettings();
    return create(classic);
  }
}
