// One live connection for the page: follows rooms, comes back by itself, and never goes back to an older version.

import { post } from "./api.js";

const PING_MS = 20_000;
const QUIET_MS = 45_000;
const BACK_MAX_MS = 15_000;

export class Live extends EventTarget {
  #socket = null;
  #rooms = new Map(); // id -> { version, fn }
  #waiting = new Map(); // id of a frame -> { done, fail }
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
    this.dispatchEvent(new CustomEvent("closed"));
    if (!this.#rooms.size) return;
    this.#tries += 1;
    const pause = Math.min(BACK_MAX_MS, 250 * 2 ** this.#tries) * (0.5 + Math.random() / 2);
    setTimeout(() => this.#open(), pause);
  }

  #close() {
    clearInterval(this.#timer);
    this.#socket?.close();
  }

  #take(frame) {
    this.#heard = Date.now();
    const one = this.#rooms.get(frame.match);
    if (!one) return;
    if (frame.type === "view") {
      if (frame.version < one.version) return; // never older than what was shown
      one.version = frame.version;
    }
    one.fn(frame);
  }
}
