/** The deal of a round from its key, as docs/fair.md defines it. The kernel deals. */
import { pageKernel } from "./pageKernel";
import { ruleNumbers } from "./rules";

export interface Deal {
  racks: string[][];
  start_draws: { seat: number; tile: string }[];
  starter: number;
  pool: string[];
}

/** Deal a round by all *rules*; *starter* is set if it is known before the deal. */
export function deal(
  rules: Readonly<Record<string, unknown>>,
  players: number,
  key: Uint8Array,
  starter: number | null,
): Deal {
  const numbers = [...ruleNumbers(rules), players, starter ?? -1, ...key];
  const answer = pageKernel().call("deal", numbers);
  const first = answer.next();
  const start_draws = answer.list(() => ({ seat: answer.next(), tile: answer.tile() }));
  const racks = answer.times(players, () => answer.tiles());
  return { racks, start_draws, starter: first, pool: answer.tiles() };
}
