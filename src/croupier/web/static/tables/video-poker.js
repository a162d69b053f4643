// Video poker: a machine with a pay table, five cards, a hold button under each, and one button to deal and draw.

import { chips, el, show, t } from "../lib/dom.js";
import { Buttons } from "../common/buttons.js";
import { drawLit } from "../common/lit.js";
import { pause } from "../common/pause.js";
import { isActive, isQuiet, sentence, tell } from "../common/card-round.js";
import { cardName, cardShort, drawCard } from "../draw/cards.js";

export const css = ["video-poker.css"];

const PLACES = [0, 1, 2, 3, 4];
// Rows of the printed pay tables that the game calls otherwise.
const IDS = { "four fives to kings": "four_of_a_kind", "jacks or better": "high_pair", "natural royal flush": "royal_flush" };

/** Return the rows of a pay table from those the rules print: { id, name, rate }. */
function payRows(tables, wanted) {
  for (const { columns, rows } of tables ?? []) {
    const column = columns.findIndex((name) => name.replaceAll("`", "") === wanted);
    if (column > 0 && columns[0] === "hand") {
      return rows.map((row) => ({ id: IDS[row[0]] ?? row[0].replaceAll(" ", "_"), name: sentence(row[0]), rate: Number(row[column]) }));
    }
  }
  return [];
}

