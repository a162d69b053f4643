// What one has played: every session and room, and each of them step by step, as the table showed it.

import { apiAs, get } from "../lib/api.js";
import { chips, el, show } from "../lib/dom.js";
import { saveFile } from "../common/share.js";
import { replayScreen } from "./replay.js";

function row(page, one) {
  const game = page.games.find((each) => each.id === one.game_id);
  return el(
    "li",
    { class: "room" },
    el("strong", {}, game?.name ?? one.game_id),
    el("span", { class: "quiet" }, new Date(one.started_at).toLocaleString()),
    el("span", {}, one.is_complete ? `${chips(one.staked)} staked` : "in play"),
    el("a", { class: "button", href: one.is_complete ? `#/history/session/${one.session_id}` : `#/play/${one.game_id}` }, one.is_complete ? "Look again" : "Go on"),
  );
}

// One file with the records of all rounds that are over, for the page that verifies anything.
async function saveRecords(sessions) {
  const records = await Promise.all(sessions.filter((one) => one.is_complete).map((one) => apiAs().getText(`/sessions/${one.session_id}/record`)));
  saveFile("croupier-records.json", JSON.stringify({ document: "croupier-records", records }));
}

async function list(root, page) {
  const [sessions, rooms] = await Promise.all([get("/me/sessions?limit=50"), get("/me/rooms?limit=50")]);
  show(
    root,
    el("h1", {}, "What you have played"),
    el("p", { class: "row" }, el("a", { href: "#/replay/file" }, "Open a record from a file"), el("a", { href: "/web/verify/index.html" }, "Verify anything"), el("button", { type: "button", onclick: () => saveRecords(sessions) }, "Save all records")),
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
                room.status === "finished" ? el("a", { href: `#/replay/room/${room.id}` }, "Look again") : null,
                el("a", { class: "button", href: `#/room/${room.id}` }, "Open"),
              ),
            )
          : el("li", { class: "quiet" }, "Nothing yet."),
      ),
    ),
  );
}

export async function historyScreen(root, page, [kind, id]) {
  return kind === "session" ? replayScreen(root, page, ["session", id]) : list(root, page);
}
