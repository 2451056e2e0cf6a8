/** What would take long when a table is opened, done once before. */
import { loadTakePart } from "./fair/loadTakePart";
import { settings } from "./settings.svelte";
import { signed } from "./words";

export async function prepareTable(): Promise<void> {
  // A table in this browser needs no seeds of others.
  if (settings.where !== "here") (await loadTakePart()).warmUp();
  // The first number takes the browser ten times as long as all others together.
  signed(0, false);
}
