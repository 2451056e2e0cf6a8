// Opens the page while offline, in the language in use, with all that tables in this browser need.
// Nothing of the server's tables is cached.
const VERSION = __VERSION__;
const HOME = new URL("./", location.href).pathname;
const FILES = __FILES__.map((name) => HOME + name);
const WORDS = __WORDS__.map((name) => HOME + name);
// Only the texts of the current language are cached.
const LANGUAGE = new URL(location.href).searchParams.get("language");
const SHELL = ["", "icon.svg", "icon-192.png", "manifest.webmanifest"].map((name) => HOME + name);
const NAME = `page-${VERSION}`;

self.addEventListener("install", (event) => {
  const fill = async () => {
    const cache = await caches.open(NAME);
    await cache.addAll([
      ...SHELL,
      ...FILES,
      ...WORDS.filter((name) => name.includes(`/words-${LANGUAGE}-`)),
    ]);
    await self.skipWaiting();
  };
  event.waitUntil(fill());
});

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    for (const name of await caches.keys()) if (name !== NAME) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

/** Another language, for one, is kept once it was asked for. */
async function fetchAndKeep(request) {
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(NAME)).put(request, answer.clone());
  return answer;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  const kept = async (name) => (await caches.open(NAME)).match(name);
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(async () => (await kept(HOME)) ?? Response.error()));
  } else if (FILES.includes(url.pathname) || WORDS.includes(url.pathname)) {
    // A name with a hash never changes its content.
    event.respondWith(kept(url.pathname).then((found) => found ?? fetchAndKeep(request)));
  } else if (SHELL.includes(url.pathname) && url.pathname !== HOME) {
    event.respondWith(
      fetch(request).catch(async () => (await kept(url.pathname)) ?? Response.error()),
    );
  }
});
