// Three card poker: your three cards against the dealer's, with an Ante, Play and three side bets.

import { t } from "../lib/dom.js";
import { sentence } from "../common/card-round.js";
import { mountCardTable } from "../common/card-table.js";
import { beating, threeCardName } from "../draw/hand-names.js";

export const css = ["three-card-poker.css"];

const ENDINGS = { folded: t`Folded.`, not_qualified: t`The dealer does not qualify.`, won: t`You win.`, tied: t`A tie.`, lost: t`The dealer wins.` };
const MINE = {
  won: [t`win`, "good"],
  not_qualified: [t`win the Ante`, "good"],
  tied: [t`tie`, "even"],
  lost: [t`lose`, "bad"],
  folded: [t`folded`, "bad"],
};
const THEIRS = { lost: [t`wins`, "good"], not_qualified: [t`does not qualify`, "even"] };

function head(field, badges) {
  return (state) => {
    const [badge, tone] = badges[state.view.game.outcome] ?? [];
    return { words: sentence(threeCardName(state.view.game[field])), badge, tone };
  };
}

const plan = {
  id: "three-card-poker",
  specs: [
    { bet: "ante", label: t`Ante`, kind: "opening" },
    { bet: "play", label: t`Play`, kind: "raise" },
    { bet: "pair_plus", label: t`Pair Plus`, kind: "side", about: t`Pair Plus: your own cards are a pair or better` },
    { bet: "six_card", label: t`6 Card`, kind: "side", about: t`Six Card: three of a kind or better in your cards and the dealer's` },
    { bet: "progressive", label: t`Progressive`, kind: "side", most: 1, about: t`Progressive: one chip on a straight or better` },
  ],
  rows: [
    { key: "dealer", label: t`Dealer`, slots: 3, order: 2, isHidden: true, head: head("dealer", THEIRS) },
    { key: "player", label: t`You`, slots: 3, order: 1, head: head("player", MINE) },
  ],
  line: (options) => options.qualifier === "q64" ? t`The dealer qualifies with Q-6-4 or better` : t`The dealer qualifies with a queen or better`,
  lay: (circles, step) => (circles.hasSides ? step("deal_with", circles.sides) : step("deal")),
  choices: (state) => [
    { id: "play", label: t`Play`, cost: state.view.game.stake, key: "p", isPrimary: true },
    { id: "fold", label: t`Fold`, note: t`the Ante is lost`, key: "f" },
  ],
  banner: (state) => (state.view.turn.phase === "reveal" ? t`Played. The dealer's turn.` : t`Play, or fold?`),
  ending(state) {
    const { game } = state.view;
    const [mine, theirs] = [threeCardName(game.player), game.dealer.length ? threeCardName(game.dealer) : ""];
    if (game.outcome === "won") return sentence(beating(mine, theirs));
    if (game.outcome === "lost") return sentence(beating(theirs, mine));
    return ENDINGS[game.outcome];
  },
};

export default { layout: "circle", mount: (root, ctx) => mountCardTable(root, ctx, plan) };
