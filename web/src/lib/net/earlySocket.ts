/** The line to a table that the address names, opened while the rest of the page still comes. */

export interface FirstLine {
  socket: WebSocket;
  /** What was said meanwhile. */
  heard: MessageEvent[];
}

export const lineAddress = (): string =>
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;

function begin(table: string): FirstLine {
  const socket = new WebSocket(lineAddress());
  const heard: MessageEvent[] = [];
  socket.onopen = () => socket.send(JSON.stringify({ type: "hello", table }));
  socket.onmessage = (event) => heard.push(event);
  return { socket, heard };
}

const named = /^\/t\/([\w-]+)(?:\/tv)?$/.exec(location.pathname)?.[1];
let first = named === undefined || location.hash ? null : begin(named);

/** The line that was begun for this table; it is given away once. */
export function takeFirst(table: string): FirstLine | null {
  const taken = first;
  first = null;
  if (table === named) return taken;
  taken?.socket.close();
  return null;
}
