// The drawers beside a table: rules, odds, coach, history of the round, proof. One is open at a time.

import { get } from "../lib/api.js";
import { el, show, t, tableOf } from "../lib/dom.js";
import { number, percent, ratio } from "../lib/numbers.js";
import { BARE, humane } from "./card-round.js";
import { forPlayers, showMarkdown } from "./markdown.js";
import { showProof } from "./proof.js";

const TITLES = { Rules: t`Rules`, Odds: t`Odds`, Coach: t`Coach`, Steps: t`Steps`, Proof: t`Proof` };

/** Make the drawers. `sources` says where coach, steps and proof come from: { coach, steps, proof } as functions. */
export function makeDrawers(page, { game, odds, sources, nameOf, wordsOf }) {
  const body = el("div", { class: "drawer panel", role: "tabpanel", tabindex: "0", "aria-label": t`Beside the table` });
  const close = el("button", { type: "button", class: "plain drawer-close", "aria-label": t`Close`, onclick: () => choose(open) }, "×");
  const tabs = el("div", { class: "drawer-tabs", role: "tablist", "aria-label": t`Beside the table` });
  let open = null;
  let shown = null;
  let state = null;
  let turn = 0;

  const drawers = {
    Rules: async () => showMarkdown(forPlayers((await get(`/games/${game.summary.id}/rules`)).rules)),
    Odds: async () => showOdds(await odds, nameOf),
    Coach: async () => {
      const advice = await sources.coach();
      // Advice for a street that is past is none: what was asked for meanwhile comes by itself.
      return state && advice.version !== state.version ? THINKING() : showCoach(advice, (action) => wordsOf(action, state), unitOf(game.summary.id, state));
    },
    Steps: async () => showSteps(await sources.steps(), wordsOf, page.account.id),
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
    root.hidden = !open;
    body.ariaBusy = open && "true"; // what stands there is about the move before, and goes with whatever is begun in it
    if (!open) return show(body);
    if (open === "Coach" || open !== shown) show(body, THINKING(open));
    shown = open;
    const quiet = (error) => el("p", { class: "quiet" }, error.detail ?? error.message ?? String(error));
    const found = await drawers[open]().catch(quiet);
    if (mine !== turn) return undefined;
    body.ariaBusy = null;
    return show(body, found);
  }

  function choose(name) {
    open = open === name ? null : name;
    draw();
    refresh();
  }

  function draw() {
    if (!tabs.childElementCount) {
      show(tabs, offered.map((name) => el("button", { type: "button", role: "tab", dataset: { name }, onclick: () => choose(name) }, TITLES[name])));
    }
    for (const tab of tabs.children) tab.setAttribute("aria-selected", String(tab.dataset.name === open));
  }

  const root = el("aside", { class: "drawers", "aria-label": t`About this table`, hidden: true }, close, body);
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const name = open;
    choose(name);
    [...tabs.children].find((tab) => tab.dataset.name === name)?.focus();
  });
  draw();
  return {
    root,
    tabs,
    choose,
    update(next) {
      const isNew = next?.version !== state?.version || next?.id !== state?.id;
      state = next;
      if (isNew && open && open !== "Rules" && open !== "Odds") refresh();
    },
  };
}

const POLICIES = { basic: t`basic strategy`, best: t`best play`, optimal: t`best play`, q64: t`best play`, one_guess: t`one guess` };

/** Return a way of playing in words. */
export const policyName = (policy) => POLICIES[policy] ?? policy.replaceAll("_", " ");

function showOdds(odds, nameOf) {
  return [
    el("h2", {}, t`Exact odds`),
    el("p", { class: "quiet" }, t`Edges are what the house keeps of the opening stake, worked out, not estimated.`),
    tableOf(
      [t`bet`, t`edge`, t`wins`],
      grouped(odds.bets, nameOf).map(([bet, name]) => [
        [name, bet.policy === "-" ? "" : `, ${policyName(bet.policy)}`, bet.checked?.length ? el("small", { class: "quiet" }, t`checked by ${bet.checked.join(", ")}`) : ""],
        ...[bet.edge, bet.win].map((share) => el("td", { class: "number" }, percent(share, 4))),
      ]),
    ),
  ];
}

// All straights are worth the same: one row tells it. Totals are not, and a row says which it is about.
function grouped(bets, nameOf) {
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
    return [bet, numbers.length === 1 ? nameOf(bet.bet) : `${nameOf(kind)} ${isAll ? "" : numbers.join(", ")}`.trim()];
  });
}

const THINKING = (name = "Coach") => el("p", { class: "quiet", role: "status" }, name === "Coach" ? t`The coach is thinking …` : t`One moment …`);

// What the values of a coach are counted in: chips, parts of the opening stake, or what the game itself counts.
function unitOf(gameId, state) {
  const stake = state?.view.game.stake;
  if (state?.kind !== "session") return { scale: 1, name: "" };
  return gameId === "three-card-poker" || !stake ? { scale: 1, name: " chips" } : { scale: stake, name: " chips" };
}

function showCoach(advice, wordsOf, unit) {
  if (!advice.advice.length) return el("p", { class: "quiet" }, t`There is nothing to decide.`);
  const costs = advice.advice.map((row) => (row.cost ? ratio(row.cost) * unit.scale : 0));
  const costText = (cost) => (cost === 0 ? t`as good` : t`costs ${cost < 0.005 ? t`less than ${number(0.01, 2)}` : number(cost, 2, true)}${unit.name} more on average`);
  return [
    el("h2", {}, t`What each choice is worth`),
    el(
      "ol",
      { class: "advice" },
      advice.advice.map((row, index) =>
        el(
          "li",
          { class: index ? null : "is-best" },
          el("strong", {}, wordsOf(row.action)),
          el("span", { class: index && costs[index] ? "bad" : "good" }, index ? ` ${costText(costs[index])}` : t` best`),
          row.text ? el("small", { class: "quiet" }, row.text) : null,
        ),
      ),
    ),
  ];
}

// What the game puts into words is told in them; what it only names, by the words of its table.
function stepWords({ text, action }, wordsOf, me) {
  if (!action || (text && !BARE.test(text))) return humane(text || t`the deal`);
  const who = text?.split(": ")[0];
  return who && who !== me ? `${who}: ${wordsOf(action)}` : wordsOf(action);
}

// "next_bounded of 37, 1 byte: 33, pocket 33" is "pocket 33: number 33 of 37, counted from 0, out of 1 byte".
const drawWords = (line) =>
  line.replace(/\w+ of (\d+), (\d+ bytes?): (\w+), (.+)$/, (_, bound, bytes, value, decided) =>
    t`${decided}: number ${value} of ${bound}, counted from 0, out of ${bytes}`);

// When all is over, each step has below it what chance gave, as `croupier replay --draws` lists it.
function showSteps(steps, wordsOf, me) {
  const drawn = ({ draws }) => (draws ? el("details", {}, el("summary", {}, t`What was drawn`), el("ul", {}, draws.map((line) => el("li", {}, drawWords(line))))) : null);
  const told = steps.map((step) => el("li", {}, stepWords(step, wordsOf, me), drawn(step)));
  return told.length ? [el("h2", {}, t`Step by step`), el("ol", { class: "steps" }, told)] : el("p", { class: "quiet" }, t`Nothing has happened yet.`);
}
