// Casino war: one card each, and a war where they are equal.

import { t } from "../lib/dom.js";
import { cardShort } from "../draw/cards.js";
import { mountCardTable } from "../common/card-table.js";

export const css = ["casino-war.css"];

const BADGES = {
  won: { badge: t`higher`, tone: "good" },
  war_won: { badge: t`win the war`, tone: "good" },
  war_tied: { badge: t`tied again: you win`, tone: "good" },
  lost: { badge: t`lower`, tone: "bad" },
  war_lost: { badge: t`lost the war`, tone: "bad" },
  tied: { badge: t`a tie`, tone: "even" },
  surrendered: { badge: t`surrendered`, tone: "even" },
};
const DEALER_BADGES = { lost: { badge: t`higher`, tone: "good" }, war_lost: { badge: t`wins the war`, tone: "good" } };

const plan = {
  id: "casino-war",
  specs: [
    { bet: "main", label: t`Main bet`, kind: "opening" },
    { bet: "raise", label: t`Raise`, kind: "raise", hint: "war" },
    { bet: "tie", label: t`Tie`, kind: "side", about: t`Tie: the first two cards have one rank` },
  ],
  rows: [
    { key: "dealer", label: t`Dealer`, slots: 1, order: 2, head: (state) => DEALER_BADGES[state.view.game.outcome] },
    { key: "player", label: t`You`, slots: 1, order: 1, head: (state) => BADGES[state.view.game.outcome] },
  ],
  line: (options) =>
    t`Tie pays ${options.tie_pays ?? 10} to 1 · Ace is high${options.second_tie_bonus === false ? "" : t` · A second tie pays a bonus`}`,
  async lay(circles, step) {
    const { tie } = circles.sides;
    if (tie) await step("tie_bet", { stake: tie });
    await step("play");
  },
  choices: (state) => [
    { id: "war", label: t`Go to war`, cost: state.view.game.stake, key: "w", isPrimary: true },
    { id: "surrender", label: t`Surrender`, note: t`half back`, key: "s" },
  ],
  banner: () => t`A tie! Surrender half, or go to war?`,
  ending(state) {
    const { game } = state.view;
    const [mine, theirs] = [cardShort(game.player.at(-1)), cardShort(game.dealer.at(-1))];
    const words = {
      won: t`Your ${mine} beats ${theirs}`,
      lost: t`The dealer's ${theirs} beats ${mine}`,
      war_won: t`War! Your ${mine} beats ${theirs}`,
      war_tied: t`War! ${mine} and ${theirs} tie again: you win`,
      war_lost: t`War! The dealer's ${theirs} beats ${mine}`,
      surrendered: t`You gave up half`,
    };
    return words[game.outcome];
  },
};

export default { layout: "circle", mount: (root, ctx) => mountCardTable(root, ctx, plan) };
