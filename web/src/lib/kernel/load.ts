/** Loads the build of the kernel that this browser can run. */
import { Kernel } from "./kernel";
import scalar from "./kernel-scalar.wasm?url";
import simd from "./kernel.wasm?url";
import network from "../../../../src/triomino/kernel/network.bin?url";

/** A module with one instruction of SIMD: `i8x16.splat` of a constant, dropped. */
const PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 26,
  11,
]);

async function load(url: string): Promise<Response> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the kernel cannot be loaded: ${answer.status}`);
  return answer;
}

/** The kernel for the page alone: without the network it judges no position. */
export async function loadKernel(withNetwork: boolean): Promise<Kernel> {
  const weights = withNetwork ? load(network).then((one) => one.arrayBuffer()) : null;
  const answer = await load(WebAssembly.validate(PROBE) ? simd : scalar);
  const isServedAsWasm = answer.headers.get("content-type") === "application/wasm";
  const module = isServedAsWasm
    ? await WebAssembly.compileStreaming(answer)
    : await WebAssembly.compile(await answer.arrayBuffer());
  return Kernel.load(module, weights ? new Uint8Array(await weights) : undefined);
}
