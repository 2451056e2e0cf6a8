/**
 * The score pad: a ledger computed from the log that people write. Pure.
 *
 * Computes the same as `triomino.pad`; a test feeds both the same
 * pads. Every number comes from the rules.
 */
import { PadError, type Act, type Correct, type Entry } from "./acts";
import { computeSheet, type Caution, type Sheet } from "./sheet";

export * from "./acts";
export type { Caution, Line, Sheet } from "./sheet";

type Step = Entry | Correct;

/** The acts that are in force, and the undone ones, with the next to redo last. */
export function steps(log: readonly Act[]): { done: Step[]; undone: Step[] } {
  const done: Step[] = [];
  let undone: Step[] = [];
  for (const act of log) {
    if (act.do === "undo") {
      if (done.length < 2) throw new PadError("nothing_to_undo");
      undone.push(done.pop() as Step);
    } else if (act.do === "redo") {
      const step = undone.pop();
      if (!step) throw new PadError("nothing_to_redo");
      done.push(step);
    } else {
      done.push(act);
      undone = [];
    }
  }
  return { done, undone };
}

/** The current entries, with corrections applied. */
export function linesOf(log: readonly Act[]): Entry[] {
  const out: Entry[] = [];
  for (const step of steps(log).done) {
    if (step.do !== "correct") out.push(step);
    else if (step.line < out.length) out.splice(step.line, 1, ...step.with);
    else throw new PadError("no_such_line");
  }
  return out;
}

/** Compute the sheet of a log. */
export const sheetOf = (log: readonly Act[]): Sheet => computeSheet(linesOf(log));

/** The cautions for writing *entry* now. */
export function cautionsOf(log: readonly Act[], entry: Entry): Caution[] {
  return sheetOf([...log, entry]).lines.at(-1)?.cautions ?? [];
}
