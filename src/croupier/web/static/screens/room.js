// A room: take a seat, get ready, play with others; everything comes over the live connection.

import { apiAs, get, newKey, post, remove } from "../lib/api.js";
import { el, show, t } from "../lib/dom.js";
import { clock } from "../lib/numbers.js";
import { forgetFacts } from "../lib/keep.js";
import { ask } from "../common/ask.js";
import { keepFocus } from "../common/focus.js";
import { humane, sentence } from "../common/card-round.js";
import { makeFrame } from "../common/frame.js";
import { getReady, openSeat } from "../common/seats.js";
import { roomProof } from "../common/sources.js";
import { gameMark } from "../draw/marks.js";

const BOND = 50; // chips of the table that stand for one's word; they come back when one leaves

// The shared craps table has the bets of craps.
const ODDS_OF = { "craps-table": "craps" };

// How often the dice of a table have fallen; null where there are none that everybody bets on.
function rollsOf(room) {
  const table = room.view?.game.table;
  return table ? (table.roll_count ?? 0) : null;
}

const STAGES = ["open", "opening", "active", "finished", "closed"];

// Versions count the moves of a match. Before the first, a room goes through its stages, and a void start has a new session.
function isOlder(next, room) {
  const place = (one) => [one.version, one.session_id, STAGES.indexOf(one.status)];
  const [is, was] = [place(next), place(room)];
  const at = is.findIndex((value, i) => value !== was[i]);
  return at >= 0 && is[at] < was[at];
}

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

/** Return how a room tells what an action would lead to; a game that foresees nothing says so once. */
export function previewIn(ask, roomId) {
  let isKnown = true;
  return async ({ type, payload }) => {
    if (!isKnown) return null;
    const query = new URLSearchParams({ type, payload: JSON.stringify(payload) });
    try {
      return await ask(`/rooms/${roomId}/preview?${query}`);
    } catch (error) {
      isKnown = error.code !== "no_preview";
      return null;
    }
  };
}

