// Craps against the house: one seat, two dice, the full layout.
// Chips on the layout are what the state says; every gesture is sent at once.

import { chips, el, t } from "../lib/dom.js";
import { wordsOf } from "../common/craps-bets.js";
import { CrapsPlay } from "../common/craps-play.js";

export const css = ["craps.css"];

function mount(felt, ctx) {
  const root = felt.appendChild(el("div", {}));
  const isActive = () => play.state?.status === "active";
  const play = new CrapsPlay(ctx, {
    betsOf: (state) => state.view.game.bets ?? [],
    // A session that is over is followed by the next one with its first chip.
    isOpen: () => true,
    decided: (state, old) => state.view.game.money.lines.slice(old?.view.game.money.lines.length ?? 0),
    controls() {
      const list = [...play.bets].map(([bet, { stake }]) => ({ bet, stake }));
      const total = list.reduce((sum, { stake }) => sum + stake, 0);
      const roll = () => {
        if (!play.table.roll_count) ctx.memory.last = list.filter(({ bet }) => !bet.startsWith("odds_"));
        play.send(() => play.act("roll"));
      };
      // The bets of the last hand, and the roll, in one press.
      const isAgain = !list.length && play.lacks(ctx.memory.last);
      const again = () => play.send(() => play.act("batch", { bets: ctx.memory.last }));
      return [
        el("span", { class: "bet-total" }, t`On the table `, el("b", {}, chips(total))),
        play.button(t`Clear`, () => play.send(() => play.act("clear")), play.can("clear")),
        list.length
          ? play.button(t`Double`, () => play.double(), isActive())
          : play.button(t`Rebet`, () => play.place(ctx.memory.last), play.lacks(ctx.memory.last)),
        ...play.oddsButtons(),
        isAgain ? play.button(t`Roll again`, again, true, "primary") : play.button(t`Roll`, roll, play.can("roll"), "primary"),
      ];
    },
  });
  root.append(play.layout.element);
  play.render();
  return play.mounted(root);
}

export default { layout: "spots", nameOf: wordsOf, mount };
