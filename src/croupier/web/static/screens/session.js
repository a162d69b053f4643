// A session against the house: sit down, play round after round, everything told and provable.

import { get, newKey, newSecret, onReachable, post } from "../lib/api.js";
import { chips, el, t } from "../lib/dom.js";
import { checkOpened, nextCommitment, noteNext } from "../lib/host.js";
import { announced, keepFacts } from "../lib/keep.js";
import { percent, ratio } from "../lib/numbers.js";
import { ask } from "../common/ask.js";
import { BARE, humane } from "../common/card-round.js";
import { makeFrame } from "../common/frame.js";
import { sessionProof } from "../common/sources.js";

const WANTED = { legal: true, next: true };
const STALE = ["table_changed", "commitment_expired"];

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
  if (!summary || !table) throw new Error(t`There is no such table.`);
  const odds = get(`/games/${gameId}/odds?table=${table.id}`);
  odds.catch(() => {}); // the drawer says why there are none
  const [game, mine] = await Promise.all([get(`/games/${gameId}`), page.isNew ? [] : get("/me/sessions?limit=50")]);
  let session = null;
  let state = null;
  let isGone = false;
  const others = otherTabs(({ game, id, version }) => {
    if (game === gameId && (id !== session?.session_id || version > session.version)) frame.telling(lookAgain)(id);
    else if (game !== gameId) page.refresh().then(() => session?.is_complete === false && frame.telling(lookAgain)());
  });

  async function take(answer, isPlayed = false) {
    noteNext(answer.next);
    if (isOlder(answer)) return state; // never older than what was shown
    const before = state;
    session = answer;
    state = sessionState(session);
    // The stakes go at once; what came of them is known when the table has shown it.
    const mine = state;
    const staked = (state.money.staked ?? 0) - (before?.id === state.id ? (before.money.staked ?? 0) : 0);
    if (isPlayed && staked > 0) page.setPurse({ ...page.account.house, chips: page.account.house.chips - staked });
    await frame.update(state, before);
    if (state !== mine) return state;
    page.setPurse(answer.purse);
    if (answer.next) prepare();
    frame.status.textContent = statusText();
    others.tell({ game: gameId, id: state.id, version: state.version });
    // Tables of cards speak for themselves.
    const spoken = frame.layout === "spots" ? (answer.logs ?? []) : [];
    for (const text of spoken) if (!BARE.test(text)) page.say(humane(text));
    return state;
  }

  function isOlder(next) {
    if (!session) return false;
    const [was, is] = [session.session_id, next.session_id];
    return is < was || (is === was && next.version < session.version);
  }

  // What was sent when the way broke may have arrived: look, when it is there again. So it is when another tab has played.
  async function lookAgain(id = session?.session_id) {
    if (!id) return;
    const found = await get(`/sessions/${id}?legal=true`).catch(() => null);
    const isNews = found && (id !== session?.session_id || found.version !== session.version || found.legal.length !== session.legal?.length);
    if (isNews && !isGone) await take(found); // with other chips something else can be done
  }

  function statusText() {
    return session && !session.is_complete ? t`in play` : t`stakes ${chips(table.stake_min)} to ${chips(table.stake_max)}`;
  }

  const actions = {
    askForChips: async () => page.setPurse(await post("/me/deposits", { amount: 1000 })),
    begin: async ({ stake = 0, action = null } = {}) => take(await start(stake, action).catch(page.refuse), true),
    async act(type, payload = {}) {
      const { session_id: id, version } = session;
      const body = { id: newKey(), expected_version: version, action: { type, payload } };
      try {
        return await take(await send({ type: "move", session: id }, `/sessions/${id}/moves`, body, body.id), true);
      } catch (error) {
        if (error.code === "stale_version") await take(await get(`/sessions/${session.session_id}?legal=true`));
        return page.refuse(error.code === "stale_version" ? { ...error, detail: t`The round has gone on in another tab. This is how it stands now.` } : error);
      }
    },
  };

  // What is played goes over the live connection. Where nobody can tell what became of it, a request under the same key
  // finds out.
  async function send(frame, path, body, id = newKey()) {
    const answer = await page.live.ask({ ...frame, ...body, ...WANTED, id });
    return answer ?? post(`${path}?${new URLSearchParams(WANTED)}`, body, { key: id });
  }

  // The commitment of the next round comes with the end of this one, and is checked while nobody waits for it.
  const prepare = () => nextCommitment(page.account.id).catch(() => {});

  // The receipt is kept before our part of the seed is made. A table that was changed since then needs another one, and
  // so does a commitment that has lain too long. The first action goes with it: a whole round may be one request.
  async function start(stake, action, isAgain = false) {
    const facts = await nextCommitment(page.account.id);
    const { session_id: id, log_n: n } = facts;
    const isSuper = Boolean(table.super_allowed && page.account.house.armed_super);
    const seed = newSecret();
    keepFacts({ session_id: id, client_seed: seed, table_digest: announced(`table/${table.id}`, n), game: gameId, options: table.options, stake, super: isSuper });
    try {
      return await send({ type: "start" }, "/sessions", { session_id: id, table: table.id, stake, client_seed: seed, action });
    } catch (error) {
      checkOpened(facts, error.extra?.opened);
      if (!STALE.includes(error.code) || isAgain) throw error;
      return start(stake, action, true);
    }
  }

  const sources = {
    coach: async () => {
      if (!session || session.is_complete) throw new Error(t`The coach speaks while there is something to decide.`);
      return get(`/sessions/${session.session_id}/coach`);
    },
    steps: () => (session ? get(`/sessions/${session.session_id}/recall?limit=100&draws=true`) : []),
    proof: () => sessionProof(session, game, page.account.id),
  };

  const frame = await makeFrame(root, page, {
    game,
    odds,
    actions: { ...actions, me: page.account.id },
    limits: { min: table.stake_min, max: table.stake_max },
    options: table.options,
    hasTray: true,
    sources,
  });
  let unsuper = null;
  const offerSuper = (made) => {
    if (!made || isGone) return;
    frame.drawers.tabs.after(made);
    unsuper = page.onPurse((purse) => (made.control.checked = purse.armed_super)); // armed for one round
  };
  if (table.super_allowed) superSwitch(page, table).then(offerSuper, () => {});
  const open = mine.find((one) => one.game_id === gameId && !one.is_complete);
  if (open) await take(await get(`/sessions/${open.session_id}?legal=true`));
  else frame.update(null, null);
  frame.status.textContent = statusText();
  prepare();
  const letGo = page.live.hold();
  const stop = onReachable((isOnline) => isOnline && frame.telling(lookAgain)());
  return () => {
    isGone = true;
    others.close();
    letGo();
    stop();
    unsuper?.();
    frame.destroy();
  };
}

