// One table of shared dice, followed by this browser: a book of its own, a seat with keys of its own, and whatever the
// round wants of it sent at once. Nothing here believes the table; `trouble` is what it should not have said.

import { getText, newKey, post, Refusal } from "../lib/api.js";
import { DiceBook } from "../lib/dice-book.js";
import { DiceSeat, makeKeys, orderFor } from "../lib/dice-seat.js";
import { parseJson } from "../lib/json.js";
import { keep, recall } from "../lib/keep.js";
import { toHex } from "../lib/sha256.js";

const ORDERS = new Set(["place", "raise", "lower", "remove", "switch"]);
// The table goes on by itself when everybody has answered: being told so twice is no harm.
const HARMLESS = new Set(["again", "wrong_round", "wrong_phase", "too_late", "round_void", "stale_nonce", "finished"]);
const AT_ONCE = 20; // messages that are checked before the page may draw again

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Return the keys that this browser has for a table, or null. */
export function keysFor(roomId) {
  return recall(`dice.${roomId}`)?.keys ?? null;
}

/** Make keys for a table that is about to be opened; `keepKeys` keeps them when it has a name. */
export { makeKeys };

export function keepKeys(roomId, keys) {
  keep(`dice.${roomId}`, { ...recall(`dice.${roomId}`, {}), keys });
}

/** What this browser knows of the dice of one room. `look()` fetches the room anew; `changed()` hears of news. */
export class DicePlay {
  #line = Promise.resolve();
  #version = 0;
  #known;

  constructor(roomId, { look, changed }) {
    Object.assign(this, { roomId, look, changed });
    this.#known = recall(`dice.${roomId}`, {});
    this.book = null;
    this.seat = null;
    this.trouble = null;
    this.isGone = false;
  }

  get key() {
    return this.seat?.key ?? null;
  }

  /** Whether this browser has sat down, with a bond, at the dice. */
  get isIn() {
    return Boolean(this.key && this.book.seats.get(this.key)?.isIn);
  }

  /** Whether a round is on that this seat has no part in: it sat out too long, or did not open. */
  get isLeftOut() {
    return Boolean(this.isIn && this.book.round && !this.book.round.lock.roster.includes(this.key));
  }

  /** Hear everything that was told, and answer what is owed. One after the other, however often it is asked for. */
  sync(room) {
    this.#line = this.#line.then(() => this.#catchUp(room)).catch((error) => this.#fail(error));
    return this.#line;
  }

