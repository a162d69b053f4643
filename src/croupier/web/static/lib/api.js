// Requests to the server over HTTP: errors with the server's stable codes; retries, idempotent by the request's key.

const BASE = "/api/v1";
const TRIES = 4;
const BACK_MAX_MS = 4000;

/** What the server, or the way to it, said no with. `code` is stable; `detail` is for people. */
export class Refusal extends Error {
  constructor(code, detail, extra = {}) {
    super(detail);
    this.name = "Refusal";
    this.code = code;
    this.detail = detail;
    Object.assign(this, { extra });
  }
}

let token = null;
const watchers = new Set();

export function useToken(value) {
  token = value;
}

/** Hear when the server can no longer be reached, and when it can again: fn(isOnline). Returns how to stop. */
export function onReachable(fn) {
  watchers.add(fn);
  return () => watchers.delete(fn);
}

let isOnline = true;

function tell(now) {
  if (now === isOnline) return;
  isOnline = now;
  for (const fn of watchers) fn(now);
  if (!now) comeBack();
}

const untilReachable = () =>
  new Promise((done) => {
    if (isOnline) return done();
    const stop = onReachable((now) => now && (stop(), done()));
  });

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

// Nobody has to press anything for the page to come back: it asks until the server answers, whatever it says.
async function comeBack() {
  for (let pause = 250; !isOnline; pause = Math.min(2 * pause, BACK_MAX_MS)) {
    await wait(pause);
    await fetch(`${BASE}/tables`, { cache: "no-store" }).then(
      () => tell(true),
      () => {},
    );
  }
}

globalThis.addEventListener?.("offline", () => tell(false));

function randomHex(count) {
  return Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Return a key of our own making, for a change that must not happen twice. */
export const newKey = () => randomHex(16);

/** Return 32 random bytes in hex: a client seed, or the secret of a seat. */
export const newSecret = () => randomHex(32);

async function once(method, path, body, key, who, more) {
  const headers = { accept: "application/json", ...more };
  if (who) headers.authorization = `Bearer ${who}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  if (method !== "GET") headers["idempotency-key"] = key;
  const response = await fetch(BASE + path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    cache: "no-store",
  });
  const text = await response.text();
  if (response.ok) return { text };
  let problem = {};
  try {
    problem = JSON.parse(text);
  } catch {
    problem = { code: "unreachable", detail: "The server did not answer as it should." };
  }
  return { problem, status: response.status, after: Number(response.headers.get("retry-after") ?? 0) };
}

/**
 * Make a request and return the text of the answer. What the network loses is asked for again with the same key, so
 * that a change is made once, whatever happens on the way.
 */
export async function request(method, path, body, { key = body?.id ?? newKey(), as = token, headers = {}, isPatient = method !== "GET" } = {}) {
  for (let attempt = 1; ; attempt += 1) {
    let answer;
    try {
      answer = await once(method, path, body, key, as, headers);
      tell(true);
    } catch {
      tell(false);
      // What somebody has pressed is sent when the server is back, once; what is only read is given up, and so is what
      // has a time of its own.
      if (!isPatient && attempt >= TRIES) throw new Refusal("offline", "The server cannot be reached.");
      await (attempt < TRIES ? wait(300 * 2 ** attempt) : untilReachable());
      continue;
    }
    if (!answer.problem) return answer.text;
    const isBusy = [429, 502, 503, 504].includes(answer.status); // a proxy in front answers two of them
    if (!isBusy || attempt >= TRIES) {
      const { code, detail, ...extra } = answer.problem;
      throw new Refusal(code ?? "unreachable", detail ?? "The server refused.", extra);
    }
    await wait(Math.max(1000 * answer.after, 200 * 2 ** attempt));
  }
}

/** Return the functions of the API as one account: a second player on the same screen has a token of their own. */
export function apiAs(as = undefined, headers = {}) {
  const how = as ? { as, headers } : { headers };
  const ask = async (method, path, body, more) => JSON.parse(await request(method, path, body, { ...how, ...more }));
  return {
    get: (path, more) => ask("GET", path, undefined, more),
    post: (path, body, more) => ask("POST", path, body, more),
    patch: (path, body) => ask("PATCH", path, body),
    put: (path, body) => ask("PUT", path, body),
    remove: (path) => ask("DELETE", path),
    getText: (path) => request("GET", path, undefined, how),
  };
}

const { get, post, patch, put, remove, getText } = apiAs();
export { get, post, patch, put, remove, getText };
