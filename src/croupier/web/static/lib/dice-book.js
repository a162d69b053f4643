// A verifier of shared dice in the page: the book, in which every message of the table is checked as it comes.
// Written from docs/shared-dice.md, with the rules and codes of `croupier verify`: both refuse the same for one reason.
// It keeps bonds, since they decide who must be in a roster; who is paid what is left to the other.

import { verify } from "./ed25519.js";
import { bookLink, chainLink, commitmentOf, commitSet, contextOf, facesOf, rollSeed, rollTranscript, stakesDigest, tableId, toSign, ZERO } from "./dice.js";
import { CHIPS_MAX, isMessage, MESSAGE_MAX, termsProblem } from "./dice-messages.js";
import { canonicalJson } from "./json.js";
import { fromHex, toHex, utf8 } from "./sha256.js";

const MISSES_MAX = 3; // commitments missed in a row: the third sits the seat out
const VOIDS_MAX = 3; // void rounds in a row close a table
const CONTEXTS_MAX = 16; // rounds for which a proof of two COMMITs is still heard
const MESSAGES_MAX = 1024; // joins and bets of one key between two rounds
const NEW_SEAT = { bond: 0n, status: "in", nonce: -1, seq: -1, misses: 0, barred: -1, messages: 0 };

/** Something the table, or somebody at it, should not have said. */
export class Wrong extends Error {
  constructor(code, text) {
    super(text);
    this.name = "Wrong";
    this.code = code;
  }
}

function must(holds, code, text) {
  if (!holds) throw new Wrong(code, text);
}

const same = (one, other) => canonicalJson(one) === canonicalJson(other);
const isSorted = (texts) => texts.every((text, i) => !i || texts[i - 1] <= text);
const isSortedSet = (texts) => texts.every((text, i) => !i || texts[i - 1] < text);
const sum = (numbers) => numbers.reduce((total, number) => total + BigInt(number), 0n);
const least = (a, b) => (a < b ? a : b);
const short = (key) => `${key.slice(0, 12)}…`;

/**
 * What the messages so far have made of a table. `apply` takes the next, or throws `Wrong` and changes nothing.
 * `verifies(key, message, signature)` tells whether a signature holds.
 */
export class DiceBook {
  constructor(terms, verifies = verify) {
    must((terms?.protocol ?? 1) !== 1, "old_protocol", "this table was made by an older protocol; check its transcript with croupier verify");
    const problem = termsProblem(terms);
    must(!problem, "bad_options", problem);
    this.terms = terms;
    this.verifies = verifies;
    this.gameId = tableId(terms);
    this.bank = terms.chain_end ? terms.table_key : "";
    this.bondMin = [terms.bond_min, this.bank ? terms.fee : 0].map(BigInt).reduce((a, b) => (a > b ? a : b));
    this.tableBond = BigInt(terms.table_bond);
    this.paidIn = this.tableBond;
    this.seats = new Map(); // by key, as NEW_SEAT; status is in, out, closed or left
    this.book = ZERO;
    this.transcript = ZERO;
    this.roundNumber = 0;
    this.round = null;
    this.contexts = [];
    this.positions = []; // of the last LOCK
    this.opened = { round: 0, value: terms.chain_end };
    this.sealed = []; // rounds with hidden cards that wait for the bank to open
    this.bankNonce = -1;
    this.rolls = [];
    Object.assign(this, { orders: [], lay: [] }); // the orders since the last roll, and the bets that it was thrown over
    this.voids = [];
    this.voidsInRow = 0;
    this.closed = "";
    this.count = 0;
    this.signatures = 0;
    this.trusts = false; // while messages are read again that this browser has checked before
  }

  apply(event) {
    must(isMessage(event), "unreadable", "something was told that is no message");
    must(utf8(canonicalJson(event)).length <= MESSAGE_MAX, "unreadable", "the message is too long");
    must(!this.closed, "table_closed", `the table is closed: ${this.closed}`);
    const { signatures } = this;
    let change;
    try {
      change = RULES[event.type](this, event);
    } catch (error) {
      this.signatures = signatures;
      if (error instanceof RangeError) throw new Wrong("unreadable", error.message); // a number that does not fit its field
      throw error;
    }
    this.book = bookLink(this.book, event);
    this.count += 1;
    change();
  }

