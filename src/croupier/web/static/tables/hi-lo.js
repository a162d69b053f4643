// Hi-lo: a card on show, three guesses with what they win and how likely they are, the pot, and the way out.

import { chips, el, show, t } from "../lib/dom.js";
import { number, percent } from "../lib/numbers.js";
import { bettingChoices } from "../common/betting.js";
import { Buttons } from "../common/buttons.js";
import { Circles } from "../common/circle.js";
import { keepFocus } from "../common/focus.js";
import { pause } from "../common/pause.js";
import { canDo, isActive, isQuiet, tell } from "../common/card-round.js";
import { cardName, cardShort, drawCard } from "../draw/cards.js";

export const css = ["hi-lo.css"];

const SPECS = [{ bet: "stake", label: t`Stake`, kind: "opening" }];
const ARROWS = { higher: "▲", lower: "▼", same: "=" };
const GUESSES = [{ id: "higher", label: t`Higher`, key: "h" }, { id: "same", label: t`Same`, key: "s" }, { id: "lower", label: t`Lower`, key: "l" }];

// A factor in ten-thousandths as text: 17142 is ×1.71.
const factorText = (factor) => `×${number(factor / 10000, 2)}`;

// How many of the thirteen ranks make a guess right: the next card comes from a full pack.
function waysOf(guess, card) {
  const rank = card % 13;
  return guess === "higher" ? 12 - rank : guess === "lower" ? rank : 1;
}

