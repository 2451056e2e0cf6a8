/** What would take long when a table is opened, done once before. */
import { loadTakePart } from "./fair/loadTakePart";
import { signed } from "./words";

export async function prepareTable(): Promise<void> {
  (await loadTakePart()).warmUp();
  // The first number takes the browser ten times as long as all others together.
  signed(0, false);
}
