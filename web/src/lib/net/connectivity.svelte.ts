/** Whether the server can be reached; while it cannot, it is asked again until it answers. */
export const line = $state({ lost: false });

const AGAIN = 2500;
let timer: ReturnType<typeof setTimeout> | undefined;
const friends = new Set<() => void>();

/** Be told when the server answers again; returns how to stop that. */
export function whenBack(tell: () => void): () => void {
  friends.add(tell);
  return () => friends.delete(tell);
}

/** A request found nobody. */
export function broke(): void {
  if (line.lost) return;
  line.lost = true;
  timer = setTimeout(() => void ask(), AGAIN);
}

/** The server was heard. */
export function works(): void {
  clearTimeout(timer);
  if (!line.lost) return;
  line.lost = false;
  for (const tell of friends) tell();
}

async function ask(): Promise<void> {
  clearTimeout(timer);
  try {
    await fetch("/health", { cache: "no-store" });
    works();
  } catch {
    timer = setTimeout(() => void ask(), AGAIN);
  }
}

if (!navigator.onLine) broke();
addEventListener("offline", broke);
addEventListener("online", () => line.lost && void ask());
