// What one has played: every session and room, and each of them step by step, as the table showed it.

import { get } from "../lib/api.js";
import { chips, el, show } from "../lib/dom.js";
import { loadTable } from "../common/frame.js";

function row(page, one) {
  const game = page.games.find((each) => each.id === one.game_id);
  const net = one.returned - one.staked - one.fees;
  return el(
    "li",
    { class: "room" },
    el("strong", {}, game?.name ?? one.game_id),
    el("span", { class: "quiet" }, new Date(one.started_at).toLocaleString()),
    el("span", { class: net > 0 ? "good" : net < 0 ? "bad" : "" }, one.is_complete ? `${net >= 0 ? "+" : "−"}${chips(Math.abs(net))}` : "in play"),
    el("a", { class: "button", href: one.is_complete ? `#/history/session/${one.session_id}` : `#/play/${one.game_id}` }, one.is_complete ? "Look again" : "Go on"),
  );
}

async function list(root, page) {
  const [sessions, rooms] = await Promise.all([get("/me/sessions?limit=50"), get("/me/rooms?limit=50")]);
  show(
    root,
    el("h1", {}, "What you have played"),
    el("section", {}, el("h2", {}, "Against the house"), el("ul", { class: "rooms" }, sessions.length ? sessions.map((one) => row(page, one)) : el("li", { class: "quiet" }, "Nothing yet."))),
    el(
      "section",
      {},
      el("h2", {}, "With others"),
      el(
        "ul",
        { class: "rooms" },
        rooms.length
          ? rooms.map((room) =>
              el(
                "li",
                { class: "room" },
                el("strong", {}, page.games.find((each) => each.id === room.game)?.name ?? room.game),
                el("span", { class: "quiet" }, `${new Date(room.created_at).toLocaleString()}, ${room.status}`),
                el("span", {}, room.seats.map((seat) => seat.name).join(", ")),
                el("a", { class: "button", href: `#/room/${room.id}` }, "Open"),
              ),
            )
          : el("li", { class: "quiet" }, "Nothing yet."),
      ),
    ),
  );
}

// One session, step by step, on its own table.
async function replay(root, page, id) {
  const session = await get(`/sessions/${id}`);
  const [steps, game, table] = await Promise.all([
    get(`/sessions/${id}/recall?limit=100`),
    get(`/games/${session.game}`),
    loadTable(session.game),
  ]);
  const felt = el("div", { class: `felt felt-${session.game}`, inert: true });
  const text = el("p", { role: "status" });
  const place = el("input", { type: "range", min: 0, max: steps.length - 1, value: 0, "aria-label": "Step" });
  const mounted = table.mount(felt, {
    game: { ...game.summary, ...game, bets: [] },
    act: async () => {},
    begin: null,
    preview: null,
    chip: 1,
    onchip: () => {},
    balance: () => 0,
    limits: { min: 1, max: 1 },
    say: () => {},
    edge: () => null,
    pays: () => null,
    memory: {},
    names: {},
    me: page.account.id,
    foot: el("div"),
    preferences: { deck: page.preferences.deck, isStill: true },
  });
  let at = -1;
  const go = (next) => {
    const index = Math.max(0, Math.min(steps.length - 1, next));
    if (index === at) return;
    const step = steps[index];
    const money = step.view.game.money ?? {};
    const state = {
      kind: "session",
      id: session.session_id,
      status: step.view.status,
      version: step.version,
      view: step.view,
      legal: [],
      ranges: {},
      lines: money.lines ?? [],
      money,
      net: (money.returned ?? 0) - (money.staked ?? 0),
      logs: [],
    };
    at = index;
    mounted.update(state, null);
    place.value = index;
    text.textContent = `${index} of ${steps.length - 1}: ${step.text || "the deal"}`;
  };
  place.addEventListener("input", () => go(Number(place.value)));
  show(
    root,
    el("h1", {}, `${game.summary.name}, session ${id}`),
    felt,
    el(
      "div",
      { class: "row" },
      el("button", { type: "button", onclick: () => go(at - 1) }, "Back"),
      place,
      el("button", { type: "button", onclick: () => go(at + 1) }, "On"),
    ),
    text,
    el("a", { href: "#/history" }, "All of them"),
  );
  go(0);
  return () => mounted.destroy?.();
}

export async function historyScreen(root, page, [kind, id]) {
  return kind === "session" ? replay(root, page, id) : list(root, page);
}