/** Tell other tabs of this browser what was played here, and hear what was played there. */
function otherTabs(hear) {
  if (!globalThis.BroadcastChannel) return { tell: () => {}, close: () => {} };
  const channel = new BroadcastChannel("croupier.rounds");
  channel.onmessage = (event) => hear(event.data);
  return { tell: (what) => channel.postMessage(what), close: () => channel.close() };
}

// Offered where the game has one: its odds tell. What it costs and gives is told before anybody ticks it.
async function superSwitch(page, table) {
  const { bets } = await get(`/games/${table.game}/odds?table=${table.id}&is_super=true`);
  if (!bets.length) return null;
  const edges = bets.map((bet) => ratio(bet.edge)).filter((edge) => edge !== null);
  const about = t`Super mode for the next round: a fee of a fifth of each stake, and some draws are lit and pay more. The house keeps ${percent(Math.min(...edges))} or more of a stake in it.`;
  const box = el("input", { type: "checkbox", checked: page.account.house.armed_super });
  box.addEventListener("change", async () => {
    const isWanted = !box.checked || (await ask(about, t`Play super`, t`Not now`, "primary"));
    if (!isWanted) box.checked = false;
    if (!isWanted) return;
    const arm = (purse) => {
      page.setPurse(purse);
      box.checked = purse.armed_super;
    };
    await post("/me/modifiers", { modifier: "super" }).then(arm).catch(page.complain);
  });
  return el("label", { class: "super", title: about }, box, t` Super`, el("span", { class: "sr-only" }, t` mode. ${about}`));
}
