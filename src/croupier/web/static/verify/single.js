// The page of verdicts as one file: modules, Python and rules are text in it, and get addresses made in the browser.
// A page from a disk has no origin, so its worker makes its addresses itself: it shares none with the page.

const { order, texts, source, manifest } = JSON.parse(document.getElementById("modules").textContent);
const KINDS = { mjs: "text/javascript", wasm: "application/wasm" };
const files = {};

async function load(root, order, texts) {
  const modules = {};
  for (const path of order) {
    const text = texts[path].replace(/@([\w/.-]+)@/g, (_, name) => modules[name]);
    modules[path] = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  }
  await import(modules[root]);
}

async function makeWorker() {
  const loader = `${load}\nonmessage = async ({ data }) => { onmessage = null; await load("python/worker.js", ...data); postMessage("ready"); };`;
  const worker = new Worker(URL.createObjectURL(new Blob([loader], { type: "text/javascript" })));
  const isReady = new Promise((done, fail) => ([worker.onmessage, worker.onerror] = [done, fail]));
  worker.postMessage([order, texts]);
  return isReady.then(() => worker);
}

for (const { dataset, textContent } of document.querySelectorAll("script[data-name]")) {
  const bytes = Uint8Array.from(atob(textContent), (letter) => letter.charCodeAt(0));
  const name = dataset.name.replace(/\.gz$/, "");
  const plain = name === dataset.name ? bytes : await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  files[name] = new Blob([plain], { type: KINDS[name.split(".").at(-1)] });
}
globalThis.croupierFiles = { manifest, urls: files, source, makeWorker };
await load("verify/verify.js", order, texts);
