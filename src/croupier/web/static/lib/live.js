// The WebSocket client of the page: follows rooms, acts in them and at the house, reconnects by itself.
// It never goes back to an older version.

import { Refusal, post } from "./api.js";

const PING_MS = 20_000;
const QUIET_MS = 45_000;
const BACK_MAX_MS = 15_000;
const ASK_MS = 5_000;
// What another try may mend: requests have their own patience with it.
const PASSING = ["overloaded", "store_unavailable", "shutting_down", "too_many_requests"];

export class Live extends EventTarget {
  #socket = null;
  #rooms = new Map(); // id -> { version, fn }
  #waiting = new Map(); // id of what was asked -> { room, version, answer, done, fail }
  #holds = 0;
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
    this.#rest();
  }

  /** Have the connection also while no room is followed. Returns how to let go of it. */
  hold() {
    this.#holds += 1;
    this.#open();
    return () => {
      this.#holds -= 1;
      this.#rest();
    };
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
    return this.#rooms.has(room) && (await this.ask({ type: "act", match: room, ...body }, room)) !== null;
  }

  /**
   * Ask for an operation and return its answer; where it is about a room, when the view it led to has been told. Throws a
   * Refusal. Returns null if nobody can tell what became of it, or nothing did: a request with the same id finds out.
   */
  async ask(frame, room = null) {
    if (!this.isOpen) return null;
    let timer;
    try {
      return await new Promise((done, fail) => {
        this.#waiting.set(frame.id, { room, version: Infinity, answer: null, done, fail });
        timer = setTimeout(() => done(null), ASK_MS);
        this.#send(frame);
      });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(frame.id);
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
    for (const { done } of this.#waiting.values()) done(null);
    this.dispatchEvent(new CustomEvent("closed"));
    if (!this.#isNeeded) return;
    this.#tries += 1;
    const pause = Math.min(BACK_MAX_MS, 250 * 2 ** this.#tries) * (0.5 + Math.random() / 2);
    setTimeout(() => this.#open(), pause); // the next retry
  }

  get #isNeeded() {
    return this.#rooms.size + this.#holds > 0;
  }

  #rest() {
    if (this.#isNeeded) return;
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
    for (const asked of this.#waiting.values()) if (asked.room === frame.match && asked.version <= one.version) asked.done(asked.answer);
  }

  #answer(asked, { type, version, result, code, error, extra }) {
    if (type === "done") {
      Object.assign(asked, { version, answer: result ?? version });
      if (!asked.room || version <= this.#rooms.get(asked.room)?.version) asked.done(asked.answer);
    } else if (PASSING.includes(code)) asked.done(null);
    else asked.fail(new Refusal(code, error, { version, ...extra }));
  }
}
