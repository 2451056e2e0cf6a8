/** The events of a local table, in the words of the server's log: all that is stored of it. */
import type { SeatPlan, TableOptions } from "../net/types";

/** Options with every rule written out and no default left open. */
/** Without gaps; what older servers do not know is left out where there is none of it. */
export type FullOptions = Required<Omit<TableOptions, "seats" | "reserve_seconds">> &
  Pick<TableOptions, "reserve_seconds"> & { seats: Required<SeatPlan>[] };

export interface Created {
  type: "created";
  at: number;
  options: FullOptions;
  server_seed: string;
  /** Of a rematch: what everybody was called. */
  names?: (string | null)[];
}

export type LocalEvent =
  | Created
  | { type: "seated"; at: number; seat: number; name: string }
  | { type: "started"; at: number }
  | { type: "moved"; at: number; seat: number; move: string; by_bot?: boolean }
  | { type: "round"; at: number }
  | { type: "undo_asked"; at: number; seat: number; moves: number }
  | { type: "undo_answered"; at: number; seat: number; agree: boolean }
  | { type: "undone"; at: number; moves: number }
  | { type: "gave_up"; at: number; seat: number }
  | { type: "bot_took"; at: number; seat: number; bot: string; reason: "gave_up" | "left" }
  | { type: "returned"; at: number; seat: number }
  | { type: "paused"; at: number; seat: number }
  | { type: "resumed"; at: number; seat: number }
  | { type: "rematched"; at: number; table: string }
  | { type: "moved_away"; at: number; table: string }
  | { type: "closed"; at: number; reason: string };

/** A command that is not carried out; *code* is the reason for programs. */
export class TableRefusal extends Error {
  constructor(
    readonly code: string,
    detail: string,
  ) {
    super(detail);
  }
}
