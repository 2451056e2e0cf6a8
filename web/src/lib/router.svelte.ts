/** The current address, and navigation within the page. */
import { pageVersion } from "./pageVersion.svelte";

/** A static host knows no paths, so the static site keeps its path behind the #. */
export const isSite = import.meta.env.MODE === "site";
const path = (): string => (isSite ? location.hash.slice(1) || "/" : location.pathname);

export const here = $state({ path: path(), hash: location.hash });

let hasNavigated = false;

/** Focus the heading after navigation, so that keyboards and screen readers start there. */
export function focusOnArrival(heading: HTMLElement): void {
  if (hasNavigated) heading.focus({ preventScroll: true });
}

function update(): void {
  here.path = path();
  here.hash = location.hash;
}

export function go(place: string, replace = false): void {
  const path = isSite ? `#${place}` : place;
  if (pageVersion.newer) {
    // Navigation is a good moment to load the newer page.
    location.assign(path);
    return;
  }
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  hasNavigated = true;
  update();
  scrollTo(0, 0);
}

addEventListener("popstate", update);
addEventListener("hashchange", update);

/** Follow a link within the page, unless the user wants another tab. */
export function followLink(event: MouseEvent): void {
  const link = (event.currentTarget as HTMLAnchorElement).getAttribute("href");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(link);
}
