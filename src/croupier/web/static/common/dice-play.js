// A client of one table of shared dice: keeps a book of its own, holds a seat with keys, sends what each round needs.
// Nothing here believes the table; `trouble` is what the table should not have said.

import { t } from "../lib/dom.js";
import { getText, newKey, post, Refusal } from "../lib/api.js";
import { DiceBook, Wrong } from "../lib/dice-book.js";
import { DiceSeat, makeKeys, orderFor } from "../lib/dice-seat.js";
import { parseJson } from "../lib/json.js";
import { keep, recall } from "../lib/keep.js";
import { toHex } from "../lib/sha256.js";

const ORDERS = new Set(["place", "raise", "lower", "remove", "switch"]);
// The table goes on by itself when everybody has answered: being told so twice is no harm.
const HARMLESS = new Set(["again", "wrong_round", "wrong_phase", "too_early", "too_late", "round_void", "stale_nonce", "finished"]);
// What closes a table whose own doing it is.
const FAULTS = {
  two_commits: t`the bank signed two different commitments for one round`,
  two_locks: t`the table signed two different rounds of one number`,
  two_closes: t`the table signed two different lists of commitments for one round`,
  bank_missing: t`the bank did not open its secret`,
  bank_misfit: t`the bank's secret does not fit the chain that it had fixed`,
};
const AT_ONCE = 20; // messages that are checked before the page may draw again

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Make keys for a table that is about to be opened; `keepKeys` keeps them when it has a name. */
export { makeKeys };

export function keepKeys(roomId, keys) {
  keep(`dice.${roomId}`, { ...recall(`dice.${roomId}`, {}), keys });
}