  check(message, key, more) {
    this.checkBytes(toSign(message, this.gameId, more), key, message);
  }

  checkBytes(bytes, key, { type, signature }) {
    const holds = this.trusts || this.verifies(fromHex(key), bytes, fromHex(signature));
    must(holds, "bad_signature", `the signature of ${short(key)} under a ${type} does not hold`);
    this.signatures += 1;
  }

  roundOn(number) {
    must(this.round?.lock.round === number, "wrong_round", `round ${number} is not on`);
    return this.round;
  }

  /** The commitments that count in the round that is on, sorted by key. */
  standing(on = this.round) {
    const keys = [...on.commits.keys()].filter((key) => !on.out.has(key)).sort();
    return keys.map((key) => on.commits.get(key));
  }

  /** Players in K who have not opened. */
  unopened(on = this.round) {
    return this.standing(on).map(({ key }) => key).filter((key) => key !== this.bank && !on.secrets.has(key));
  }

  /** What the bonds of the table and of each player must hold before these bets can be locked. */
  cover(positions) {
    const win = sum(positions.map((place) => place.win_max));
    return this.bank ? [win, BigInt(this.terms.fee)] : [0n, win + sum(positions.map((place) => place.stake))];
  }

  /** The players who may contribute in a hand, sorted: whoever has a bet, and everyone else whose bond covers the round. */
  players(hand, positions) {
    const [, each] = this.cover(positions);
    const betting = new Set(positions.map(({ key }) => key));
    const may = ([key, seat]) => seat.status === "in" && seat.barred !== hand && (seat.bond >= each || betting.has(key));
    return [...this.seats].filter(may).map(([key]) => key).sort();
  }

  hasEnough(on) {
    const standing = this.standing(on);
    return standing.length >= 2 && (!this.bank || standing.some(({ key }) => key === this.bank));
  }

  /** Players with a bet and no commitment. No bet is decided by dice that its owner had no part in. */
  missingBettors(on) {
    const standing = new Set(this.standing(on).map(({ key }) => key));
    const isMissing = (key) => !standing.has(key) && on.lock.roster.includes(key) && this.seats.get(key).status === "in";
    return this.bank ? on.lock.positions.map(({ key }) => key).filter(isMissing) : [];
  }

  changeSeat(key, change) {
    this.seats.set(key, { ...this.seats.get(key), ...change });
  }

  countMisses(on) {
    for (const key of on.lock.roster) {
      const seat = this.seats.get(key);
      if (key === this.bank || seat.status !== "in") continue;
      const misses = on.commits.has(key) ? 0 : seat.misses + 1;
      this.changeSeat(key, misses >= MISSES_MAX ? { misses: 0, status: "out" } : { misses });
    }
  }

  close(code) {
    Object.assign(this, { closed: code, round: null });
  }
}

// Sitting down, standing up, betting, ending.

function nextSeat(seat, message) {
  must(seat.status !== "closed", "seat_closed", `the seat of ${short(message.key)} was closed for cheating`);
  must(message.seq > seat.seq, "stale_seq", `sequence number ${message.seq} came before`);
  must(seat.messages < MESSAGES_MAX, "too_many_messages", `${MESSAGES_MAX} messages of one player between two rounds are enough`);
  return { ...seat, seq: message.seq, messages: seat.messages + 1 };
}

function nextSeated(book, message, ifRoundOn) {
  const seat = book.seats.get(message.key);
  must(seat && seat.status !== "left", "unknown_key", "nobody with that key sits here");
  must(!book.round, "round_on", ifRoundOn);
  return nextSeat(seat, message);
}

function join(book, one) {
  must(one.key !== book.terms.table_key, "unknown_key", "the table's own key does not sit down");
  const known = book.seats.get(one.key);
  must(known || book.seats.size < book.terms.seats_max, "seats_used_up", "the terms allow no more keys at this table");
  const seat = nextSeat(known ?? NEW_SEAT, one);
  book.check(one, one.key);
  const bond = seat.bond + BigInt(one.chips);
  const paidIn = book.paidIn + BigInt(one.chips);
  must(paidIn <= CHIPS_MAX, "too_many_chips", "nobody can keep books on that many chips");
  must(bond >= book.bondMin, "bond_too_small", `a bond here is at least ${book.bondMin}, this would make ${bond}`);
  return () => {
    book.paidIn = paidIn;
    book.seats.set(one.key, { ...seat, bond, status: "in", misses: 0 });
  };
}

