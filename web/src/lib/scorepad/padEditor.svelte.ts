/** A pad that is open: everything written goes to disk, then to the screens of others. */
import { EMPTY, type Draft } from "./draft";
import { PadError, sheetOf, steps, type Act, type Entry, type Sheet } from "./pad";
import { writeNote, removeOwnNote, onNoteRemoved } from "./writeAhead";
import { find, newId, mergeOnto, save, type StoredPad, type LiveSheet } from "./store";

export class PadEditor {
  kept = $state.raw<StoredPad>() as StoredPad;
  draft = $state.raw<Draft>(EMPTY);
  /** Nothing can be kept here: a private window, a full disk. */
  unsaved = $state(false);
  /** Taps that are on their way to the disk. */
  pending = $state(0);
  /** Another window wrote, and what was written here makes no sense below it. */
  overtaken = $state(false);
  sheet = $derived<Sheet>(sheetOf(this.kept.log));
  canUndo = $derived(steps(this.kept.log).done.length > 1);
  canRedo = $derived(steps(this.kept.log).undone.length > 0);
  /** What is told of everything that came to the log and is on disk. */
  onwrite: (() => void) | null = null;
  /** So many acts are on disk, in the order in which all windows have them. */
  settled = 0;

  private writing = Promise.resolve();
  private readonly pane = newId();
  private readonly stopListening: () => void;

  constructor(kept: StoredPad) {
    this.kept = kept;
    this.draft = kept.draft ?? EMPTY;
    this.settled = kept.log.length;
    this.stopListening = onNoteRemoved(kept.id, () => this.look());
    // Another window may have written after this pad was read and before anybody listened.
    this.look();
  }

  close(): void {
    this.stopListening();
  }

  /** Write an act; throws a `PadError` for what makes no sense, and changes nothing then. */
  write(act: Act): void {
    const log = [...this.kept.log, act];
    const sheet = sheetOf(log);
    this.draft = EMPTY;
    this.kept = {
      ...this.kept,
      log,
      draft: null,
      isOver: sheet.ledger.isOver,
      updated: Date.now(),
    };
    this.toDisk();
  }

  /** What would follow from an entry; `null` if it makes no sense. */
  preview(entry: Entry): Sheet | null {
    try {
      return sheetOf([...this.kept.log, entry]);
    } catch (error) {
      if (error instanceof PadError) return null;
      throw error;
    }
  }

  type(draft: Draft): void {
    this.draft = draft;
    this.kept = { ...this.kept, draft };
    this.toDisk();
  }

  undo(): void {
    if (this.canUndo) this.write({ do: "undo" });
  }

  redo(): void {
    if (this.canRedo) this.write({ do: "redo" });
  }

  setLive(live: LiveSheet | null): void {
    this.kept = { ...this.kept, live };
    this.toDisk();
  }

  private toDisk(): void {
    // Kept in this very moment, and then in the database, one after the other.
    writeNote(this.pane, this.kept);
    this.pending += 1;
    this.writing = this.writing.then(async () => {
      try {
        await this.settle();
        this.unsaved = false;
      } catch {
        this.unsaved = true;
        this.settled = this.kept.log.length;
      } finally {
        this.pending -= 1;
      }
      if (!this.pending && !this.unsaved) removeOwnNote(this.pane, this.kept.id);
      this.onwrite?.();
    });
  }

  /** Write what is here, below what other windows wrote meanwhile. */
  private async settle(): Promise<void> {
    for (;;) {
      const wanted = this.kept;
      const { there, isMine } = await save(wanted);
      if (isMine) {
        this.kept = { ...this.kept, version: there.version };
        this.settled = wanted.log.length;
        return;
      }
      this.take(there);
    }
  }

  private take(there: StoredPad): void {
    try {
      this.kept = mergeOnto(there, this.kept);
    } catch (error) {
      if (!(error instanceof PadError)) throw error;
      this.kept = there;
      this.overtaken = true;
    }
    this.draft = this.kept.draft ?? EMPTY;
  }

  /** Another window has written: see it. */
  private look(): void {
    this.writing = this.writing.then(async () => {
      if (this.pending || this.unsaved) return;
      const there = await find(this.kept.id).catch(() => null);
      if (!there || there.version <= this.kept.version) return;
      this.kept = there;
      this.draft = there.draft ?? EMPTY;
      this.settled = there.log.length;
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
