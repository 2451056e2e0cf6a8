/** The Worker of local tables: loads the kernel, then does what the page asks. See `client.ts`. */
import { loadKernel } from "../kernel/load";
import type { ClientMessage, ServerMessage } from "../net/types";
import { TableRefusal } from "./events";
import { LocalHost, type Listener } from "./host";
import { TableStore } from "./store";

type Method = "create" | "sit" | "start" | "rematch" | "look" | "record" | "moveAway";

/** What the page asks for, with a number that the answer has, too. */
export type Request =
  | { call: number; method: Method; values: unknown[] }
  | { socket: number; open: string }
  | { socket: number; message: ClientMessage }
  | { socket: number; close: true };

export type Reply =
  | { call: number; value: unknown }
  | { call: number; refusal: { code: string; detail: string } }
  | { socket: number; message: ServerMessage }
  | { socket: number; opened: true }
  | { socket: number; closed: true };

const post = (reply: Reply): void => postMessage(reply);
const channel = new BroadcastChannel("triomino-tables");
const host = Promise.all([loadKernel(true), TableStore.open()]).then(
  ([kernel, store]) => new LocalHost(kernel, store, (table) => channel.postMessage(table)),
);
channel.onmessage = (event: MessageEvent<string>) =>
  void host.then((one) => one.changedElsewhere(event.data));

const sockets = new Map<number, { table: string; listener: Listener }>();

function refusalOf(error: unknown): { code: string; detail: string } {
  if (error instanceof TableRefusal) return { code: error.code, detail: error.message };
  return { code: "unavailable", detail: String(error) };
}

async function openSocket(socket: number, table: string): Promise<void> {
  const listener: Listener = (message) => post({ socket, message });
  try {
    await (await host).listen(table, listener);
    sockets.set(socket, { table, listener });
    post({ socket, opened: true });
  } catch (error) {
    post({ socket, message: { type: "refused", id: null, ...refusalOf(error) } });
    post({ socket, closed: true });
  }
}

async function answer(request: Extract<Request, { call: number }>): Promise<void> {
  const { call, method, values } = request;
  try {
    const one = (await host) as unknown as Record<
      string,
      (...values: unknown[]) => Promise<unknown>
    >;
    post({ call, value: await one[method]?.(...values) });
  } catch (error) {
    post({ call, refusal: refusalOf(error) });
  }
}

onmessage = async ({ data }: MessageEvent<Request>) => {
  if ("call" in data) return answer(data);
  if ("open" in data) return openSocket(data.socket, data.open);
  const known = sockets.get(data.socket);
  if (!known) return;
  if ("close" in data) {
    sockets.delete(data.socket);
    await (await host).leave(known.table, known.listener);
  } else {
    const refuse = (error: unknown): void =>
      known.listener({ type: "refused", id: null, ...refusalOf(error) });
    await (await host).receive(known.table, data.message, known.listener).catch(refuse);
  }
};
