/** The version of the page, known by the names of its files, which contain hashes. */
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
  // The style of a part that was loaded since is not named in the page itself.
  .filter((name) => /^\/assets\/(boot|index)-/.test(name));
const holds = new Set<() => boolean>();

let checkedAt = Date.now();
let touchedAt = 0;
let isPressed = false;
let served: string[] = [];

/** Prevent automatic reloads while *reason* returns true; returns a function that ends this. */
export function holdReload(reason: () => boolean): () => void {
  holds.add(reason);
  return () => holds.delete(reason);
}

/** Ask the server which version it serves. */
export async function checkVersion(): Promise<void> {
  checkedAt = Date.now();
  try {
    const answer = await fetch("/", { cache: "no-store", headers: { accept: "text/html" } });
    if (!answer.ok) return;
    served = (await answer.text()).match(ASSETS) ?? [];
    pageVersion.newer = served.length > 0 && ownAssets.some((name) => !served.includes(name));
  } catch {
    // Unreachable: the next check will tell.
  }
}

/** Whether a reload would disturb nobody. */
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

/** Load the page of a server that does not understand this one; once, whatever is going on. */
export async function loadNewer(): Promise<void> {
  await checkVersion();
  if (pageVersion.newer) reloadOnce();
}

function reloadWhenIdle(): void {
  if (pageVersion.newer && isIdle()) reloadOnce();
}

function reloadOnce(): void {
  // If the reloaded page is the same, a cache serves the old one: do not reload again and again.
  const name = served.join();
  if (sessionStorage.getItem("loaded") === name) return;
  sessionStorage.setItem("loaded", name);
  reload();
}

/**
 * On the static site a service worker brings the newer version; it says what its files are. Until
 * the page is loaded again, it keeps those of the version before.
 */
export function watchWorker(): void {
  const workers = navigator.serviceWorker;
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src;
  workers.addEventListener("message", ({ data }: MessageEvent<{ files?: string[] }>) => {
    if (own && data.files && !data.files.includes(new URL(own).pathname)) pageVersion.newer = true;
  });
  void workers.ready.then((one) =>
    setInterval(() => void one.update().catch(() => undefined), INTERVAL),
  );
}

/** Check for a newer version regularly, and reload when the page is idle. */
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
