/** Keep the screen on while the page is visible, if allowed; returns a function that stops it. */
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
      // Refused, for example on a low battery: the screen goes dark as usual.
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
