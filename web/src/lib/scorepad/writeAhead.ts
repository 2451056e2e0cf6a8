/**
 * What was tapped and is not in the database yet.
 *
 * A database answers later, and a tab may be gone by then; `localStorage` has it when the tap is
 * over. Every window writes its own note, and other windows hear when one is struck out.
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

/** Keep a pad as it is now, at once. */
export function writeNote(windowId: string, pad: StoredPad): void {
  try {
    localStorage.setItem(keyOf(pad.id, windowId), JSON.stringify(pad));
  } catch {
    // A full disk or a private window: the database has to do.
  }
}

/** It is in the database. */
export function removeNote(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing is kept there.
  }
}

/** What was read is in the database; if its window has written since, the note is still needed. */
export function removeReadNote({ key, text }: Note): void {
  try {
    if (localStorage.getItem(key) === text) localStorage.removeItem(key);
  } catch {
    // Nothing is kept there.
  }
}

export const removeOwnNote = (windowId: string, id: string): void =>
  removeNote(keyOf(id, windowId));

/** What was left behind: of one pad, or of all. */
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

/** Be told when another window has written on a pad; returns how to stop that. */
export function onNoteRemoved(id: string, listener: () => void): () => void {
  const onStorage = ({ key, newValue }: StorageEvent): void => {
    if (newValue === null && key?.startsWith(`${PREFIX} ${id} `)) listener();
  };
  addEventListener("storage", onStorage);
  return () => removeEventListener("storage", onStorage);
}