function leave(book, one) {
  const seat = nextSeated(book, one, "nobody leaves in the middle of a round");
  book.check(one, one.key);
  return () => book.seats.set(one.key, { ...seat, bond: 0n, status: "left" });
}

function bet(book, one) {
  const seat = nextSeated(book, one, "bets are locked until the round is over");
  book.check(one, one.key);
  return () => (book.orders.push(one), book.seats.set(one.key, seat));
}

function end(book, one) {
  must(!book.round, "round_on", "a table does not end in the middle of a round");
  must(!book.sealed.length, "bank_sealed", "the bank has not opened its chain");
  must(one.transcript === book.transcript, "wrong_transcript", "the end refers to another roll than the last one");
  must(one.book === book.book, "wrong_book", "the end is that of another book than this one");
  book.check(one, book.terms.table_key);
  return () => book.close("ended");
}

// A round, message by message.

function lock(book, one) {
  const { round: on, terms } = book;
  if (on?.lock.round === one.round) {
    const [first, second] = [on.lock, one].map((message) => toSign(message, book.gameId, { context: contextOf(book.gameId, message) }));
    must(toHex(first) !== toHex(second), "again", "this message is here already");
    book.checkBytes(second, terms.table_key, one);
    return () => book.close("two_locks");
  }
  must(!on, "round_on", "a round is on");
  must(one.round === book.roundNumber + 1, "wrong_round", `round ${book.roundNumber + 1} is next, not ${one.round}`);
  must(one.round <= terms.rounds_max, "rounds_used_up", "the terms allow no more rounds");
  must(one.previous === book.transcript, "wrong_transcript", "the round refers to another roll than the last one");
  must(one.book === book.book, "wrong_book", "the round goes on from another book than this one");
  must(one.digest === stakesDigest(one, terms.session_id), "wrong_stakes", "the digest is not that of the stakes and the draw");
  must(isSorted(one.stakes), "wrong_stakes", "the stakes are not sorted");
  const places = one.positions.map(({ key }) => key);
  must(isSortedSet(places) && places.every((key) => book.seats.has(key)), "wrong_stakes", "positions are one a seat, sorted by key");
  const players = book.players(one.hand, one.positions);
  const roster = book.bank ? [...players, book.bank].sort() : players;
  must(same(one.roster, roster), "wrong_roster", "the roster is not everyone who may contribute");
  must(players.length >= (book.bank ? 1 : 2), "too_few_seats", "too few players can contribute");
  const hasPart = (key) => roster.includes(key) || book.seats.get(key).status === "closed";
  must(!book.bank || places.every(hasPart), "wrong_stakes", "somebody has bets on dice they have no part in");
  const [cover, each] = book.cover(one.positions);
  must(book.tableBond >= cover, "bond_too_small", "more could be won than the table's bond covers");
  must(players.every((key) => book.seats.get(key).bond >= each), "bond_too_small", "a player's bond does not cover the round");
  const context = contextOf(book.gameId, one);
  book.check(one, terms.table_key, { context });
  return () => {
    for (const key of book.seats.keys()) book.changeSeat(key, { messages: 0 });
    book.contexts = [...book.contexts, context].slice(-CONTEXTS_MAX);
    Object.assign(book, { roundNumber: one.round, positions: one.positions });
    book.round = {
      lock: one, context, phase: "commit", commits: new Map(), out: new Set(),
      close: null, commitSet: "", acks: new Set(), secrets: new Map(), seed: "",
    };
  };
}

function commit(book, one) {
  const on = book.roundOn(one.round);
  must(on.lock.roster.includes(one.key), "unknown_key", "the commitment is of somebody who is not in the roster");
  must(one.context === on.context, "wrong_context", "the commitment is for something else");
  const first = on.commits.get(one.key);
  must(!first || first.nonce !== one.nonce || first.commitment !== one.commitment, "again", "this commitment is here already");
  book.check(one, one.key);
  if (first) return secondCommit(book, one.key);
  must(on.phase === "commit", "too_late", "commitments are closed");
  const last = one.key === book.bank ? book.bankNonce : book.seats.get(one.key).nonce;
  must(one.nonce > last, "stale_nonce", `nonce ${one.nonce} is not above ${last}`);
  return () => {
    if (one.key === book.bank) book.bankNonce = one.nonce;
    else book.changeSeat(one.key, { nonce: one.nonce });
    on.commits.set(one.key, one);
  };
}

