// The service worker of this folder: it keeps what Shut the Box needs, for when there is no network.

const FILES = [
  "./index.html",
  "./play.js",
  "./shut-the-box.js",
  "./shut-the-box.wasm",
  "../lib/dom.js",
  "../lib/keep.js",
  "../draw/dice.js",
  "../css/base.css",
  "../css/shut-the-box.css",
  "../css/offline.css",
  "../icon.svg",
];

addEventListener("install", (event) => event.waitUntil(caches.open("offline").then((kept) => kept.addAll(FILES)).then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => event.respondWith(fetch(event.request).catch(() => caches.match(event.request))));
