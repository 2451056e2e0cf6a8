/** The page knows its own version: the names of its files, which change with their content. */
import { onReconnect } from "./net/connectivity.svelte";

export const pageVersion = $state({ newer: false });

const ASSETS = /\/assets\/[\w.-]+\.(?:js|css)/g;
const MIN_INTERVAL = 60_000;
const INTERVAL = 10 * 60_000;
const IDLE_AFTER = 4000;

const ownAssets = [
  ...document.querySelectorAll('script[type="module"][src], link[rel="stylesheet"]'),
]
  .map((one) => one.getAttribute("src") ?? one.getAttribute("href") ?? "")
  .filter((name) => name.startsWith("/assets/"));
const holds = new Set<() => boolean>();

let checkedAt = Date.now();
let touchedAt = 0;
let isPressed = false;
let served: string[] = [];

/** While *reason* says so, the page is not loaded anew by itself. Returns how to end that. */
export function holdReload(reason: () => boolean): () => void {
  holds.add(reason);
  return () => holds.delete(reason);
}

/** Ask the server which page it shows. */
export async function checkVersion(): Promise<void> {
  checkedAt = Date.now();
  try {
    const answer = await fetch("/", { cache: "no-store", headers: { accept: "text/html" } });
    if (!answer.ok) return;
    served = (await answer.text()).match(ASSETS) ?? [];
    pageVersion.newer = served.length > 0 && ownAssets.some((name) => !served.includes(name));
  } catch {
    // Nobody there: the next look will tell.
  }
}

/** Whether nobody would notice if the page came anew. */
function isIdle(): boolean {
  const typing = document.activeElement?.matches("input, select, textarea") ?? false;
  const busy = isPressed || typing || document.querySelector("dialog[open]") !== null;
  if (busy || [...holds].some((reason) => reason())) return false;
  return document.visibilityState === "hidden" || Date.now() - touchedAt > IDLE_AFTER;
}

/** Load the newer page; the tables are on the server, so nothing is lost. */
export function reload(): void {
  location.reload();
}

function reloadWhenIdle(): void {
  if (!pageVersion.newer || !isIdle()) return;
  // If it comes back the same, something between keeps the old one: do not turn in circles.
  const name = served.join();
  if (sessionStorage.getItem("loaded") === name) return;
  sessionStorage.setItem("loaded", name);
  reload();
}

/** Look for a newer version from time to time, and take it when nobody is in the middle of it. */
export function watchVersion(): void {
  if (!ownAssets.length) return;
  addEventListener("pointerdown", () => (isPressed = true), true);
  for (const name of ["pointerup", "pointercancel"])
    addEventListener(name, () => (isPressed = false), true);
  for (const name of ["pointerdown", "pointermove", "keydown"])
    addEventListener(name, () => (touchedAt = Date.now()), true);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && Date.now() - checkedAt > MIN_INTERVAL)
      void checkVersion();
  });
  onReconnect(() => void checkVersion());
  setInterval(() => void checkVersion(), INTERVAL);
  setInterval(reloadWhenIdle, 1000);
}
