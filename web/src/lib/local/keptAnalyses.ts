/** Analyses that were made in this browser, in a database of their own: they can be made again. */
import type { Analysis } from "../net/types";

const NAME = "triomino-analyses";
const STORE = "analyses";
/** Of what is kept; one in another format is made again. */
const FORMAT = 1;

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, FORMAT);
    request.onupgradeneeded = () => {
      const { result } = request;
      if (result.objectStoreNames.contains(STORE)) result.deleteObjectStore(STORE);
      result.createObjectStore(STORE);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the database failed"));
  });
}

async function run<T>(
  mode: IDBTransactionMode,
  how: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const request = how(database.transaction(STORE, mode).objectStore(STORE));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error("the database failed"));
    });
  } finally {
    database.close();
  }
}

/** The analysis of a match, or `null` if there is none. */
export const keptAnalysis = async (id: string): Promise<Analysis | null> =>
  ((await run("readonly", (store) => store.get(id)).catch(() => null)) as Analysis | null) ?? null;

export async function keepAnalysis(id: string, result: Analysis): Promise<void> {
  await run("readwrite", (store) => store.put(result, id));
}
