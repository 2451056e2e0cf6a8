/** Whether the server can be reached; while it cannot, it is probed, less and less often. */
export const connectivity = $state({ lost: false });

const FIRST_RETRY = 2500;
const LONGEST_RETRY = 60_000;
let wait = FIRST_RETRY;
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
  wait = FIRST_RETRY;
  probeLater();
}

/** Report that the server answered. */
export function reportOnline(): void {
  clearTimeout(timer);
  if (!connectivity.lost) return;
  connectivity.lost = false;
  for (const listener of listeners) listener();
}

/** A page that nobody sees asks nothing: it probes once it is looked at again. */
function probeLater(): void {
  clearTimeout(timer);
  if (document.visibilityState === "hidden") return;
  timer = setTimeout(() => void probe(), wait);
  wait = Math.min(LONGEST_RETRY, wait * 1.5);
}

async function probe(): Promise<void> {
  clearTimeout(timer);
  try {
    await fetch("/health", { cache: "no-store" });
    reportOnline();
  } catch {
    probeLater();
  }
}

function probeNow(): void {
  if (!connectivity.lost || document.visibilityState === "hidden") return;
  wait = FIRST_RETRY;
  void probe();
}

// The static site has no server to lose.
if (import.meta.env.MODE !== "site") {
  if (!navigator.onLine) reportOffline();
  addEventListener("offline", reportOffline);
  addEventListener("online", probeNow);
  document.addEventListener("visibilitychange", probeNow);
}
