/** Being told something while the page is closed, through the push service of the browser. */
import * as api from "./net/api";
import { currentLanguage } from "./language.svelte";
import type { PushSubscription as Wanted } from "./net/types";
import { saveSettings, settings } from "./settings.svelte";

export const WISHES = ["turns", "invitations", "reminders"] as const;

/** What keeps this device from being told; `null` if nothing does. */
export type Obstacle = "http" | "blocked" | "failed";

export function obstacle(): Obstacle | null {
  if (!isSecureContext) return "http";
  const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  return able && Notification.permission !== "denied" ? null : "blocked";
}

/** Tell the server what `settings.push` says; resolves to what keeps it from being done. */
export async function subscribe(): Promise<Obstacle | null> {
  const stopped = obstacle();
  if (stopped || !settings.push) return stopped;
  if ((await Notification.requestPermission()) !== "granted") return "blocked";
  try {
    await caches.delete("push-off");
    await api.registerDevice();
    const { key } = await api.pushState();
    if (key === null) return "failed";
    const worker = await navigator.serviceWorker.ready;
    const made = await subscription(worker.pushManager, key);
    const { endpoint, keys } = made.toJSON();
    const { p256dh = "", auth = "" } = keys ?? {};
    await api.subscribePush({ endpoint: endpoint ?? "", p256dh, auth, ...wanted() });
    settings.pushed = Date.now();
    saveSettings();
    return null;
  } catch {
    return "failed";
  }
}

const DAY = 24 * 3_600_000;

/** A push service may change the address of this device, and its clock may have been set. */
export async function renew(): Promise<void> {
  await heedMessage();
  if (settings.push && Date.now() - settings.pushed > DAY) await subscribe();
}

/** Heed "Tell me no more" on a message: the service worker left a mark. */
export async function heedMessage(): Promise<void> {
  if (settings.push && (await caches.delete("push-off"))) await unsubscribe();
}

/** What this device wishes to be told, and when not. */
function wanted(): Pick<Wanted, "language" | "wishes" | "quiet"> {
  const { wishes = [], quiet = null } = settings.push ?? {};
  const offset = -new Date().getTimezoneOffset();
  return {
    language: currentLanguage().code,
    wishes: [...wishes],
    quiet: quiet && { ...quiet, offset },
  };
}

async function subscription(manager: PushManager, key: string): Promise<PushSubscription> {
  const applicationServerKey = bytesOf(key);
  const known = await manager.getSubscription();
  const same = known?.options.applicationServerKey;
  if (known && same && textOf(same) === key) return known;
  await known?.unsubscribe(); // it was made for another server's key
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

/** Be told nothing any more. */
export async function unsubscribe(): Promise<void> {
  settings.push = null;
  saveSettings();
  await api.unsubscribePush().catch(() => undefined);
  const worker = await navigator.serviceWorker?.getRegistration();
  const known = await worker?.pushManager?.getSubscription();
  await known?.unsubscribe();
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (one) => one.charCodeAt(0));
}

function textOf(data: ArrayBuffer): string {
  const plain = btoa(String.fromCharCode(...new Uint8Array(data)));
  return plain.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
