/**
 * A write-ahead note of what is not in the database yet.
 *
 * The database is asynchronous, and the tab may be closed before it answers; `localStorage` is
 * synchronous. Every window has its own note, and the others are notified when it is removed.
 */
import type { StoredPad } from "./store";

const PREFIX = "triomino-pad";
const keyOf = (id: string, windowId: string): string => `${PREFIX} ${id} ${windowId}`;

export interface Note {
  key: string;
  /** As it was read. */
  text: string;
  pad: StoredPad;
}

/** Note a pad synchronously. */
export function writeNote(windowId: string, pad: StoredPad): void {
  try {
    localStorage.setItem(keyOf(pad.id, windowId), JSON.stringify(pad));
  } catch {
    // A full disk or a private window: rely on the database.
  }
}

/** Remove a note whose pad is in the database. */
export function removeNote(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // A private window has no storage.
  }
}

/** Remove a note as it was read; one that its window has written since is kept. */
export function removeReadNote({ key, text }: Note): void {
  try {
    if (localStorage.getItem(key) === text) localStorage.removeItem(key);
  } catch {
    // A private window has no storage.
  }
}

export const removeOwnNote = (windowId: string, id: string): void =>
  removeNote(keyOf(id, windowId));

/** The notes left of one pad, or of all. */
export function readNotes(id?: string): Note[] {
  const start = id === undefined ? `${PREFIX} ` : `${PREFIX} ${id} `;
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(start))
      .map((key) => ({ key, text: localStorage.getItem(key) ?? "" }))
      .map(({ key, text }) => ({ key, text, pad: JSON.parse(text) as StoredPad }))
      .sort((a, b) => a.pad.updated - b.pad.updated);
  } catch {
    return [];
  }
}

/** Call *listener* when another window has saved a pad; returns a function that unsubscribes. */
export function onNoteRemoved(id: string, listener: () => void): () => void {
  const onStorage = ({ key, newValue }: StorageEvent): void => {
    if (newValue === null && key?.startsWith(`${PREFIX} ${id} `)) listener();
  };
  addEventListener("storage", onStorage);
  return () => removeEventListener("storage", onStorage);
}
