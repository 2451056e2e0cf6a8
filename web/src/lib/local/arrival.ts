/** A match of this browser on its way to the server, where it is played on. */
import { Refusal } from "../net/refusal";
import type { ArrivedTable, ArrivingTable } from "../net/types";
import { TableRefusal } from "./events";
import type { LocalTable } from "./table";

/** What the server needs of a match; the seat of a *friend*, who gets this name, is theirs. */
export function arrivalOf(table: LocalTable, friend: number | null, name: string): ArrivingTable {
  if (table.state !== "playing" || table.isOver)
    throw new TableRefusal("is_finished", "the match is over");
  const own = table.chairs.map((chair) => chair.name ?? chair.defaultName);
  const isTaken = own.some((one, seat) => one === name && seat !== friend);
  return {
    options: table.options,
    server_seed: table.serverSeed,
    names: own.map((one, seat) => (seat === friend && !isTaken ? name : one)),
    rounds: table.byBot.map((_, index) => table.round(index + 1).plies.map(({ move }) => move)),
    friend,
  };
}

/** Ask the server to play a match on. */
export async function handOver(table: ArrivingTable): Promise<ArrivedTable> {
  let answer: Response;
  try {
    answer = await fetch("/api/tables/arrivals", {
      method: "POST",
      body: JSON.stringify(table),
      headers: { "content-type": "application/json" },
    });
  } catch {
    throw new TableRefusal("offline", "the server cannot be reached");
  }
  const data: unknown = await answer.json().catch(() => null);
  if (answer.ok) return data as ArrivedTable;
  const { code, detail } = (data ?? {}) as Partial<Refusal> & { detail?: string };
  throw new TableRefusal(code ?? String(answer.status), detail ?? "");
}
