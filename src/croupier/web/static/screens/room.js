// A room: take a seat, get ready, play with others; everything comes over the live connection.

import { apiAs, get, newClientSeed, newKey, post, remove } from "../lib/api.js";
import { el, show } from "../lib/dom.js";
import { commitmentSeen, keepCommitment } from "../lib/keep.js";
import { makeFrame } from "../common/frame.js";

// The shared craps table has the bets of craps.
const ODDS_OF = { "craps-table": "craps" };

/** Return what tables are shown, from a room as the server tells it. */
export function roomState(room) {
  return {
    kind: "match",
    id: room.id,
    status: room.status === "finished" ? "finished" : "active",
    version: room.version,
    view: room.view,
    legal: room.legal ?? [],
    ranges: room.ranges ?? {},
    lines: [],
    logs: [],
    deadline: room.deadline,
  };
}

export function proofSource(room, api) {
  return async () => {
    const seen = commitmentSeen("room", room.id);
    const facts = { commitment: room.commitment, clientSeed: room.client_seed, seen };
    if (room.status !== "finished") return { isOver: false, ...facts };
    const text = await api.getText(`/rooms/${room.id}/record`);
    return { isOver: true, ...facts, text, steps: null, fileName: `${room.game}-${room.code}.json` };
  };
}

