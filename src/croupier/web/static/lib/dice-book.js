// A book of shared dice: every message that the table tells, checked in the order it came. A second machine, written
// from docs/shared-dice.md: it knows signatures, commitments, secrets and dice. Bonds are left to `croupier verify`.

import { verify } from "./ed25519.js";
import { bookLink, chainLink, commitmentOf, commitSet, contextOf, facesOf, rollSeed, rollTranscript, stakesDigest, tableId, toSign, ZERO } from "./dice.js";
import { canonicalJson } from "./json.js";
import { fromHex } from "./sha256.js";

const VOIDS_MAX = 3; // in a row: then a table closes

// Points whose order divides 8: under such a key anyone can sign, so nothing holds under it.
const FIELD = 2n ** 255n - 19n;
const Y8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
const WEAK = new Set([0n, 1n, FIELD - 1n, Y8, FIELD - Y8]);

function isWeak(key) {
  const value = key.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n) & (2n ** 255n - 1n);
  return WEAK.has(value % FIELD);
}

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

const sorted = (keys) => keys.every((key, i) => !i || keys[i - 1] < key);

/** What the messages so far have made of a table. `apply` takes the next, or throws `Wrong` and changes nothing. */
export class DiceBook {
  constructor(terms) {
    this.terms = terms;
    this.gameId = tableId(terms);
    this.bank = terms.chain_end ? terms.table_key : "";
    this.seats = new Map(); // key -> { seq, nonce, isIn }
    this.book = ZERO;
    this.transcript = ZERO;
    this.roundNumber = 0;
    this.round = null;
    this.opened = { round: 0, value: terms.chain_end };
    this.bankNonce = -1;
    this.rolls = [];
    this.voids = [];
    this.voidsInRow = 0;
    this.closed = "";
    this.count = 0;
    this.signatures = 0;
    this.trusts = false; // while messages are read again that this browser has checked before
  }

  apply(event) {
    must(!this.closed, "table_closed", `the table is closed: ${this.closed}`);
    const rule = RULES[event.type];
    must(rule, "unreadable", `a message of the type ${event.type} is none`);
    const after = rule(this, event);
    this.book = bookLink(this.book, event);
    this.count += 1;
    after?.();
  }

