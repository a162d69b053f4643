// Calls functions of a module: reads { code, calls: [{ name, args, read }] } as JSON, prints what each call gave.
// An argument that is a list is laid in memory as an array; `read` says which arrays are told afterwards.

import { readFileSync } from "node:fs";

const { code, calls } = JSON.parse(readFileSync(0, "utf8"));
const { instance } = await WebAssembly.instantiate(Buffer.from(code, "base64"), {});
const wasm = instance.exports;

function lay(values, free) {
  const missing = free + 8 * values.length - wasm.memory.buffer.byteLength;
  if (missing > 0) wasm.memory.grow(Math.ceil(missing / 65536));
  new BigInt64Array(wasm.memory.buffer, free, values.length).set(values.map(BigInt));
  return [free, values.length];
}

const told = calls.map(({ name, args, read = [] }) => {
  let free = wasm.heap.value;
  const places = args.map((each) => {
    if (!Array.isArray(each)) return [BigInt(each)];
    const array = lay(each, free);
    free += 8 * each.length;
    return array;
  });
  wasm.error.value = 0;
  let value = null;
  try {
    value = wasm[name](...places.flat());
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    return { trap: wasm.error.value };
  }
  const arrays = read.map((i) => [...new BigInt64Array(wasm.memory.buffer, ...places[i])].map(String));
  return { value: Array.isArray(value) ? value.map(String) : value === undefined ? null : String(value), arrays };
});
console.log(JSON.stringify(told));
