// Step-by-step replay of a match or session on its own table.

import { el, isStill, show, t } from "../lib/dom.js";
import { clock } from "../lib/numbers.js";
import { humane } from "./card-round.js";
import { loadExtras, loadTable } from "./frame.js";
import { sumWords } from "./moment.js";
import { pause } from "./pause.js";
import { fitStage } from "./stage.js";

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
  const stage = el("div", { class: "felt-play" });
  const felt = el("div", { class: `felt felt-${id} is-replay`, inert: true }, stage);
  const head = el("p", { class: "step-head" });
  const text = el("p", { role: "status", class: "step-text" });
  const place = el("input", { type: "range", min: 0, max: steps.length - 1, value: 0, "aria-label": t`Step` });
  const kind = steps[0].view.game.money ? "session" : "match";
  let isPlaying = false;
  let turn = 0;
  const mounted = table.mount(stage, {
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
    preferences: {
      deck: page.preferences.deck,
      get isStill() {
        return !isPlaying || isStill();
      },
    },
  });
  // The log of a match speaks of ids, where players have no other name in it.
  const named = (words) => Object.entries(names).reduce((said, [id, name]) => said.replaceAll(id, () => name), words);
  let at = -1;
  const go = async (next) => {
    const index = Math.max(0, Math.min(steps.length - 1, next));
    if (index === at) return;
    const before = isPlaying && at >= 0 ? stateAt(steps[at], kind) : null;
    at = index;
    place.value = index;
    await mounted.update(stateAt(steps[index], kind), before);
    if (index !== at) return;
    const when = steps[index].at ? `, ${clock(steps[index].at)}` : "";
    const headline = steps[index].view.result ? mounted.headline?.(stateAt(steps[index], kind)) : null;
    const net = steps[index].view.result && steps[index].view.game.money ? sumWords(stateAt(steps[index], kind).net - (steps[index].view.game.money.fees ?? 0)) : null;
    show(head, [headline, net].filter(Boolean).join(" · "));
    text.textContent = t`${index} of ${steps.length - 1}: ${humane(named(steps[index].text || t`the deal`))}${when}`;
  };
  // It plays itself from the beginning, with all that moves, and stops where somebody takes over.
  const stop = () => {
    turn += 1;
    isPlaying = false;
  };
  const playAll = async () => {
    await go(0);
    const mine = turn;
    isPlaying = true;
    while (mine === turn && at < steps.length - 1) {
      await pause(900);
      if (mine === turn) await go(at + 1);
    }
    if (mine === turn) stop();
  };
  place.addEventListener("input", () => (stop(), go(Number(place.value))));
  const button = (label, act) => el("button", { type: "button", onclick: () => (stop(), act()) }, label);
  const unfit = fitStage(felt, stage);
  go(steps.length - 1); // what one was sent here for is how it ended
  const controls = [button(t`Play it`, playAll), button(t`Back`, () => go(at - 1)), place, button(t`On`, () => go(at + 1))];
  return {
    element: el("div", {}, head, felt, el("div", { class: "row stepper" }, controls), text),
    destroy: () => (stop(), unfit(), mounted.destroy?.()),
  };
}
