// Python in a web worker: loads the runtime and the installed rules, then checks records and reports its progress.
// It answers { id, text, kept, record } with verdicts, and tells how many records are done.

import { verify } from "../lib/ed25519.js";
import { fromHex, sha256, toHex } from "../lib/sha256.js";

const PLACE = "/lib/python3.14/site-packages";

const NOTHING = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0); // a module

let check = null;

const holds = (...hex) => verify(...hex.map(fromHex)); // the key, the message, the signature

/** Start Python: `urls` says where each file is, `archives` which of them are unpacked, `source` is check.py, `lock` is Pyodide's. */
async function start({ urls, archives, source, lock }) {
  await WebAssembly.compile(NOTHING); // where there is none, or it is forbidden, Pyodide would wait for ever
  for (const [name, place] of Object.entries(urls)) if (place instanceof Blob) urls[name] = URL.createObjectURL(place);
  const plainFetch = globalThis.fetch;
  globalThis.fetch = (url, ...rest) => plainFetch(urls[String(url).split("/").at(-1)] ?? url, ...rest); // nothing comes from elsewhere
  const [{ loadPyodide }, { default: createPyodideModule }, ...packed] = await Promise.all([
    import(urls["pyodide.mjs"]),
    import(urls["pyodide.asm.mjs"]),
    ...archives.map(async (name) => [name, await (await fetch(name)).arrayBuffer()]),
  ]);
  const python = await loadPyodide({ indexURL: "http://python.invalid/", createPyodideModule, lockFileContents: lock, stdLibURL: urls["python_stdlib.zip"] });
  for (const [, content] of packed) python.unpackArchive(content, "zip", { extractDir: PLACE });
  const names = python.toPy({ __name__: "check" });
  python.runPython(source, { globals: names, filename: "check.py" });
  names.get("use_signatures")(holds);
  check = names.get("check");
  return packed.map(([name, content]) => ({ name, hash: toHex(sha256(new Uint8Array(content))) }));
}

addEventListener("message", async ({ data }) => {
  try {
    const { id, text, kept, record } = data;
    postMessage({ id, found: data.start ? await start(data.start) : JSON.parse(check(text, kept, record, (count) => postMessage({ id, count }))) });
  } catch (error) {
    postMessage({ id: data.id, error: String(error.message ?? error) });
  }
});
