/** Ready-made tables: an edition, a target and seats. */
import { EDITIONS, editionNames, matchName, type EditionName } from "../editions";
import { isSame } from "../json";
import type { Json } from "../net/types";
import { t } from "../words";
import { withChange } from "./fields";

export interface Preset {
  id: "classic" | "quick" | "family" | "cards" | "casual";
  edition: EditionName;
  changes: Json;
  /** How many people it is for, if the seats follow from that. */
  seats: number | null;
}

const preset = (
  id: Preset["id"],
  edition: EditionName,
  target: number | null = null,
  seats: number | null = null,
): Preset => ({ id, edition, changes: withChange({}, edition, "target", target), seats });

export function presets(): Preset[] {
  // The classic game of those who read Hebrew is the one of their sheet.
  const classic = editionNames()[0] ?? "classic";
  return [
    preset("classic", classic, 400),
    preset("quick", classic),
    preset("family", "six-player", null, 6),
    preset("cards", "card", 200),
    preset("casual", "casual"),
  ];
}

export function presetName({ id, edition, changes }: Preset): string {
  if (id === "quick") return t("preset.quick");
  if (id === "family") return t("preset.family");
  return matchName({ edition, ...changes });
}

/** Whether a table with these rules and seats is that of a preset. */
export function isPreset(preset: Preset, edition: string, changes: Json, seats: number): boolean {
  const most = Math.max(...EDITIONS[preset.edition].players);
  const fits = preset.seats === null ? seats <= most : seats === preset.seats;
  return fits && preset.edition === edition && isSame(preset.changes, changes);
}
