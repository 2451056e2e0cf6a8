/** The events of local tables in IndexedDB. What is stored is the table; all else is computed. */
import type { LocalEvent } from "./events";

const NAME = "triomino-tables";
const EVENTS = "events";

interface Row {
  table: string;
  version: number;
  event: LocalEvent;
}

/** Another tab wrote this version first. */
export class Conflict extends Error {}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the database failed"));
  });

export class TableStore {
  private constructor(private readonly database: IDBDatabase) {}

  static async open(): Promise<TableStore> {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore(EVENTS, { keyPath: ["table", "version"] });
    return new TableStore(await done(request));
  }

  /** Append an event; throws {@link Conflict} if its version is taken. Resolves once it is on disk. */
  append(table: string, version: number, event: LocalEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      const change = this.database.transaction(EVENTS, "readwrite", { durability: "strict" });
      const row: Row = { table, version, event };
      const request = change.objectStore(EVENTS).add(row);
      change.oncomplete = () => resolve();
      change.onabort = () =>
        reject(
          request.error?.name === "ConstraintError"
            ? new Conflict()
            : (change.error ?? new Error()),
        );
    });
  }

  /** All events of a table, in order; none if there is no such table. */
  async load(table: string): Promise<LocalEvent[]> {
    const rows = this.database.transaction(EVENTS).objectStore(EVENTS);
    const range = IDBKeyRange.bound([table, 0], [table, Infinity]);
    return ((await done(rows.getAll(range))) as Row[]).map(({ event }) => event);
  }

  /** The number of the last event of a table. */
  async version(table: string): Promise<number> {
    const rows = this.database.transaction(EVENTS).objectStore(EVENTS);
    return done(rows.count(IDBKeyRange.bound([table, 0], [table, Infinity])));
  }

  async remove(table: string): Promise<void> {
    const change = this.database.transaction(EVENTS, "readwrite");
    const range = IDBKeyRange.bound([table, 0], [table, Infinity]);
    await done(change.objectStore(EVENTS).delete(range));
  }
}
