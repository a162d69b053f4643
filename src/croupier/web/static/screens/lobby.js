// The lobby: every game with its edge, the rooms that are open, and a code to type.

import { get, post } from "../lib/api.js";
import { el, show, t } from "../lib/dom.js";
import { percent, ratio } from "../lib/numbers.js";
import { keepFocus } from "../common/focus.js";
import { getReady, statusWords } from "../common/seats.js";
import { gameMark } from "../draw/marks.js";

const SEATS = { "shut-the-box": 2, lanes: 2, "craps-table": 3 };
const HOTSEAT = ["lanes", "shut-the-box"];

// The shared craps table has the bets of craps.
const ODDS_OF = { "craps-table": "craps" };

const edgesOf = ({ bets }) => bets.map((bet) => ratio(bet.edge)).sort((one, other) => one - other);

/** Return how to tell the edges of games. Those of our own were counted beforehand; a game from elsewhere is asked for. */
function edgeTeller() {
  const ours = fetch("/web/data/edges.json").then((found) => found.json()).catch(() => ({}));
  return async (game, place, before) => {
    const source = ODDS_OF[game.id] ?? game.id;
    place.replaceChildren(before, "…");
    const counted = (await ours)[source]?.map(ratio) ?? (await get(`/games/${source}/odds`).then(edgesOf).catch(() => []));
    const [low, high] = [percent(counted[0]), percent(counted.at(-1))];
    place.replaceChildren(before, counted.length ? t`house edge ${low === high ? "" : t`from `}${low}` : "");
  };
}

function gameCard(page, game, tellEdge) {
  const [low, high] = game.players;
  const players = game.is_house ? "" : low === high ? t`${low} players, ` : t`${low} to ${high} players, `;
  const edge = el("span", { class: "quiet game-edge" }, t`${players}no house`);
  if (game.is_house || ODDS_OF[game.id]) tellEdge(game, edge, players);
  const buttons = game.is_house
    ? []
    : [
        el("button", { type: "button", class: "primary", onclick: () => openRoom(page, game, true) }, game.players[0] === 1 ? t`Play` : t`Play a bot`),
        el("button", { type: "button", onclick: () => openRoom(page, game, false) }, t`Open a room`),
        game.id === "craps-table" ? el("button", { type: "button", onclick: () => (opening ??= openDiceRoom(page).finally(() => (opening = null))) }, t`Dice everybody makes`) : null,
        game.id === "lanes" ? el("a", { class: "button", href: "#/decks" }, t`Decks`) : null,
        game.id === "shut-the-box" ? el("a", { class: "button", href: "/web/offline/index.html" }, t`Offline, without an account`) : null,
        HOTSEAT.includes(game.id) ? el("a", { class: "button", href: `#/hotseat/${game.id}` }, t`Two on this screen`) : null,
      ];
  return el(
    "li",
    { class: "game" },
    gameMark(game.id),
    el("div", { class: "game-text" }, el("h3", {}, game.is_house ? el("a", { class: "game-link", href: `#/play/${game.id}` }, game.name) : game.name), el("p", {}, game.description), edge),
    buttons.length ? el("div", { class: "game-buttons" }, buttons) : null,
  );
}

let opening = null; // pressed twice, it would be two rooms

function openRoom(page, game, withBot) {
  const strongest = game.bots[0];
  const isAlone = withBot && game.players[0] === 1;
  const seats = isAlone ? 1 : withBot ? Math.max(2, game.players[0]) : Math.min(SEATS[game.id] ?? 2, game.players[1]);
  const bots = withBot && !isAlone ? Array(seats - 1).fill(strongest) : [];
  const open = () => post("/rooms", { game: game.id, seats, bots }).then((room) => (withBot ? getReady(room) : room));
  opening ??= open().then(page.enter, page.complain).finally(() => (opening = null));
}

// The table's dice are made by all who sit there; the key to one's seat is made here, and stays here.
async function openDiceRoom(page) {
  const { keepKeys, makeKeys } = await import("../common/dice-play.js");
  const keys = makeKeys();
  const enter = (room) => {
    keepKeys(room.id, keys);
    page.enter(room);
  };
  await post("/dice-rooms", { key: keys.key }).then(enter).catch(page.complain);
}

function roomRow(page, room) {
  const game = page.games.find((one) => one.id === room.game);
  const taken = room.seats.filter((seat) => !seat.left).length;
  return el(
    "li",
    { class: "room" },
    el("strong", {}, game?.name ?? room.game),
    el("span", { class: "quiet" }, t`${taken} of ${room.seats_max} seats, ${room.has_shared_dice ? t`dice everybody makes` : statusWords(room)}`),
    el("span", {}, room.seats.map((seat) => seat.name).join(", ")),
    el("a", { class: "button", dataset: { key: room.id }, href: `#/room/${room.id}` }, room.status === "open" || room.has_shared_dice ? t`Join` : t`Watch`),
  );
}

export async function lobbyScreen(root, page) {
  const tellEdge = edgeTeller();
  const rooms = el("ul", { class: "rooms" });
  const code = el("input", {
    id: "code",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    maxlength: 8,
    size: 8,
    required: true,
  });
  const enter = (event) => {
    event.preventDefault();
    get(`/rooms/${encodeURIComponent(code.value.trim())}`).then(page.enter, page.complain);
  };
  const house = page.games.filter((game) => game.is_house);
  const others = page.games.filter((game) => !game.is_house);
  show(
    root,
    el(
      "div",
      { class: "hero felt" },
      el("h1", {}, t`Take a seat`),
      el("p", { class: "lead" }, t`${page.games.length} games for play money. Every card and die is fixed before you bet, and any table proves it.`),
      el("a", { class: "button primary", href: "#/play/roulette" }, t`Spin the wheel`),
    ),
    el(
      "section",
      { class: "open-rooms", "aria-label": t`Open rooms` },
      el("form", { class: "row", onsubmit: enter }, el("label", { for: "code" }, t`Room code`), code, el("button", {}, t`Enter`)),
      rooms,
    ),
    el("section", {}, el("h2", {}, t`Against the house`), el("ul", { class: "games" }, house.map((game) => gameCard(page, game, tellEdge)))),
    el("section", {}, el("h2", {}, t`With others`), el("ul", { class: "games" }, others.map((game) => gameCard(page, game, tellEdge)))),
  );
  const refresh = async () => {
    const found = await get("/rooms?limit=20").catch(() => []);
    const isFree = (room) => room.status === "open" || room.has_shared_dice;
    const [free, running] = [found.filter(isFree), found.filter((room) => !isFree(room))];
    const isOpen = rooms.querySelector("details")?.open ?? false;
    const shown = free.length ? free.map((room) => roomRow(page, room)) : el("li", { class: "quiet" }, t`No rooms are open at the moment.`);
    const more = t`${running.length} ${running.length === 1 ? t`match` : t`matches`} to watch`;
    const watched = el("details", { open: isOpen }, el("summary", { dataset: { key: "running" } }, more), el("ul", { class: "rooms" }, running.map((room) => roomRow(page, room))));
    keepFocus(rooms, () => show(rooms, shown, running.length ? el("li", {}, watched) : null));
  };
  await refresh();
  const timer = setInterval(refresh, 5000);
  return () => clearInterval(timer);
}
