/** Pads of version 1, which stored an edition and the differences from it. Pure. */
import type { Act, Entry } from "./acts";
import { isComplete, readRules1 } from "./rules";

/** Convert a log to version 2 with the same lines and totals; one of version 2 stays as it is. */
export const logFrom1 = (log: readonly Act[]): Act[] =>
  log.map((act) =>
    act.do === "correct" ? { ...act, with: act.with.map(entryFrom1) } : from1(act),
  );

function from1<T extends Act>(act: T): T {
  if (act.do !== "setup" || isComplete(act.rules)) return act;
  const rules = readRules1(act.rules);
  return rules ? { ...act, rules } : act;
}

const entryFrom1 = (entry: Entry): Entry => from1(entry);
