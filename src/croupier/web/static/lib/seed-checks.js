// Seed checks in the page: where a record's seed came from, against itself and against what the player kept.
// The same checks, in the same order and the same words, as `croupier verify --kept`.

import { t } from "./dom.js";
import { canonicalJson } from "./json.js";
import { commitmentProblem, EXTENSION, holds, matchSeed, receiptMessage, seatCommitment, seatsDigest } from "./seeds.js";

const WEAK_BELOW = 16;

const check = (name, ok, text) => ({ name, ok, text });
const isSame = (a, b) => canonicalJson(a) === canonicalJson(b);

/** Return what was kept about a session, with that commitment where there is one; numbers of sessions may be BigInt. */
export function findKept(file, sessionId, commitment = null) {
  const same = file?.kept.filter((one) => String(one.session_id) === String(sessionId)) ?? [];
  return same.find((one) => one.commitment === commitment) ?? same[0] ?? null;
}

/** Return the checks of where the seed came from, up to and including the first that failed. `kept` is the kept file. */
export function seedChecks(record, kept = null) {
  const found = [];
  for (const one of allChecks(record, kept)) {
    found.push(one);
    if (one.ok === false) break;
  }
  return found;
}

function* allChecks(record, kept) {
  const { commitments: pair, session_id: id } = record;
  const mine = findKept(kept, id, pair?.commitment);
  if (!pair) {
    yield mine
      ? check("commitment", false, t`you were given a commitment for this session, and the record has none`)
      : check("commitment", null, t`the seed was not committed to beforehand: trust in it is trust in who drew it`);
    return;
  }
  if (record.seeds?.length) yield check("seeds", false, t`the record has seeds of its own for some moves beside the one committed to`);
  const problem = commitmentProblem(pair, id);
  yield check("commitment", !problem, problem ?? t`the server seed is the one committed to, ${pair.commitment}`);
  const seed = matchSeed(pair, id);
  const fits = seed === record.seed;
  yield check("seed", fits, fits ? t`the seed follows from both parts` : t`the pair gives the seed ${seed}, but the match used ${record.seed}`);
  const seats = (pair.seats ?? []).map((seat) => seat.player_id);
  const isSeated = isSame(seats, record.players.map((player) => player.id)) && record.starting_player === seats[0];
  if (seats.length && !isSeated) yield check("players", false, t`the players sit otherwise than the seats that the seed was made for`);
  yield* weaknesses(pair);
  if (!mine) {
    if (pair.receipt) yield receipt({ ...pair, session_id: id });
    else if (pair.host_key) yield check("receipt", null, t`there is no receipt: nothing shows that the host named here took part`);
    if (kept) yield check("kept", null, t`nothing was kept about this session`);
    return;
  }
  yield check("kept", true, t`this session is among what was kept`);
  yield receipt(mine);
  yield* compared(record, pair, mine);
  yield* starts(pair, kept, mine);
  yield* series(kept, mine);
}

// What remains open although everything fits.
function* weaknesses({ scheme = 1, client_seed: client, seats = [], voids = [] }) {
  if (scheme === 1) {
    const knew = `${client}00`.startsWith(EXTENSION); // the formula put a zero behind it
    const which = knew ? t`this one begins with the bytes that such a seed begins with` : t`this one does not look so`;
    yield check("scheme", null, t`scheme 1 can be attacked: a client seed made for it knows the seed from the commitment; ${which}`);
  }
  const size = client.length / 2;
  if (!seats.length && size < WEAK_BELOW) yield check("strength", null, t`the client seed is weak: ${size} bytes, and a host can guess fewer than ${WEAK_BELOW}`);
  if (seats.length && !seats.some((seat) => seat.secret)) yield check("strength", null, t`no player had a part in the seed: the host alone made it`);
  for (const [place, seat] of seats.entries()) {
    if (seat.commitment && !seat.secret) {
      yield check("seats", null, t`seat ${place} did not open; a host in league with it could choose between two seeds`);
    }
  }
  for (const { missing } of voids) {
    const text = t`a start was void because ${missing.join(", ")} did not open`;
    yield check("void", null, t`${text}; a host in league with them could choose between two seeds`);
  }
}

/** Check a host's signature under a commitment, as it was kept or as a record has it. */
export function receipt(facts) {
  const isSigned = holds(facts.host_key ?? "", () => receiptMessage(facts), facts.receipt);
  return check("receipt", isSigned, isSigned ? t`the host has signed the commitment` : t`the host's signature does not hold`);
}

