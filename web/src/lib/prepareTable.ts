/** What would take long when a table is opened, done once before. */
import { warmUp } from "./fair/takePart";
import { signed } from "./words";

warmUp();
// The first number takes the browser ten times as long as all others together.
signed(0, false);
