/** Notifications while the page is hidden. */
import { settings } from "./settings.svelte";

/** Browsers offer notifications over https only. */
export const canNotify = (): boolean => "Notification" in window && isSecureContext;

/** Ask for permission; resolves to whether it was granted. */
export async function requestPermission(): Promise<boolean> {
  if (!canNotify()) return false;
  return (await Notification.requestPermission()) === "granted";
}

/** Notify, if notifications are on and the page is hidden. */
export async function notify(title: string, body: string, tag: string): Promise<void> {
  if (!settings.notify || !document.hidden || !canNotify()) return;
  if (Notification.permission !== "granted") return;
  const worker = await navigator.serviceWorker?.getRegistration();
  // Phones show only notifications of a service worker.
  if (worker?.active) await worker.showNotification(title, { body, tag, icon: "/icon-192.png" });
  else {
    const shown = new Notification(title, { body, tag, icon: "/icon-192.png" });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  }
}
