// Answers calls with the kernel as WebAssembly: `node wasm.mjs kernel.wasm` reads lines of JSON, each a
// call and its numbers, and writes the answer to each. With a third value in the line, the call is repeated
// for so many milliseconds, and what one takes is written.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , file] = process.argv;
const module = new WebAssembly.Module(readFileSync(file));
const { exports } = new WebAssembly.Instance(module, {
  wasi_snapshot_preview1: {
    clock_time_get(_id, _precision, at) {
      new DataView(exports.memory.buffer).setBigInt64(at, process.hrtime.bigint(), true);
      return 0;
    },
  },
});
exports._initialize();

function call(what, numbers) {
  const at = exports.prepare(numbers.length);
  new Int32Array(exports.memory.buffer, at, numbers.length).set(numbers);
  const size = exports.call(what);
  return [...new Int32Array(exports.memory.buffer, exports.answer(), size)];
}

function timed(what, numbers, milliseconds) {
  let times = 0;
  const began = performance.now();
  do {
    call(what, numbers);
    times++;
  } while (performance.now() - began < milliseconds);
  return (performance.now() - began) / times;
}

for await (const line of createInterface({ input: process.stdin })) {
  const [what, numbers, repeat] = JSON.parse(line);
  const answer = repeat ? timed(what, numbers, repeat) : call(what, numbers);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
