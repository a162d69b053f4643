// Shows a table without a server: harness.html?table=craps&state=craps-hand&step=7&theme=dark&still=1.
// The states come from make_states.py; actions are written down and, where the next state fits, answered with it.

import { chips, el, show } from "/src/croupier/web/static/lib/dom.js";
import { CHIP_VALUES, drawChip } from "/src/croupier/web/static/draw/chips.js";

const query = new URLSearchParams(location.search);
const id = query.get("table");
const file = await (await fetch(`states/${query.get("state") ?? `${id}-round`}.json`)).json();
const module = await import(`/src/croupier/web/static/tables/${id}.js`);
for (const sheet of module.css ?? []) {
  const link = el("link", { rel: "stylesheet", href: `/src/croupier/web/static/css/${sheet}` });
  document.head.append(link);
  await new Promise((done) => link.addEventListener("load", done));
}
if (query.get("theme")) document.documentElement.dataset.theme = query.get("theme");
if (query.get("deck")) document.documentElement.dataset.deck = query.get("deck");

const bets = new Map(file.game.bets.map((bet) => [bet.id, bet]));
const listeners = new Set();
let step = query.get("step") === "null" || !query.has("step") ? -1 : Number(query.get("step"));
let shown = null;

const at = (place) => (place < 0 ? null : (file.states[place] ?? null));
function wrote(text) {
  document.querySelector("#acts").append(`${text}\n`);
}
// The answer to an action is the next state there is: not what it would do, but something to show.
async function answer(place) {
  step = Math.min(place, file.states.length - 1);
  update();
  return at(step);
}
const ctx = {
  game: file.game,
  act: (type, payload) => (wrote(`act ${type} ${JSON.stringify(payload ?? {})}`), answer(step + 1)),
  begin: (what) => (wrote(`begin ${JSON.stringify(what)}`), answer(what?.bets?.length ? file.states.length - 1 : 0)),
  chip: 5,
  onchip: (listen) => (listeners.add(listen), () => listeners.delete(listen)),
  balance: () => 5000,
  limits: file.game.limits,
  say: (text) => show(document.querySelector("#said"), text),
  edge: (bet) => bets.get(bet)?.edge ?? null,
  pays: (bet) => bets.get(bet)?.pays ?? null,
  memory: JSON.parse(query.get("memory") ?? "{}"),
  names: file.names,
  me: query.has("spectate") ? null : file.me,
  preferences: { deck: query.get("deck") ?? "two", isStill: query.has("still") },
};
const root = document.querySelector("#felt").appendChild(el("div"));
const table = module.default.mount(root, ctx);

function update() {
  const state = at(step);
  table.update(state, shown);
  if (state?.kind === "session" && state !== shown && state.logs.length) ctx.say(state.logs.join(" "));
  shown = state;
  const turn = (by) => () => ((step = Math.max(-1, Math.min(file.states.length - 1, step + by))), update());
  show(
    document.querySelector("#steps"),
    el("button", { type: "button", onclick: turn(-1) }, "Back"),
    el("button", { type: "button", onclick: turn(1) }, "Next"),
    el("span", {}, `${step} of ${file.states.length - 1} ${state?.logs?.join(" ") ?? ""}`),
  );
}
function tray() {
  const chip = (value) =>
    el(
      "button",
      {
        type: "button",
        draggable: "true",
        "aria-pressed": String(value === ctx.chip),
        "aria-label": `${chips(value)} chips`,
        onclick: () => ((ctx.chip = value), listeners.forEach((listen) => listen(value)), tray()),
        ondragstart: (event) => event.dataTransfer.setData("text/plain", String(value)),
      },
      drawChip(value),
    );
  show(document.querySelector("#tray"), CHIP_VALUES.map(chip));
}
update();
tray();
window.harness = { ctx, table, root };