function mount(root, ctx) {
  const buttons = new Buttons(ctx);
  const circles = new Circles(ctx, SPECS, { onchange: () => refresh() });
  const past = el("ol", { class: "hi-lo-past", "aria-label": t`The cards before` });
  const now = el("div", { class: "hi-lo-now" });
  const guesses = el("div", { class: "hi-lo-guesses", role: "group", "aria-label": t`Your guess` });
  const pot = el("dl", { class: "hi-lo-pot" });
  let state = null;
  let shown = "";
  let hasShown = false;

  show(root, el("div", { class: "card-table hi-lo" }, past, now, guesses, el("div", { class: "hi-lo-bank" }, circles.at("stake"), pot)));

  const deal = () => ctx.begin({ stake: circles.opening });
  const guess = (id) => () => ctx.act(id, {});

  // What a cash-out pays is the server's to say: its last line does, and before any guess it is the stake.
  function cashOut() {
    const { game } = state.view;
    if (!game.guesses.length) return game.stake;
    const told = [...(state.logs ?? [])].reverse().map((line) => /a cash-out pays ([\d,]+)/.exec(line)).find(Boolean);
    return told ? Number(told[1].replaceAll(",", "")) : null; // after a reload nobody has said it
  }

  function drawGuesses() {
    const card = state?.view.game.cards.at(-1);
    show(
      guesses,
      GUESSES.map(({ id, label, key }) => {
        const isLegal = isActive(state) && canDo(state, id);
        const bet = card === undefined ? null : `${id}:${(card % 13) + 1}`;
        const edge = bet ? ctx.edge?.(bet) : null;
        const ways = card === undefined ? 0 : waysOf(id, card);
        return el(
          "button",
          {
            type: "button",
            class: `hi-lo-guess hi-lo-${id}`,
            disabled: !isLegal,
            "aria-keyshortcuts": key,
            dataset: { action: id, key: id },
            title: edge ? t`edge ${edge} with a cash-out after it` : null,
            onclick: () => buttons.run({ run: guess(id) }),
          },
          el("span", { class: "hi-lo-arrow", "aria-hidden": "true" }, ARROWS[id]),
          el("span", { class: "hi-lo-name" }, label),
          isLegal
            ? [
                el("span", { class: "hi-lo-pays" }, factorText(120000 / ways)),
                el("meter", { class: "hi-lo-meter", max: 13, value: ways, "aria-hidden": "true" }),
                el("span", { class: "hi-lo-chance" }, percent(ways / 13, 0)),
              ]
            : el("span", { class: "hi-lo-chance" }, id === "same" ? t`on an ace or a king` : ""),
        );
      }),
    );
  }

  function choices() {
    if (!isActive(state)) return bettingChoices(circles, ctx, deal);
    const amount = cashOut();
    const keys = GUESSES.filter((one) => canDo(state, one.id)).map((one) => ({ ...one, isKeyOnly: true, run: guess(one.id) }));
    const note = amount === null ? "" : chips(amount);
    return [
      { id: "cash_out", label: t`Cash out`, note, key: "o", isPrimary: state.view.game.guesses.length > 0, run: () => ctx.act("cash_out", {}) },
      ...keys,
    ];
  }

  function refresh() {
    circles.update(state);
    buttons.show(choices());
    if (circles.hasChanged || !state) ctx.prompt?.(circles.ask);
  }

  function drawPast(game) {
    const from = Math.max(0, game.cards.length - 1 - 8);
    show(
      past,
      game.cards
        .slice(from, -1)
        .map((card, index) =>
          el(
            "li",
            { "aria-label": `${cardName(card)}, ${game.guesses[from + index]}` },
            drawCard(card, { class: "card", "aria-hidden": "true", role: null, "aria-label": null }),
            el("span", { class: "hi-lo-was" }, ARROWS[game.guesses[from + index]]),
          ),
        ),
    );
  }

  function headline(next) {
    if (!next?.view.result) return undefined;
    const { cards, guesses, factor, streak } = next.view.game;
    if (factor) return streak ? t`You took ${factorText(factor)} after ${streak} right` : t`You took your stake back`;
    return t`${cardShort(cards.at(-1))} is not ${guesses.at(-1) === "same" ? t`the same as` : t`${guesses.at(-1)} than`} ${cardShort(cards.at(-2))}`;
  }

  async function update(next, before) {
    state = next;
    const game = state?.view.game ?? { cards: [], guesses: [], factor: 10000, streak: 0 };
    let isTurned = false;
    const sign = `${state?.view.match_id}:${game.cards.length}`;
    if (sign !== shown) {
      const card = drawCard(game.cards.at(-1) ?? null);
      isTurned = hasShown && !isQuiet(ctx) && game.cards.length > 0;
      if (isTurned) card.classList.add("is-turned");
      show(now, drawCard(null, { class: "card hi-lo-pack", "aria-hidden": "true", role: null, "aria-label": null }), card);
    }
    shown = sign;
    hasShown = true;
    if (isTurned) {
      ctx.prompt?.(t`The cards are dealt.`);
      await pause(420);
      if (state !== next) return;
    }
    now.classList.toggle("is-lost", Boolean(state) && game.factor === 0);
    drawPast(game);
    keepFocus(guesses, drawGuesses);
    const parts = [
      [t`Pot`, state ? (game.factor ? factorText(game.factor) : t`lost`) : "×1"],
      [t`Right`, String(game.streak)],
      [t`Worth`, isActive(state) && cashOut() !== null ? chips(cashOut()) : "–"],
    ];
    show(pot, parts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
    ctx.prompt?.(game.guesses.length ? t`Go on, or cash out?` : state ? t`Higher or lower?` : circles.ask);
    refresh();
    if (isActive(state) && state.view.match_id !== before?.view.match_id && before !== state)
      ctx.say(t`The card is the ${cardName(game.cards[0])}.`);
    tell(ctx, state, before);
  }

  return { update, headline, purse: refresh, destroy: () => buttons.destroy() };
}

const ON = ["", t`an ace`, t`a 2`, t`a 3`, t`a 4`, t`a 5`, t`a 6`, t`a 7`, t`an 8`, t`a 9`, t`a 10`, t`a jack`, t`a queen`, t`a king`];

// "higher:5" is "higher on a 5".
function nameOf(bet) {
  const [guess, rank] = bet.split(":");
  return rank ? t`${guess} on ${ON[rank]}` : guess;
}

export default { layout: "circle", nameOf, mount };
