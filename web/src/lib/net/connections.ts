/** Connections to tables, some of which are made before the page of their table is shown. */
import { TableConnection } from "./tableConnection.svelte";

let early: TableConnection | null = null;

/** Milliseconds after which a table that is not dealt yet is shown as one that waits. */
const DEAL_TIME = 3000;

/** Connect to a table that is dealt at once, and whose page will be shown soon. */
export function connectEarly(table: string): TableConnection {
  dropEarly();
  const connection = new TableConnection(table);
  connection.isBeingDealt = true;
  setTimeout(() => (connection.isBeingDealt = false), DEAL_TIME);
  return (early = connection);
}

/** Close an early connection: the page of its table will not be shown. */
function dropEarly(): void {
  early?.close();
  early = null;
}

/** A connection to a table: the early one if there is one, and otherwise a new one. */
export function connectionTo(table: string): TableConnection {
  const taken = early;
  if (taken?.table !== table) {
    dropEarly();
    return new TableConnection(table);
  }
  early = null;
  // Whoever sees the table only now has not seen what happened before.
  taken.joinedAt = taken.known?.version ?? 0;
  return taken;
}
