/** Run *work* after the next frame, or after 100 ms, because hidden tabs have no frames. */
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
