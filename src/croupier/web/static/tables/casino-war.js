// Casino war: one card each, and a war where they are equal.

import { signed } from "../common/card-round.js";
import { cardShort } from "../draw/cards.js";
import { mountCardTable } from "../common/card-table.js";

export const css = ["card-table.css", "casino-war.css"];

const BADGES = {
  won: { badge: "higher", tone: "good" },
  war_won: { badge: "win the war", tone: "good" },
  war_tied: { badge: "tied again: you win", tone: "good" },
  lost: { badge: "lower", tone: "bad" },
  war_lost: { badge: "lost the war", tone: "bad" },
  tied: { badge: "a tie", tone: "even" },
  surrendered: { badge: "surrendered", tone: "even" },
};
const DEALER_BADGES = { lost: { badge: "higher", tone: "good" }, war_lost: { badge: "wins the war", tone: "good" } };

const plan = {
  id: "casino-war",
  specs: [
    { bet: "main", label: "Main bet", kind: "opening" },
    { bet: "raise", label: "Raise", kind: "raise", hint: "war" },
    { bet: "tie", label: "Tie", kind: "side", about: "Tie: the first two cards have one rank" },
  ],
  rows: [
    { key: "dealer", label: "Dealer", slots: 1, order: 2, head: (state) => DEALER_BADGES[state.view.game.outcome] },
    { key: "player", label: "You", slots: 1, order: 1, head: (state) => BADGES[state.view.game.outcome] },
  ],
  line: (options) =>
    `Tie pays ${options.tie_pays ?? 10} to 1 · Ace is high${options.second_tie_bonus === false ? "" : " · A second tie pays a bonus"}`,
  async lay(circles, step) {
    const { tie } = circles.sides;
    if (tie) await step("tie_bet", { stake: tie });
    await step("play");
  },
  choices: (state) => [
    { id: "war", label: "Go to war", note: signed(state.view.game.stake), key: "w", isPrimary: true },
    { id: "surrender", label: "Surrender", note: "half back", key: "s" },
  ],
  banner: () => "A tie! Surrender half, or go to war?",
  ending(state) {
    const { game } = state.view;
    const [mine, theirs] = [cardShort(game.player.at(-1)), cardShort(game.dealer.at(-1))];
    const words = {
      won: `Your ${mine} beats ${theirs}`,
      lost: `The dealer's ${theirs} beats ${mine}`,
      war_won: `War! Your ${mine} beats ${theirs}`,
      war_tied: `War! ${mine} and ${theirs} tie again: you win`,
      war_lost: `War! The dealer's ${theirs} beats ${mine}`,
      surrendered: "You gave up half",
    };
    return words[game.outcome];
  },
};

export default { layout: "circle", mount: (root, ctx) => mountCardTable(root, ctx, plan) };
