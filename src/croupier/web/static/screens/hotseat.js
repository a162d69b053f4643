// Two players on one screen: the second has an account of their own in this browser, and hands are hidden in between.

import { apiAs, get, newKey, post } from "../lib/api.js";
import { el, show, t } from "../lib/dom.js";
import { keep, recall } from "../lib/keep.js";
import { makeFrame } from "../common/frame.js";
import { getReady, openSeat } from "../common/seats.js";
import { roomProof } from "../common/sources.js";
import { previewIn, roomState } from "./room.js";

async function secondPlayer() {
  const known = recall("second");
  if (known) {
    const ok = await apiAs(known).get("/me").then(() => true, () => false);
    if (ok) return known;
  }
  const made = await post("/accounts", { name: "Second player", label: t`hot seat` });
  keep("second", made.token);
  return made.token;
}

const OWNERS = ["", ".second"]; // each player's own parts of seeds are kept apart

export async function hotseatScreen(root, page, [gameId, roomId]) {
  const game = await get(`/games/${gameId}`);
  const second = await secondPlayer();
  const apis = [apiAs(), apiAs(second)];
  if (!roomId) {
    const made = await apis[0].post("/rooms", { game: gameId, seats: 2, is_listed: false });
    await apis[1].post(`/rooms/${made.id}/join`);
    location.replace(`#/hotseat/${gameId}/${made.id}`);
    return null;
  }
  let seat = 0;
  let room = await apis[0].get(`/rooms/${roomId}?legal=true`);
  let frame = null;
  let state = null;

  const look = () => apis[seat].get(`/rooms/${roomId}?legal=true`, { isPatient: true }); // nothing else asks again
  const turnOf = () => room.seats.findIndex((one) => one.player_id === room.view.turn.current);

  async function act(type, payload = {}) {
    const body = { id: newKey(), expected_version: room.version, action: { type, payload } };
    await apis[seat].post(`/rooms/${roomId}/actions`, body).catch((error) => error.code === "stale_version" || page.refuse(error)); // as it stands is shown
    room = await look();
    draw();
    if (room.status === "active" && turnOf() !== seat) handOver();
    return state;
  }

  function draw() {
    const before = state;
    state = roomState(room);
    frame.update(state, before);
    frame.status.textContent = room.status === "finished" ? t`the match is over` : t`${room.seats[turnOf()].name} is to move`;
  }

  // Hands must not be seen on the way: the screen is covered until the other player says so.
  function handOver() {
    const next = turnOf();
    frame.destroy();
    frame = null;
    const sitDown = () => {
      go.disabled = true; // pressed twice, it would set the table twice
      sit(next);
    };
    const go = el("button", { type: "button", class: "primary", onclick: sitDown }, t`I am ${room.seats[next].name}`);
    show(root, el("div", { class: "cover" }, el("h1", {}, t`Hand over`), el("p", {}, t`It is ${room.seats[next].name}'s turn.`), go));
    page.say(t`It is ${room.seats[next].name}'s turn.`);
    go.focus();
  }

  async function sit(next) {
    seat = next;
    state = null;
    room = await look();
    frame = await makeFrame(root, page, {
      game,
      odds: null,
      actions: { act, begin: null, preview: previewIn(apis[seat].get, roomId), me: room.seats[seat].player_id },
      limits: { min: 1, max: Infinity },
      options: room.options,
      names: Object.fromEntries(room.seats.map((one) => [one.player_id, one.name])),
      hasTray: false,
      sources: {
        coach: () => apis[seat].get(`/rooms/${roomId}/coach`),
        steps: async () => (await apis[seat].get(`/rooms/${roomId}/log`)).entries,
        proof: () => roomProof(room, apis[seat], OWNERS[seat]),
      },
    });
    draw();
  }

  // Both are ready at once, here and after a reload that came in between.
  for (const [who, api] of apis.entries()) {
    const seen = await api.get(`/rooms/${roomId}`);
    if (seen.status === "open" && !seen.seats[who].ready) await getReady(seen, api, OWNERS[who]);
  }
  for (const [who, api] of apis.entries()) await openSeat(await api.get(`/rooms/${roomId}`), api, OWNERS[who]);
  room = await look();
  await sit(room.view && room.status === "active" ? turnOf() : 0);
  return () => frame?.destroy();
}