function close(book, one) {
  const on = book.roundOn(one.round);
  if (on.close) {
    must(one.digest !== on.close.digest, "again", "this message is here already");
    book.check(one, book.terms.table_key);
    return () => book.close("two_closes");
  }
  must(on.phase === "commit", "round_void", "an objection was raised");
  const standing = book.standing(on);
  must(same(one.commits, standing), "close_differs", "the commitments are not those that were made");
  must(book.hasEnough(on), "too_few", "there are too few commitments for a roll");
  must(!book.missingBettors(on).length, "commit_missing", "somebody has a bet and no commitment");
  const digest = commitSet(on.context, standing);
  must(one.digest === digest, "close_differs", "the digest is not that of the commitments");
  book.check(one, book.terms.table_key);
  return () => {
    book.countMisses(on);
    Object.assign(on, { phase: "closed", close: one, commitSet: digest });
  };
}

// The round that is on, between CLOSE and OPEN.
function closedRound(book, number) {
  const on = book.roundOn(number);
  must(on.phase !== "objected", "round_void", "an objection was raised");
  must(on.phase !== "commit", "too_early", "the commitments are not closed yet");
  must(on.phase === "closed", "again", "the round is open already");
  return on;
}

function ack(book, one) {
  const on = closedRound(book, one.round);
  must(on.lock.roster.includes(one.key) && one.key !== book.bank, "unknown_key", "somebody agrees who is not in the roster");
  must(!on.acks.has(one.key), "again", "this seat has said so already");
  book.check(one, one.key, { commits: on.commitSet });
  return () => on.acks.add(one.key);
}

function open(book, one) {
  const on = closedRound(book, one.round);
  book.check(one, book.terms.table_key, { commits: on.commitSet });
  return () => (on.phase = "reveal");
}

function opens(context, first, nonce, secret) {
  const found = commitmentOf(context, first.key, nonce, secret);
  return nonce === first.nonce && found === first.commitment;
}

function reveal(book, one) {
  if (one.key === book.bank && one.round === book.sealed.at(-1)?.round) return unseal(book, one);
  const on = book.roundOn(one.round);
  const first = on.commits.get(one.key);
  must(first, "unknown_key", "an opening without a commitment");
  must(on.phase !== "objected", "round_void", "an objection was raised");
  must(!on.out.has(one.key), "taken_out", "the commitment was taken out of this round");
  must(on.secrets.get(one.key) !== one.secret, "again", "this secret is here already");
  must(opens(on.context, first, one.nonce, one.secret), "wrong_secret", `the secret of ${short(one.key)} is not the one that was committed to`);
  // Signed or not, the secret is out, and a commitment to it hides nothing any more.
  if (on.phase === "commit") return () => on.out.add(one.key);
  must(on.phase !== "closed", "too_early", "secrets are opened after OPEN, when nobody can object any more");
  if (one.key === book.bank) {
    must(!book.terms.hidden, "bank_sealed", "the bank opens its chain when the match is over");
    must(!book.unopened(on).length, "bank_not_last", "the bank opens when all players have opened");
  }
  book.check(one, one.key, { commits: on.commitSet });
  if (one.key === book.bank && !fitsChain(book, one)) return () => book.close("bank_misfit");
  return () => {
    on.secrets.set(one.key, one.secret);
    if (book.unopened(on).length) return;
    if (book.terms.hidden) on.phase = "opened";
    else if (on.secrets.size === book.standing(on).length) Object.assign(on, { phase: "opened", seed: rollSeed(on.commitSet, on.secrets.values()) });
  };
}

function fitsChain(book, { round, secret }) {
  let found = secret;
  for (let number = round; number > book.opened.round; number -= 1) found = chainLink(found);
  return round > book.opened.round && found === book.opened.value;
}

