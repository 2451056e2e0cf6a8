/** Telling somebody who looks elsewhere that it is their turn. */
import { settings } from "./settings.svelte";

/** Browsers offer it over https only. */
export const canNotify = (): boolean => "Notification" in window && isSecureContext;

/** Ask once whether one may; `false` if the answer is no. */
export async function requestPermission(): Promise<boolean> {
  if (!canNotify()) return false;
  return (await Notification.requestPermission()) === "granted";
}

/** Say something, if it is wanted and nobody looks at the page. */
export async function notify(title: string, body: string, tag: string): Promise<void> {
  if (!settings.notify || !document.hidden || !canNotify()) return;
  if (Notification.permission !== "granted") return;
  const worker = await navigator.serviceWorker?.getRegistration();
  // Phones show what a service worker says, and nothing else.
  if (worker?.active) await worker.showNotification(title, { body, tag, icon: "/icon-192.png" });
  else {
    const shown = new Notification(title, { body, tag, icon: "/icon-192.png" });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  }
}
