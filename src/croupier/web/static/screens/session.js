// A session against the house: sit down, play round after round, everything told and provable.

import { get, newKey, newSecret, onReachable, post } from "../lib/api.js";
import { el } from "../lib/dom.js";
import { announced, checkOpened, newCommitment, takeReceipt } from "../lib/host.js";
import { keepFacts } from "../lib/keep.js";
import { BARE } from "../common/card-round.js";
import { makeFrame } from "../common/frame.js";
import { sessionProof } from "../common/sources.js";

/** Return what tables are shown, from a session as the server tells it. */
export function sessionState(session) {
  const money = session.view.game.money ?? {};
  return {
    kind: "session",
    id: session.session_id,
    status: session.is_complete ? "finished" : "active",
    version: session.version,
    view: session.view,
    legal: session.legal ?? [],
    ranges: session.ranges ?? {},
    lines: money.lines ?? [],
    fees: money.fees ?? 0,
    net: (money.returned ?? 0) - (money.staked ?? 0),
    money,
    logs: session.logs ?? [],
    isSuper: session.is_super,
  };
}

export async function sessionScreen(root, page, [gameId]) {
  const summary = page.games.find((game) => game.id === gameId && game.is_house);
  const table = page.tables.find((one) => one.game === gameId);
  if (!summary || !table) throw new Error("There is no such table.");
  const [game, odds, mine] = await Promise.all([
    get(`/games/${gameId}`),
    get(`/games/${gameId}/odds?table=${table.id}`),
    get("/me/sessions?limit=50"),
  ]);
  let session = null;
  let state = null;
  let isGone = false;

  async function take(answer) {
    // What can be done next is asked for only while there is something to do.
    const next = answer.is_complete || answer.legal ? answer : await get(`/sessions/${answer.session_id}?legal=true`);
    if (isOlder(next)) return state; // never older than what was shown
    page.setPurse(next.purse ?? answer.purse);
    session = next;
    session.logs = answer.logs?.length ? answer.logs : session.logs;
    const before = state;
    state = sessionState(session);
    frame.update(state, before);
    frame.status.textContent = statusText();
    // Tables of cards speak for themselves.
    const spoken = frame.layout === "spots" ? (answer.logs ?? []) : [];
    for (const text of spoken) if (!BARE.test(text)) page.say(text);
    return state;
  }

  function isOlder(next) {
    if (!session) return false;
    const [was, is] = [session.session_id, next.session_id];
    return is < was || (is === was && next.version < session.version);
  }

  // What was sent when the way broke may have arrived: look, when it is there again.
  async function lookAgain() {
    if (!session) return;
    const found = await get(`/sessions/${session.session_id}?legal=true`).catch(() => null);
    if (found && !isGone && found.version !== session.version) await take(found);
  }

  function statusText() {
    if (!session) return `stakes ${table.stake_min} to ${table.stake_max}`;
    return session.is_complete ? "the round is over" : `session ${session.session_id}, in play`;
  }

  const deeds = {
    async begin({ stake = 0, bets = null } = {}) {
      const opened = await take(await attempt(() => start(stake)));
      return bets ? deeds.act("batch", { bets }) : opened;
    },
    async act(type, payload = {}) {
      const body = { id: newKey(), expected_version: session.version, action: { type, payload } };
      try {
        return await take(await post(`/sessions/${session.session_id}/moves`, body));
      } catch (error) {
        if (error.code === "stale_version") await take(await get(`/sessions/${session.session_id}?legal=true`));
        else page.complain(error);
        throw error;
      }
    },
  };

  // The receipt is kept before our part of the seed is made. A table that was changed since then needs another one.
  async function start(stake, isAgain = false) {
    const { expires_at: _, ...facts } = await newCommitment();
    await takeReceipt({ kind: "session", ...facts });
    const { session_id: id, log_n: n } = facts;
    const isSuper = Boolean(table.super_allowed && page.account.house.armed_super);
    const seed = newSecret();
    keepFacts({ session_id: id, client_seed: seed, table_digest: announced(`table/${table.id}`, n), game: gameId, options: table.options, stake, super: isSuper });
    try {
      return await post("/sessions", { session_id: id, table: table.id, stake, client_seed: seed });
    } catch (error) {
      checkOpened(facts, error.extra?.opened);
      if (error.code !== "table_changed" || isAgain) throw error;
      return start(stake, true);
    }
  }

  async function attempt(work) {
    try {
      return await work();
    } catch (error) {
      page.complain(error);
      throw error;
    }
  }

  const sources = {
    coach: async () => {
      if (!session || session.is_complete) throw new Error("The coach speaks while there is something to decide.");
      return get(`/sessions/${session.session_id}/coach`);
    },
    steps: () => (session ? get(`/sessions/${session.session_id}/recall?limit=100`) : []),
    proof: () => sessionProof(session, game, page.account.id),
  };

  const frame = await makeFrame(root, page, {
    game,
    odds,
    deeds: { ...deeds, me: page.account.id },
    limits: { min: table.stake_min, max: table.stake_max },
    options: table.options,
    hasTray: true,
    sources,
  });
  if (table.super_allowed) frame.head.append(superSwitch(page));
  const open = mine.find((one) => one.game_id === gameId && !one.is_complete);
  if (open) await take(await get(`/sessions/${open.session_id}?legal=true`));
  else frame.update(null, null);
  frame.status.textContent = statusText();
  const stop = onReachable((isOnline) => isOnline && frame.telling(lookAgain)());
  return () => {
    isGone = true;
    stop();
    frame.destroy();
  };
}

function superSwitch(page) {
  const box = el("input", { type: "checkbox", checked: page.account.house.armed_super });
  box.addEventListener("change", async () => {
    try {
      const purse = await post("/me/modifiers", { modifier: "super" });
      page.setPurse(purse);
      box.checked = purse.armed_super;
    } catch (error) {
      page.complain(error);
    }
  });
  return el("label", { class: "super" }, box, " super mode for the next round");
}
