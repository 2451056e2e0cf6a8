/** What was played on this device: matches and score pads as one list, and what they add up to. Pure. */
import type { RoundScores } from "../chart/scores";
import type { Analysis } from "../net/types";
import type { MatchRecord } from "../replay/record";
import type { Sheet } from "../scorepad/pad";
import { roundScores } from "../scorepad/roundScores";

export const PLACES = ["server", "here", "pad"] as const;
export type Where = (typeof PLACES)[number];

/** What games are chosen by. */
export interface Entry {
  id: string;
  /** When something last happened, in milliseconds. */
  when: number;
  where: Where;
  edition: string;
  names: string[];
  /** The seats of this device's owner. */
  mine: number[];
}

/** Which games are shown; what is `null` is not asked for. */
export interface Filter {
  where: Where | null;
  edition: string | null;
  person: string | null;
  /** Not older than so many days. */
  days: number | null;
}
export const EVERYTHING: Filter = { where: null, edition: null, person: null, days: null };
const DAY = 86_400_000;

/** Whether a game is one of those that are asked for. */
export function fits(entry: Entry, { where, edition, person, days }: Filter, now: number): boolean {
  return (
    (where === null || entry.where === where) &&
    (edition === null || entry.edition === edition) &&
    (person === null || others(entry).some((name) => isSame(name, person))) &&
    (days === null || now - entry.when <= days * DAY)
  );
}

/** The names of those who are not the owner of this device. */
const others = ({ names, mine }: Entry): string[] =>
  names.filter((_, seat) => !mine.includes(seat));

/** The people in some games, in alphabetical order, each once. */
export function peopleIn(entries: readonly Entry[]): string[] {
  const found = new Map<string, string>();
  for (const name of entries.flatMap(others))
    if (name.trim() !== "") found.set(keyOf(name), found.get(keyOf(name)) ?? name.trim());
  return [...found.values()].sort((a, b) => a.localeCompare(b));
}

/** One match that is over, whatever it was played with. */
export interface Played extends Entry {
  winners: number[];
  /** By seat. */
  bridges: number[];
  hexagons: number[];
  draws: number[];
  /** The points of every seat in every round. */
  rounds: number[][];
  /** Of the first seat of one's own, in rounds won; `null` if it was not analysed. */
  luck: number | null;
  lost: number | null;
}

const HEXAGONS = ["hexagon", "double_hexagon", "triple_hexagon"];

const pointsOf = ({ turns, end }: RoundScores, seats: number): number[] =>
  Array.from({ length: seats }, (_, seat) =>
    turns.reduce((sum, turn) => sum + (turn.seat === seat ? turn.points : 0), end?.[seat] ?? 0),
  );

/** A match from its record. */
export function ofRecord(
  record: MatchRecord,
  about: Entry & Pick<Played, "winners">,
  analysis: Analysis | null,
): Played {
  const seats = record.players.map((_, seat) => seat);
  const turns = record.rounds.flatMap((round) => round.turns);
  const count = (worth: (turn: (typeof turns)[number]) => number): number[] =>
    seats.map((seat) =>
      turns.reduce((sum, turn) => sum + (turn.seat === seat ? worth(turn) : 0), 0),
    );
  const own = analysis?.players.find(({ seat }) => seat === about.mine[0]);
  return {
    ...about,
    bridges: count(({ bonus }) => Number(bonus === "bridge")),
    hexagons: count(({ bonus }) => HEXAGONS.indexOf(bonus ?? "") + 1),
    draws: count(({ move }) => Number(move === "draw")),
    rounds: record.rounds.map(({ turns, end }) =>
      pointsOf(
        { turns: turns.map((turn) => ({ ...turn, scores: [] })), end: end?.points ?? null },
        seats.length,
      ),
    ),
    luck: own?.luck ?? null,
    lost: own?.lost ?? null,
  };
}

