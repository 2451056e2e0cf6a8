/** Keep the screen on while somebody looks, where the browser allows it; returns how to stop. */
export function keepScreenOn(): () => void {
  let lock: WakeLockSentinel | null = null;
  let done = false;
  async function ask(): Promise<void> {
    if (done || lock || document.visibilityState !== "visible" || !("wakeLock" in navigator))
      return;
    try {
      lock = await navigator.wakeLock.request("screen");
      lock.addEventListener("release", () => (lock = null));
      if (done) void lock.release();
    } catch {
      // A low battery, or a page that may not: the screen goes dark as it always did.
    }
  }
  const onVisibility = (): void => void ask();
  document.addEventListener("visibilitychange", onVisibility);
  void ask();
  return () => {
    done = true;
    document.removeEventListener("visibilitychange", onVisibility);
    void lock?.release();
  };
}
