// A player's side of shared dice. The key and what secrets are made from stay in this browser; what goes out is signed.
//
// The secret of a round follows from a root that nobody else knows and from the round's context. So it is the same after
// a reload and in a second tab: there is no way to commit twice to different things by accident, which would cost the seat.
// For the same reason a round that was opened is never committed to again: its secret is known.

import { publicKey, sign } from "./ed25519.js";
import { betBytes, commitmentOf, secretOf, toSign } from "./dice.js";
import { Wrong } from "./dice-book.js";
import { canonicalJson } from "./json.js";
import { fullTable, isWorking, nameOf, placeOf } from "../common/craps-bets.js";
import { fromHex, toHex } from "./sha256.js";
import { digestOf } from "./state.js";

/** Return fresh keys for one table: 32 random bytes to sign with, and 32 that secrets are made from. */
export function makeKeys(random = (size) => crypto.getRandomValues(new Uint8Array(size))) {
  const [seed, root] = [random(32), random(32)];
  return { seed: toHex(seed), root: toHex(root), key: toHex(publicKey(seed)) };
}

const PLACE = 2 * (4 + 11 + 4 + 32 + 8 + 8); // digits of a signed bet up to its stake: tag, key, id, number
// Modes have a word where the pay table offers both of them.
const hasModes = (options) => (options?.pay_table ?? "casino") === "casino";

/** Return a bet that is up as it is signed. */
function signedBet(key, bet, table, options) {
  const isYes = bet.id >= 5 && bet.id < 15;
  const isNo = bet.id >= 15 && bet.id < 25;
  const mode = !hasModes(options) || !(isYes || isNo) ? "" : (isYes ? ["place", "buy"] : ["lay", "lose"])[bet.mode ?? 0];
  const { id, number = 0, stake } = bet;
  return betBytes({ key, id, number, stake, mode, working: isWorking(bet, table) });
}

/** Return what a LOCK must list: every bet that is up in a view, in hex, sorted. */
export function stakesOf(view) {
  const table = fullTable(view.game.table);
  const bets = view.players.flatMap(({ id, seat }) =>
    (view.game.seats[seat].bets ?? []).map((bet) => toHex(signedBet(id, bet, table, view.options))),
  );
  return bets.sort();
}

/** Return the verb and the bytes of the order that an action about a bet needs; null if there is no such bet to change. */
export function orderFor(view, key, type, payload) {
  const table = fullTable(view.game.table);
  const seat = view.players.find(({ id }) => id === key)?.seat;
  const place = placeOf(payload.bet, table);
  if (seat === undefined || !place) return null;
  const lying = (view.game.seats[seat].bets ?? []).find(({ id, number = 0 }) => id === place.id && number === place.number);
  if (type !== "place" && !lying) return null;
  const bet = type === "place" ? { ...place, stake: payload.stake } : { ...lying };
  if (type === "place" && lying) Object.assign(bet, lying, { stake: payload.stake });
  if (type === "raise") bet.stake += payload.stake;
  if (type === "lower") bet.stake -= payload.stake;
  if (type === "switch") bet.working = (payload.come_out ? 1 : 0) + (payload.point ? 2 : 0);
  return { verb: type, bet: toHex(signedBet(key, bet, table, view.options)) };
}

/** One player's part at one table. `keys` are those of `makeKeys`, `book` is the player's own `DiceBook`. */
export class DiceSeat {
  constructor(keys, book) {
    this.keys = keys;
    this.key = keys.key;
    this.book = book;
    this.seq = -1;
  }

