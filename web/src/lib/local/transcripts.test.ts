/**
 * A local table tells its page what the server's table tells: message for message.
 *
 * `tests/server/test_local.py` plays matches with the server's code, writes what was said and says in
 * VITE_LOCAL_CASES where that is.
 */
import { expect, it } from "vitest";
import { Kernel } from "../kernel/kernel";
import { EFFORTS } from "../kernel/match";
import type { Created } from "./events";
import { checkOptions, cleanName, rematchOptions } from "./options";
import { LocalSession } from "./session";
import { recordOf } from "./snapshot";
import { LocalTable } from "./table";

interface Step {
  /** A message of the page, a move of a bot, or a rematch. */
  message?: any;
  bot?: string | null;
  sit?: { name: string | null; seat: number };
  rematch?: any;
  at: number;
  told: any[];
}

interface Case {
  name: string;
  id: string;
  given: any;
  created: Created;
  steps: Step[];
  record: any;
  bots: { version: number; move: string }[];
}

interface Cases {
  cases: Case[];
  names: [string, string | null][];
  /** The kernel and its network, as base64. */
  kernel: string;
  network: string;
}

const file = import.meta.env["VITE_LOCAL_CASES"] as string | undefined;
const none: Cases = { cases: [], names: [], kernel: "", network: "" };
const given: Cases = file
  ? ((await import(/* @vite-ignore */ file)) as { default: Cases }).default
  : none;
const { cases, names } = given;
const bytes = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
const kernel = file
  ? await Kernel.load(new WebAssembly.Module(bytes(given.kernel)), bytes(given.network))
  : null;

async function replay(one: Case): Promise<void> {
  if (!kernel) throw new Error("there is no kernel");
  expect(checkOptions(one.given, kernel)).toEqual(one.created.options);
  let table = new LocalTable(one.id, one.created, kernel);
  let at = 0;
  const events: unknown[] = [one.created];
  const effort = { ...EFFORTS.hint, rollouts: 100 };
  const begin = (): LocalSession =>
    new LocalSession(
      kernel,
      table,
      (event) => Promise.resolve(void events.push(event)),
      () => at,
      effort,
    );
  let session = begin();
  for (const [number, step] of one.steps.entries()) {
    at = step.at;
    const told: unknown[] = [];
    if (step.message?.type === "start") told.push(await session.change(table.start(at)));
    else if (step.sit)
      told.push(await session.change(table.takeSeat(step.sit.name, step.sit.seat, at)));
    else if (step.message) told.push(...(await session.handle(step.message)));
    else if (step.rematch) {
      table.checkRematch();
      const known = table.chairs.map(({ name }) => name);
      const options = rematchOptions(table.options, step.rematch.changes, known, kernel);
      expect(options).toEqual(step.rematch.created.options);
      told.push(await session.change({ type: "rematched", at, table: step.rematch.id }));
      expect(recordOf(table)).toEqual(step.rematch.record);
      table.close();
      table = new LocalTable(step.rematch.id, step.rematch.created, kernel);
      events.splice(0, events.length, step.rematch.created);
      session = begin();
    } else told.push(await session.playBot(step.bot ?? null));
    expect(
      told,
      `${one.name}, step ${number}: ${JSON.stringify(step.message ?? step.bot)}`,
    ).toEqual(step.told);
  }
  if (one.record) expect(recordOf(table)).toEqual(one.record);
  // What was stored is the table: a tab that was closed goes on where it was.
  const again = LocalTable.load(table.id, events as Created[], kernel);
  const state = new LocalSession(
    kernel,
    again,
    () => Promise.resolve(),
    () => at,
  ).catchUp(null);
  expect(state).toEqual(session.catchUp(null));
  again.close();
  table.close();
}

it.runIf(cases.length)(
  "tells what the server tells",
  async () => {
    for (const one of cases) await replay(one);
  },
  300_000,
);

it.runIf(names.length)("cleans names as the server does", () => {
  for (const [given, expected] of names) {
    if (expected === null) expect(() => cleanName(given), given).toThrow();
    else expect(cleanName(given), given).toBe(expected);
  }
});
