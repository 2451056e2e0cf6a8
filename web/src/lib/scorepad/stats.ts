/** Statistics over past pads. Pure. */
import { pointsOf } from "./draft";
import type { Sheet } from "./pad";

export interface PersonStats {
  name: string;
  matches: number;
  wins: number;
  bestTurn: number;
  bridges: number;
  hexagons: number;
  draws: number;
  points: number;
}

/** Statistics by name over these sheets, the most wins first. */
export function statistics(sheets: readonly Sheet[]): PersonStats[] {
  const all = new Map<string, PersonStats>();
  const of = (name: string): PersonStats => {
    const found = all.get(name) ?? {
      ...{ name, matches: 0, wins: 0, bestTurn: 0, bridges: 0, hexagons: 0, draws: 0, points: 0 },
    };
    all.set(name, found);
    return found;
  };
  for (const sheet of sheets) {
    sheet.names.forEach((name, person) => {
      const own = of(name);
      if (sheet.ledger.isOver) {
        own.matches += 1;
        if (sheet.ledger.winners.includes(person)) own.wins += 1;
      }
      own.points += sheet.ledger.totals[person] ?? 0;
    });
    sheet.lines.forEach(({ entry }, index) => {
      if (entry.do !== "turn") return;
      const own = of(sheet.names[entry.person] as string);
      own.bestTurn = Math.max(own.bestTurn, pointsOf(sheet, index, entry.person));
      own.draws += entry.draws ?? 0;
      if (entry.bonus === "bridge") own.bridges += 1;
      else if (entry.bonus)
        own.hexagons += ["hexagon", "double_hexagon", "triple_hexagon"].indexOf(entry.bonus) + 1;
    });
  }
  return [...all.values()].sort((a, b) => b.wins - a.wins || b.points - a.points);
}
