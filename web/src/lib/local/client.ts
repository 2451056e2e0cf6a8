/** The page's side of local tables: requests and sockets to the Worker that has them. */
import { Refusal } from "../net/refusal";
import type {
  ArrivedTable,
  RematchOptions,
  RuleBook,
  TableOptions,
  TableSummary,
} from "../net/types";
import type { Reply, Request } from "./worker";

type OnReply = (reply: Reply) => void;

let worker: Worker | null = null;
let number = 0;
const waiting = new Map<number, OnReply>();

/** The Worker; it starts when it is first needed. */
function started(): Worker {
  if (!worker) {
    worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Reply>) =>
      waiting.get("call" in data ? data.call : data.socket)?.(data);
    // An old browser, or a file that cannot be loaded: everybody who waits is told.
    worker.onerror = () => {
      worker = null;
      const refusal = { code: "unavailable", detail: "the Worker did not start" };
      for (const [call, reply] of waiting) reply({ call, refusal });
    };
  }
  return worker;
}

function ask<T>(
  method: Extract<Request, { call: number }>["method"],
  ...values: unknown[]
): Promise<T> {
  const call = ++number;
  return new Promise((resolve, reject) => {
    waiting.set(call, (reply) => {
      waiting.delete(call);
      if ("refusal" in reply) reject(new Refusal(reply.refusal.code, reply.refusal.detail));
      else if ("value" in reply) resolve(reply.value as T);
    });
    started().postMessage({ call, method, values } satisfies Request);
  });
}

export const create = (options: TableOptions): Promise<TableSummary> => ask("create", options);
export const sit = (table: string, name: string | null, seat: number | null): Promise<void> =>
  ask("sit", table, name, seat);
export const start = (table: string): Promise<void> => ask("start", table);
export const rematch = (table: string, changes: RematchOptions = {}): Promise<TableSummary> =>
  ask("rematch", table, changes);
export const moveAway = (
  table: string,
  friend: number | null,
  name: string,
): Promise<ArrivedTable> => ask("moveAway", table, friend, name);
export const look = (table: string): Promise<TableSummary> => ask("look", table);
export const record = (table: string): Promise<unknown> => ask("record", table);

/** The rule book of the edition that a table is played by. */
export async function rules(table: string): Promise<RuleBook> {
  const [{ edition }, book] = await Promise.all([look(table), import("../rulebook/book.json")]);
  return book.default.editions[edition as keyof typeof book.default.editions] as RuleBook;
}

/** Load the kernel before it is needed. */
export const warmUp = (): void => void started();

/** Ask the browser never to delete games to make room; `false` if it may. */
export const keepGames = async (): Promise<boolean> =>
  (await navigator.storage?.persist?.()) ?? false;

/** Talk to a table; returns how to send and how to end it. */
export function talk(
  table: string,
  on: OnReply,
): { send: (text: string) => void; close: () => void } {
  const socket = ++number;
  waiting.set(socket, on);
  started().postMessage({ socket, open: table } satisfies Request);
  return {
    send: (text) => started().postMessage({ socket, message: JSON.parse(text) } as Request),
    close: () => {
      waiting.delete(socket);
      started().postMessage({ socket, close: true } satisfies Request);
    },
  };
}
