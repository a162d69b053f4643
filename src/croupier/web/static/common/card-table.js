// A table of cards, circles and buttons: blackjack, casino war, three card poker and hold'em are made of it.

import { chips, el, show, t } from "../lib/dom.js";
import { bettingChoices } from "./betting.js";
import { Buttons } from "./buttons.js";
import { CardsRow } from "./cards-row.js";
import { Circles } from "./circle.js";
import { drawLit } from "./lit.js";
import { canDo, isActive, isQuiet, sentence, signed, takeStep, tell } from "./card-round.js";

/**
 * Mount a table. The plan says what is particular to a game:
 *   id        the prefix of its classes
 *   specs     its circles
 *   rows      rows of cards from top to bottom: { key, label, slots, order, head(state), lit(state), dim(state) };
 *             `key` is the field of the game's state, `order` the place in the deal, `head` gives { words, tone }
 *   board     instead of rows, cards that lie otherwise: () => { elements, draw(state, isDealt, isVeiled) }; `draw` returns
 *             when the last card lies, in milliseconds, and tells nothing of what they come to while it `isVeiled`
 *   line      what is printed on the felt: (options) => text
 *   lay       how the round begins: (circles, step) => Promise; the first step goes with the opening stake
 *   choices   what can be chosen: (state) => [{ id, label, cost, … }]; those that are not legal are left out
 *   banner    what to say while the round goes on: (state) => text
 *   turn      what else to speak, if anything: (state) => text
 *   ending    what the cards came to: (state) => text
 * A row that `isHidden` has its cards on the table, face down, until they are turned.
 */
export function mountCardTable(root, ctx, plan) {
  const buttons = new Buttons(ctx);
  const circles = new Circles(ctx, plan.specs, { onchange: () => refresh() });
  const board = plan.board?.() ?? rowsBoard(plan);
  const line = el("p", { class: "felt-line" });
  const lit = el("div", {});
  const places = (kinds) => plan.specs.filter((spec) => kinds.includes(spec.kind)).map((spec) => circles.at(spec.bet));
  let state = null;
  let hasShown = false; // what lies there when the page opens is not dealt again

  show(
    root,
    el(
      "div",
      { class: `card-table ${plan.id}` },
      board.elements[0],
      line,
      board.elements.slice(1),
      lit,
      el(
        "div",
        { class: "circles-all" },
        el("div", { class: "circles" }, places(["opening", "raise"])),
        el("div", { class: "circles" }, places(["side"])),
      ),
    ),
  );

  const step = (type, payload) => takeStep(ctx, state, circles.opening, type, payload);
  const deal = () => plan.lay(circles, step);

  function choices() {
    if (!isActive(state)) return bettingChoices(circles, ctx, deal);
    if (state.view.turn.phase === "deal") {
      return [{ id: "deal", label: t`Deal`, key: "n", isPrimary: true, run: deal }];
    }
    return [...plan.choices(state), { id: "reveal", label: t`Reveal`, key: "r", isPrimary: true }]
      .filter((one) => canDo(state, one.id)).map((one) => ({ run: () => step(one.id), note: one.cost && signed(one.cost), ...one }));
  }

  function refresh() {
    circles.update(state);
    buttons.show(choices());
    root.firstChild.classList.toggle("has-changed", circles.hasChanged);
    if (circles.hasChanged || !state) ctx.prompt?.(circles.ask);
  }

  function promptWords() {
    if (!state) return circles.ask;
    if (state.view.turn.phase === "deal") return buttons.isBusy ? t`No more bets.` : t`Side bets, then deal.`;
    const isShort = isActive(state) && !canDo(state, "reveal") && plan.choices(state).some((one) => one.cost > ctx.balance());
    return isShort ? t`You have ${chips(ctx.balance())} more chips: what costs more is not offered.` : plan.banner(state);
  }

  async function update(next, before) {
    state = next;
    const isDealt = hasShown && !isQuiet(ctx);
    hasShown = true;
    line.textContent = plan.line(state?.view.options ?? ctx.options ?? {});
    show(lit, drawLit(state));
    const after = board.draw(state, isDealt, true);
    if (isDealt && after > 0) await circles.veil(state, after + 200);
    if (state !== next) return;
    circles.isVeiled = false;
    board.draw(state, false, false);
    ctx.prompt?.(promptWords());
    refresh();
    tell(ctx, state, before, plan.turn?.(state));
  }

  const headline = (next) => (next?.view.result ? (plan.ending?.(next) ?? sentence(next.view.result.reason)) : undefined);
  return { update, headline, purse: refresh, destroy: () => buttons.destroy() };
}

/** Return the rows of a plan as a board. */
function rowsBoard(plan) {
  const rows = plan.rows.map((spec) => {
    const row = new CardsRow(spec.label, { slots: spec.slots });
    const head = el("div", { class: "card-side-head" });
    return { spec, row, head, element: el("section", { class: `card-side ${plan.id}-${spec.key}`, "aria-label": spec.label }, head, row.element) };
  });
  const dealt = [...rows].sort((one, other) => one.spec.order - other.spec.order);

  // Cards that are on the table and not turned yet.
  function cardsOf(state, spec) {
    const cards = state?.view.game[spec.key] ?? [];
    const isWaiting = spec.isHidden && !cards.length && isActive(state) && state.view.turn.phase !== "deal";
    return isWaiting ? Array(spec.slots).fill(null) : cards;
  }

  function drawHead(state, { spec, head }) {
    const told = (state?.view.game[spec.key]?.length && spec.head?.(state)) || {};
    show(
      head,
      el("h2", {}, spec.label),
      told.words ? el("span", { class: "hand-words" }, told.words) : null,
      told.badge ? el("span", { class: `hand-badge ${told.tone ? `is-${told.tone}` : ""}` }, told.badge) : null,
    );
  }

  function draw(state, isDealt, isVeiled) {
    const isOver = !isVeiled && state?.view.result;
    let after = 0;
    for (const { spec, row } of dealt) {
      const cards = cardsOf(state, spec);
      const [lit, dim] = isOver ? [spec.lit?.(state) ?? [], spec.dim?.(state) ?? []] : [[], []];
      after = row.show(cards, { isDealt, after, lit, dim });
      row.element.parentElement.hidden = Boolean(spec.isOptional && !cards.length);
    }
    if (!isVeiled) for (const row of rows) drawHead(state, row);
    return after;
  }

  return { elements: rows.map((row) => row.element), draw };
}
