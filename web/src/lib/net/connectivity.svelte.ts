/** Whether the server can be reached; while it cannot, it is probed until it answers. */
export const connectivity = $state({ lost: false });

const RETRY_AFTER = 2500;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Call *listener* when the server answers again; returns a function that unsubscribes. */
export function onReconnect(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Report that a request did not reach the server. */
export function reportOffline(): void {
  if (connectivity.lost) return;
  connectivity.lost = true;
  timer = setTimeout(() => void probe(), RETRY_AFTER);
}

/** Report that the server answered. */
export function reportOnline(): void {
  clearTimeout(timer);
  if (!connectivity.lost) return;
  connectivity.lost = false;
  for (const listener of listeners) listener();
}

async function probe(): Promise<void> {
  clearTimeout(timer);
  try {
    await fetch("/health", { cache: "no-store" });
    reportOnline();
  } catch {
    timer = setTimeout(() => void probe(), RETRY_AFTER);
  }
}

if (!navigator.onLine) reportOffline();
addEventListener("offline", reportOffline);
addEventListener("online", () => connectivity.lost && void probe());
