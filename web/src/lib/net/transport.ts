/** How a page talks to a table: through a socket to the server, or to a Worker of this browser. */
import { isLocal } from "../local/ids";
import { LocalSocket } from "../local/socket";
import { socketUrl } from "./earlySocket";

/** What a connection needs of a `WebSocket`. */
export interface TableSocket {
  readonly readyState: number;
  onmessage: ((event: MessageEvent) => unknown) | null;
  onclose: ((event: CloseEvent) => unknown) | null;
  addEventListener(type: "open", listener: () => void): void;
  send(text: string): void;
  close(): void;
}

/** Open a socket to a table; its id says where it lives. */
export const openSocket = (table: string): TableSocket =>
  isLocal(table) ? new LocalSocket(table) : new WebSocket(socketUrl());