function* compared(record, pair, mine) {
  const facts = ({ commitment, host_key = "", account = "", n = 0, log_n = 0, log_head = "", receipt = "" }) => [commitment, host_key, account, n, log_n, log_head, receipt];
  const isMine = isSame(facts(pair), facts(mine));
  yield check("mine", isMine, t`the commitment is ${isMine ? "" : t`not `}the one you were given`);
  if (mine.kind === "session" && (mine.client_seed || pair.client_seed || pair.seats?.length)) {
    const isNamed = pair.client_seed === mine.client_seed && !pair.seats?.length;
    yield check("client seed", isNamed, t`the client seed is ${isNamed ? "" : t`not `}the one you named`);
  } else if (!mine.player_id || !mine.secret) {
    yield check("client seed", null, t`you had no part in this seed`);
  } else {
    const problem = seatProblem(record, pair, mine);
    yield check("client seed", !problem, problem ?? t`your seat's secret is the one you opened`);
  }
  const differs = askedOtherwise(record, pair, mine);
  yield check("asked", !differs, differs ? t`${differs} not what you asked for` : t`it is what you asked for`);
}

function seatProblem(record, pair, mine) {
  const seat = pair.seats?.[mine.seat];
  if (seat?.player_id !== mine.player_id) return t`your seat has no part in the seed`;
  const { commitment = "", secret = "" } = seat;
  const made = seatCommitment(mine.commitment, mine.seat, mine.player_id, mine.secret);
  if (commitment !== made || (secret && secret !== mine.secret)) return t`your seat's secret is not the one you made`;
  if (!mine.seats_digest) return null;
  const digest = seatsDigest(pair.commitment, pair.table_digest ?? "", record.session_id, pair.seats);
  if (mine.seats_digest !== digest) return t`the seats are not those you opened for`;
  return secret ? null : t`the record says that you did not open, and you did`;
}

// The first thing that is not as asked for; null where nothing was written down about it.
function askedOtherwise(record, pair, { game, table_digest: table, options = null, stake = null, super: isSuper = null }) {
  if (game && game !== record.game_id) return t`the game is`;
  if (table && table !== (pair.table_digest ?? "")) return t`the table is`;
  if (options !== null && !isSame(options, record.options)) return t`the options are`;
  if (stake !== null && !isSame(stake, record.stake ?? 0)) return t`the stake is`;
  if (isSuper !== null && isSuper !== (record.super ?? false)) return t`super mode is`;
  return null;
}

// The starts of a room that were noted: all but the last were void, and the record has to say so.
function* starts({ voids = [] }, kept, mine) {
  const name = ({ session_id: id, commitment }) => `${id} ${commitment}`;
  const same = kept.kept.filter((one) => mine.room && one.host_key === mine.host_key && one.room === mine.room);
  const noted = same.filter((one) => String(one.session_id) !== String(mine.session_id)).map(name);
  if (!noted.length) return;
  const told = voids.map(name);
  const isTold = noted.every((one) => told.includes(one));
  yield check("starts", isTold, t`the record ${isTold ? t`tells of every` : t`does not tell of a`} start that you saw`);
}

// All that was kept of one host: nothing twice, no number left out, one log.
function* series(kept, mine) {
  const host = kept.kept.filter((one) => one.host_key === mine.host_key);
  const numbers = host.filter((one) => one.kind === "session" && one.account === mine.account).map((one) => one.n);
  const isOnce = [numbers, host.map((one) => one.commitment), host.map((one) => String(one.session_id))].every((list) => new Set(list).size === list.length);
  const hasGap = numbers.length > 0 && Math.max(...numbers) - Math.min(...numbers) >= numbers.length;
  if (!isOnce) yield check("count", false, t`a number or a commitment was given out twice`);
  else if (hasGap) yield check("count", null, t`some numbers are not among what was kept: ask the host to open them`);
  else yield check("count", true, t`the host's commitments to you are numbered without a gap`);
  const heads = new Set(host.map((one) => `${one.log_n} ${one.log_head}`));
  if (kept.log?.host_key === mine.host_key) heads.add(`${kept.log.n} ${kept.log.head}`);
  const isOne = new Set([...heads].map((one) => one.split(" ")[0])).size === heads.size;
  yield check("log", isOne, t`the host has shown you ${isOne ? t`one log` : t`two logs`} of versions`);
}
