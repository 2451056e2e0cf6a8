import { afterEach, beforeEach, expect, it, vi } from "vitest";

const HOUR = 3_600_000;
const listeners = new Map<string, () => void>();
const listen = (name: string, listener: () => void): unknown => listeners.set(name, listener);
const fetched = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  listeners.clear();
  fetched.mockReset().mockRejectedValue(new TypeError("no network"));
  vi.stubGlobal("fetch", fetched);
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("addEventListener", listen);
  vi.stubGlobal("document", { visibilityState: "visible", addEventListener: listen });
});
afterEach(() => vi.useRealTimers());

it("asks less and less often while there is no answer", async () => {
  const { connectivity, reportOffline } = await import("./connectivity.svelte");
  reportOffline();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(fetched.mock.calls.length).toBeGreaterThan(1);
  await vi.advanceTimersByTimeAsync(HOUR);
  expect(fetched.mock.calls.length).toBeLessThan(80);
  fetched.mockResolvedValue(new Response());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(connectivity.lost).toBe(false);
});

it("asks nothing while nobody looks, and at once when somebody does", async () => {
  const { reportOffline } = await import("./connectivity.svelte");
  (document as { visibilityState: string }).visibilityState = "hidden";
  reportOffline();
  await vi.advanceTimersByTimeAsync(HOUR);
  expect(fetched).not.toHaveBeenCalled();
  (document as { visibilityState: string }).visibilityState = "visible";
  listeners.get("visibilitychange")?.();
  expect(fetched).toHaveBeenCalledTimes(1);
});
