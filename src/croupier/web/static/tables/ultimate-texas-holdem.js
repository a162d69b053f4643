// Ultimate texas hold'em: your two cards, the board, the dealer's two, and one raise.

import { t } from "../lib/dom.js";
import { mountCardTable } from "../common/card-table.js";
import { sentence } from "../common/card-round.js";
import { beating, bestFive, bestFiveName, kickers } from "../draw/hand-names.js";

export const css = ["ultimate-texas-holdem.css"];

const ENDINGS = {
  folded: t`Folded.`,
  lost: t`The dealer wins.`,
  lost_unqualified: t`The dealer wins, and does not qualify: the Ante pushes.`,
  tied: t`A tie.`,
  won_unqualified: t`You win; the dealer does not qualify, so the Ante pushes.`,
  won: t`You win.`,
};
const MINE = {
  won: [t`win`, "good"],
  won_unqualified: [t`win`, "good"],
  tied: [t`tie`, "even"],
  lost: [t`lose`, "bad"],
  lost_unqualified: [t`lose`, "bad"],
  folded: [t`folded`, "bad"],
};
const THEIRS = { lost: [t`wins`, "good"], lost_unqualified: [t`wins`, "good"], won_unqualified: [t`does not qualify`, "even"] };
const ASKS = {
  preflop: t`Bet four or three times the Ante, or check.`,
  flop: t`Bet twice the Ante, or check.`,
  river: t`Bet the Ante once more, or fold.`,
  reveal: t`Bet. The dealer's turn.`,
};

// What a side has with the board, once there is a board.
function head(field, badges) {
  return (state) => {
    const { game } = state.view;
    const [badge, tone] = badges[game.outcome] ?? [];
    return { words: game.board.length ? sentence(bestFiveName([...game[field], ...game.board])) : "", badge, tone };
  };
}

// The five cards that count, of who wins: raised, the others step back.
function bestOf(state) {
  const { game } = state.view;
  const isTheirs = game.outcome?.startsWith("lost");
  return game.board.length === 5 && (isTheirs || game.hole.length) ? bestFive([...(isTheirs ? game.dealer : game.hole), ...game.board]) : null;
}
const placesOf = (field, isIn) => (state) => {
  const best = bestOf(state);
  if (!best || state.view.game.outcome === "folded") return [];
  return state.view.game[field].map((card, place) => (best.includes(card) === isIn ? place : -1)).filter((place) => place >= 0);
};
const inBest = (field) => placesOf(field, true);
const notIn = (field) => placesOf(field, false);

const plan = {
  id: "holdem",
  specs: [
    { bet: "ante", label: t`Ante`, kind: "opening", about: t`Ante; a Blind as large is laid with it` },
    { bet: "blind", label: t`Blind`, kind: "raise", mirrors: "ante" },
    { bet: "play", label: t`Play`, kind: "raise" },
    { bet: "trips", label: t`Trips`, kind: "side", about: t`Trips: your own hand is three of a kind or better` },
    { bet: "six_card", label: t`6 Card`, kind: "side", about: t`Six Card: your two cards and four extra ones` },
    { bet: "progressive", label: t`Progressive`, kind: "side", most: 1, about: t`Progressive: one chip on your two cards and the flop` },
  ],
  rows: [
    { key: "dealer", label: t`Dealer`, slots: 2, order: 3, isHidden: true, dim: notIn("dealer"), head: head("dealer", THEIRS) },
    { key: "board", label: t`Board`, slots: 5, order: 2, lit: inBest("board"), dim: notIn("board") },
    { key: "hole", label: t`You`, slots: 2, order: 1, lit: inBest("hole"), dim: notIn("hole"), head: head("hole", MINE) },
    { key: "extra", label: t`Extra cards (6 Card)`, slots: 0, order: 4, isOptional: true },
  ],
  line: (options) => options.dealer_qualifies === "always" ? t`The dealer always qualifies` : t`The dealer qualifies with a pair or better`,
  lay: (circles, step) => (circles.hasSides ? step("deal_with", circles.sides) : step("deal")),
  choices(state) {
    const on = (street, times) => (state.view.turn.phase === street ? times * state.view.game.stake : 0);
    return [
      { id: "play_4x", label: t`Play 4×`, cost: on("preflop", 4), key: "b", isPrimary: true },
      { id: "play_3x", label: t`Play 3×`, cost: on("preflop", 3), key: "t" },
      { id: "play_2x", label: t`Play 2×`, cost: on("flop", 2), key: "b", isPrimary: true },
      { id: "play_1x", label: t`Play 1×`, cost: on("river", 1), key: "b", isPrimary: true },
      { id: "check", label: t`Check`, key: "k" },
      { id: "fold", label: t`Fold`, key: "f" },
    ];
  },
  banner: (state) => ASKS[state.view.turn.phase] ?? "",
  ending(state) {
    const { game } = state.view;
    if (!/^(won|lost)/.test(game.outcome)) return ENDINGS[game.outcome];
    const hands = [game.hole, game.dealer].map((cards) => [...cards, ...game.board]);
    if (game.outcome.startsWith("lost")) hands.reverse();
    const [best, other] = hands.map(bestFiveName);
    const [kicker, lower] = (best === other && kickers(...hands)) || [];
    const pushes = game.outcome.endsWith("unqualified") ? t`; the dealer does not qualify, the Ante pushes` : "";
    return `${sentence(kicker ? t`${best}: ${kicker} kicker beats ${lower} kicker` : beating(best, other))}${pushes}`;
  },
};

const MULTIPLES = { play_4x: t`Bet 4× the Ante`, play_3x: t`Bet 3× the Ante`, play_2x: t`Bet 2× the Ante`, play_1x: t`Bet 1× the Ante` };

export default { layout: "circle", wordsFor: ({ type }) => MULTIPLES[type], mount: (root, ctx) => mountCardTable(root, ctx, plan) };
