/**
 * Pads on this device, in IndexedDB: on disk before a tap is answered for, over plain http too.
 *
 * A pad is written only on top of the version one has read; of two windows, one wins and the other
 * is given what is there.
 */
import type { Act } from "./pad";
import type { Draft } from "./draft";

export interface Live {
  id: string;
  /** Whoever has it may write. */
  secret: string;
  /** How many acts the server has. */
  sent: number;
}

export interface Kept {
  id: string;
  version: number;
  log: Act[];
  draft: Draft | null;
  created: number;
  updated: number;
  isOver: boolean;
  live: Live | null;
}

const NAME = "triomino-pads";
const STORE = "pads";

function asked<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error ?? new Error(NAME));
  });
}

let opened: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  opened ??= (async () => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
    const database = await asked(request);
    // Another window may want a newer version one day: do not stand in its way.
    database.onversionchange = () => database.close();
    database.onclose = () => (opened = null);
    return database;
  })();
  opened.catch(() => (opened = null));
  return opened;
}

export async function list(): Promise<Kept[]> {
  const store = (await open()).transaction(STORE).objectStore(STORE);
  const found = await asked(store.getAll() as IDBRequest<Kept[]>);
  return found.sort((a, b) => b.updated - a.updated);
}

export async function load(id: string): Promise<Kept | null> {
  const store = (await open()).transaction(STORE).objectStore(STORE);
  return (await asked(store.get(id) as IDBRequest<Kept | undefined>)) ?? null;
}

/** Write a pad durably; what comes back is what is there now, which may be another window's. */
export async function save(pad: Kept): Promise<Kept> {
  const transaction = (await open()).transaction(STORE, "readwrite", { durability: "strict" });
  const store = transaction.objectStore(STORE);
  const there = await asked(store.get(pad.id) as IDBRequest<Kept | undefined>);
  if (there && there.version !== pad.version) return there;
  const next = { ...pad, version: pad.version + 1 };
  const finished = new Promise<void>((done, fail) => {
    transaction.oncomplete = () => done();
    transaction.onerror = transaction.onabort = () => fail(transaction.error ?? new Error(NAME));
  });
  store.put(next);
  await finished;
  return next;
}

export async function remove(id: string): Promise<void> {
  const transaction = (await open()).transaction(STORE, "readwrite");
  await asked(transaction.objectStore(STORE).delete(id));
}

/** A name that nothing else has; `crypto.randomUUID` is not there over plain http. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
