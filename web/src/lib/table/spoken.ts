/** The state of a table in words, for key commands. */
import { pointsOf } from "../board/geometry";
import { listUnits, t } from "../words";
import type { Hand } from "./hand.svelte";
import type { Match } from "./match.svelte";

/** The rack in words. */
export function rackInWords(hand: Hand): string {
  if (!hand.rack.length) return t("said.noRack");
  return listUnits(
    hand.rack.map((tile) => {
      const values = { tile, points: pointsOf(tile) };
      return hand.mine && hand.playable
        ? t("rack.tilePlaces", { ...values, places: hand.playable.get(tile) ?? 0 })
        : t("rack.tile", values);
    }),
  );
}

/** The scores in words. */
export function scoresInWords(match: Match): string {
  const { now, names } = match;
  const goal = match.targetText("end");
  if (!now) return "";
  const each = names.map((name, seat) =>
    t(match.scoring ? "said.score" : "said.tiles", {
      name,
      points: now.totals[seat] ?? 0,
      count: now.rack_sizes[seat] ?? 0,
    }),
  );
  const parts = [listUnits(each)];
  if (goal) parts.push(goal);
  parts.push(t("pool.label", { count: now.pool_size }));
  return parts.join(". ");
}
