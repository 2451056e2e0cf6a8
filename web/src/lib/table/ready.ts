/** Whether everybody has come to a table that waits for its host to start it. */
import type { State } from "../net/types";

export const isReady = ({ state, is_host, you, seats }: State): boolean =>
  state === "open" && is_host && you.length > 0 && !seats.some((seat) => seat.is_free);
