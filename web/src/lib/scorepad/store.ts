/**
 * Pads on this device, in IndexedDB, which works over plain http, too. Notes left by a closed tab
 * are recovered when a pad is read.
 *
 * A pad is saved only over the version that was read. Of two windows, the second is given what
 * is stored, and merges its own lines onto it.
 */
import { randomHex } from "../randomHex";
import type { Draft } from "./draft";
import { readNotes, removeNote, removeReadNote } from "./writeAhead";
import { logFrom1 } from "./legacy";
import { PadError, sheetOf, type Act } from "./pad";

export interface LiveSheet {
  id: string;
  /** Whoever has the secret may write. */
  secret: string;
  /** How many acts the server has received. */
  sent: number;
}

export interface StoredPad {
  id: string;
  version: number;
  log: Act[];
  draft: Draft | null;
  created: number;
  updated: number;
  isOver: boolean;
  live: LiveSheet | null;
}

const NAME = "triomino-pads";
const STORE = "pads";
/** Version 1 stored the rules as an edition of its time and the differences from it. */
const VERSION = 2;

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error ?? new Error(NAME));
  });
}

let opening: Promise<IDBDatabase> | null = null;

function openDatabase(): Promise<IDBDatabase> {
  opening ??= (async () => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = ({ oldVersion }) => {
      if (oldVersion < 1) request.result.createObjectStore(STORE, { keyPath: "id" });
      else if (request.transaction) upgrade(request.transaction.objectStore(STORE));
    };
    const database = await resultOf(request);
    // Do not block another window that upgrades the database.
    database.onversionchange = () => database.close();
    database.onclose = () => (opening = null);
    return database;
  })();
  opening.catch(() => (opening = null));
  return opening;
}

/** Convert every pad of version 1 to version 2. */
function upgrade(store: IDBObjectStore): void {
  const request = store.openCursor();
  request.onsuccess = () => {
    const cursor = request.result;
    if (!cursor) return;
    const pad = cursor.value as StoredPad;
    cursor.update({ ...pad, log: logFrom1(pad.log) });
    cursor.continue();
  };
}

export async function list(): Promise<StoredPad[]> {
  await recoverNotes();
  const store = (await openDatabase()).transaction(STORE).objectStore(STORE);
  const found = await resultOf(store.getAll() as IDBRequest<StoredPad[]>);
  return found.sort((a, b) => b.updated - a.updated);
}

/** The stored pad, without recovering notes. */
export async function find(id: string): Promise<StoredPad | null> {
  const store = (await openDatabase()).transaction(STORE).objectStore(STORE);
  return (await resultOf(store.get(id) as IDBRequest<StoredPad | undefined>)) ?? null;
}

export async function load(id: string): Promise<StoredPad | null> {
  await recoverNotes(id);
  return find(id);
}

/** Save what a closed tab had no time to save; it may have been a page of version 1. */
async function recoverNotes(id?: string): Promise<void> {
  for (const note of readNotes(id)) {
    const pad = { ...note.pad, log: logFrom1(note.pad.log) };
    try {
      for (;;) {
        const there = await find(pad.id);
        if (!there || (await save(mergeOnto(there, pad))).isMine) break;
      }
    } catch (error) {
      if (!(error instanceof PadError)) throw error;
    }
    removeReadNote(note);
  }
}

/** Merge the acts of *own* onto the stored pad; the acts at the start that both share count once.
 *
 * Throws `PadError` if they make no sense there.
 */
export function mergeOnto(there: StoredPad, own: StoredPad): StoredPad {
  const isSame = (act: Act, index: number): boolean =>
    JSON.stringify(act) === JSON.stringify(there.log[index]);
  const differs = own.log.findIndex((act, index) => !isSame(act, index));
  const rest = differs < 0 ? [] : own.log.slice(differs);
  const log = [...there.log, ...rest];
  return {
    ...there,
    log,
    draft: own.draft ?? there.draft,
    updated: Math.max(there.updated, own.updated),
    isOver: sheetOf(log).ledger.isOver,
    live: (there.live?.sent ?? -1) < (own.live?.sent ?? -1) ? own.live : there.live,
  };
}

/** Save a pad durably, unless another window has saved it; returns what is stored now. */
export async function save(pad: StoredPad): Promise<{ there: StoredPad; isMine: boolean }> {
  const transaction = (await openDatabase()).transaction(STORE, "readwrite", {
    durability: "strict",
  });
  const store = transaction.objectStore(STORE);
  const there = await resultOf(store.get(pad.id) as IDBRequest<StoredPad | undefined>);
  if (there && there.version !== pad.version) return { there, isMine: false };
  const next = { ...pad, version: pad.version + 1 };
  const finished = new Promise<void>((done, fail) => {
    transaction.oncomplete = () => done();
    transaction.onerror = transaction.onabort = () => fail(transaction.error ?? new Error(NAME));
  });
  store.put(next);
  await finished;
  return { there: next, isMine: true };
}

export async function remove(id: string): Promise<void> {
  const transaction = (await openDatabase()).transaction(STORE, "readwrite");
  await resultOf(transaction.objectStore(STORE).delete(id));
  for (const { key } of readNotes(id)) removeNote(key);
}

/** An id that no other pad has. */
export const newId = (): string => randomHex(12);
