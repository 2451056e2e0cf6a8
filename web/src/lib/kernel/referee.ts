/** The referee: whether a tile may be laid, and what it scores. The kernel answers. */
import type { Place } from "../board/geometry";
import type { Bonus, Rules } from "../scorepad/rules";
import { BONUSES, KernelRefusal } from "./kernel";
import names from "./names.json";
import { pageKernel } from "./pageKernel";
import { ruleNumbers } from "./rules";

export type Why = "not_in_set" | "already_laid" | "occupied" | "no_shared_edge" | "corner_mismatch";
export type Verdict =
  | { legal: true; why: null; value: number; bonus: Bonus | null; points: number }
  | { legal: false; why: Why };

const placeNumbers = ({ cell: { x, y, down }, numbers }: Place): number[] => [
  ...[0, x, y, Number(down)],
  ...numbers,
];

/** The rules and the board of a case. How many tiles are dealt does not matter here. */
const caseNumbers = (places: readonly Place[], rules: Rules, strict: boolean): number[] => [
  ...ruleNumbers({ ...rules, racks: {} }),
  Number(strict),
  places.length,
  ...places.flatMap(placeNumbers),
];

/** Judge one placement on a possible board. */
export function judge(
  places: readonly Place[],
  place: Place,
  rules: Rules,
  strict = true,
): Verdict {
  const numbers = [...caseNumbers(places, rules, strict), ...placeNumbers(place)];
  const answer = pageKernel().call("judge", numbers);
  const why = answer.next();
  if (why) return { legal: false, why: names.whys[why - 1] as Why };
  const [value, bonus, points] = [answer.next(), answer.next(), answer.next()];
  return { legal: true, why: null, value, bonus: BONUSES[bonus] ?? null, points };
}

/** Whether a board is impossible: two tiles in a cell or, if *strict*, one tile twice, or a mismatch. */
export function wrongBoard(places: readonly Place[], rules: Rules, strict = true): boolean {
  try {
    pageKernel().call("placements", [...caseNumbers(places, rules, strict), 0]);
    return false;
  } catch (error) {
    if (error instanceof KernelRefusal) return true;
    throw error;
  }
}
