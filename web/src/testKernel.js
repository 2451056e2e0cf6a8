// Tests run without a browser: the kernel is read from its file. `make wasm` builds it.
import { readFileSync } from "node:fs";
import { Kernel } from "./lib/kernel/kernel";
import { setPageKernel } from "./lib/kernel/pageKernel";

const bytes = readFileSync(new URL("./lib/kernel/kernel.wasm", import.meta.url));
setPageKernel(await Kernel.load(new WebAssembly.Module(bytes)));
