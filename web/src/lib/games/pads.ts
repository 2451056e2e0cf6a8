/** The score pads of this device as games. */
import { sheetOf, type Sheet } from "../scorepad/pad";
import { list } from "../scorepad/store";
import { padEntry, type Entry } from "./memory";

export interface PadGame {
  entry: Entry;
  sheet: Sheet;
}

/** All pads that can be read, the newest first; *name* is that of the device's owner. */
export async function loadPads(name: string): Promise<PadGame[]> {
  const found = await list().catch(() => []);
  return found.flatMap(({ id, updated: when, log }) => {
    try {
      const sheet = sheetOf(log);
      return [{ sheet, entry: padEntry(sheet, { id, when }, name) }];
    } catch {
      return [];
    }
  });
}
