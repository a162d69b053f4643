// The player's seat in a room whose seed everybody makes: commits to a secret when ready, opens it when all are bound.

import { t } from "../lib/dom.js";
import { apiAs, newSecret } from "../lib/api.js";
import { checkRules, distrust, takeReceipt } from "../lib/host.js";
import { keepFacts, keptFile } from "../lib/keep.js";
import { findKept } from "../lib/seed-checks.js";
import { seatCommitment, seatsDigest } from "../lib/seeds.js";

const opened = new Set(); // what this page has opened for; after a reload it does so once more, in case that was lost

/** Say that one is ready: the room's receipt is kept, then a secret made and kept, then its hash sent. Returns the room. */
export async function getReady(room, api = apiAs(), owner = "") {
  const { session_id: id, commitment, host_key, log_n, log_head, receipt, seat } = room;
  await takeReceipt({ kind: "room", session_id: id, commitment, host_key, account: room.id, n: 0, log_n, log_head, receipt, room: room.id }, owner);
  checkRules(room);
  const known = findKept(keptFile(owner), id);
  if (known.seats_digest) throw distrust(t`the host begins anew although it has seen your part of the seed.`);
  const secret = known.secret || newSecret();
  const { player_id } = room.seats[seat];
  keepFacts({ session_id: id, seat, player_id, secret, table_digest: room.table_digest, game: room.game, options: room.options }, owner);
  const body = { ready: true, commitment: seatCommitment(commitment, seat, player_id, secret) };
  return openSeat(await api.post(`/rooms/${room.id}/ready`, body), api, owner);
}

/** Open one's secret if the room waits for it, and everybody is bound as it shows. Returns the room. */
export async function openSeat(room, api = apiAs(), owner = "") {
  const mine = findKept(keptFile(owner), room.session_id);
  const key = `${owner}/${room.seats_digest}`;
  if (room.status !== "opening" || room.seat === null || !mine?.secret || opened.has(key)) return room;
  const shown = room.seats[room.seat];
  const isMine =
    mine.commitment === room.commitment &&
    mine.table_digest === room.table_digest && shown.commitment === seatCommitment(mine.commitment, room.seat, mine.player_id, mine.secret);
  const digest = seatsDigest(room.commitment, room.table_digest, room.session_id, room.seats);
  if (!isMine || room.seats_digest !== digest || (mine.seats_digest && mine.seats_digest !== digest)) {
    throw distrust(t`the host wants your part of the seed for other seats than it showed.`);
  }
  keepFacts({ session_id: room.session_id, seats_digest: digest }, owner);
  opened.add(key);
  return api.post(`/rooms/${room.id}/open`, { secret: mine.secret }).catch((error) => {
    opened.delete(key);
    throw error;
  });
}

const STATUS = { open: t`waiting for players`, active: t`in play`, playing: t`in play`, finished: t`over` };

/** Return how a room stands, in words. */
export const statusWords = ({ status }) => STATUS[status] ?? status;
