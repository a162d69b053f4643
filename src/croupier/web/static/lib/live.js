// One live connection for the page: follows rooms and acts in them, comes back by itself, never goes back to an older version.

import { Refusal, post } from "./api.js";

const PING_MS = 20_000;
const QUIET_MS = 45_000;
const BACK_MAX_MS = 15_000;
const ACT_MS = 5_000;
// What another try may mend: requests have their own patience with it.
const PASSING = ["overloaded", "store_unavailable", "shutting_down", "too_many_requests"];

export class Live extends EventTarget {
  #socket = null;
  #rooms = new Map(); // id -> { version, fn }
  #waiting = new Map(); // id of an action -> { room, version, done, fail }
  #tries = 0;
  #heard = 0;
  #timer = null;
  #isWanted = false;

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Follow a room: fn(frame) hears every view that is newer than the last one, and who is there. */
  follow(room, fn) {
    this.#rooms.set(room, { version: -1, fn });
    if (this.isOpen) this.#subscribe(room);
    else this.#open();
  }

  leave(room) {
    if (this.#rooms.delete(room) && this.isOpen) this.#send({ type: "unsubscribe", match: room });
    if (!this.#rooms.size) this.#close();
  }

  /** Note that a version has been shown, however it came. */
  shown(room, version) {
    const one = this.#rooms.get(room);
    if (one) one.version = Math.max(one.version, version);
  }

  /**
   * Take an action in a room that is followed, and return true when the view it led to has been told. Throws a Refusal.
   * Returns false if nobody can tell what became of it, or nothing did: a request with the same id finds out.
   */
  async act(room, body) {
    if (!this.isOpen || !this.#rooms.has(room)) return false;
    let timer;
    try {
      return await new Promise((done, fail) => {
        this.#waiting.set(body.id, { room, version: Infinity, done, fail });
        timer = setTimeout(() => done(false), ACT_MS);
        this.#send({ type: "act", match: room, ...body });
      });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(body.id);
    }
  }

  #subscribe(room) {
    const { version } = this.#rooms.get(room);
    this.#send({ type: "subscribe", match: room, version: Math.max(version, 0), legal: true });
  }

  #send(frame) {
    this.#socket.send(JSON.stringify(frame));
  }

  async #open() {
    if (this.#isWanted) return;
    this.#isWanted = true;
    try {
      const { ticket } = await post("/tickets");
      const scheme = location.protocol === "https:" ? "wss" : "ws";
      const address = `${scheme}://${location.host}/api/v1/live?ticket=${encodeURIComponent(ticket)}`;
      this.#socket = new WebSocket(address, "croupier.v1");
    } catch {
      this.#later();
      return;
    }
    this.#socket.onopen = () => {
      this.#tries = 0;
      this.#heard = Date.now();
      for (const room of this.#rooms.keys()) this.#subscribe(room);
      this.#timer = setInterval(() => this.#watch(), PING_MS);
      this.dispatchEvent(new CustomEvent("open"));
    };
    this.#socket.onmessage = (message) => this.#take(JSON.parse(message.data));
    this.#socket.onclose = () => this.#later();
  }

  // A connection that is half open says nothing: ask, and hang up on silence.
  #watch() {
    if (Date.now() - this.#heard > QUIET_MS) this.#socket.close();
    else if (this.isOpen) this.#send({ type: "ping", id: "" });
  }

  #later() {
    clearInterval(this.#timer);
    this.#socket = null;
    this.#isWanted = false;
    for (const { done } of this.#waiting.values()) done(false);
    this.dispatchEvent(new CustomEvent("closed"));
    if (!this.#rooms.size) return;
    this.#tries += 1;
    const pause = Math.min(BACK_MAX_MS, 250 * 2 ** this.#tries) * (0.5 + Math.random() / 2);
    setTimeout(() => this.#open(), pause); // the next retry
  }

  #close() {
    clearInterval(this.#timer);
    this.#socket?.close();
  }

  #take(frame) {
    this.#heard = Date.now();
    if (this.#waiting.has(frame.id)) this.#answer(this.#waiting.get(frame.id), frame);
    const one = this.#rooms.get(frame.match);
    if (!one) return;
    if (frame.type === "view") {
      if (frame.version < one.version) return; // never older than what was shown
      one.version = frame.version;
    }
    one.fn(frame);
    for (const { room, version, done } of this.#waiting.values()) if (room === frame.match && version <= one.version) done(true);
  }

  #answer(asked, { type, version, code, error }) {
    if (type === "done") {
      asked.version = version;
      if (version <= this.#rooms.get(asked.room)?.version) asked.done(true);
    } else if (PASSING.includes(code)) asked.done(false);
    else asked.fail(new Refusal(code, error, { version }));
  }
}
