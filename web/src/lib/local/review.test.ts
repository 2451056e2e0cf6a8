/**
 * An analysis in the browser says what the server's says.
 *
 * `tests/server/test_local.py` lets the server analyse matches and says in VITE_REVIEW_CASES where
 * they are.
 */
import { expect, it } from "vitest";
import { Kernel } from "../kernel/kernel";
import type { Effort } from "../kernel/match";
import type { Analysis } from "../net/types";
import { analysisOf, calibrationOf, matchOf, type Recorded } from "./review";

interface Cases {
  cases: { record: Recorded; effort: Effort; analysis: Analysis }[];
  /** The kernel and its network, as base64. */
  kernel: string;
  network: string;
}

const file = import.meta.env["VITE_REVIEW_CASES"] as string | undefined;
const given: Cases | null = file
  ? ((await import(/* @vite-ignore */ file)) as { default: Cases }).default
  : null;
const bytes = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

/** Without a sign of zero, and with what the server leaves out. */
const plain = (analysis: Analysis): unknown =>
  JSON.parse(
    JSON.stringify(analysis, (key, value: unknown) =>
      key === "moves" ? (value as object[]).map((move) => ({ noise: 0, ...move })) : value,
    ),
  );

function analyse({ record, effort }: Cases["cases"][number], kernel: Kernel): Analysis {
  const match = matchOf(record, kernel);
  const found = record.rounds.map(({ turns }, index) => {
    const plies = Array.from({ length: turns.length + 1 }, (_, ply) =>
      match.assess(index + 1, ply, effort),
    );
    return { plies, chances: match.chances(index + 1, calibrationOf(record), plies) };
  });
  match.close();
  return analysisOf(record, found);
}

it.runIf(given)(
  "says what the server says",
  async () => {
    if (!given) return;
    const module = new WebAssembly.Module(bytes(given.kernel));
    const kernel = await Kernel.load(module, bytes(given.network));
    for (const one of given.cases) expect(plain(analyse(one, kernel))).toEqual(plain(one.analysis));
  },
  3_000_000,
);

it("refuses what it cannot analyse", async () => {
  const { pageKernel } = await import("../kernel/pageKernel");
  const record: Recorded = {
    format: "triomino-record/2",
    rules: { edition: "classic" },
    players: [{ name: "Ann" }, { name: "Ben" }],
    rounds: [{ starter: 0, turns: [] }],
  };
  expect(() => matchOf(record, pageKernel())).toThrow("cannot be analysed");
  const dealt = [{ starter: 0, racks: [["0-0-0"], []], pool: [], turns: [] }];
  expect(() => matchOf({ ...record, rounds: dealt }, pageKernel())).toThrow("another size");
});
