// The player's history: results beside what was to be expected, and every session and room, step by step.

import { get } from "../lib/api.js";
import { chips, el, show, svg, t } from "../lib/dom.js";
import { dateTime, number } from "../lib/numbers.js";
import { statusWords } from "../common/seats.js";
import { recordsButton } from "../common/share.js";
import { gameMark } from "../draw/marks.js";
import { replayScreen } from "./replay.js";

const PAGE = 50;
const nameOf = (page, id) => page.games.find((each) => each.id === id)?.name ?? id;
const resultOf = ({ staked = 0, returned = 0, fees = 0 }) => returned - staked - fees; // what is 0 is left out

function signed(amount) {
  return el("b", { class: `number ${amount > 0 ? "good" : amount < 0 ? "bad" : ""}` }, amount > 0 ? `+${chips(amount)}` : chips(amount));
}

function row(page, one) {
  return el(
    "li",
    { class: "room" },
    gameMark(one.game_id),
    el("strong", {}, nameOf(page, one.game_id)),
    el("span", { class: "quiet" }, dateTime(one.started_at)),
    one.is_complete ? el("span", {}, t`${chips(one.staked ?? 0)} staked `, signed(resultOf(one))) : el("span", {}, t`in play`),
    el("a", { class: "button", href: one.is_complete ? `#/history/session/${one.session_id}` : `#/play/${one.game_id}` }, one.is_complete ? t`Look again` : t`Go on`),
  );
}

// Where a result lies in the band that two of three players with the same bets end in, and twice as far on each side.
function band({ result, expected, deviation }) {
  const at = (value) => 100 + 50 * Math.max(-2, Math.min(2, (value - expected) / deviation));
  return svg(
    "svg",
    { viewBox: "0 0 200 20", class: "band", "aria-hidden": "true" },
    svg("rect", { x: 0, y: 7, width: 200, height: 6, rx: 3, class: "band-all" }),
    svg("rect", { x: 50, y: 7, width: 100, height: 6, class: "band-usual" }),
    svg("path", { d: "M100 3v14", class: "band-mean" }),
    svg("circle", { cx: at(result), cy: 10, r: 6, class: "band-here" }),
  );
}

function luckWords({ luck, expected, deviation, is_exact: isExact }) {
  const usual = t`These bets bring ${number(expected, Math.abs(expected) < 1 ? 2 : 1, true)} on average`;
  if (luck === null) return deviation === null ? t`${usual}. How far rounds stray from that is not counted for all of them.` : `${usual}.`;
  const spread = t`, give or take ${isExact ? "" : t`at most `}${chips(Math.round(deviation))}`;
  const place = Math.max(1, Math.min(99, Math.round(luck)));
  return t`${usual}${spread}: about ${place} of 100 players who bet the same do worse than you.`;
}

function luckRow(page, one) {
  return el(
    "li",
    { class: "luck" },
    el("strong", {}, one.game ? nameOf(page, one.game) : t`All games`),
    el("span", {}, t`${chips(one.rounds)} ${one.rounds === 1 ? t`round` : t`rounds`}, ${chips(one.staked)} staked `, signed(one.result)),
    one.deviation ? band(one) : null,
    el("small", {}, luckWords(one)),
  );
}

/** Return the sessions as a list that can be narrowed to one game, with their sum, and read on. */
function sessionList(page, sessions) {
  let last = sessions.length;
  const rows = el("ul", { class: "rooms" });
  const sum = el("p", { class: "history-sum", role: "status" });
  const choice = el("select", { "aria-label": t`Show`, onchange: () => draw() });
  const more = el("button", { type: "button", onclick: () => readOn() }, t`Show older ones`);
  const readOn = async () => {
    const from = sessions.at(-1).session_id;
    const next = await get(`/me/sessions?limit=${PAGE}&before=${from}`).catch(page.complain);
    if (!next || from !== sessions.at(-1).session_id) return; // pressed twice, it would list them twice
    last = next.length;
    sessions.push(...next);
    draw();
  };
  function draw() {
    const chosen = choice.value;
    const ids = [...new Set(sessions.map((one) => one.game_id))].sort();
    show(choice, el("option", { value: "" }, t`All games`), ids.map((id) => el("option", { value: id, selected: id === chosen }, nameOf(page, id))));
    const shown = sessions.filter((one) => !chosen || one.game_id === chosen);
    const over = shown.filter((one) => one.is_complete);
    const [staked, result] = [over.reduce((all, one) => all + (one.staked ?? 0), 0), over.reduce((all, one) => all + resultOf(one), 0)];
    show(sum, t`${chips(over.length)} ${over.length === 1 ? t`round` : t`rounds`}, ${chips(staked)} staked `, signed(result));
    show(rows, shown.length ? shown.map((one) => row(page, one)) : el("li", { class: "quiet" }, t`Nothing yet.`));
    more.hidden = last < PAGE;
  }
  draw();
  return [el("p", { class: "row" }, choice, sum), rows, more];
}

async function list(root, page) {
  const [sessions, rooms] = await Promise.all([get(`/me/sessions?limit=${PAGE}`), get("/me/rooms?limit=50")]);
  const luck = el("section", { hidden: true });
  show(
    root,
    el("h1", {}, t`What you have played`),
    el("p", { class: "row" }, el("a", { href: "#/replay/file" }, t`Open a record from a file`), el("a", { href: "/web/verify/index.html" }, t`Verify anything`), recordsButton()),
    luck,
    el("section", {}, el("h2", {}, t`Against the house`), sessionList(page, sessions)),
    el(
      "section",
      {},
      el("h2", {}, t`With others`),
      el(
        "ul",
        { class: "rooms" },
        rooms.length
          ? rooms.map((room) =>
              el(
                "li",
                { class: "room" },
                gameMark(room.game),
                el("strong", {}, nameOf(page, room.game)),
                el("span", { class: "quiet" }, `${dateTime(room.created_at)}, ${statusWords(room)}`),
                el("span", {}, room.seats.map((seat) => seat.name).join(", ")),
                room.status === "finished" ? el("a", { href: `#/replay/room/${room.id}` }, t`Look again`) : null,
                el("a", { class: "button", href: `#/room/${room.id}` }, t`Open`),
              ),
            )
          : el("li", { class: "quiet" }, t`Nothing yet.`),
      ),
    ),
  );
  const results = sessions.some((one) => one.is_complete) ? await get("/me/results") : []; // the first time this takes a while
  luck.hidden = !results.length;
  show(luck, el("h2", {}, t`Luck`), el("ul", { class: "lucks" }, (results.length === 2 ? results.slice(1) : results).map((one) => luckRow(page, one))));
}

export async function historyScreen(root, page, [kind, id]) {
  return kind === "session" ? replayScreen(root, page, ["session", id]) : list(root, page);
}
