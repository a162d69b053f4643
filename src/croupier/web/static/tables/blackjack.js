// Blackjack: the dealer above, your hands side by side, the main bet and five side bets below.

import { el, show, t } from "../lib/dom.js";
import { mountCardTable } from "../common/card-table.js";
import { CardsRow } from "../common/cards-row.js";
import { drawPile } from "../common/circle.js";
import { isActive, lineOf, outcomeOf, stakeOn } from "../common/card-round.js";

export const css = ["blackjack.css"];

const SPECS = [
  { bet: "main", label: t`Main bet`, kind: "opening" },
  { bet: "insurance", label: t`Insurance`, kind: "raise", isOptional: true },
  { bet: "twenty_one_plus_three", label: "21+3", kind: "side", about: t`21+3: your two cards and the dealer's as a poker hand` },
  { bet: "lucky_ladies", label: t`Lucky Ladies`, kind: "side", about: t`Lucky Ladies: your two cards are 20` },
  { bet: "perfect_pairs", label: t`Perfect Pairs`, kind: "side", about: t`Perfect Pairs: your two cards are a pair` },
  { bet: "bust_it", label: t`Bust It`, kind: "side", about: t`Bust It: the dealer busts` },
  { bet: "royal_match", label: t`Royal Match`, kind: "side", about: t`Royal Match: your two cards are of one suit` },
];
const STATUS = { playing: "", standing: t`stands`, busted: t`bust`, natural: t`natural`, surrendered: t`surrendered`, even_money: t`even money` };

// What the cards come to, for the eye: the server alone settles.
function totalOf(cards) {
  const hard = cards.reduce((sum, card) => sum + Math.min(10, (card % 13) + 1), 0);
  const isSoft = cards.some((card) => card % 13 === 0) && hard + 10 <= 21;
  return { total: isSoft ? hard + 10 : hard, isSoft: isSoft && hard + 10 < 21 };
}

function totalWords(cards) {
  if (!cards.length) return "";
  const { total, isSoft } = totalOf(cards);
  return isSoft ? t`soft ${total}` : String(total);
}

// What came back for a hand: its own stake and what it was doubled with.
function handLine(state, number) {
  const bets = [number === 1 ? "main" : `split:${number}`, `double:${number}`];
  const lines = bets.map((bet) => lineOf(state, bet)).filter(Boolean);
  if (!lines.length) return null;
  return { stake: lines.reduce((sum, line) => sum + line.stake, 0), returned: lines.reduce((sum, line) => sum + line.returned, 0) };
}

class Hand {
  constructor() {
    this.head = el("div", { class: "card-side-head" });
    this.row = new CardsRow(t`Your hand`, { kind: "is-fanned" });
    this.foot = el("div", { class: "blackjack-hand-foot" });
    this.element = el("section", { class: "blackjack-hand" }, this.head, this.row.element, this.foot);
  }

  update(hand, state, place, options) {
    const isLone = state.view.game.hands.length === 1;
    const name = isLone ? t`Your hand` : t`Hand ${place + 1}`;
    const isTurn = options.active === hand;
    const line = state.status === "finished" && !options.isVeiled ? handLine(state, hand.number) : null;
    const outcome = line ? outcomeOf(line) : null;
    const note = [STATUS[hand.status], hand.doubled ? t`doubled` : ""].filter(Boolean).join(", ");
    const tone = outcome?.tone ?? (hand.status === "busted" ? "bad" : hand.status === "natural" ? "good" : "");
    this.element.classList.toggle("is-active", isTurn);
    this.element.classList.toggle("is-won", outcome?.tone === "good");
    this.element.setAttribute("aria-label", `${name}: ${totalWords(hand.cards)}${note ? `, ${note}` : ""}${isTurn ? t`, to play` : ""}`);
    this.row.label = t`${name}, cards`;
    const at = this.row.show(hand.cards, { isDealt: options.isDealt, after: options.after });
    if (options.isVeiled) return at; // what the cards come to is told when they lie there
    show(
      this.head,
      isLone ? null : el("span", { class: "blackjack-hand-name" }, name),
      el("span", { class: `hand-badge ${tone ? `is-${tone}` : ""}` }, hand.status === "natural" ? STATUS.natural : totalWords(hand.cards)),
      note && hand.status !== "natural" ? el("span", { class: "blackjack-note" }, note) : null,
    );
    const stake = stakeOn(state, hand.number === 1 ? "main" : `split:${hand.number}`) + stakeOn(state, `double:${hand.number}`);
    show(
      this.foot,
      isLone && !hand.doubled ? null : drawPile(stake),
      outcome ? el("span", { class: `circle-outcome is-${outcome.tone}` }, outcome.text) : null,
    );
    return at;
  }
}

// The hand that is to be played, if there is one.
function activeHand(state) {
  return (isActive(state) && state.view.game.hands.find((hand) => hand.status === "playing")) || null;
}