/** A pad as a game; its owner is whoever has the name used on this device. */
export function padEntry(sheet: Sheet, about: Pick<Entry, "id" | "when">, name: string): Entry {
  const { names, ledger } = sheet;
  const mine = names.flatMap((one, seat) => (name !== "" && isSame(one, name) ? [seat] : []));
  return { ...about, where: "pad", edition: ledger.rules.edition, names, mine };
}

/** What was played on a pad. */
export function ofSheet(sheet: Sheet, entry: Entry): Played {
  const seats = sheet.names.map((_, seat) => seat);
  const out: Played = {
    ...{ ...entry, luck: null, lost: null, winners: [...sheet.ledger.winners] },
    ...{ bridges: seats.map(() => 0), hexagons: seats.map(() => 0), draws: seats.map(() => 0) },
    rounds: roundScores(sheet).map((round) => pointsOf(round, seats.length)),
  };
  const add = (to: number[], seat: number, count: number): void => {
    to[seat] = (to[seat] ?? 0) + count;
  };
  for (const { entry } of sheet.lines) {
    if (entry.do !== "turn") continue;
    add(out.draws, entry.person, entry.draws ?? 0);
    if (entry.bonus === "bridge") add(out.bridges, entry.person, 1);
    else add(out.hexagons, entry.person, HEXAGONS.indexOf(entry.bonus ?? "") + 1);
  }
  return out;
}

const keyOf = (name: string): string => name.trim().toLocaleLowerCase();
const isSame = (one: string, other: string): boolean => keyOf(one) === keyOf(other);

export interface Totals {
  matches: number;
  won: number;
  /** Points of one's own seats in a round, on average. */
  average: number;
  bestRound: number;
  bridges: number;
  hexagons: number;
  draws: number;
}

/** What one's own seats did in some matches. */
export function totals(played: readonly Played[]): Totals {
  const sum = (numbers: readonly number[]): number => numbers.reduce((one, two) => one + two, 0);
  const own = (pick: (one: Played) => readonly number[]): number =>
    sum(played.flatMap((one) => one.mine.map((seat) => pick(one)[seat] ?? 0)));
  const rounds = played.flatMap(({ rounds, mine }) =>
    rounds.flatMap((points) => mine.map((seat) => points[seat] ?? 0)),
  );
  const sat = played.filter(({ mine }) => mine.length);
  return {
    matches: sat.length,
    won: sat.filter(({ mine, winners }) => mine.some((seat) => winners.includes(seat))).length,
    average: rounds.length ? sum(rounds) / rounds.length : 0,
    bestRound: Math.max(0, ...rounds),
    bridges: own((one) => one.bridges),
    hexagons: own((one) => one.hexagons),
    draws: own((one) => one.draws),
  };
}

export interface Companion {
  name: string;
  matches: number;
  /** Matches that they won, and that the owner of the device won. */
  theirs: number;
  mine: number;
}

/** The people one plays with, those of the most matches first. */
export function companions(played: readonly Played[]): Companion[] {
  const found = new Map<string, Companion>();
  for (const { names, mine, winners } of played) {
    if (!mine.length) continue;
    const won = mine.some((seat) => winners.includes(seat));
    names.forEach((name, seat) => {
      if (mine.includes(seat)) return;
      const key = keyOf(name);
      const one = found.get(key) ?? { name, matches: 0, theirs: 0, mine: 0 };
      one.matches += 1;
      one.theirs += Number(winners.includes(seat));
      one.mine += Number(won);
      found.set(key, one);
    });
  }
  return [...found.values()].sort((a, b) => b.matches - a.matches || a.name.localeCompare(b.name));
}

export interface Moment {
  when: number;
  /** Luck, and what was given away, summed up so far. */
  luck: number;
  lost: number;
}

/** How luck and skill add up over the analysed matches, the oldest first. */
export function course(played: readonly Played[]): Moment[] {
  let [luck, lost] = [0, 0];
  return [...played]
    .filter((one) => one.luck !== null && one.lost !== null)
    .sort((a, b) => a.when - b.when)
    .map((one) => {
      luck += one.luck ?? 0;
      lost += one.lost ?? 0;
      return { when: one.when, luck, lost };
    });
}
