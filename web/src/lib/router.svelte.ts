/** Where one is in the page. */
import { pageVersion } from "./pageVersion.svelte";

/** Files on some host know no paths: there a place stands behind the #. */
export const isSite = import.meta.env.MODE === "site";
const path = (): string => (isSite ? location.hash.slice(1) || "/pad" : location.pathname);

export const here = $state({ path: path(), hash: location.hash });

let hasNavigated = false;

/** A heading at which one starts who came from another page by keyboard or by ear. */
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
    // Going elsewhere is the best moment to take the newer page along.
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

/** A link that stays in the page. */
export function followLink(event: MouseEvent): void {
  const link = (event.currentTarget as HTMLAnchorElement).getAttribute("href");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(link);
}
