/** An open pad: everything written is saved on this device, then published if it is live. */
import { EMPTY, type Draft } from "./draft";
import { PadError, sheetOf, steps, type Act, type Entry, type Sheet } from "./pad";
import { writeNote, removeOwnNote, onNoteRemoved } from "./writeAhead";
import { find, newId, mergeOnto, save, type StoredPad, type LiveSheet } from "./store";

export class PadEditor {
  stored = $state.raw<StoredPad>() as StoredPad;
  draft = $state.raw<Draft>(EMPTY);
  /** Saving failed, as in a private window or on a full disk. */
  unsaved = $state(false);
  /** Writes that are not saved yet. */
  pending = $state(0);
  /** Another window wrote, and the entries of this one make no sense after its own. */
  overtaken = $state(false);
  sheet = $derived<Sheet>(sheetOf(this.stored.log));
  canUndo = $derived(steps(this.stored.log).done.length > 1);
  canRedo = $derived(steps(this.stored.log).undone.length > 0);
  /** Called after every write that was saved. */
  onwrite: (() => void) | null = null;
  /** How many acts are saved, in the order that all windows share. */
  savedCount = 0;

  private writing = Promise.resolve();
  private readonly windowId = newId();
  private readonly stopListening: () => void;

  constructor(stored: StoredPad) {
    this.stored = stored;
    this.draft = stored.draft ?? EMPTY;
    this.savedCount = stored.log.length;
    this.stopListening = onNoteRemoved(stored.id, () => this.refresh());
    // Another window may have written after this pad was read and before the listener was added.
    this.refresh();
  }

  close(): void {
    this.stopListening();
  }

  /** Append an act; throws `PadError` and changes nothing if it makes no sense. */
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

  /** The sheet with one more entry, or `null` if it makes no sense. */
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
    // Noted synchronously, then written to the database, one write after the other.
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

  /** Save this pad, merged onto what other windows have saved meanwhile. */
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

  /** Read what another window has saved. */
  private refresh(): void {
    this.writing = this.writing.then(async () => {
      if (this.pending || this.unsaved) return;
      const there = await find(this.stored.id).catch(() => null);
      // A tap made meanwhile is merged when it is saved.
      if (this.pending || !there || there.version <= this.stored.version) return;
      this.stored = there;
      this.draft = there.draft ?? EMPTY;
      this.savedCount = there.log.length;
    });
  }
}

/** A new pad, not saved yet. */
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
