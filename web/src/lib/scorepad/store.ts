/**
 * Pads on this device, in IndexedDB, over plain http too; what a tap left in the journal is taken in
 * when a pad is read.
 *
 * A pad is written only on top of the version one has read. Of two windows, the second is given what
 * is there, and writes its own lines below.
 */
import { randomHex } from "../randomHex";
import type { Draft } from "./draft";
import { readNotes, removeNote, removeReadNote } from "./writeAhead";
import { logFrom1 } from "./legacy";
import { PadError, sheetOf, type Act } from "./pad";

export interface LiveSheet {
  id: string;
  /** Whoever has it may write. */
  secret: string;
  /** How many acts the server has. */
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
/** In version 1 the rules of a pad were an edition of its time, and what differed from it. */
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
    // Another window may want a newer version one day: do not stand in its way.
    database.onversionchange = () => database.close();
    database.onclose = () => (opening = null);
    return database;
  })();
  opening.catch(() => (opening = null));
  return opening;
}

/** Write every pad of version 1 as version 2 has it. */
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

/** A pad as it is in the database now. */
export async function find(id: string): Promise<StoredPad | null> {
  const store = (await openDatabase()).transaction(STORE).objectStore(STORE);
  return (await resultOf(store.get(id) as IDBRequest<StoredPad | undefined>)) ?? null;
}

export async function load(id: string): Promise<StoredPad | null> {
  await recoverNotes(id);
  return find(id);
}

/** What a tab that was closed had no time to write; it may have been a page of version 1. */
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

/** One's own pad with what another window wrote meanwhile; lines that both have are one line.
 *
 * Throws a `PadError` if one's own lines make no sense below the others.
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

/** Write a pad durably, unless another window did; what comes back is what is there now. */
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