  check(message, key, more) {
    this.signatures += 1;
    if (this.trusts) return;
    const bytes = fromHex(key);
    const holds = !isWeak(bytes) && verify(bytes, toSign(message, this.gameId, more), fromHex(message.signature));
    must(holds, "bad_signature", `the signature of ${key.slice(0, 12)}… under a ${message.type} does not hold`);
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
}

function nextSeat(book, message) {
  const seat = book.seats.get(message.key) ?? { seq: -1, nonce: -1, isIn: false };
  must(message.seq > seat.seq, "stale_seq", `sequence number ${message.seq} came before`);
  return { ...seat, seq: message.seq };
}

function seated(book, message) {
  must(book.seats.get(message.key)?.isIn, "unknown_key", "nobody with that key sits here");
  return nextSeat(book, message);
}

const RULES = {
  join(book, one) {
    must(one.key !== book.terms.table_key, "unknown_key", "the table's own key does not sit down");
    const seat = nextSeat(book, one);
    book.check(one, one.key);
    return () => book.seats.set(one.key, { ...seat, isIn: true });
  },

  leave(book, one) {
    must(!book.round, "round_on", "nobody leaves in the middle of a round");
    const seat = seated(book, one);
    book.check(one, one.key);
    return () => book.seats.set(one.key, { ...seat, isIn: false });
  },

  bet(book, one) {
    must(!book.round, "round_on", "bets are locked until the round is over");
    const seat = seated(book, one);
    book.check(one, one.key);
    return () => book.seats.set(one.key, seat);
  },

  lock(book, one) {
    if (book.round?.lock.round === one.round) {
      must(canonicalJson(one) !== canonicalJson(book.round.lock), "again", "this message is here already");
      book.check(one, book.terms.table_key, { context: contextOf(book.gameId, one) });
      return () => (book.closed = "two_locks");
    }
    must(!book.round, "round_on", "a round is on");
    must(one.round === book.roundNumber + 1, "wrong_round", `round ${book.roundNumber + 1} is next, not ${one.round}`);
    must(one.round <= book.terms.rounds_max, "rounds_used_up", "the terms allow no more rounds");
    must(one.previous === book.transcript, "wrong_transcript", "the round refers to another roll than the last one");
    must(one.book === book.book, "wrong_book", "the round goes on from another book than this one");
    must(one.digest === stakesDigest(one, book.terms.session_id), "wrong_stakes", "the digest is not that of the stakes and the draw");
    const isListed = sorted(one.roster) && one.roster.every((key) => key === book.bank || book.seats.get(key)?.isIn);
    must(isListed && (!book.bank || one.roster.includes(book.bank)), "wrong_roster", "the roster names others than those who sit here");
    const context = contextOf(book.gameId, one);
    book.check(one, book.terms.table_key, { context });
    return () => {
      book.roundNumber = one.round;
      book.round = { lock: one, context, phase: "commit", commits: new Map(), out: new Set(), close: null, commitSet: "", secrets: new Map(), seed: "" };
    };
  },

  commit(book, one) {
    const on = book.roundOn(one.round);
    must(on.lock.roster.includes(one.key), "unknown_key", "the commitment is of somebody who is not in the roster");
    must(one.context === on.context, "wrong_context", "the commitment is for something else");
    const first = on.commits.get(one.key);
    must(!first || first.nonce !== one.nonce || first.commitment !== one.commitment, "again", "this commitment is here already");
    book.check(one, one.key);
    if (first) {
      if (one.key === book.terms.table_key) return () => (book.closed = "two_commits");
      return () => on.phase === "commit" && on.out.add(one.key);
    }
    must(on.phase === "commit", "too_late", "commitments are closed");
    const last = one.key === book.bank ? book.bankNonce : book.seats.get(one.key).nonce;
    must(one.nonce > last, "stale_nonce", `nonce ${one.nonce} is not above ${last}`);
    return () => {
      if (one.key === book.bank) book.bankNonce = one.nonce;
      else book.seats.get(one.key).nonce = one.nonce;
      on.commits.set(one.key, one);
    };
  },

  close(book, one) {
    const on = book.roundOn(one.round);
    if (on.close) {
      must(one.digest !== on.close.digest, "again", "this message is here already");
      book.check(one, book.terms.table_key);
      return () => (book.closed = "two_closes");
    }
    must(on.phase === "commit", "round_void", "an objection was raised");
    const standing = book.standing(on);
    must(canonicalJson(one.commits) === canonicalJson(standing), "close_differs", "the commitments are not those that were made");
    const isEnough = standing.length >= 2 && (!book.bank || standing.some(({ key }) => key === book.bank));
    must(isEnough, "too_few", "there are too few commitments for a roll");
    const digest = commitSet(on.context, standing);
    must(one.digest === digest, "close_differs", "the digest is not that of the commitments");
    book.check(one, book.terms.table_key);
    return () => Object.assign(on, { phase: "reveal", close: one, commitSet: digest });
  },

  reveal(book, one) {
    const on = book.roundOn(one.round);
    const first = on.commits.get(one.key);
    must(first, "unknown_key", "an opening without a commitment");
    must(on.phase !== "objected", "round_void", "an objection was raised");
    must(!on.out.has(one.key), "taken_out", "the commitment was taken out of this round");
    must(on.secrets.get(one.key) !== one.secret, "again", "this secret is here already");
    const fits = one.nonce === first.nonce && commitmentOf(on.context, one.key, one.nonce, one.secret) === first.commitment;
    must(fits, "wrong_secret", `the secret of ${one.key.slice(0, 12)}… is not the one that was committed to`);
    if (on.phase === "commit") return () => on.out.add(one.key);
    if (one.key === book.bank) must(!book.unopened(on).length, "bank_not_last", "the bank opens when all players have opened");
    book.check(one, one.key, { commits: on.commitSet });
    if (one.key === book.bank && !fitsChain(one.secret, one.round - book.opened.round, book.opened.value)) {
      return () => (book.closed = "bank_misfit");
    }
    return () => {
      on.secrets.set(one.key, one.secret);
      if (on.secrets.size < book.standing(on).length) return;
      Object.assign(on, { phase: "opened", seed: rollSeed(on.commitSet, on.secrets.values()) });
    };
  },

  roll(book, one) {
    const on = book.roundOn(one.round);
    must(on.phase === "opened", "not_opened", "there are no dice before every commitment is opened");
    const faces = facesOf(on.seed, book.terms.session_id, on.lock.move_number, book.terms.dice);
    const transcript = rollTranscript(on.commitSet, on.secrets, faces);
    const isSo = canonicalJson(one.faces) === canonicalJson(faces) && one.transcript === transcript;
    must(isSo, "roll_differs", `the secrets give ${faces.join(" and ")}, the table says ${one.faces.join(" and ")}`);
    book.check(one, book.terms.table_key, { commits: on.commitSet });
    return () => {
      if (book.bank) book.opened = { round: one.round, value: on.secrets.get(book.bank) };
      const parts = book.standing(on).map(({ key, commitment }) => ({ key, commitment, secret: on.secrets.get(key) }));
      book.rolls.push({ round: one.round, move: on.lock.move_number, state: on.lock.state, action: on.lock.action, seed: on.seed, faces, parts });
      Object.assign(book, { round: null, transcript, voidsInRow: 0 });
    };
  },

  void(book, one) {
    const on = book.roundOn(one.round);
    const reasons = {
      too_few: on.phase === "commit" ? [] : null,
      objected: on.phase === "objected" ? [] : null,
      reveal_missing: on.phase === "reveal" ? book.unopened(on) : null,
    };
    const isSo = canonicalJson(one.keys) === canonicalJson(reasons[one.reason] ?? null);
    must(isSo, "void_unfounded", `the round is not void for ${one.reason}, or not because of these`);
    book.check(one, book.terms.table_key, { context: on.context });
    return () => {
      book.voids.push({ round: one.round, reason: one.reason, keys: one.keys });
      book.round = null;
      book.voidsInRow += 1;
      if (book.voidsInRow >= VOIDS_MAX) book.closed = "three_voids";
    };
  },

  objection(book, one) {
    const on = book.roundOn(one.round);
    must(on.lock.roster.includes(one.key), "unknown_key", "an objection of somebody who is not in the roster");
    must(["commit", "reveal"].includes(on.phase) && !on.secrets.size, "too_late", "the objection comes too late");
    book.check(one, one.key, { context: on.context });
    return () => (on.phase = "objected");
  },

  silence(book, one) {
    const on = book.roundOn(one.round);
    must(on.phase === "reveal" && !book.unopened(on).length, "not_due", "the bank has nothing to open yet");
    book.check(one, one.key, { commits: on.commitSet });
    return () => (book.closed = "bank_missing");
  },

  equivocation(book, one) {
    const { first, second } = one;
    must(first.type === second.type && canonicalJson(first) !== canonicalJson(second), "no_proof", "the two messages do not contradict each other");
    for (const message of [first, second]) {
      const key = message.type === "commit" ? message.key : book.terms.table_key;
      book.check(message, key, message.type === "lock" ? { context: contextOf(book.gameId, message) } : {});
    }
    return () => {
      if (first.type !== "commit" || first.key === book.terms.table_key) book.closed = `two_${first.type}s`;
      else if (book.round?.phase === "commit") book.round.out.add(first.key);
    };
  },

  end(book, one) {
    must(!book.round, "round_on", "a table does not end in the middle of a round");
    must(one.transcript === book.transcript, "wrong_transcript", "the end refers to another roll than the last one");
    must(one.book === book.book, "wrong_book", "the end is that of another book than this one");
    book.check(one, book.terms.table_key);
    return () => (book.closed = "ended");
  },
};

function fitsChain(value, steps, known) {
  if (steps < 1) return false;
  let found = value;
  for (let i = 0; i < steps; i += 1) found = chainLink(found);
  return found === known;
}
