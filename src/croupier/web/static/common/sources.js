// Fetches what a proof shows: the record, every step of it, the chips that moved, and when each seed was fixed.

import { t } from "../lib/dom.js";
import { apiAs } from "../lib/api.js";
import { parseJson } from "../lib/json.js";
import { keptFile } from "../lib/keep.js";
import { pricesIn } from "../lib/lines.js";
import { findKept } from "../lib/seed-checks.js";
import { shareToken } from "../lib/seeds.js";
import { paysOf } from "./pays.js";

const PAGE = 100;
const LEDGER_PAGES = 10;

/** Return every step behind a path, page by page, read without loss. */
export async function allSteps(path, api = apiAs()) {
  const found = [];
  for (;;) {
    const after = found.at(-1)?.version ?? -1;
    const page = parseJson(await api.getText(`${path}?after=${after}&limit=${PAGE}`));
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}

/** Return the movements of one session in the ledger; null if they are too far back to be found. */
async function movementsOf(sessionId, api) {
  const found = [];
  let before = null;
  for (let page = 0; page < LEDGER_PAGES; page += 1) {
    const some = await api.get(`/me/ledger?limit=${PAGE}${before === null ? "" : `&before=${before}`}`);
    found.push(...some.filter((one) => one.session === sessionId));
    // Older sessions have smaller numbers; stakes that were put down before this one began are theirs.
    if (some.length < PAGE || some.some((one) => one.session !== null && one.session < sessionId)) return found;
    before = some.at(-1).number;
  }
  return null;
}

/** Return the functions of the API for who has the token of a link. It is no part of any address that the server logs. */
export const shared = (token) => apiAs(undefined, { "croupier-share": token });

/** Return the address of a replay that others can open. */
export function linkTo(path) {
  return `${location.origin}${location.pathname}#/replay/${path}`;
}

const pricesOf = (game) => (bet) => pricesIn(paysOf({ game, pays: () => null }, bet));

/** Return the proof of one of the player's own sessions; while it is on, only what was committed. */
export async function sessionProof(session, game, account, api = apiAs()) {
  if (!session) return { isOver: false, commitment: null, clientSeed: null, times: [] };
  const id = session.session_id;
  const kept = keptFile();
  const times = timesOf(session, findKept(kept, id));
  const facts = { commitment: session.commitment, clientSeed: session.client_seed, kept, sessionId: id, times };
  if (!session.is_complete) return { isOver: false, ...facts };
  const [text, steps, movements] = await Promise.all([
    api.getText(`/sessions/${id}/record`),
    allSteps(`/sessions/${id}/recall`, api),
    movementsOf(id, api),
  ]);
  const ledger = movements && { movements, account: `player/${account}` };
  // Rounds of the first scheme had links made otherwise: those that were given away still open.
  const link = session.host_key ? linkTo(`shared/${id}/${shareToken(session.server_seed, id)}`) : null;
  return { isOver: true, ...facts, text, steps, ledger, link, pricesOf: pricesOf(game), fileName: `${session.game}-${id}.json` };
}

/** Return the proof of a session that somebody has given the link to. */
export async function sharedProof(id, token, game) {
  const [api, path] = [shared(token), `/shared/${id}`];
  const [session, text, steps] = await Promise.all([api.get(path), api.getText(`${path}/record`), allSteps(`${path}/recall`, api)]);
  const times = timesOf({ ...session, is_complete: true, updated_at: session.finished_at }, null);
  const facts = { commitment: session.commitment, clientSeed: session.client_seed, kept: keptFile(), sessionId: id, times };
  return { isOver: true, ...facts, text, steps, link: linkTo(`shared/${id}/${token}`), pricesOf: pricesOf(game), fileName: `${session.game}-${id}.json` };
}

/** Return the proof of a match in a room. Its session is the one that this browser has opened for, where it has. */
export async function roomProof(room, api = apiAs(), owner = "") {
  const kept = keptFile(owner);
  const seen = kept.kept.findLast((one) => one.room === room.id && one.seats_digest) ?? findKept(kept, room.session_id);
  const times = [
    [t`The server fixed its part`, room.created_at],
    [t`This browser saw the commitment`, seen?.at],
    [t`The match was over`, room.finished_at],
  ];
  const mine = room.seats[room.seat]?.secret;
  const facts = { commitment: room.commitment, clientSeed: mine, kept, sessionId: seen?.session_id ?? room.session_id, times };
  if (room.status !== "finished") return { isOver: false, ...facts };
  const [text, steps] = await Promise.all([
    api.getText(`/rooms/${room.id}/record`),
    allSteps(`/rooms/${room.id}/recall`, api).catch(() => null), // too long to be shown, or nobody had begun
  ]);
  return { isOver: true, ...facts, text, steps, link: linkTo(`room/${room.id}`), fileName: `${room.game}-${room.code || room.id}.json` };
}

function timesOf(session, seen) {
  return [
    [t`The server fixed its part`, session.committed_at],
    [t`This browser saw the commitment`, seen?.at],
    [t`Your part was named, and the round began`, session.started_at],
    [t`The round was over`, session.is_complete ? session.updated_at : null],
  ];
}
