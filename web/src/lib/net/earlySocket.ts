/** The socket to the table in the address, opened while the rest of the page is loading. */
import { isLocal } from "../local/ids";
import { PROTOCOL } from "./protocolVersion";

export interface EarlySocket {
  socket: WebSocket;
  /** Messages received so far. */
  heard: MessageEvent[];
}

export const socketUrl = (path = "/ws"): string =>
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;

function connect(table: string): EarlySocket {
  const socket = new WebSocket(socketUrl());
  const heard: MessageEvent[] = [];
  socket.onopen = () => socket.send(JSON.stringify({ type: "hello", table, protocol: PROTOCOL }));
  socket.onmessage = (event) => heard.push(event);
  return { socket, heard };
}

const tableInUrl = /^\/t\/([\w-]+)(?:\/tv)?$/.exec(location.pathname)?.[1];
const isServed = tableInUrl !== undefined && !isLocal(tableInUrl) && !location.hash;
let early = isServed ? connect(tableInUrl) : null;

/** Hand over the socket opened for this table, once; a socket for another table is closed. */
export function takeEarlySocket(table: string): EarlySocket | null {
  const taken = early;
  early = null;
  if (table === tableInUrl) return taken;
  taken?.socket.close();
  return null;
}
