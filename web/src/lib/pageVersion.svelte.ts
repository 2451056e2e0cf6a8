/** The page knows its own version: the names of its files, which change with their content. */
import { whenBack } from "./net/connectivity.svelte";

export const fresh = $state({ newer: false });

const NAMES = /\/assets\/[\w.-]+\.(?:js|css)/g;
const LEAST = 60_000;
const EVERY = 10 * 60_000;
const CALM = 4000;

const own = [...document.querySelectorAll('script[type="module"][src], link[rel="stylesheet"]')]
  .map((one) => one.getAttribute("src") ?? one.getAttribute("href") ?? "")
  .filter((name) => name.startsWith("/assets/"));
const holds = new Set<() => boolean>();

let looked = Date.now();
let touched = 0;
let pressed = false;
let there: string[] = [];

/** While *reason* says so, the page is not loaded anew by itself. Returns how to end that. */
export function hold(reason: () => boolean): () => void {
  holds.add(reason);
  return () => holds.delete(reason);
}

/** Ask the server which page it shows. */
export async function look(): Promise<void> {
  looked = Date.now();
  try {
    const answer = await fetch("/", { cache: "no-store", headers: { accept: "text/html" } });
    if (!answer.ok) return;
    there = (await answer.text()).match(NAMES) ?? [];
    fresh.newer = there.length > 0 && own.some((name) => !there.includes(name));
  } catch {
    // Nobody there: the next look will tell.
  }
}

/** Whether nobody would notice if the page came anew. */
function calm(): boolean {
  const typing = document.activeElement?.matches("input, select, textarea") ?? false;
  const busy = pressed || typing || document.querySelector("dialog[open]") !== null;
  if (busy || [...holds].some((reason) => reason())) return false;
  return document.visibilityState === "hidden" || Date.now() - touched > CALM;
}

/** Load the newer page; the tables are on the server, so nothing is lost. */
export function reload(): void {
  location.reload();
}

function byItself(): void {
  if (!fresh.newer || !calm()) return;
  // If it comes back the same, something between keeps the old one: do not turn in circles.
  const name = there.join();
  if (sessionStorage.getItem("loaded") === name) return;
  sessionStorage.setItem("loaded", name);
  reload();
}

/** Look for a newer version from time to time, and take it when nobody is in the middle of it. */
export function watch(): void {
  if (!own.length) return;
  addEventListener("pointerdown", () => (pressed = true), true);
  for (const name of ["pointerup", "pointercancel"])
    addEventListener(name, () => (pressed = false), true);
  for (const name of ["pointerdown", "pointermove", "keydown"])
    addEventListener(name, () => (touched = Date.now()), true);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && Date.now() - looked > LEAST) void look();
  });
  whenBack(() => void look());
  setInterval(() => void look(), EVERY);
  setInterval(byItself, 1000);
}
