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
const ASSETS = `${HOME}assets/`;
const OLD_VERSIONS = 2;

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
    // Pages of the versions before may still be open: what they load later is kept for them.
    const pages = (await caches.keys()).filter((name) => name.startsWith("page-"));
    const others = pages.filter((name) => name !== NAME);
    for (const name of others.slice(0, -OLD_VERSIONS)) await caches.delete(name);
    await self.clients.claim();
    for (const client of await self.clients.matchAll()) client.postMessage({ files: FILES });
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
  } else if (url.pathname.startsWith(ASSETS)) {
    event.respondWith(caches.match(url.pathname).then((found) => found ?? fetch(request)));
  } else if (SHELL.includes(url.pathname) && url.pathname !== HOME) {
    event.respondWith(
      fetch(request).catch(async () => (await kept(url.pathname)) ?? Response.error()),
    );
  }
});

// --- While the page is closed ---------------------------------------------------------------------

self.addEventListener("push", (event) => {
  const { title, body, path, tag, off, language } = event.data.json();
  const shown = self.registration.showNotification(title, {
    body,
    tag,
    lang: language,
    renotify: true,
    icon: `${HOME}icon-192.png`,
    data: { path },
    actions: [{ action: "off", title: off }],
  });
  event.waitUntil(shown);
});

/** Show a table, in a window that is open if there is one. */
async function open(path) {
  const url = new URL(HOME + path, location.origin).href;
  const windows = await self.clients.matchAll({ type: "window" });
  const there = windows.find((one) => one.url.split("#")[0] === url) ?? windows[0];
  if (!there) return self.clients.openWindow(url);
  await there.focus();
  return there.url.split("#")[0] === url ? there : there.navigate(url);
}

/** Be told nothing any more. The mark, an empty cache, tells the page when it is opened next. */
async function turnOff() {
  await caches.open("push-off");
  await fetch(`${HOME}api/push`, { method: "DELETE" });
  const known = await self.registration.pushManager.getSubscription();
  await known?.unsubscribe();
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(event.action === "off" ? turnOff() : open(event.notification.data.path));
});
