/** A pad that is open: everything written goes to disk, then to the screens of others. */
import { EMPTY, type Draft } from "./draft";
import { PadError, sheetOf, steps, type Act, type Entry, type Sheet } from "./pad";
import { writeNote, removeOwnNote, onNoteRemoved } from "./writeAhead";
import { find, newId, mergeOnto, save, type StoredPad, type LiveSheet } from "./store";

export class PadEditor {
  stored = $state.raw<StoredPad>() as StoredPad;
  draft = $state.raw<Draft>(EMPTY);
  /** Nothing can be stored here: a private window, a full disk. */
  unsaved = $state(false);
  /** Taps that are on their way to the disk. */
  pending = $state(0);
  /** Another window wrote, and what was written here makes no sense below it. */
  overtaken = $state(false);
  sheet = $derived<Sheet>(sheetOf(this.stored.log));
  canUndo = $derived(steps(this.stored.log).done.length > 1);
  canRedo = $derived(steps(this.stored.log).undone.length > 0);
  /** What is told of everything that came to the log and is on disk. */
  onwrite: (() => void) | null = null;
  /** So many acts are on disk, in the order in which all windows have them. */
  savedCount = 0;

  private writing = Promise.resolve();
  private readonly windowId = newId();
  private readonly stopListening: () => void;

  constructor(stored: StoredPad) {
    this.stored = stored;
    this.draft = stored.draft ?? EMPTY;
    this.savedCount = stored.log.length;
    this.stopListening = onNoteRemoved(stored.id, () => this.refresh());
    // Another window may have written after this pad was read and before anybody listened.
    this.refresh();
  }

  close(): void {
    this.stopListening();
  }

  /** Write an act; throws a `PadError` for what makes no sense, and changes nothing then. */
  write(act: Act): void {
    const log = [...this.stored.log, act];
    const sheet = sheetOf(log);
    this.draft = EMPTY;
    this.stored = {
      ...this.stored,
      log,
      draft: null,
      isOver: sheet.ledger.isOver,
      updated: Date.now(),
    };
    this.persist();
  }

  /** What would follow from an entry; `null` if it makes no sense. */
  preview(entry: Entry): Sheet | null {
    try {
      return sheetOf([...this.stored.log, entry]);
    } catch (error) {
      if (error instanceof PadError) return null;
      throw error;
    }
  }

  type(draft: Draft): void {
    this.draft = draft;
    this.stored = { ...this.stored, draft };
    this.persist();
  }

  undo(): void {
    if (this.canUndo) this.write({ do: "undo" });
  }

  redo(): void {
    if (this.canRedo) this.write({ do: "redo" });
  }

  setLive(live: LiveSheet | null): void {
    this.stored = { ...this.stored, live };
    this.persist();
  }

  private persist(): void {
    // Kept in this very moment, and then in the database, one after the other.
    writeNote(this.windowId, this.stored);
    this.pending += 1;
    this.writing = this.writing.then(async () => {
      try {
        await this.saveMerged();
        this.unsaved = false;
      } catch {
        this.unsaved = true;
        this.savedCount = this.stored.log.length;
      } finally {
        this.pending -= 1;
      }
      if (!this.pending && !this.unsaved) removeOwnNote(this.windowId, this.stored.id);
      this.onwrite?.();
    });
  }

  /** Write what is here, below what other windows wrote meanwhile. */
  private async saveMerged(): Promise<void> {
    for (;;) {
      const wanted = this.stored;
      const { there, isMine } = await save(wanted);
      if (isMine) {
        this.stored = { ...this.stored, version: there.version };
        this.savedCount = wanted.log.length;
        return;
      }
      this.adopt(there);
    }
  }

  private adopt(there: StoredPad): void {
    try {
      this.stored = mergeOnto(there, this.stored);
    } catch (error) {
      if (!(error instanceof PadError)) throw error;
      this.stored = there;
      this.overtaken = true;
    }
    this.draft = this.stored.draft ?? EMPTY;
  }

  /** Another window has written: see it. */
  private refresh(): void {
    this.writing = this.writing.then(async () => {
      if (this.pending || this.unsaved) return;
      const there = await find(this.stored.id).catch(() => null);
      if (!there || there.version <= this.stored.version) return;
      this.stored = there;
      this.draft = there.draft ?? EMPTY;
      this.savedCount = there.log.length;
    });
  }
}

/** A pad that nobody has seen yet. */
export function newPad(log: Act[]): StoredPad {
  const now = Date.now();
  return {
    id: newId(),
    version: 0,
    log,
    draft: null,
    created: now,
    updated: now,
    isOver: sheetOf(log).ledger.isOver,
    live: null,
  };
}
