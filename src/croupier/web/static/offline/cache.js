// The service worker of this folder: it keeps what Shut the Box needs, for when there is no network.

const FILES = ["./index.html", "./play.js", "./shut-the-box.js", "./shut-the-box.wasm", "../lib/dom.js", "../draw/dice.js", "../css/base.css", "../css/shut-the-box.css", "../css/offline.css", "../icon.svg"];

addEventListener("install", (event) => event.waitUntil(caches.open("offline").then((kept) => kept.addAll(FILES)).then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => event.respondWith(answer(event.request)));

async function answer(request) {
  try {
    const found = await fetch(request);
    if (found.ok && request.method === "GET") (await caches.open("offline")).put(request, found.clone());
    return found;
  } catch (error) {
    const kept = await caches.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