export async function roomScreen(root, page, [roomId]) {
  let room = await get(`/rooms/${encodeURIComponent(roomId)}?legal=true`);
  const [game, odds] = await Promise.all([
    get(`/games/${room.game}`),
    ODDS_OF[room.game] ? get(`/games/${ODDS_OF[room.game]}/odds`) : null,
  ]);
  let frame = null;
  let state = null;
  let here = [];

  const deeds = {
    me: room.seat === null ? null : page.account.id,
    begin: null,
    async act(type, payload = {}) {
      const body = { id: newKey(), expected_version: room.version, action: { type, payload } };
      try {
        await post(`/rooms/${room.id}/actions`, body);
        await take(await get(`/rooms/${room.id}?legal=true`));
        return state;
      } catch (error) {
        if (error.code === "stale_version") await take(await get(`/rooms/${room.id}?legal=true`));
        page.complain(error);
        throw error;
      }
    },
  };

  async function take(next) {
    if (next.version < room.version) return; // never older than what was shown
    const wasOpen = room.status === "open";
    room = next;
    page.live.shown(room.id, room.version);
    if (!room.view) {
      drawLobby();
      return;
    }
    if (!frame || wasOpen) await build();
    const before = state;
    state = roomState(room);
    frame.update(state, before);
    drawSeats();
  }

  async function build() {
    frame?.destroy();
    frame = await makeFrame(root, page, {
      game,
      odds,
      deeds: { ...deeds, me: room.seat === null ? null : room.seats[room.seat].player_id },
      limits: { min: 1, max: Infinity },
      options: room.options,
      names: Object.fromEntries(room.seats.map((seat) => [seat.player_id, seat.name])),
      hasTray: room.game === "craps-table",
      sources: {
        coach: () => get(`/rooms/${room.id}/coach`),
        steps: async () => (await get(`/rooms/${room.id}/log`)).entries.map((entry) => ({ text: entryText(entry) })),
        proof: () => proofSource(room, apiAs())(),
      },
    });
  }

  function entryText(entry) {
    const name = room.seats.find((seat) => seat.player_id === entry.action.player_id)?.name ?? "the table";
    const payload = Object.values(entry.action.payload ?? {}).flat().join(" ");
    return `${name}: ${entry.action.type.replaceAll("_", " ")} ${payload}`;
  }

  function drawSeats() {
    for (const seat of room.seats) frame.ctx.names[seat.player_id] = seat.name;
    const current = room.view.turn.current;
    show(
      frame.seats,
      room.seats.map((seat) =>
        el(
          "li",
          { class: `seat ${seat.player_id === current && room.status === "active" ? "current" : ""} ${seat.bot || here.includes(seat.player_id) ? "" : "away"}` },
          seat.name,
          seat.left ? " (left)" : seat.bot ? " (bot)" : "",
        ),
      ),
    );
    const isMine = room.seat !== null && room.seats[room.seat].player_id === current;
    frame.status.textContent = room.status === "finished" ? "the match is over" : isMine ? "your turn" : `${nameOf(current)} is to move`;
    drawFoot();
  }

  const nameOf = (id) => room.seats.find((seat) => seat.player_id === id)?.name ?? id;
  const doing = (path, body) => async () => {
    try {
      await take(await post(`/rooms/${room.id}${path}`, body));
    } catch (error) {
      page.complain(error);
    }
  };

  let buttons = null;
  function drawFoot() {
    buttons?.remove();
    const asked = room.undo.length > 0;
    const mine = room.seat !== null;
    buttons = el(
      "span",
      { class: "row" },
      mine && room.status === "active" && !asked ? el("button", { type: "button", onclick: doing("/undo") }, "Ask to undo") : null,
      mine && asked && !room.undo.includes(page.account.id)
        ? [
            el("span", {}, `${nameOf(room.undo[0])} asks to undo the last action.`),
            el("button", { type: "button", onclick: doing("/undo/answer", { agrees: true }) }, "Agree"),
            el("button", { type: "button", onclick: doing("/undo/answer", { agrees: false }) }, "No"),
          ]
        : null,
      mine && room.status === "active" ? el("button", { type: "button", onclick: doing("/leave") }, "Leave") : null,
      mine && room.status === "finished" ? el("button", { type: "button", class: "primary", onclick: again }, "Play again") : null,
      el("button", { type: "button", onclick: share }, "Copy the link"),
    );
    frame.foot.append(buttons);
  }

  async function again() {
    try {
      const next = await post(`/rooms/${room.id}/rematch`);
      page.go(`room/${next.id}`);
    } catch (error) {
      page.complain(error);
    }
  }

  async function share() {
    const link = `${location.origin}/#/room/${room.id}`;
    try {
      await navigator.clipboard.writeText(link);
      page.say("The link is copied.");
    } catch {
      prompt("The link to this room:", link);
    }
  }

  function drawLobby() {
    const mine = room.seat !== null;
    const seat = mine ? room.seats[room.seat] : null;
    const isHost = room.host === page.account.id;
    const free = room.seats_max - room.seats.length;
    const join = async () => {
      const seed = newClientSeed();
      keepCommitment("room", room.id, room.commitment, seed);
      await doing("/join", { client_seed: seed, ready: true })();
    };
    show(
      root,
      el("h1", {}, game.summary.name),
      el("p", { class: "lead" }, "The code of this room is ", el("strong", { class: "code" }, room.code), ". Others enter it in the lobby, or open the link."),
      el(
        "ul",
        { class: "seats" },
        room.seats.map((one, index) =>
          el(
            "li",
            { class: "seat" },
            one.name,
            one.bot ? " (bot)" : one.ready ? ", ready" : ", not ready",
            one.bot && isHost
              ? el("button", { type: "button", class: "plain", "aria-label": `Send ${one.name} away`, onclick: async () => take(await remove(`/rooms/${room.id}/bots/${index}`)) }, "×")
              : null,
          ),
        ),
        Array.from({ length: free }, () => el("li", { class: "seat quiet" }, "free")),
      ),
      el(
        "p",
        { class: "row" },
        !mine && free ? el("button", { type: "button", class: "primary", onclick: join }, "Take a seat") : null,
        mine && !seat.ready ? el("button", { type: "button", class: "primary", onclick: doing("/ready", { ready: true }) }, "I am ready") : null,
        mine && seat.ready ? el("button", { type: "button", onclick: doing("/ready", { ready: false }) }, "Not ready yet") : null,
        isHost && free ? el("button", { type: "button", onclick: doing("/bots", { bot: game.summary.bots[0] }) }, "Add a bot") : null,
        mine ? el("button", { type: "button", onclick: doing("/leave") }, "Leave") : null,
        el("button", { type: "button", onclick: share }, "Copy the link"),
      ),
      el("p", { class: "quiet" }, `The server has committed to ${room.commitment.slice(0, 16)}… for this match.`),
    );
  }

  await take(room);
  page.live.follow(room.id, (frameOf) => {
    if (frameOf.type === "presence") {
      here = frameOf.here;
      if (frame && room.view) drawSeats();
    } else if (frameOf.type === "view") {
      take(frameOf.room);
    } else if (frameOf.type === "gone") {
      page.complain({ detail: "This room is gone." });
    }
  });
  return () => {
    page.live.leave(room.id);
    frame?.destroy();
  };
}
