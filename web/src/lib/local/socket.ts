/** A local table as a socket: what a connection needs of a `WebSocket`. */
import type { TableSocket } from "../net/transport";

export class LocalSocket extends EventTarget implements TableSocket {
  readyState: number = WebSocket.CONNECTING;
  onmessage: ((event: MessageEvent) => unknown) | null = null;
  onclose: ((event: CloseEvent) => unknown) | null = null;
  #talk: { send: (text: string) => void; close: () => void } | null = null;

  constructor(table: string) {
    super();
    // Not part of the first load.
    import("./client").then(
      (client) => {
        if (this.readyState === WebSocket.CLOSED) return;
        this.#talk = client.talk(table, (reply) => {
          if ("opened" in reply) {
            this.readyState = WebSocket.OPEN;
            this.dispatchEvent(new Event("open"));
          } else if ("message" in reply) {
            this.onmessage?.(new MessageEvent("message", { data: JSON.stringify(reply.message) }));
          } else if ("closed" in reply || "refusal" in reply) this.#end();
        });
      },
      () => this.#end(),
    );
  }

  send(text: string): void {
    this.#talk?.send(text);
  }

  close(): void {
    this.readyState = WebSocket.CLOSED;
    this.#talk?.close();
  }

  #end(): void {
    this.readyState = WebSocket.CLOSED;
    this.onclose?.(new CloseEvent("close"));
  }
}