  #signed(message, more) {
    const bare = { ...message, signature: "" };
    return { ...message, signature: toHex(sign(fromHex(this.keys.seed), toSign(bare, this.book.gameId, more))) };
  }

  #nextSeq() {
    this.seq = Math.max(this.seq, this.book.seats.get(this.key)?.seq ?? -1) + 1;
    return this.seq;
  }

  /** Sit down with a bond, add to it, or come back after sitting out. */
  join(chips, salt = toHex(crypto.getRandomValues(new Uint8Array(32)))) {
    return this.#signed({ type: "join", key: this.key, seq: this.#nextSeq(), chips, salt });
  }

  leave() {
    return this.#signed({ type: "leave", key: this.key, seq: this.#nextSeq() });
  }

  bet({ verb, bet }) {
    return this.#signed({ type: "bet", key: this.key, seq: this.#nextSeq(), verb, bet });
  }

  /**
   * Return what this player owes the round that is on: a commitment, a word that nothing is amiss, an opening, or an
   * objection; null for nothing. `view` is the match as this page shows it: a commitment is made to that and to nothing
   * else. `kept` is what this browser remembers: `opened`, the last round it opened, and `committed`, the last context
   * that it has committed to.
   */
  owed(view, { opened = 0, committed = "" } = {}) {
    const on = this.book.round;
    if (!on || !on.lock.roster.includes(this.key)) return null;
    if (on.phase === "commit" && !on.commits.has(this.key)) {
      if (on.lock.round <= opened) throw new Wrong("wrong_book", `the table asks for round ${on.lock.round} again, which was opened`);
      return this.#sees(on.lock, view) ? this.#commit(on) : this.#object(on, "stakes_differ", null);
    }
    if (on.phase === "closed" && !on.acks.has(this.key)) {
      if (on.commits.has(this.key)) return this.#ack(on);
      if (committed === on.context) return this.#object(on, "commit_dropped", this.#commit(on));
      return this.#sees(on.lock, view) ? this.#ack(on) : this.#object(on, "stakes_differ", null);
    }
    if (on.phase === "reveal" && !on.secrets.has(this.key)) {
      const mine = on.close.commits.find(({ key }) => key === this.key);
      const secret = secretOf(this.keys.root, on.context);
      // What is not in K is not opened: it would help nobody, and cost the secret.
      if (!mine || commitmentOf(on.context, this.key, mine.nonce, secret) !== mine.commitment) return null;
      const message = { type: "reveal", round: on.lock.round, key: this.key, nonce: mine.nonce, secret };
      return this.#signed(message, { commits: on.commitSet });
    }
    return null;
  }

  // Whether each of one's bets is as it was signed since the last roll, or lay there then and was not decided; and whether
  // every roll was thrown. Whether a bet works is not compared, nor what was taken down.
  #hasSigned(view) {
    const { seat } = view.players.find(({ id }) => id === this.key) ?? {};
    const mine = this.book.orders.filter(({ key }) => key === this.key);
    const bytes = (bet) => toHex(signedBet(this.key, bet, fullTable(view.game.table), view.options));
    const covers = (signed, hex) => signed.slice(0, PLACE) === hex.slice(0, PLACE) && hex.slice(0, -2) <= signed.slice(0, -2);
    const isDecided = (bet) => (view.game.settled ?? []).some(([at, name]) => at === seat && name === nameOf(bet));
    const lay = (bet) => !isDecided(bet) && this.book.lay.some((signed) => covers(signed, bytes(bet)));
    const fits = (bet) => {
      const order = mine.findLast((one) => one.bet.slice(0, PLACE) === bytes(bet).slice(0, PLACE));
      return order ? order.verb !== "remove" && covers(order.bet, bytes(bet)) : lay(bet) || lay({ ...bet, number: 0 }); // come travels
    };
    return (view.game.seats[seat]?.bets ?? []).every(fits) && (view.game.table.roll_count ?? 0) === this.book.rolls.length;
  }

  #sees(lock, view) {
    const digest = digestOf(view, toHex(this.book.gameId), this.book.terms.session_id);
    const action = canonicalJson({ type: "roll", payload: {}, player_id: view.turn.current });
    const risks = view.players.map(({ id, seat }) => [id, view.game.seats[seat].at_risk]).filter(([, chips]) => chips);
    const seen = [view.version + 1, digest, action, view.game.table.hand_id ?? 0, stakesOf(view), risks.sort()];
    const places = lock.positions.map(({ key, stake }) => [key, stake]);
    return this.#hasSigned(view) && canonicalJson(seen) === canonicalJson([lock.move_number, lock.state, lock.action, lock.hand, lock.stakes, places]);
  }

  #commit(on) {
    const nonce = this.book.seats.get(this.key).nonce + 1;
    const commitment = commitmentOf(on.context, this.key, nonce, secretOf(this.keys.root, on.context));
    const message = { type: "commit", round: on.lock.round, key: this.key, nonce, context: on.context, commitment };
    return this.#signed(message);
  }

  #ack(on) {
    return this.#signed({ type: "ack", round: on.lock.round, key: this.key }, { commits: on.commitSet });
  }

  #object(on, reason, commit) {
    const message = { type: "objection", round: on.lock.round, key: this.key, reason, commit };
    return this.#signed(message, { context: on.context });
  }
}