function roll(book, one) {
  const on = book.roundOn(one.round);
  must(on.phase === "opened", "not_opened", "there are no dice before every commitment is opened");
  const { session_id: session, dice } = book.terms;
  if (on.seed) {
    const faces = facesOf(on.seed, session, on.lock.move_number, dice);
    const isSo = same(one.faces, faces) && one.transcript === rollTranscript(on.commitSet, on.secrets, faces);
    must(isSo, "roll_differs", `the secrets give ${faces.join(" and ")}, the table says ${one.faces.join(" and ")}`);
  } else must(one.faces.length === dice, "roll_differs", `a roll shows ${dice} dice`);
  book.check(one, book.terms.table_key, { commits: on.commitSet });
  return () => {
    if (!on.seed) book.sealed.push({ ...on, round: one.round, faces: one.faces, transcript: one.transcript });
    else {
      if (book.bank) book.opened = { round: one.round, value: on.secrets.get(book.bank) };
      book.rolls.push(rolled(on, one.faces, book.standing(on)));
    }
    Object.assign(book, { round: null, transcript: one.transcript, voidsInRow: 0, orders: [], lay: on.lock.stakes });
  };
}

const rolled = ({ lock: { round, move_number: move, state, action }, seed, secrets }, faces, standing) => ({
  round, move, state, action, seed, faces,
  parts: standing.map(({ key, commitment }) => ({ key, commitment, secret: secrets.get(key) })),
});

/** Open the chain after a match with hidden cards: the last value gives all before it, and every round is checked. */
function unseal(book, one) {
  const last = book.sealed.at(-1);
  must(!book.round || book.voidsInRow >= VOIDS_MAX - 1, "round_on", "the bank opens its chain when no round is on, or when the next void one ends the table");
  must(opens(last.context, last.commits.get(book.bank), one.nonce, one.secret), "wrong_secret", "the bank's value is not the one that it had committed to");
  book.check(one, one.key, { commits: last.commitSet });
  const found = fitsChain(book, one) ? openBack(book, one.secret) : null;
  if (!found) return () => book.close("bank_misfit");
  return () => {
    book.rolls.push(...found);
    Object.assign(book, { sealed: [], opened: { round: one.round, value: one.secret } });
  };
}

function openBack(book, secret) {
  const found = [];
  let [value, number] = [secret, book.sealed.at(-1).round];
  for (const on of [...book.sealed].reverse()) {
    for (; number > on.round; number -= 1) value = chainLink(value);
    const secrets = new Map(on.secrets).set(book.bank, value);
    const seed = rollSeed(on.commitSet, secrets.values());
    const isFair = same(on.faces, facesOf(seed, book.terms.session_id, on.lock.move_number, book.terms.dice));
    if (!isFair || on.transcript !== rollTranscript(on.commitSet, secrets, on.faces)) return null;
    const first = on.commits.get(book.bank);
    if (!opens(on.context, first, first.nonce, value)) return null;
    found.unshift(rolled({ ...on, seed, secrets }, on.faces, book.standing(on)));
  }
  return found;
}

// Two messages where there may be one.

function secondCommit(book, key) {
  if (key === book.terms.table_key) return () => book.close("two_commits");
  must(book.seats.get(key).status !== "closed", "seat_closed", `the seat of ${short(key)} is closed already`);
  return () => {
    book.changeSeat(key, { bond: 0n, status: "closed" });
    if (book.round?.phase === "commit") book.round.out.add(key);
  };
}

function equivocation(book, { first, second }) {
  must(first.type === second.type, "no_proof", "a proof is two messages of one kind");
  const isCommit = first.type === "commit";
  const isOneCase = isCommit ? first.key === second.key && first.context === second.context : first.round === second.round;
  // What was signed is compared, not how it is written down: a LOCK holds copies that are under its digests alone.
  const more = (one) => (one.type === "lock" ? { context: contextOf(book.gameId, one) } : {});
  const bytes = [first, second].map((one) => toSign(one, book.gameId, more(one)));
  must(isOneCase && toHex(bytes[0]) !== toHex(bytes[1]), "no_proof", "the two messages do not contradict each other");
  const key = isCommit ? first.key : book.terms.table_key;
  [first, second].forEach((one, i) => book.checkBytes(bytes[i], key, one));
  if (!isCommit) return () => book.close(`two_${first.type}s`);
  must(book.contexts.includes(first.context), "wrong_context", "the proof is about another table, or about a round long gone");
  must(key === book.terms.table_key || book.seats.has(key), "unknown_key", "the proof is about somebody who never sat here");
  return secondCommit(book, key);
}

