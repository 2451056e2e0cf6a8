/** A socket that only listens; it reconnects by itself, and rests while the page is hidden. */
import { socketUrl } from "./earlySocket";

const SOON = 1000;
const LATE = 15_000;
const NOT_THERE = 4404;
/** Ping while visible: the server closes idle connections. */
const BEAT = 25_000;

export interface Watcher {
  onmessage: (message: unknown) => void;
  /** There is nothing at this address. */
  onmissing: () => void;
  /** The connection is gone; it is tried again. */
  onlost: () => void;
}

/** Listen until the returned function is called. */
export function watchSocket(path: string, { onmessage, onmissing, onlost }: Watcher): () => void {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = SOON;
  let done = false;
  const open = (): void => {
    socket = new WebSocket(socketUrl(path));
    socket.onmessage = (event) => {
      wait = SOON;
      onmessage(JSON.parse(String(event.data)));
    };
    socket.onclose = (event) => {
      if (done) return;
      if (event.code === NOT_THERE) {
        onmissing();
        return;
      }
      socket = null;
      // Hidden: reconnect when the page is visible again.
      if (document.visibilityState === "hidden") return;
      onlost();
      timer = setTimeout(open, wait);
      wait = Math.min(LATE, wait * 2);
    };
  };
  const seen = (): void => {
    if (document.visibilityState === "hidden") return;
    if (socket?.readyState === WebSocket.OPEN) socket.send("{}");
    else if (!socket) {
      clearTimeout(timer);
      open();
    }
  };
  const beat = setInterval(seen, BEAT);
  document.addEventListener("visibilitychange", seen);
  open();
  return () => {
    done = true;
    clearTimeout(timer);
    clearInterval(beat);
    document.removeEventListener("visibilitychange", seen);
    socket?.close();
  };
}
