// The drawers beside a table: rules, odds, coach, history of the round, proof. One is open at a time.

import { get } from "../lib/api.js";
import { el, show } from "../lib/dom.js";
import { percent, ratio } from "../lib/numbers.js";
import { showMarkdown } from "./markdown.js";
import { showProof } from "./proof.js";

/** Make the drawers. `sources` says where coach, steps and proof come from: { coach, steps, proof } as functions. */
export function makeDrawers(page, { game, odds, sources, betName }) {
  const body = el("div", { class: "drawer panel", role: "tabpanel", tabindex: "0" });
  const tabs = el("div", { class: "drawer-tabs", role: "tablist", "aria-label": "Beside the table" });
  let open = null;
  let state = null;
  let turn = 0;

  const drawers = {
    Rules: async () => showMarkdown((await get(`/games/${game.summary.id}/rules`)).rules),
    Odds: async () => showOdds(odds, betName),
    Coach: async () => showCoach(await sources.coach(), state),
    Steps: async () => showSteps(await sources.steps()),
    Proof: async () => {
      const source = await sources.proof();
      return source.play ? (await import("./dice-proof.js")).showDiceProof(source) : showProof(source);
    },
  };
  const offered = Object.keys(drawers).filter(
    (name) => (name !== "Odds" || odds) && (name !== "Coach" || game.summary.objectives.length),
  );

  async function refresh() {
    const mine = (turn += 1);
    if (!open) {
      show(body);
      body.hidden = true;
      return;
    }
    body.hidden = false;
    try {
      const found = await drawers[open]();
      if (mine === turn) show(body, found);
    } catch (error) {
      if (mine === turn) show(body, el("p", { class: "quiet" }, error.detail ?? String(error)));
    }
  }

  function choose(name) {
    open = open === name ? null : name;
    draw();
    refresh();
  }

  function draw() {
    show(
      tabs,
      offered.map((name) =>
        el("button", { type: "button", role: "tab", "aria-selected": String(name === open), onclick: () => choose(name) }, name),
      ),
    );
  }

  draw();
  body.hidden = true;
  // Where there is room beside the table, something worth knowing stands there from the start.
  if (matchMedia("(min-width: 1001px)").matches) choose(odds ? "Odds" : "Rules");
  return {
    root: el("aside", { class: "drawers", "aria-label": "About this table" }, tabs, body),
    choose,
    update(next) {
      const isNew = next?.version !== state?.version || next?.id !== state?.id;
      state = next;
      if (isNew && open && open !== "Rules" && open !== "Odds") refresh();
    },
  };
}

function showOdds(odds, betName) {
  return [
    el("h2", {}, "Exact odds"),
    el("p", { class: "quiet" }, "Edges are what the house keeps of the opening stake, worked out, not estimated."),
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, ["bet", "edge", "wins"].map((text) => el("th", { scope: "col" }, text)))),
      el(
        "tbody",
        {},
        grouped(odds.bets).map(([bet, name]) =>
          el(
            "tr",
            {},
            el("td", {}, betName(name), bet.policy === "-" ? "" : ` (${betName(bet.policy)})`),
            el("td", { class: "number" }, percent(bet.edge, 4)),
            el("td", { class: "number" }, percent(bet.win, 4)),
          ),
        ),
      ),
    ),
  ];
}

// All straights are worth the same: one row tells it. Totals are not, and a row says which it is about.
function grouped(bets) {
  const rows = new Map();
  const kinds = new Map();
  for (const bet of bets) {
    const [kind, number] = bet.bet.split(":");
    const key = [kind, bet.policy, bet.edge, bet.win].join("|");
    if (!rows.has(key)) kinds.set(`${kind}|${bet.policy}`, (kinds.get(`${kind}|${bet.policy}`) ?? 0) + 1);
    const row = rows.get(key) ?? { bet, kind, numbers: [] };
    if (number) row.numbers.push(number);
    rows.set(key, row);
  }
  return [...rows.values()].map(({ bet, kind, numbers }) => {
    const isAll = kinds.get(`${kind}|${bet.policy}`) === 1 && numbers.length > 1;
    return [bet, isAll || !numbers.length ? kind : `${kind} ${numbers.join(", ")}`];
  });
}

function showCoach(advice, state) {
  const last = state?.lastAction ?? null;
  if (!advice.advice.length) return el("p", { class: "quiet" }, "There is nothing to decide.");
  return [
    el("h2", {}, "What each choice is worth"),
    el(
      "ol",
      { class: "advice" },
      advice.advice.map((row, index) =>
        el(
          "li",
          {},
          index === 0 ? el("strong", {}, row.text) : row.text,
          row.cost && index ? el("span", { class: "bad" }, ` costs ${ratio(row.cost).toFixed(4)}`) : null,
        ),
      ),
    ),
    last ? el("p", { class: "quiet" }, last) : null,
  ];
}

function showSteps(steps) {
  if (!steps.length) return el("p", { class: "quiet" }, "Nothing has happened yet.");
  return [
    el("h2", {}, "Step by step"),
    el("ol", { class: "steps" }, steps.map((step) => el("li", {}, step.text || "the deal"))),
  ];
}
