// The byte strings of shared dice: what is hashed and what is signed. docs/shared-dice.md has them byte for byte.

import { canonicalJson } from "./json.js";
import { GameRng } from "./rng.js";
import { fromHex, hmac, joinBytes, sha256, toHex, utf8 } from "./sha256.js";

export const ZERO = "00".repeat(32);

function fixed(number, width) {
  const value = BigInt(number);
  if (value < 0n || value >= 1n << BigInt(8 * width)) throw new RangeError(`${number} does not fit ${width} bytes`);
  return Uint8Array.from({ length: width }, (_, i) => Number((value >> BigInt(8 * (width - 1 - i))) & 255n));
}

const u32 = (number) => fixed(number, 4);
const u64 = (number) => fixed(number, 8);

/** Return E(tag, fields): each with its length in front. */
export function encode(tag, ...fields) {
  return joinBytes(...[utf8(tag), ...fields].flatMap((field) => [u32(field.length), field]));
}

const hash = (tag, ...fields) => sha256(encode(tag, ...fields));
const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** Return the 16 bytes that stand for a table: they follow from all of its terms. */
export function tableId(terms) {
  return hash("craps/table/1", utf8(canonicalJson(terms))).subarray(0, 16);
}

/** Return a bet as it is signed and locked: { key, id, number, stake, mode, working }. */
export function betBytes({ key, id, number, stake, mode, working }) {
  return encode("craps/bet/1", fromHex(key), u32(id), u32(number), u64(stake), utf8(mode), Uint8Array.of(working ? 1 : 0));
}

/** Return B of a LOCK, in hex: all that lies on the table, and the one draw it waits for. */
export function stakesDigest(lock, sessionId) {
  const state = fromHex(lock.state);
  const draw = encode("craps/draw/1", u64(sessionId), u32(lock.move_number), state, utf8(lock.action), fromHex(lock.book));
  // Equal bytes have equal hex, and hex sorts as its bytes do.
  const entries = [...lock.stakes, toHex(draw)].sort(byText).map(fromHex);
  return toHex(hash("craps/bets/1", ...entries));
}

/** Return C of a LOCK, in hex: one table, one round, what went before, one list of stakes, one roster. */
export function contextOf(gameId, lock) {
  const roster = hash("craps/roster/1", ...[...lock.roster].sort(byText).map(fromHex));
  return toHex(hash("craps/ctx/1", gameId, u64(lock.round), fromHex(lock.previous), fromHex(lock.digest), roster));
}

/** Return a player's secret for a context, in hex: whoever lacks the root learns nothing of it from other secrets. */
export function secretOf(root, context) {
  return toHex(hmac(fromHex(root), joinBytes(encode("croupier/dice-secret/2"), fromHex(context))));
}

/** Return c, the commitment to a secret, in hex. */
export function commitmentOf(context, key, nonce, secret) {
  return toHex(hash("craps/commit/1", fromHex(context), fromHex(key), u64(nonce), fromHex(secret)));
}

/** Return K, in hex: everybody's commitments, which must be sorted by key. */
export function commitSet(context, commits) {
  const fields = commits.flatMap((one) => [fromHex(one.key), u64(one.nonce), fromHex(one.commitment)]);
  return toHex(hash("craps/commits/1", fromHex(context), ...fields));
}

/** Return S, the seed of the move, in hex, from K and the secrets of all. */
export function rollSeed(commits, secrets) {
  const mixed = new Uint8Array(32);
  for (const secret of secrets) fromHex(secret).forEach((byte, i) => (mixed[i] ^= byte));
  return toHex(hash("craps/seed/1", fromHex(commits), mixed));
}

/** Return T, in hex: K, every secret by key, and the dice. `secrets` is a Map from key to secret. */
export function rollTranscript(commits, secrets, faces) {
  const opened = [...secrets].sort(([a], [b]) => byText(a, b)).flatMap((pair) => pair.map(fromHex));
  return toHex(hash("craps/transcript/1", fromHex(commits), ...opened, ...faces.map((face) => fixed(face, 1))));
}

/** Return the value before this one in the bank's chain, in hex. */
export function chainLink(value) {
  return toHex(hash("craps/chain/1", fromHex(value)));
}

/** Return the digest of a book after one more event, in hex. */
export function bookLink(book, event) {
  return toHex(hash("craps/book/1", fromHex(book), utf8(canonicalJson(event))));
}

/** Return the dice that a seed shows: the first of the stream of its move. */
export function facesOf(seed, sessionId, moveNumber, count) {
  const rng = new GameRng(seed, sessionId, moveNumber);
  return Array.from({ length: count }, () => rng.rollDie());
}

const SIGNED = {
  lock: (one, { id, context }) => [
    "craps/sig-lock/1", id, u64(one.round), context, fromHex(one.book), u64(one.hand),
    ...one.positions.flatMap((place) => [fromHex(place.key), u64(place.stake), u64(place.win_max)]),
  ],
  commit: (one) => ["craps/sig-commit/1", fromHex(one.context), fromHex(one.key), u64(one.nonce), fromHex(one.commitment)],
  close: (one, { id }) => ["craps/sig-close/1", id, u64(one.round), fromHex(one.digest)],
  ack: (one, { id, commits }) => ["craps/sig-ack/2", id, u64(one.round), commits, fromHex(one.key)],
  open: (one, { id, commits }) => ["craps/sig-open/2", id, u64(one.round), commits],
  reveal: (one, { commits }) => ["craps/sig-reveal/1", commits, fromHex(one.key), u64(one.nonce), fromHex(one.secret)],
  roll: (one, { id, commits }) => [
    "craps/sig-roll/1", id, u64(one.round), commits, fromHex(one.transcript), joinBytes(...one.faces.map((face) => fixed(face, 1))),
  ],
  void: (one, { id, context }) => ["craps/sig-void/1", id, u64(one.round), context, utf8(one.reason), ...one.keys.map(fromHex)],
  objection: (one, { context }) => ["craps/sig-object/1", context, fromHex(one.key), utf8(one.reason), fromHex(one.commit?.commitment ?? "")],
  silence: (one, { id, commits }) => ["craps/sig-silence/1", id, u64(one.round), commits, fromHex(one.key)],
  join: (one, { id }) => ["craps/sig-join/1", id, fromHex(one.key), u64(one.seq), u64(one.chips), fromHex(one.salt)],
  leave: (one, { id }) => ["craps/sig-leave/1", id, fromHex(one.key), u64(one.seq)],
  bet: (one, { id }) => ["craps/sig-bet/1", id, fromHex(one.key), u64(one.seq), utf8(one.verb), fromHex(one.bet)],
  end: (one, { id }) => ["craps/sig-end/1", id, fromHex(one.transcript), fromHex(one.book)],
};

/** Return the bytes that go under a message; `context` (C) and `commits` (K) are hex, for those that need them. */
export function toSign(message, gameId, { context = "", commits = "" } = {}) {
  return encode(...SIGNED[message.type](message, { id: gameId, context: fromHex(context), commits: fromHex(commits) }));
}