// The dealer's row, and below it as many hands as there are.
function board() {
  const dealer = new CardsRow(t`The dealer's cards`, { slots: 2 });
  const head = el("div", { class: "card-side-head" });
  const hands = el("div", { class: "blackjack-hands" });
  let places = [];

  function draw(state, isDealt, isVeiled) {
    const game = state?.view.game ?? { hands: [], dealer: [] };
    const active = activeHand(state);
    while (places.length < game.hands.length) places.push(new Hand());
    places = places.slice(0, game.hands.length);
    let after = 0;
    if (!places.length) show(hands, el("section", { class: "blackjack-hand", "aria-hidden": "true" }, el("h2", { class: "card-side-head" }, t`You`), new CardsRow("", { slots: 2 }).element));
    game.hands.forEach((hand, place) => {
      if (places[place].element.parentNode !== hands) hands.append(places[place].element);
      after = places[place].update(hand, state, place, { active, isDealt, after, isVeiled });
    });
    for (const old of [...hands.children]) if (places.length && !places.some(({ element }) => element === old)) old.remove();
    // The dealer's second card lies there, face down.
    const isWaiting = isActive(state) && game.dealer.length === 1;
    after = dealer.show(isWaiting ? [...game.dealer, null] : game.dealer, { isDealt, after });
    if (!isVeiled) drawDealer(game.dealer);
    return after;
  }

  function drawDealer(cards) {
    const total = totalWords(cards);
    const isBust = cards.length > 2 && totalOf(cards).total > 21;
    show(
      head,
      el("h2", {}, t`Dealer`),
      total ? el("span", { class: `hand-badge ${isBust ? "is-bad" : ""}` }, isBust ? t`${total}, bust` : total) : null,
    );
    dealer.label = total ? t`The dealer's cards: ${total}${isBust ? t`, bust` : ""}` : t`The dealer's cards: none yet`;
  }

  return { elements: [el("section", { class: "card-side", "aria-label": t`The dealer` }, head, dealer.element), hands], draw };
}

const plan = {
  id: "blackjack",
  specs: SPECS,
  board,
  line: (options) =>
    [
      options.six_to_five ? t`Blackjack pays 6 to 5` : t`Blackjack pays 3 to 2`,
      options.hit_soft_17 === false ? t`Dealer stands on 17` : t`Dealer hits soft 17`,
    ].join(" · "),
  lay: (circles, step) => (circles.hasSides ? step("bet_and_deal", circles.sides) : step("deal")),
  choices(state) {
    const { stake } = state.view.game;
    return [
      { id: "hit", label: t`Hit`, key: "h", isPrimary: true },
      { id: "stand", label: t`Stand`, key: "s", isPrimary: true },
      { id: "double", label: t`Double`, cost: stake, key: "d" },
      { id: "split", label: t`Split`, cost: stake, key: "p" },
      { id: "surrender", label: t`Surrender`, note: t`half back`, key: "u" },
      { id: "insurance", label: t`Insurance`, cost: Math.floor(stake / 2), key: "i" },
      { id: "even_money", label: t`Even money`, key: "e" },
      { id: "decline", label: t`No insurance`, key: "d", isPrimary: true },
    ];
  },
  banner(state) {
    if (state.view.turn.phase === "insurance") return t`The dealer shows an ace: insurance?`;
    return state.view.turn.phase === "reveal" ? t`The dealer's turn.` : t`Your turn.`;
  },
  turn(state) {
    const [active, hands] = [activeHand(state), state?.view.game.hands];
    return active && hands.length > 1 ? t`Hand ${hands.indexOf(active) + 1} is to play` : "";
  },
  // What the hands came to, in a player's words.
  ending(state) {
    const { hands: mine, dealer: theirs } = state.view.game;
    const against = totalOf(theirs).total > 21 ? t`the dealer busts` : t`the dealer has ${totalWords(theirs)}`;
    const own = ({ status, cards }) =>
      status === "natural" ? t`Blackjack` : status === "busted" ? t`Bust with ${totalWords(cards)}` : status === "surrendered" ? t`You gave up half` : t`You have ${totalWords(cards)}`;
    const said = mine.length > 1 ? t`Your hands: ${mine.map((hand) => totalWords(hand.cards)).join(", ")}` : own(mine[0]);
    return mine.every((hand) => ["busted", "surrendered"].includes(hand.status)) ? said : `${said}, ${against}`;
  },
};

const WORDS = { double: t`Double down`, insurance: t`Take insurance`, decline: t`No insurance`, even_money: t`Take even money` };

const labels = new Map(SPECS.map(({ bet, label }) => [bet, label]));

export default { layout: "circle", nameOf: (bet) => labels.get(bet), wordsFor: ({ type }) => WORDS[type], mount: (root, ctx) => mountCardTable(root, ctx, plan) };
