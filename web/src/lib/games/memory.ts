/** What was played on this device: matches and score pads as one list, and what they add up to. Pure. */
import type { RoundScores } from "../chart/scores";
import type { Analysis } from "../net/types";
import type { MatchRecord } from "../replay/record";
import type { Sheet } from "../scorepad/pad";
import { roundScores } from "../scorepad/roundScores";

export const PLACES = ["server", "here", "pad"] as const;
export type Where = (typeof PLACES)[number];

/** One match, whatever it was played with. */
export interface Played {
  id: string;
  /** When it ended, in milliseconds. */
  when: number;
  where: Where;
  names: string[];
  /** The seats of this device's owner. */
  mine: number[];
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
  about: Pick<Played, "id" | "when" | "where" | "names" | "mine" | "winners">,
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

/** A pad from its sheet; its owner is whoever has the name used on this device. */
export function ofSheet(sheet: Sheet, about: Pick<Played, "id" | "when">, name: string): Played {
  const seats = sheet.names.map((_, seat) => seat);
  const out: Played = {
    ...{ ...about, where: "pad", names: sheet.names, luck: null, lost: null },
    mine: seats.filter((seat) => name !== "" && isSame(sheet.names[seat] ?? "", name)),
    winners: [...sheet.ledger.winners],
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

const isSame = (one: string, other: string): boolean =>
  one.trim().toLocaleLowerCase() === other.trim().toLocaleLowerCase();

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
      const key = name.trim().toLocaleLowerCase();
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
