// A match or session seen again on its own table, step by step.

import { el } from "../lib/dom.js";
import { loadExtras, loadTable } from "./frame.js";

/** Return what tables are shown of one step. */
function stateAt(step, kind) {
  const money = step.view.game.money ?? {};
  return {
    kind,
    id: step.view.match_id,
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
}

/** Make a stepper: `steps` are views with their words; `game` is the game's catalogue entry, as far as it is known. */
export async function makeStepper(page, { game, steps, names = {}, me = null }) {
  const id = steps[0].view.game_id;
  const [table, extras] = await Promise.all([loadTable(id), loadExtras(id).catch(() => ({}))]);
  const felt = el("div", { class: `felt felt-${id}`, inert: true });
  const text = el("p", { role: "status", class: "step-text" });
  const place = el("input", { type: "range", min: 0, max: steps.length - 1, value: 0, "aria-label": "Step" });
  const kind = steps[0].view.game.money ? "session" : "match";
  const mounted = table.mount(felt, {
    game: { actions: {}, ...game?.summary, ...game, bets: [], extras },
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
    names,
    me,
    options: steps[0].view.options,
    foot: el("div"),
    prompt: () => {},
    preferences: { deck: page.preferences.deck, isStill: true },
  });
  // The log of a match speaks of ids, where players have no other name in it.
  const named = (words) => Object.entries(names).reduce((said, [id, name]) => said.replaceAll(id, name), words);
  let at = -1;
  const go = (next) => {
    const index = Math.max(0, Math.min(steps.length - 1, next));
    if (index === at) return;
    at = index;
    mounted.update(stateAt(steps[index], kind), null);
    place.value = index;
    const when = steps[index].at ? `, ${new Date(steps[index].at).toLocaleTimeString()}` : "";
    text.textContent = `${index} of ${steps.length - 1}: ${named(steps[index].text || "the deal")}${when}`;
  };
  place.addEventListener("input", () => go(Number(place.value)));
  const button = (label, step) => el("button", { type: "button", onclick: () => go(at + step) }, label);
  go(0);
  return {
    element: el("div", {}, felt, el("div", { class: "row stepper" }, button("Back", -1), place, button("On", 1)), text),
    destroy: () => mounted.destroy?.(),
  };
}