// Rounds that come to nothing.

function objection(book, one) {
  const on = book.roundOn(one.round);
  must(on.lock.roster.includes(one.key) && one.key !== book.bank, "unknown_key", "an objection of somebody who is not in the roster");
  must(on.phase !== "objected", "again", "the round is void already");
  must(!on.acks.has(one.key), "too_late", "that seat has said that it objects to nothing");
  if (one.reason === "stakes_differ") {
    const isTime = on.phase === "commit" || (on.phase === "closed" && !on.commits.has(one.key));
    must(isTime && !one.commit, "too_late", "stakes are disputed before CLOSE, or before OPEN by a seat that has not committed");
  } else {
    must(on.phase === "closed", "too_late", "a dropped commitment is reported after CLOSE and before OPEN");
    const isMine = one.commit?.key === one.key && one.commit.context === on.context;
    must(isMine, "wrong_context", "the commitment that was dropped must be enclosed");
    must(!on.commits.has(one.key), "no_proof", "the round holds a commitment of that seat, or had to take it out");
    book.check(one.commit, one.key);
  }
  book.check(one, one.key, { context: on.context });
  return () => {
    on.phase = "objected";
    if (book.seats.get(one.key).status === "in") book.changeSeat(one.key, { barred: on.lock.hand });
  };
}

function voidKeys(book, on, reason) {
  if (reason === "too_few") return on.phase === "commit" && !book.hasEnough(on) ? [] : null;
  if (reason === "commit_missing") return on.phase === "commit" && book.hasEnough(on) ? someOf(book.missingBettors(on)) : null;
  if (reason === "objected") return on.phase === "objected" ? [] : null;
  return on.phase === "reveal" ? someOf(book.unopened(on)) : null;
}

const someOf = (keys) => (keys.length ? keys : null);

function voidRound(book, one) {
  const on = book.roundOn(one.round);
  must(same(one.keys, voidKeys(book, on, one.reason)), "void_unfounded", `the round is not void for ${one.reason}, or not because of these`);
  book.check(one, book.terms.table_key, { context: on.context });
  return () => {
    book.voids.push({ round: one.round, reason: one.reason, keys: one.keys });
    if (one.reason === "too_few") book.countMisses(on);
    if (one.reason === "commit_missing") for (const key of one.keys) book.changeSeat(key, { barred: on.lock.hand });
    if (one.reason === "reveal_missing") punish(book, on, one.keys);
    Object.assign(book, { round: null, voidsInRow: book.voidsInRow + 1 });
    // A bank that ends with rounds that nobody could check has not opened.
    if (book.voidsInRow >= VOIDS_MAX) book.close(book.sealed.length ? "bank_missing" : "three_voids");
  };
}

/** Take from those who left their commitment unopened; with a bank the table loses the cover of the round as well. */
function punish(book, on, missing) {
  for (const key of missing) {
    const seat = book.seats.get(key);
    const bond = book.bank ? seat.bond - least(seat.bond, BigInt(book.terms.fee)) : 0n;
    if (!book.bank) book.changeSeat(key, { bond, status: "closed" });
    else if (seat.status !== "in") book.changeSeat(key, { bond });
    else book.changeSeat(key, { bond, barred: on.lock.hand, status: bond >= book.bondMin ? "in" : "out" });
  }
  if (book.bank && book.terms.table_pays) book.tableBond -= least(book.tableBond, book.cover(book.positions)[0]);
}

function silence(book, one) {
  const { round: on, bank } = book;
  must(bank, "no_bank", "there is no bank at this table");
  must(book.seats.has(one.key) || one.key === bank, "unknown_key", "nobody with that key sits here");
  const last = book.sealed.at(-1);
  const waits = book.terms.hidden ? on?.phase === "opened" : on?.phase === "reveal" && !book.unopened(on).length;
  const isDueInRound = waits && on.lock.round === one.round;
  const isDueAtEnd = !on && last?.round === one.round;
  must(isDueInRound || isDueAtEnd, "not_due", "the bank has nothing to open yet");
  book.check(one, one.key, { commits: (on ?? last).commitSet });
  return () => book.close("bank_missing");
}

const RULES = { join, leave, bet, end, lock, commit, close, ack, open, reveal, roll, void: voidRound, objection, silence, equivocation };
