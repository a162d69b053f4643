// The shape of what travels at a table of shared dice: fields, types and bounds, for messages and for the terms.
//
// Whole numbers are those of `parseJson`: a Number up to 2^53, a BigInt beyond. So equal numbers are always `===`.

export const CHIPS_MAX = 2n ** 63n - 1n;
export const MESSAGE_MAX = 4 * 2 ** 20; // bytes of canonical JSON

const isWhole = (value) => typeof value === "bigint" || Number.isSafeInteger(value);
const whole = (least, most = Infinity) => (value) => isWhole(value) && value >= least && value <= most;
const hex = (digits) => (value) => typeof value === "string" && value.length === digits && /^[0-9a-f]*$/.test(value);
const word = (...words) => (value) => words.includes(value);
const list = (shape) => (value) => Array.isArray(value) && value.every(shape);
const text = (least, most) => (value) => {
  if (typeof value !== "string" || /\p{Surrogate}/u.test(value)) return false;
  const size = value.length > most ? [...value].length : value.length; // by code points
  return size >= least && size <= most;
};

const hex32 = hex(64);
const count = whole(0);
const chips = whole(0, CHIPS_MAX);
const digest = (value) => value === "" || hex32(value);
const entry = (value) => typeof value === "string" && value.length <= 1024 && /^([0-9a-f]{2})+$/.test(value);
const flag = (value) => typeof value === "boolean";
const ms = whole(1, 86_400_000);

const fields = (shapes) => (value) =>
  value !== null &&
  typeof value === "object" &&
  Object.keys(value).length === Object.keys(shapes).length &&
  Object.entries(shapes).every(([name, shape]) => Object.hasOwn(value, name) && shape(value[name]));

const signed = (type, shapes) => fields({ type: word(type), signature: hex(128), ...shapes });

const position = fields({ key: hex32, stake: chips, win_max: chips });
const commit = signed("commit", { round: count, key: hex32, nonce: count, context: hex32, commitment: hex32 });
const close = signed("close", { round: count, commits: list(commit), digest: hex32 });
const lock = signed("lock", {
  round: count, roster: list(hex32), stakes: list(entry), digest: hex32, previous: hex32, book: hex32,
  move_number: count, state: digest, action: text(0, 65536), hand: count, positions: list(position),
});
const either = (value) => lock(value) || commit(value) || close(value);

const MESSAGES = {
  lock,
  commit,
  close,
  ack: signed("ack", { round: count, key: hex32 }),
  open: signed("open", { round: count }),
  reveal: signed("reveal", { round: count, key: hex32, nonce: count, secret: hex32 }),
  roll: signed("roll", { round: count, faces: list(whole(1, 255)), transcript: hex32 }),
  void: signed("void", { round: count, reason: word("too_few", "commit_missing", "objected", "reveal_missing"), keys: list(hex32) }),
  objection: signed("objection", {
    round: count, key: hex32, reason: word("commit_dropped", "stakes_differ"), commit: (value) => value === null || commit(value),
  }),
  silence: signed("silence", { round: count, key: hex32 }),
  join: signed("join", { key: hex32, seq: count, chips, salt: hex32 }),
  leave: signed("leave", { key: hex32, seq: count }),
  bet: signed("bet", { key: hex32, seq: count, verb: word("place", "raise", "lower", "remove", "switch"), bet: entry }),
  end: signed("end", { transcript: hex32, book: hex32 }),
  equivocation: fields({ type: word("equivocation"), first: either, second: either }),
};

/** Tell whether something is a message of a table, field for field. */
export function isMessage(value) {
  return typeof value?.type === "string" && Object.hasOwn(MESSAGES, value.type) && MESSAGES[value.type](value);
}

const terms = fields({
  protocol: word(2),
  name: text(1, 200),
  table_key: hex32,
  session_id: whole(0, 2n ** 64n - 1n),
  chain_end: digest,
  rounds_max: whole(1, 1_000_000),
  seats_max: whole(1, 1024),
  dice: whole(0, 64),
  hidden: flag,
  commit_ms: ms,
  object_ms: ms,
  reveal_ms: ms,
  table_bond: chips,
  fee: chips,
  bond_min: chips,
  table_pays: flag,
  scheme: word("ed25519"),
});

/** Return what is wrong with the terms of a table, in words; null if nothing is. */
export function termsProblem(value) {
  if (!terms(value)) return "the terms of the table do not hold";
  return value.hidden && !value.chain_end ? "hidden cards need a bank whose chain hides the seed" : null;
}