function mount(root, ctx) {
  const buttons = new Buttons(ctx);
  const pays = el("table", { class: "video-poker-pays" });
  const slots = PLACES.map((place) => slot(place));
  const lit = el("div", {});
  const credit = el("p", { class: "video-poker-credit" });
  let state = null;
  let held = new Set();
  let shown = [];
  let hasShown = false;
  ctx.memory.stake ??= Math.max(ctx.limits?.min ?? 1, ctx.chip ?? 1);

  show(
    root,
    el(
      "div",
      { class: "card-table video-poker" },
      el(
        "div",
        { class: "video-poker-cabinet" },
        el("div", { class: "video-poker-screen" }, pays, el("div", { class: "video-poker-cards" }, slots.map((one) => one.element)), lit),
      ),
    ),
  );
  ctx.foot?.prepend(credit);

  function slot(place) {
    const card = el("span", { class: "video-poker-card" });
    const label = el("span", { class: "video-poker-held", "aria-hidden": "true" }, t`HELD`);
    const button = el(
      "button",
      { type: "button", class: "video-poker-hold", "aria-pressed": "false", "aria-keyshortcuts": String(place + 1), onclick: () => toggle(place) },
      label,
      card,
      el("span", { class: "video-poker-key", "aria-hidden": "true" }, el("span", {}, t`Hold`), el("kbd", {}, String(place + 1))),
    );
    return { element: button, card };
  }

  // The keys of the cards are those of the chip tray as well: while cards are chosen they are for the cards.
  function onkey(event) {
    const place = Number(event.key) - 1;
    if (!PLACES.includes(place) || !isActive(state) || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest?.("input, select, textarea") || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    toggle(place);
  }
  document.addEventListener("keydown", onkey, true);

  function toggle(place) {
    if (!isActive(state)) return;
    if (held.has(place)) held.delete(place);
    else held.add(place);
    ctx.say(`${held.has(place) ? t`Hold` : t`Let go of`} ${cardName(state.view.game.cards[place])}`);
    drawSlots(false);
    refresh();
  }

  function setStake(stake) {
    ctx.memory.stake = Math.max(ctx.limits?.min ?? 1, stake);
    ctx.say(t`The stake is ${chips(ctx.memory.stake)}.`);
    drawPays();
    refresh();
  }

  const stakeNow = () => (isActive(state) ? state.view.game.stake : ctx.memory.stake);

  function choices() {
    if (isActive(state)) {
      const cards = [...held].sort().map((place) => place + 1);
      const note = cards.length === 5 ? t`keep all` : t`${5 - cards.length} new`;
      return [{ id: "hold", label: t`Draw`, note, key: "n", isPrimary: true, run: () => ctx.act("hold", { cards }) }];
    }
    if (!ctx.begin) return []; // a round that is looked at, not played
    const stake = ctx.memory.stake;
    const most = Math.min(ctx.limits?.max ?? Infinity, ctx.balance());
    return [
      { id: "less", label: `− ${chips(ctx.chip)}`, isQuiet: true, isOff: stake <= (ctx.limits?.min ?? 1), run: () => setStake(stake - ctx.chip) },
      { id: "more", label: `+ ${chips(ctx.chip)}`, isQuiet: true, isOff: stake + ctx.chip > most, run: () => setStake(stake + ctx.chip) },
      {
        id: "deal",
        label: t`Deal`,
        note: stake > most ? t`more than you have` : chips(stake),
        key: "n",
        isPrimary: true,
        isOff: stake > most,
        run: () => ctx.begin({ stake }),
      },
    ];
  }

  function refresh() {
    buttons.show(choices());
    show(credit, el("span", {}, t`Bet `, el("b", {}, chips(stakeNow()))));
  }

  function drawPays() {
    const table = (state?.view.options ?? ctx.options ?? {}).pay_table ?? "jacks_9_6";
    const rows = payRows(ctx.game.pay_tables, table);
    const won = state?.view.game.hand;
    show(
      pays,
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, sentence(table.replaceAll("_", " ").replace(/ (\d+) (\d+)$/, " $1/$2"))), el("th", { scope: "col" }, t`a chip`), el("th", { scope: "col" }, t`for ${chips(stakeNow())}`))),
      el(
        "tbody",
        {},
        rows.map(({ id, name, rate }) =>
          el(
            "tr",
            { class: id === won ? "is-won" : null },
            el("th", { scope: "row" }, name),
            el("td", {}, String(rate)),
            el("td", {}, chips(rate * stakeNow())),
          ),
        ),
      ),
    );
  }

  const faceOf = (card) => drawCard(card, { role: null, "aria-label": null, "aria-hidden": "true" });
  function drawSlots(isDealt) {
    const cards = state?.view.game.cards ?? [null, null, null, null, null];
    const kept = state?.view.game.hand ? new Set(state.view.game.held.map((number) => number - 1)) : held;
    let news = 0;
    for (const place of PLACES) {
      const { element, card } = slots[place];
      if (shown[place] !== cards[place]) {
        const drawn = faceOf(cards[place]);
        if (isDealt) drawn.classList.add("is-turned");
        // A card lies there face down until it is turned.
        if (isDealt) setTimeout(() => shown[place] === cards[place] && show(card, drawn), 110 * news);
        news += 1;
        show(card, isDealt ? faceOf(null) : drawn);
      }
      element.disabled = !isActive(state);
      element.classList.toggle("is-held", Boolean(state) && kept.has(place));
      element.setAttribute("aria-pressed", String(Boolean(state) && kept.has(place)));
      element.setAttribute("aria-label", t`Card ${place + 1}: ${cardName(cards[place])}${kept.has(place) && state ? t`, held` : ""}`);
    }
    shown = [...cards];
    return news;
  }

  function nameOfHand(id) {
    const table = state.view.options.pay_table ?? "jacks_9_6";
    return payRows(ctx.game.pay_tables, table).find((row) => row.id === id)?.name ?? id.replaceAll("_", " ");
  }

  const headline = (next) => {
    if (!next?.view.result) return undefined;
    const { hand } = next.view.game;
    return hand && hand !== "nothing" ? sentence(nameOfHand(hand)) : t`No winning hand`;
  };

  async function update(next, before) {
    const isNew = next?.view.match_id !== state?.view.match_id;
    state = next;
    if (isNew || !isActive(state)) held = new Set();
    if (isNew && hasShown) shown = [];
    const isDealt = hasShown && !isQuiet(ctx);
    const news = drawSlots(isDealt);
    hasShown = true;
    if (isDealt && news) {
      ctx.prompt?.(t`The cards are dealt.`);
      await pause(110 * news + 380);
      if (state !== next) return;
    }
    drawPays();
    ctx.prompt?.(isActive(state) ? t`Choose the cards to hold, then draw.` : t`1. Choose a stake · 2. Deal · 3. Hold cards and draw`);
    show(lit, drawLit(state));
    refresh();
    if (isActive(state) && before !== state && isNew)
      ctx.say(t`You get ${state.view.game.cards.map(cardName).join(", ")}.`);
    tell(ctx, state, before);
  }

  ctx.onchip?.(() => refresh());
  return {
    update,
    headline,
    purse: refresh,
    destroy() {
      buttons.destroy();
      document.removeEventListener("keydown", onkey, true);
    },
  };
}

// "Hold Q♦ Q♣" rather than the places of the cards.
function wordsFor({ payload }, state) {
  const cards = (payload.cards ?? []).map((number) => (state ? cardShort(state.view.game.cards[number - 1]) : number));
  return cards.length === 5 ? t`Hold all five` : cards.length ? t`Hold ${state ? "" : t`card `}${cards.join(state ? " " : ", ")}` : t`Draw five new cards`;
}

export default { layout: "circle", wordsFor, mount };
