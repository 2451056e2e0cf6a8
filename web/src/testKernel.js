// Tests run without a browser: the kernel is read from its file. `make wasm` builds it.
import { readFileSync } from "node:fs";
import { Kernel } from "./lib/kernel/kernel";
import { setPageKernel } from "./lib/kernel/pageKernel";

const bytes = readFileSync(new URL("./lib/kernel/kernel.wasm", import.meta.url));
const module = new WebAssembly.Module(bytes);
setPageKernel(await Kernel.load(module));
/** A kernel that can think. */
globalThis.thinkingKernel = () => {
  const network = new URL("../../src/triomino/kernel/network.bin", import.meta.url);
  return Kernel.load(module, readFileSync(network));
};
