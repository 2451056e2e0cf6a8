/** Whether the server can be reached; while it cannot, it is asked again until it answers. */
export const connectivity = $state({ lost: false });

const RETRY_AFTER = 2500;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Be told when the server answers again; returns how to stop that. */
export function onReconnect(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A request found nobody. */
export function reportOffline(): void {
  if (connectivity.lost) return;
  connectivity.lost = true;
  timer = setTimeout(() => void probe(), RETRY_AFTER);
}

/** The server was heard. */
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
