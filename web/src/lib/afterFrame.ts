/** Do something once the next frame is on the screen; soon in any case, as hidden tabs have none. */
export function afterFrame(work: () => void): void {
  let done = false;
  const once = (): void => {
    if (done) return;
    done = true;
    work();
  };
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, 100);
}