  async #catchUp(room) {
    if (this.isGone || this.trouble) return;
    const before = this.#version;
    let end = 0;
    do {
      const page = parseJson(await getText(`/rooms/${this.roomId}/dice?since=${this.#version}`));
      if (!this.book) this.#open(page.terms);
      await this.#hear(page.items);
      this.#version = Math.max(this.#version, page.version);
      end = page.room_version;
    } while (this.#version < end && !this.isGone);
    this.#write();
    if (this.#version !== before) this.changed();
    await this.#answer(room);
  }

  #open(terms) {
    this.book = new DiceBook(terms);
    const id = toHex(this.book.gameId);
    if (this.#known.id && this.#known.id !== id) throw Object.assign(new Error("the terms of this table are not those it had before"), { code: "other_terms" });
    this.#known.id = id;
    if (this.#known.keys) this.seat = new DiceSeat(this.#known.keys, this.book);
    this.book.trusts = Boolean(this.#known.version);
  }

  async #hear(items) {
    for (const [place, item] of items.entries()) {
      if (item.dice) this.book.apply(item.dice);
      this.#version = item.version;
      // What this browser checked before it was loaded again need not be checked twice: the book says that it is the same.
      if (this.book.trusts && item.version >= this.#known.version) {
        if (this.book.book !== this.#known.book) throw Object.assign(new Error("the table tells something else than it told before"), { code: "wrong_book" });
        this.book.trusts = false;
      }
      if (!this.book.trusts && place % AT_ONCE === AT_ONCE - 1) await pause(0);
    }
  }

  #write() {
    if (this.book.trusts) return;
    Object.assign(this.#known, { version: this.#version, book: this.book.book });
    keep(`dice.${this.roomId}`, this.#known);
  }

  async #answer(room) {
    const on = this.book.round;
    if (!on || !this.seat) return;
    let { view } = room;
    if (view?.version + 1 !== on.lock.move_number) ({ view } = await this.look());
    if (view?.version + 1 !== on.lock.move_number) return; // the round is over, or will be told of again
    const message = this.seat.owed(view);
    if (!message || this.isGone) return;
    if (message.type === "objection") this.trouble = { code: message.reason, text: "the table wants dice for other bets than this page shows" };
    try {
      await this.#send(message);
    } catch (error) {
      if (!HARMLESS.has(error.code)) throw error;
      return;
    }
    await this.#catchUp(room);
  }

  async #send(message) {
    const answer = await post(`/rooms/${this.roomId}/dice`, { message });
    if (!answer.ok) throw new Refusal(answer.code, answer.error);
  }

  #fail(error) {
    if (error instanceof Refusal) {
      if (error.code !== "offline") this.changed(error);
      return; // the next thing that is told brings us here again
    }
    this.trouble ??= { code: error.code ?? "unreadable", text: error.message };
    this.changed();
  }

  // What a player does.

  /** Sit down: new keys where there are none that fit, and a signed seat. */
  async sit(bond) {
    if (!this.seat) {
      this.#known.keys = makeKeys();
      keep(`dice.${this.roomId}`, this.#known);
      this.seat = new DiceSeat(this.#known.keys, this.book);
    }
    await this.#send(this.seat.join(bond));
  }

  /** Stand up. The key is not used again: whoever comes back is somebody new to the dice. */
  async leave() {
    await this.#send(this.seat.leave());
    delete this.#known.keys;
    this.seat = null;
    keep(`dice.${this.roomId}`, this.#known);
  }

  /** Take an action: bets are signed, a roll is everybody's, the rest goes as it is. */
  async act(room, type, payload) {
    if (ORDERS.has(type)) {
      const order = this.isIn ? orderFor(room.view, this.key, type, payload) : null;
      if (!order) throw new Refusal("unknown_bet", "There is no such bet of yours to change.");
      await this.#send(this.seat.bet(order));
      return;
    }
    const isRoll = type === "roll" || type === "lock";
    const action = { type: isRoll ? "lock" : type, payload };
    const answer = await post(`/rooms/${this.roomId}/dice/actions`, { id: newKey(), action });
    if (!answer.ok) throw new Refusal(answer.code, answer.error);
    if (isRoll) await this.#untilRolled();
  }

  // A round goes by the table's deadlines; the live connection brings news sooner than this asks for it.
  async #untilRolled() {
    const number = this.book.roundNumber;
    for (let tries = 0; tries < 200 && !this.isGone && !this.trouble; tries += 1) {
      await this.sync(await this.look());
      if (!this.book.round && this.book.roundNumber > number) return;
      await pause(tries < 10 ? 50 : 300);
    }
  }

  destroy() {
    this.isGone = true;
  }
}

/** Return what a round waits for, in words; empty while none is on. */
export function roundWords(play, nameOf) {
  const on = play.book?.round;
  if (!on) return "";
  const { bank } = play.book;
  const missing =
    on.phase === "commit"
      ? on.lock.roster.filter((key) => !on.commits.has(key) && key !== bank)
      : on.phase === "reveal"
        ? play.book.unopened(on)
        : [];
  const names = missing.map((key) => (key === play.key ? "you" : nameOf(key))).join(", ");
  const what = on.phase === "commit" ? "to commit" : "to open";
  return names ? `round ${on.lock.round}: waiting for ${names} ${what}` : `round ${on.lock.round}: the dice are being made`;
}
