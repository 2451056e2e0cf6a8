/** Who plays, as far as the page shows them: name, monogram, and for a bot its face and level. */
import { type CastName, castName, isCast } from "../seatNames";

export interface Person {
  name: string;
  /** One or two letters that nobody else here has. */
  monogram: string;
  /** Who of the cast plays here; `null` for a person. */
  cast: CastName | null;
  /** The level of a bot. */
  level: string | null;
}

interface Given {
  name: string | null;
  bot?: string | null;
}

const letters = (name: string): string[] =>
  [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(name)]
    .map(({ segment }) => segment.toLocaleUpperCase())
    .filter((letter) => letter.trim());

/** The first letter of every name, and a second one where names begin alike. */
export function monograms(names: readonly string[]): string[] {
  const all = names.map(letters);
  const taken = new Set<string>();
  return all.map(([first = "?", ...rest], seat) => {
    const alone = all.every((other, index) => index === seat || (other[0] ?? "?") !== first);
    const choices = alone
      ? [first]
      : [...rest, String(seat + 1)].map((letter) => first + letter.toLocaleLowerCase());
    const found = choices.find((one) => !taken.has(one)) ?? first + String(seat + 1);
    taken.add(found);
    return found;
  });
}

/** A bot that is not at a table yet. */
export const botPerson = (cast: CastName, level: string): Person => ({
  name: castName(cast),
  monogram: "",
  cast,
  level,
});

/** The people of a table, by their names as shown and as the server or the record gives them. */
export function peopleOf(names: readonly string[], given: readonly Given[] = []): Person[] {
  const short = monograms(names);
  return names.map((name, seat) => {
    const { name: own = null, bot = null } = given[seat] ?? {};
    return {
      name,
      monogram: short[seat] ?? "",
      cast: bot !== null && isCast(own) ? own : null,
      level: bot,
    };
  });
}
