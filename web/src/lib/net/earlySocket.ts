/** The line to a table that the address names, opened while the rest of the page still comes. */

export interface EarlySocket {
  socket: WebSocket;
  /** What was said meanwhile. */
  heard: MessageEvent[];
}

export const socketUrl = (path = "/ws"): string =>
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;

function connect(table: string): EarlySocket {
  const socket = new WebSocket(socketUrl());
  const heard: MessageEvent[] = [];
  socket.onopen = () => socket.send(JSON.stringify({ type: "hello", table }));
  socket.onmessage = (event) => heard.push(event);
  return { socket, heard };
}

const tableInUrl = /^\/t\/([\w-]+)(?:\/tv)?$/.exec(location.pathname)?.[1];
let early = tableInUrl === undefined || location.hash ? null : connect(tableInUrl);

/** The line that was begun for this table; it is given away once. */
export function takeEarlySocket(table: string): EarlySocket | null {
  const taken = early;
  early = null;
  if (table === tableInUrl) return taken;
  taken?.socket.close();
  return null;
}