export async function roomScreen(root, page, [roomId]) {
  let room = await get(`/rooms/${encodeURIComponent(roomId)}?legal=true`);
  const odds = ODDS_OF[room.game] ? get(`/games/${ODDS_OF[room.game]}/odds`) : null;
  odds?.catch(() => {}); // the drawer says why there are none
  const game = await get(`/games/${room.game}`);
  // And their prices, which the layout prints.
  if (ODDS_OF[room.game]) game.pay_tables = (await get(`/games/${ODDS_OF[room.game]}`)).pay_tables;
  let frame = null;
  let state = null;
  let here = room.seats.map((seat) => seat.player_id); // nobody is away before that is told
  const away = new Map(); // since when, as this page has seen it
  let isGone = false;
  const look = () => get(`/rooms/${room.id}?legal=true`);
  const shared = room.has_shared_dice ? await import("../common/dice-play.js") : null;
  const dice = shared ? new shared.DicePlay(room.id, { look, changed: diceChanged }) : null;

  function diceChanged(refusal) {
    if (refusal) page.complain(refusal);
    if (isGone || !frame || !room.view) return;
    drawSeats();
    // The dice go on while the match stands still: the drawer is told by the count of messages.
    frame.drawers.update({ ...state, version: `${state.version}/${dice.book?.count}` });
  }

  const actions = {
    me: room.seat === null ? null : page.account.id,
    begin: null,
    preview: previewIn(get, room.id),
    async act(type, payload = {}) {
      const body = { id: newKey(), expected_version: room.version, action: { type, payload } };
      const rolls = rollsOf(room);
      try {
        if (dice) await dice.act(room, type, payload);
        else if (await page.live.act(room.id, body)) {
          await taking; // the view has come by itself
          return state;
        } else await post(`/rooms/${room.id}/actions`, body);
        await take(await look());
        return state;
      } catch (error) {
        if (error.code === "stale_version") {
          await take(await look());
          // Others have bet at the same time: as long as no dice have fallen, what was meant still holds.
          if (!dice && rolls !== null && rolls === rollsOf(room)) return actions.act(type, payload);
        }
        return page.refuse(error);
      }
    },
  };

  // One after another: an answer and a live frame that come together would build the table twice.
  let taking = Promise.resolve();
  const take = (next) => (taking = taking.then(() => draw(next), () => draw(next)));

  async function draw(next) {
    if (isGone || isOlder(next, room)) return; // never older than what was shown
    const isNew = !room.view || room.seat !== next.seat;
    room = next;
    for (const one of room.seats) if (one.bot) one.name = sentence(humane(one.name));
    page.live.shown(room.id, room.version);
    if (!room.view) {
      keepFocus(root, drawLobby);
      openSeat(room).then((answer) => answer !== room && settle(answer)).catch(page.complain);
      return;
    }
    dice?.sync(room);
    if (!frame || isNew) await build();
    const before = state;
    const isSame = before && !isNew && before.version === room.version && before.roomStatus === room.status;
    // The answer and the live frame tell the same: drawn twice, a button would go from under the finger. But some
    // answers do not say what can be done.
    if (!isSame || (room.legal && !before.isFull)) {
      state = { ...roomState(room), roomStatus: room.status, isFull: Boolean(room.legal) };
      const mine = state;
      frame.update(state, before).then(() => mine === state && !isGone && drawSeats()); // not before the table has shown it
    } else drawSeats();
  }

  async function build() {
    frame?.destroy();
    frame = await makeFrame(root, page, {
      game,
      odds,
      actions: { ...actions, hasSharedDice: Boolean(dice), me: room.seat === null ? null : room.seats[room.seat].player_id },
      limits: { min: 1, max: Infinity },
      options: room.options,
      names: Object.fromEntries(room.seats.map((seat) => [seat.player_id, seat.name])),
      hasTray: room.game === "craps-table",
      sources: { coach: () => get(`/rooms/${room.id}/coach`), steps: stepsOf, proof: () => (dice ? diceSource() : roomProof(room)) },
    });
  }

  async function diceSource() {
    const name = `${room.game}-${room.code || room.id}`;
    const isOver = room.status === "finished";
    const text = isOver ? await apiAs().getText(`/rooms/${room.id}/record`) : null;
    const transcript = { name: `${name}-dice.json`, what: "transcript", get: () => apiAs().getText(`/rooms/${room.id}/transcript`) };
    const record = { name: `${name}.json`, what: "record", get: async () => text };
    return { play: dice, nameOf, text, files: isOver ? [transcript, record] : [transcript] };
  }

  // A match that is over is told by its game; before that the log has what was done.
  async function stepsOf() {
    const told = room.status === "finished" ? await get(`/rooms/${room.id}/recall?limit=100&draws=true`).catch(() => null) : null;
    const named = (words) => room.seats.reduce((said, seat) => said.replaceAll(seat.player_id, () => seat.name), words);
    if (told) return told.map((step) => ({ ...step, text: named(step.text) }));
    const { entries } = await get(`/rooms/${room.id}/log`);
    return entries.map(({ action }) => ({ action, text: `${action.player_id ? nameOf(action.player_id) : t`the table`}: ${action.type}` }));
  }

  function drawSeats() {
    for (const seat of room.seats) frame.ctx.names[seat.player_id] = seat.name;
    const current = room.view.turn.current;
    frame.seats.classList.toggle("is-watched", room.seat === null);
    show(
      frame.seats,
      room.seats.map((seat) =>
        el(
          "li",
          { class: `seat ${seat.player_id === current && room.status === "active" ? "current" : ""} ${dice || seat.bot || here.includes(seat.player_id) ? "" : "away"}` },
          seat.name,
          seat.commitment && !seat.secret ? t` (did not open)` : seat.left ? t` (left)` : seat.bot ? t` (bot)` : away.has(seat.player_id) ? t` (away since ${away.get(seat.player_id)})` : "",
        ),
      ),
    );
    const isMine = room.seat !== null && room.seats[room.seat].player_id === current;
    const round = dice && room.status === "active" ? shared.roundWords(dice, nameOf) : "";
    const turn = isMine ? t`your turn` : t`${nameOf(current)} is to move`;
    const more = [room.seat === null ? t` · you are watching` : "", dice ? t`; the dice are everybody's` : ""].join("");
    const isToldOnTheFelt = room.game === "craps-table" && !dice;
    const words = room.status === "finished" ? t`the match is over` : isToldOnTheFelt ? "" : turn + more;
    frame.status.textContent = dice?.trouble ? t`Do not bet here: ${dice.trouble.text}` : round || words;
    drawFoot();
  }

  const nameOf = (id) => room.seats.find((seat) => seat.player_id === id)?.name ?? id;
  // An answer does not say what can be done, and a table is not drawn twice for one version.
  const settle = async (answer) => take(answer.view && answer.seat !== null ? await look() : answer);
  let attempted = null; // pressed twice, it is done once
  const tryOut = async (work) => settle((await work()) ?? (await look()));
  const attempt = (work) => () => (attempted ??= tryOut(work).catch(page.complain).finally(() => (attempted = null)));
  const doing = (path, body) => attempt(() => post(`/rooms/${room.id}${path}`, body));

  // At a table of shared dice a seat is taken, and left, by a signed message.
  function diceButtons() {
    const isOn = room.status === "active" && dice.book && !dice.trouble;
    const isHere = room.seat !== null;
    const free = room.seats.filter((seat) => !seat.left).length < room.seats_max;
    const text = !isHere ? t`Take a seat` : !dice.isIn ? t`Sit down at the dice` : t`Add my secret again`;
    const canSit = isOn && (isHere ? !dice.isIn || dice.isLeftOut : free);
    const isElsewhere = isHere && !dice.key;
    return [
      isElsewhere ? el("span", { class: "quiet" }, t`Your seat has its key in another browser.`) : null,
      canSit && !isElsewhere ? el("button", { type: "button", class: "primary", onclick: attempt(() => dice.sit(dice.isIn ? 0 : bond())) }, text) : null,
      isOn && dice.isIn && !dice.book.round ? el("button", { type: "button", onclick: attempt(() => dice.leave()) }, t`Leave`) : null,
    ];
  }

  const bond = () => Math.max(BOND, dice.book.terms.bond_min, 4 * dice.book.terms.fee);

  // A match that is left is lost for good: nobody does that by accident.
  const leave = async () => {
    if (await ask(t`Leave this match? You give your seat up, and what you have at stake is lost.`, t`Leave`, t`Stay`)) await doing("/leave")();
  };

  const wide = matchMedia("(min-width: 1451px)"); // where there is room, the menu is open
  const unfold = () => buttons?.querySelector(".menu")?.toggleAttribute("open", wide.matches);
  wide.addEventListener("change", unfold);

  let buttons = null;
  let onward = null;
  function drawFoot() {
    const asked = room.undo.length > 0;
    const mine = room.seat !== null && !dice;
    const isOn = mine && room.status === "active";
    const button = (text, onclick) => el("button", { type: "button", dataset: { key: text }, onclick }, text);
    const quiet = [isOn && !asked && button(t`Ask to undo`, doing("/undo")), isOn && button(t`Leave`, leave), button(t`Copy the link`, share)];
    const wasOpen = buttons?.querySelector(".menu")?.open;
    const made = el(
      "span",
      { class: "row" },
      dice ? diceButtons() : null,
      mine && asked && !room.undo.includes(page.account.id)
        ? [
            el("span", {}, t`${nameOf(room.undo[0])} asks to undo the last action.`),
            button(t`Agree`, doing("/undo/answer", { agrees: true })),
            button(t`No`, doing("/undo/answer", { agrees: false })),
          ]
        : null,
      el("details", { class: "menu", open: wide.matches || wasOpen }, el("summary", { dataset: { key: "menu" } }, t`Match`), el("div", { class: "row" }, quiet)),
    );
    // A button that is drawn anew between press and release hears no click: all stay while they say the same.
    if (!frame.head.contains(buttons) || made.textContent !== buttons.textContent) {
      keepFocus(frame.head, () => (buttons?.remove(), frame.head.append((buttons = made))));
    }
    if (room.status === "finished" && frame.foot.contains(onward)) return;
    onward?.remove();
    onward = mine && room.status === "finished" ? el("button", { type: "button", class: "table-button table-primary", onclick: () => post(`/rooms/${room.id}/rematch`).then(page.enter, page.complain) }, t`Play again`) : null;
    if (onward) frame.foot.append(onward);
  }

  async function share({ target }) {
    const link = `${location.origin}/#/room/${room.id}`;
    try {
      await navigator.clipboard.writeText(link);
      page.say((target.textContent = t`The link is copied.`));
    } catch {
      prompt(t`The link to this room:`, link);
    }
  }

  // Where the start stands, in words.
  function startWords() {
    if (room.status === "closed") return t`This room is closed.`;
    if (room.status === "opening") return t`Everybody is ready. Each player's browser now opens its part of the seed; who does not within ten seconds loses their seat.`;
    return room.voids.length ? t`The match could not begin: not everybody opened their part of the seed in time. It begins anew when all are ready again.` : "";
  }

  const freeChair = () => el("li", { class: "chair is-free" }, el("span", { class: "chair-face", "aria-hidden": "true" }, "+"), el("b", {}, t`free`));

  let hall = null;
  function drawLobby() {
    const mine = room.seat !== null;
    const seat = mine ? room.seats[room.seat] : null;
    const isHost = room.host === page.account.id;
    const free = room.seats_max - room.seats.length;
    const isOpen = room.status === "open";
    const join = attempt(async () => {
      const joined = await post(`/rooms/${room.id}/join`);
      return joined.status === "open" ? getReady(joined) : joined;
    });
    const send = (index) => attempt(() => remove(`/rooms/${room.id}/bots/${index}`));
    const chair = (one, index) =>
      el(
        "li",
        { class: `chair ${one.bot || one.ready ? "is-ready" : ""}` },
        el("span", { class: "chair-face", "aria-hidden": "true" }, [...one.name][0].toUpperCase()),
        el("b", {}, one.name),
        el("small", {}, one.bot ? t`bot` : one.ready ? t`ready` : t`not ready`),
        one.bot && isHost && isOpen ? el("button", { type: "button", dataset: { key: one.player_id }, "aria-label": t`Send ${one.name} away`, onclick: send(index) }, "×") : null,
      );
    const chairs = [room.seats.map(chair), Array.from({ length: free }, freeChair)];
    const offers = [
      isOpen && !mine && free && [t`Take a seat`, join, "primary"],
      isOpen && mine && !seat.ready && [t`I am ready`, attempt(() => getReady(room)), "primary"],
      isOpen && mine && seat.ready && [t`Not ready yet`, doing("/ready", { ready: false })],
      isOpen && isHost && free && [t`Add a bot`, doing("/bots", { bot: game.summary.bots[0] })],
      isOpen && mine && [t`Leave`, () => doing("/leave")().then(() => forgetFacts(room.session_id))],
    ].filter(Boolean);
    // A button that is drawn anew between press and release hears no click: the hall stays while it offers the same.
    const face = JSON.stringify([isOpen, room.session_id, offers.map(([text]) => text)]);
    if (hall?.face === face && hall.chairs.isConnected) {
      show(hall.chairs, chairs);
      hall.words.textContent = startWords();
      return;
    }
    hall = { face, chairs: el("ul", { class: "chairs", "aria-label": t`Seats` }, chairs), words: el("p", { role: "status" }, startWords()) };
    show(
      root,
      el(
        "section",
        { class: "hall felt" },
        gameMark(game.summary.id),
        el("h1", {}, game.summary.name),
        el("p", {}, game.summary.description),
        hall.chairs,
        hall.words,
        el("p", { class: "row" }, offers.map(([text, onclick, kind], i) => el("button", { type: "button", class: kind, dataset: { key: i ? text : "first" }, onclick }, text))),
      ),
      el(
        "section",
        { class: "panel hall-code" },
        isOpen ? el("p", {}, t`The code of this room is `, el("strong", { class: "code" }, room.code), t` Others enter it in the lobby, or open the link.`) : null,
        el("button", { type: "button", dataset: { key: "share" }, onclick: share }, t`Copy the link`),
        el("details", {}, el("summary", {}, t`Details`), el("p", { class: "quiet key" }, t`The server has committed itself for this match to ${room.commitment}`)),
      ),
    );
  }

  await take(room);
  if (dice) {
    await dice.sync(room);
    // Whoever has opened the table has a seat there, and a key, but has not signed for it yet.
    if (room.seat !== null && dice.key && !dice.isIn && room.status === "active") await attempt(() => dice.sit(bond()))();
  }
  page.live.follow(room.id, (frameOf) => {
    if (frameOf.type === "presence") {
      here = frameOf.here;
      for (const { player_id: id, bot } of room.seats) {
        if (bot || here.includes(id)) away.delete(id);
        else if (!away.has(id)) away.set(id, clock(Date.now(), "short"));
      }
      if (frame && room.view) drawSeats();
    } else if (frameOf.type === "view") {
      take(frameOf.room);
    } else if (frameOf.type === "gone") {
      page.complain({ detail: t`This room is gone.` });
    }
  });
  return () => {
    isGone = true;
    wide.removeEventListener("change", unfold);
    page.live.leave(room.id);
    dice?.destroy();
    frame?.destroy();
  };
}
