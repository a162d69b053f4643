// Seed scheme 2: seeds made by a host and its players, what a host signs, and its log of versions.
// The same bytes as in Python; keys, seeds and digests are in hex. Scheme 1 is only read.

import { verify } from "./ed25519.js";
import { canonicalJson } from "./json.js";
import { fromHex, hmac, joinBytes, sha256, toHex, utf8 } from "./sha256.js";

const SECRET_LENGTH = 32;
const CLIENT_SEED_MAX = 64;
const OLD_CLIENT_SEED_MAX = 256;

/** What SHA-256 puts behind 32 bytes. A client seed of scheme 1 that begins so knew the seed from the commitment. */
export const EXTENSION = `80${"00".repeat(29)}0100`;

const NOTHING = { scheme: 1, host_key: "", account: "", n: 0, log_n: 0, log_head: "", table_digest: "", receipt: "", seats: [], voids: [] };

const number = (bytes, set, value) => {
  const view = new DataView(new ArrayBuffer(bytes));
  view[set](0, value);
  return new Uint8Array(view.buffer);
};
const u32 = (value) => number(4, "setUint32", value);
const u64 = (value) => {
  if (BigInt.asUintN(64, BigInt(value)) !== BigInt(value)) throw new RangeError(`a number of 0 to ${2n ** 64n - 1n} goes here`);
  return number(8, "setBigUint64", BigInt(value));
};

/** Return parts, text or bytes, as one message that can be taken apart again: each with its length before it. */
function join(...parts) {
  return joinBytes(...parts.map((part) => (typeof part === "string" ? utf8(part) : part)).flatMap((part) => [u32(part.length), part]));
}

// Exactly 32: HMAC fills shorter keys up with zeros, so that two of them would be one.
function secretBytes(hex) {
  const bytes = fromHex(hex);
  if (bytes.length !== SECRET_LENGTH) throw new RangeError(`a server seed, or the secret of a seat, is ${SECRET_LENGTH} random bytes`);
  return bytes;
}

const factsOf = ({ host_key = "", account = "", n = 0, session_id: id, log_head = "" }) =>
  joinBytes(join(fromHex(host_key), account), u64(n), u64(id), join(fromHex(log_head)));

/** Return what a host publishes before the player names a client seed. `facts` are { host_key, account, n, session_id, log_head }. */
export function commitmentTo(serverSeed, facts) {
  return toHex(sha256(joinBytes(join("croupier/commitment/2"), factsOf(facts), join(secretBytes(serverSeed)))));
}

/** Return the bytes that a host signs when it hands out a commitment. */
export function receiptMessage(facts) {
  return joinBytes(join("croupier/receipt/2", fromHex(facts.commitment)), factsOf(facts));
}

/** Return what a player of a room sends when ready: the hash of a secret, made after the room's commitment. */
export function seatCommitment(commitment, seat, playerId, secret) {
  return toHex(sha256(joinBytes(join("croupier/seat/2", fromHex(commitment)), u32(seat), join(playerId, secretBytes(secret)))));
}

/** Return K of a room: everything that is fixed before the first of its seats opens. */
export function seatsDigest(commitment, tableDigest, sessionId, seats) {
  const head = joinBytes(join("croupier/seats/2", fromHex(commitment), fromHex(tableDigest)), u64(sessionId));
  return toHex(sha256(joinBytes(head, ...seats.map((seat) => join(seat.player_id, fromHex(seat.commitment ?? ""))))));
}

/** Return the seed of a match from its `commitments`, revealed. */
export function matchSeed(commitments, sessionId) {
  const pair = { ...NOTHING, ...commitments };
  const key = secretBytes(pair.server_seed);
  if (pair.scheme === 1) return toHex(sha256(joinBytes(key, fromHex(pair.client_seed), utf8(`\0match/${sessionId}`))));
  if (pair.seats.length) {
    const digest = seatsDigest(pair.commitment, pair.table_digest, sessionId, pair.seats);
    return toHex(hmac(key, join("croupier/room/2", fromHex(digest), ...pair.seats.map((seat) => fromHex(seat.secret ?? "")))));
  }
  const head = join("croupier/match/2", fromHex(pair.commitment), fromHex(pair.client_seed));
  return toHex(hmac(key, joinBytes(head, u64(sessionId), join(fromHex(pair.table_digest)))));
}

/** Return what the link to a session holds besides its number: only who has seen its seed can name it. */
export function shareToken(serverSeed, sessionId) {
  return toHex(hmac(secretBytes(serverSeed), joinBytes(join("croupier/share/2"), u64(sessionId))));
}

/** Return the digest of a table from everything that was announced about it. */
export function tableDigest(body) {
  return toHex(sha256(join("croupier/table/1", canonicalJson(body))));
}

/** Return the head of a host's log of versions before its first entry. */
export function firstHead(hostKey) {
  return toHex(sha256(join("croupier/log/1", fromHex(hostKey))));
}

/** Return the head of a log after one more entry, { n, at, kind, body }. */
export function nextHead(head, entry) {
  return toHex(sha256(join("croupier/log/1", fromHex(head), canonicalJson(entry))));
}

