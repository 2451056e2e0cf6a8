/** The kernel on the page itself, for the referee and the check of deals: loaded with their pages. */
import type { Kernel } from "./kernel";

let loaded: Kernel | null = null;

/** Load the kernel once; a page that needs it is shown afterwards. */
export async function kernelReady(): Promise<void> {
  if (!loaded) loaded = await (await import("./load")).loadKernel(false);
}

/** Use a kernel that was loaded elsewhere. */
export function setPageKernel(kernel: Kernel): void {
  loaded = kernel;
}

/** The kernel, after {@link kernelReady}. */
export function pageKernel(): Kernel {
  if (!loaded) throw new Error("the kernel is not loaded yet");
  return loaded;
}

/** A page together with the kernel. */
export async function withKernel<T>(page: Promise<T>): Promise<T> {
  const [shown] = await Promise.all([page, kernelReady()]);
  return shown;
}
