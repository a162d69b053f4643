// Three card poker: your three cards against the dealer's, with an Ante, Play and three side bets.

import { chips } from "../lib/dom.js";
import { sentence } from "../common/card-round.js";
import { mountCardTable } from "../common/card-table.js";
import { threeCardName } from "../draw/hand-names.js";

export const css = ["card-table.css", "three-card-poker.css"];

const ENDINGS = {
  folded: "Folded.",
  not_qualified: "The dealer does not qualify.",
  won: "You win.",
  tied: "A tie.",
  lost: "The dealer wins.",
};
const MINE = {
  won: ["win", "good"],
  not_qualified: ["win the Ante", "good"],
  tied: ["tie", "even"],
  lost: ["lose", "bad"],
  folded: ["folded", "bad"],
};
const THEIRS = { lost: ["wins", "good"], not_qualified: ["does not qualify", "even"] };

function head(field, badges) {
  return (state) => {
    const [badge, tone] = badges[state.view.game.outcome] ?? [];
    return { words: sentence(threeCardName(state.view.game[field])), badge, tone };
  };
}

const plan = {
  id: "three-card-poker",
  specs: [
    { bet: "ante", label: "Ante", kind: "opening" },
    { bet: "play", label: "Play", kind: "raise" },
    { bet: "pair_plus", label: "Pair Plus", kind: "side", about: "Pair Plus: your own cards are a pair or better" },
    {
      bet: "six_card",
      label: "6 Card",
      kind: "side",
      about: "Six Card: three of a kind or better in your cards and the dealer's",
    },
    {
      bet: "progressive",
      label: "Progressive",
      kind: "side",
      most: 1,
      about: "Progressive: one chip on a straight or better",
    },
  ],
  rows: [
    { key: "dealer", label: "Dealer", slots: 3, order: 2, isHidden: true, head: head("dealer", THEIRS) },
    { key: "player", label: "You", slots: 3, order: 1, head: head("player", MINE) },
  ],
  line: (options) =>
    options.qualifier === "q64"
      ? "The dealer qualifies with Q-6-4 or better"
      : "The dealer qualifies with a queen or better",
  lay: (circles, step) => (circles.hasSides ? step("deal_with", circles.sides) : step("deal")),
  choices: (state) => [
    { id: "play", label: "Play", note: `+${chips(state.view.game.stake)}`, key: "p", isPrimary: true },
    { id: "fold", label: "Fold", note: "the Ante is lost", key: "f" },
  ],
  banner: (state) => (state.view.turn.phase === "reveal" ? "Played. The dealer's turn." : "Play, or fold?"),
  ending(state) {
    const { game } = state.view;
    const [mine, theirs] = [sentence(threeCardName(game.player)), game.dealer.length ? threeCardName(game.dealer) : ""];
    if (game.outcome === "won") return `${mine} beats ${theirs}`;
    if (game.outcome === "lost") return `${sentence(theirs)} beats ${threeCardName(game.player)}`;
    return ENDINGS[game.outcome];
  },
};

export default { layout: "circle", mount: (root, ctx) => mountCardTable(root, ctx, plan) };