/** What this browser knows of the dice of one room. `look()` fetches the room anew; `changed()` hears of news. */
export class DicePlay {
  #line = Promise.resolve();
  #version = 0;
  #known; // what is kept: keys, the table's id, the book at a version, the last round opened, the last context committed to
  #reading = null; // the book, which is shown when it has reached what this browser knew before

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
    return this.#isSeated("in") || this.isLeftOut;
  }

  /** Whether this seat missed too many rounds, or lost its bond: it adds no secrets until it joins again. */
  get isLeftOut() {
    return this.#isSeated("out");
  }

  #isSeated(status) {
    return Boolean(this.key) && this.book.seats.get(this.key)?.status === status;
  }

  /** Hear everything that was told, and answer what is owed. One after the other, however often it is asked for. */
  sync(room) {
    this.#line = this.#line.then(() => this.#catchUp(room)).catch((error) => this.#fail(error));
    return this.#line;
  }

  async #catchUp(room, hasAnswered = false) {
    if (this.isGone || this.trouble) return;
    const before = this.#version;
    let page;
    do {
      page = parseJson(await getText(`/rooms/${this.roomId}/dice?since=${this.#version}`));
      if (!this.#reading) this.#open(page.terms);
      await this.#hear(page.items);
    } while (page.items.length && this.#version < page.room_version && !this.isGone);
    if (this.isGone) return;
    // A history that is shorter than the one this browser knew is another one. Nothing in it is shown or answered.
    if (this.#reading.trusts || page.room_version < this.#version) throw new Wrong("wrong_book", t`the table tells less than it told before`);
    if (!this.book) this.#show();
    this.#write({ version: this.#version, book: this.book.book });
    const fault = FAULTS[this.book.closed];
    if (fault) this.trouble = { code: this.book.closed, text: fault };
    if (this.#version !== before) this.changed();
    // A table that takes an answer and does not tell of it is not answered for ever.
    if (!hasAnswered || this.#version !== before) await this.#answer(room);
  }

  #open(terms) {
    const book = new DiceBook(terms);
    const id = toHex(book.gameId);
    if (this.#known.id && this.#known.id !== id) throw new Wrong("other_terms", t`the terms of this table are not those it had before`);
    this.#known.id = id;
    book.trusts = Boolean(this.#known.version);
    this.#reading = book;
  }

  async #hear(items) {
    const book = this.#reading;
    for (const [place, item] of items.entries()) {
      if (!(item.version > this.#version)) throw new Wrong("wrong_book", t`the table tells something twice, or out of order`);
      const on = book.round;
      if (item.dice) book.apply(item.dice);
      this.#version = item.version;
      if (!book.trusts && item.dice?.type === "void") this.#lookAt(item.dice, on);
      // What this browser checked before it was loaded again need not be checked twice: the book says that it is the same.
      if (book.trusts && item.version >= this.#known.version) {
        if (book.book !== this.#known.book) throw new Wrong("wrong_book", t`the table tells something else than it told before`);
        book.trusts = false;
      }
      if (!book.trusts && place % AT_ONCE === AT_ONCE - 1) await pause(0);
    }
  }

  // Lateness leaves no proof: the page says so when it is called late and was not, and goes on.
  #lookAt({ round, reason, keys }, on) {
    if (!keys.includes(this.#known.keys?.key)) return;
    const isCommitted = reason === "commit_missing" && this.#known.committed === on.context;
    if (isCommitted) this.changed(new Refusal("commit_dropped", t`The table went on without this page's secret: your bets were bought, and you sit out the rest of this hand.`));
    const isOpened = reason === "reveal_missing" && this.#known.opened >= round;
    if (isOpened) this.changed(new Refusal("reveal_ignored", t`The table says that this page did not open its secret, which it did. Do not play on here.`));
  }

  #show() {
    this.book = this.#reading;
    if (this.#known.keys) this.seat = new DiceSeat(this.#known.keys, this.book);
  }

  // Another tab may have gone further than this one: what is kept never goes back.
  #write(change) {
    Object.assign(this.#known, change);
    const name = `dice.${this.roomId}`;
    const stored = recall(name, {});
    const isBehind = stored.version > this.#known.version;
    if (stored.version === this.#known.version && stored.book !== this.#known.book) throw new Wrong("wrong_book", t`the table tells another tab something else`);
    this.#known.opened = Math.max(stored.opened ?? 0, this.#known.opened ?? 0);
    keep(name, { ...stored, ...this.#known, ...(isBehind ? { version: stored.version, book: stored.book } : {}) });
  }

  async #answer(room) {
    const on = this.book.round;
    if (!on || !this.seat) return;
    let { view } = room;
    if (view?.version + 1 !== on.lock.move_number) ({ view } = await this.look());
    if (view?.version + 1 !== on.lock.move_number) return; // the round is over, or will be told of again
    this.#write({}); // and know what another tab has opened
    const message = this.seat.owed(view, this.#known);
    if (!message || this.isGone) return;
    // Kept before it goes out: what was opened once is never committed to again.
    if (message.type === "commit") this.#write({ committed: message.context });
    if (message.type === "reveal") this.#write({ opened: message.round });
    if (message.reason === "stakes_differ") this.trouble = { code: message.reason, text: t`the table wants dice for bets that you did not sign, or that this page does not show` };
    if (message.reason === "commit_dropped") this.changed(new Refusal(message.reason, t`The table went on without this page's secret, so it objects: you sit out the rest of this hand.`));
    try {
      await this.#send(message);
    } catch (error) {
      if (!HARMLESS.has(error.code)) throw error;
      return;
    }
    await this.#catchUp(room, true);
  }

  async #send(message) {
    const answer = await post(`/rooms/${this.roomId}/dice`, { message }, { isPatient: false });
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
      this.#write({ keys: recall(`dice.${this.roomId}`, {}).keys ?? makeKeys() });
      this.seat = new DiceSeat(this.#known.keys, this.book);
    }
    const lacking = this.book.bondMin - (this.book.seats.get(this.key)?.bond ?? 0n);
    await this.#send(this.seat.join(Math.max(bond, Number(lacking))));
  }

  /** Stand up. The key is not used again: whoever comes back is somebody new to the dice. */
  async leave() {
    await this.#send(this.seat.leave());
    this.#write({ keys: undefined });
    this.seat = null;
  }

  /** Take an action: bets are signed, a roll is everybody's, the rest goes as it is. */
  async act(room, type, payload) {
    if (ORDERS.has(type)) {
      const order = this.isIn ? orderFor(room.view, this.key, type, payload) : null;
      if (!order) throw new Refusal("unknown_bet", t`There is no such bet of yours to change.`);
      await this.#send(this.seat.bet(order));
      return;
    }
    const isRoll = type === "roll" || type === "lock";
    const action = { type: isRoll ? "lock" : type, payload };
    await post(`/rooms/${this.roomId}/actions`, { id: newKey(), expected_version: room.version, action });
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
  const players = on.lock.roster.filter((key) => key !== play.book.bank);
  const waits = {
    commit: [t`to commit`, players.filter((key) => !on.commits.has(key))],
    closed: [t`to check the commitments`, players.filter((key) => !on.acks.has(key))],
    reveal: [t`to open`, play.book.unopened(on)],
  };
  const [what, missing] = waits[on.phase] ?? ["", []];
  const names = missing.map((key) => (key === play.key ? "you" : nameOf(key))).join(", ");
  const left = play.isIn && !players.includes(play.key) ? t`; you sit this one out` : "";
  return t`round ${on.lock.round}: ${names ? t`waiting for ${names} ${what}` : t`the dice are being made`}${left}`;
}