/** Return the bytes that a host signs as the head of its log. */
export function headMessage(n, head) {
  return joinBytes(join("croupier/log-head/1"), u64(n), join(fromHex(head)));
}

/** Tell whether a signature in hex is the host's. What is not even hex does not hold. */
export function holds(hostKey, makeMessage, signature) {
  try {
    return verify(fromHex(hostKey), makeMessage(), fromHex(signature));
  } catch {
    return false;
  }
}

// What a record says of its seeds.

const RECORD = [
  { schema: 0, game_id: "", rules_version: 0, match_id: "", session_id: 0, players: [], starting_player: "", options: {}, seed: "", actions: [], digests: [], record_digest: "" },
  { seeds: [], commitments: null, stake: 0, super: false },
];
const PLAYER = [{ id: "", name: "", seat: 0, is_bot: false }, {}];
const PAIR = [{ commitment: "", server_seed: "", client_seed: "" }, NOTHING];
const SEAT = [{ player_id: "" }, { commitment: "", secret: "" }];
const VOID = [{ session_id: 0, commitment: "", server_seed: "", log_head: "", missing: [] }, {}];

// Fields as they must be: of these kinds and no others, and those that have a default left out where they have it.
function fits(value, required, optional) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  const kind = (one) => (Array.isArray(one) ? "list" : typeof one === "bigint" || Number.isInteger(one) ? "whole" : typeof one);
  const all = { ...required, ...optional };
  return (
    Object.keys(required).every((key) => Object.hasOwn(value, key)) &&
    Object.entries(value).every(([key, one]) => Object.hasOwn(all, key) && kind(one) === kind(all[key])) &&
    Object.entries(optional).every(([key, one]) => !Object.hasOwn(value, key) || canonicalJson(value[key]) !== canonicalJson(one))
  );
}

/** Tell whether a record, and what it says of its seeds, is written as croupier writes it. */
export function isWellFormed(record) {
  if (!fits(record, ...RECORD)) return false;
  const { commitments: pair, seeds = [], players } = record;
  const isText = (one) => typeof one === "string";
  return (
    seeds.every(isText) &&
    players.every((player) => fits(player, ...PLAYER)) &&
    (!pair || (fits(pair, ...PAIR) && (pair.seats ?? []).every((seat) => fits(seat, ...SEAT)))) &&
    (pair?.voids ?? []).every((start) => fits(start, ...VOID) && start.missing.every(isText))
  );
}

const isHex = (...texts) => texts.every((text) => /^([0-9a-f]{2})*$/.test(text));

/** Return null if the server seed of a record, well formed, is the one committed to, else a sentence that says what differs. */
export function commitmentProblem(commitments, sessionId) {
  const pair = { ...NOTHING, ...commitments };
  const { scheme, server_seed: server, client_seed: client, commitment } = pair;
  if (scheme !== 1 && scheme !== 2) return `the seeds follow scheme ${scheme}, which this croupier does not know`;
  if (scheme === 1 && Object.keys(commitments).length > 3) return "seeds of scheme 1 have a commitment, a server seed, a client seed and nothing else";
  if (!isHex(server, client, commitment, pair.host_key, pair.log_head, pair.table_digest, pair.receipt)) {
    return "the seeds and the commitment are not written in lower-case hex";
  }
  if (server.length !== 2 * SECRET_LENGTH) return `the server seed has ${server.length / 2} bytes, not ${SECRET_LENGTH}`;
  const most = scheme === 1 ? OLD_CLIENT_SEED_MAX : CLIENT_SEED_MAX;
  if (client.length > 2 * most) return `the client seed has ${client.length / 2} bytes, more than the ${most} a player may name`;
  try {
    u64(pair.log_n);
    const opened = scheme === 1 ? toHex(sha256(fromHex(server))) : commitmentTo(server, { ...pair, session_id: sessionId });
    if (opened !== commitment) return `the server seed hashes to ${opened}, but the commitment was ${commitment}`;
    return seatsProblem(pair);
  } catch (error) {
    return error.message; // a part that is no hex, or too long, or a number out of bounds
  }
}

// Every secret must open the commitment of its seat, and every void start must be opened.
function seatsProblem(pair) {
  if (pair.seats.length && pair.client_seed) return "a room has the secrets of its seats, and no client seed";
  for (const [place, { player_id: player, commitment = "", secret = "" }] of pair.seats.entries()) {
    if (secret && !commitment) return `seat ${place} has opened without a commitment`;
    const opened = secret ? seatCommitment(pair.commitment, place, player, secret) : toHex(fromHex(commitment));
    if (opened !== commitment) return `the secret of seat ${place} hashes to ${opened}, not to ${commitment}`;
  }
  for (const start of pair.voids) {
    const facts = { ...pair, session_id: start.session_id, log_head: start.log_head };
    if (commitmentTo(start.server_seed, facts) !== start.commitment || !start.missing.length) {
      return `the void start of session ${start.session_id} is not opened`;
    }
  }
  return null;
}
