/** A pad that is open: everything written goes to disk, then to the screens of others. */
import { EMPTY, type Draft } from "./draft";
import { PadError, sheetOf, steps, type Act, type Entry, type Sheet } from "./pad";
import { newId, save, type Kept, type Live } from "./store";

export class Notebook {
  kept = $state.raw<Kept>() as Kept;
  draft = $state.raw<Draft>(EMPTY);
  /** Nothing can be kept here: a private window, a full disk. */
  unsaved = $state(false);
  /** Taps that are on their way to the disk. */
  pending = $state(0);
  /** Another window wrote; what it wrote is shown. */
  overtaken = $state(false);
  sheet = $derived<Sheet>(sheetOf(this.kept.log));
  canUndo = $derived(steps(this.kept.log).done.length > 1);
  canRedo = $derived(steps(this.kept.log).undone.length > 0);
  /** What is told of everything that came to the log. */
  onwrite: (() => void) | null = null;

  private writing = Promise.resolve();

  constructor(kept: Kept) {
    this.kept = kept;
    this.draft = kept.draft ?? EMPTY;
  }

  /** Write an act; throws a `PadError` for what makes no sense, and changes nothing then. */
  write(act: Act): void {
    const log = [...this.kept.log, act];
    const sheet = sheetOf(log);
    this.draft = EMPTY;
    this.kept = { ...this.kept, log, draft: null, isOver: sheet.isOver, updated: Date.now() };
    this.toDisk();
    this.onwrite?.();
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

  setLive(live: Live | null): void {
    this.kept = { ...this.kept, live };
    this.toDisk();
  }

  private toDisk(): void {
    // One after the other: what is written last is what stays.
    this.pending += 1;
    this.writing = this.writing.then(async () => {
      const wanted = this.kept;
      try {
        const there = await save(wanted);
        if (there.version === wanted.version + 1) {
          this.kept = { ...this.kept, version: there.version };
        } else {
          this.kept = there;
          this.draft = there.draft ?? EMPTY;
          this.overtaken = true;
        }
        this.unsaved = false;
      } catch {
        this.unsaved = true;
      } finally {
        this.pending -= 1;
      }
    });
  }
}

/** A pad that nobody has seen yet. */
export function newPad(log: Act[]): Kept {
  const now = Date.now();
  return {
    id: newId(),
    version: 0,
    log,
    draft: null,
    created: now,
    updated: now,
    isOver: sheetOf(log).isOver,
    live: null,
  };
}
