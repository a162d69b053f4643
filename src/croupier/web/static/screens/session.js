// A session against the house: sit down, play round after round, everything told and provable.

import { get, getText, newClientSeed, newKey, post } from "../lib/api.js";
import { el } from "../lib/dom.js";
import { commitmentSeen, keepCommitment } from "../lib/keep.js";
import { makeFrame } from "../common/frame.js";

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

  async function take(answer) {
    page.setPurse(answer.purse);
    // What can be done next is asked for only while there is something to do.
    session = answer.is_complete || answer.legal ? answer : await get(`/sessions/${answer.session_id}?legal=true`);
    session.logs = answer.logs?.length ? answer.logs : session.logs;
    const before = state;
    state = sessionState(session);
    frame.update(state, before);
    frame.status.textContent = statusText();
    // Tables of cards speak for themselves.
    if (frame.layout === "spots") for (const text of answer.logs ?? []) page.say(text);
    return state;
  }

  function statusText() {
    if (!session) return `stakes ${table.stake_min} to ${table.stake_max}`;
    return session.is_complete ? "the round is over" : `session ${session.session_id}, in play`;
  }

  const deeds = {
    async begin({ stake = 0, bets = null } = {}) {
      const { session_id: id, commitment } = await post("/commitments");
      const clientSeed = newClientSeed();
      keepCommitment("session", id, commitment, clientSeed);
      const body = { session_id: id, table: table.id, stake, client_seed: clientSeed };
      const started = await attempt(() => post("/sessions", body));
      const opened = await take(started);
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
    proof: async () => {
      const seen = session ? commitmentSeen("session", session.session_id) : null;
      if (!session?.is_complete) {
        return { isOver: false, commitment: session?.commitment, clientSeed: session?.client_seed, seen };
      }
      const [text, steps] = await Promise.all([
        getText(`/sessions/${session.session_id}/record`),
        get(`/sessions/${session.session_id}/recall?limit=100`),
      ]);
      const { commitment, client_seed: clientSeed } = session;
      return { isOver: true, commitment, clientSeed, seen, text, steps, fileName: `${gameId}-${session.session_id}.json` };
    },
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
  if (table.super_allowed) frame.foot.append(superSwitch(page));
  const open = mine.find((one) => one.game_id === gameId && !one.is_complete);
  if (open) await take(await get(`/sessions/${open.session_id}?legal=true`));
  else frame.update(null, null);
  frame.status.textContent = statusText();
  return () => frame.destroy();
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
