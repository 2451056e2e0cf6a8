/** Texts for the lines of a pad. */
import { textOr, t } from "../words";
import type { Caution, Entry, Sheet } from "./pad";

export const cautionText = (caution: Caution): string => textOr(`pad.caution.${caution}`, caution);

/** An entry in words, without its points. */
export function entryText(entry: Entry, sheet: Sheet): string {
  switch (entry.do) {
    case "setup":
      return t("pad.line.setup");
    case "players":
      return t("pad.line.players", {
        names: entry.seats.map((person) => entry.names[person]).join(", "),
      });
    case "turn": {
      const parts: string[] = [];
      if (entry.draws) parts.push(t("line.drew", { count: entry.draws }));
      if (entry.tile !== undefined) parts.push(entry.tile);
      if (entry.sum !== undefined) parts.push(t("pad.line.sum", { sum: entry.sum }));
      if (entry.bonus) parts.push(textOr(`bonus.${entry.bonus}`, entry.bonus));
      if (entry.how) parts.push(t(`pad.did.${entry.how}`));
      return parts.join(", ");
    }
    case "out":
      return t("pad.line.out", { name: sheet.names[entry.person] ?? "" });
    case "blocked":
      return t("pad.line.blocked");
    case "abandoned":
      return entry.person === null
        ? t("pad.line.abandoned")
        : t("pad.line.gaveUp", { name: sheet.names[entry.person] ?? "" });
    case "extra":
      return t("pad.line.extra");
  }
}

/** The winners as a sentence. */
export function winnersText(sheet: Sheet): string {
  const names = sheet.ledger.winners.map((person) => sheet.names[person] ?? "");
  if (!names.length) {
    const ahead = sheet.ledger.leaders.map((person) => sheet.names[person] ?? "");
    return t("pad.won.early", { names: ahead.join(", ") });
  }
  if (names.length === 1) return t("pad.won.one", { name: names[0] ?? "" });
  return t("pad.won.several", { names: names.join(", ") });
}

/** The points that somebody still needs; empty once the match is over. */
export function pointsToGo(sheet: Sheet, person: number): string {
  const { rules, goal: target, totals, isOver } = sheet.ledger;
  const test = rules.target_test;
  if (target === null || isOver) return "";
  const missing = target - (totals[person] ?? 0) + (test === ">" ? 1 : 0);
  return missing > 0 ? t("pad.toGo", { count: missing }) : t("pad.there");
}

/** The text for a winner, or for a leader of a running match; empty for everybody else. */
export function standing(sheet: Sheet, person: number): string {
  const { leaders, winners, seats, isOver } = sheet.ledger;
  if (isOver) return winners.includes(person) ? t("pad.wins") : "";
  const isAhead =
    sheet.lines.length > 1 && leaders.length < seats.length && leaders.includes(person);
  return isAhead ? t("pad.leads") : "";
}
