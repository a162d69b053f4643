// Craps against the house: one seat, two dice, the full layout. Chips on the layout are what the state says; every
// gesture is sent at once.

import { chips, el } from "../lib/dom.js";
import { CrapsPlay } from "../common/craps-play.js";

export const css = ["spots.css", "craps.css"];

function mount(felt, ctx) {
  const root = felt.appendChild(el("div", {}));
  const isActive = () => play.state?.status === "active";
  const play = new CrapsPlay(ctx, {
    betsOf: (state) => state.view.game.bets ?? [],
    // A session that is over is followed by the next one with its first chip.
    isOpen: () => true,
    async begin() {
      if (!isActive()) await play.update(await ctx.begin({}), play.state);
    },
    decided: (state, old) => state.view.game.money.lines.slice(old.view.game.money.lines.length),
    controls() {
      const list = [...play.bets].map(([bet, { stake }]) => ({ bet, stake }));
      const total = list.reduce((sum, { stake }) => sum + stake, 0);
      const roll = () => {
        if (!play.table.roll_count) ctx.memory.last = list.filter(({ bet }) => !bet.startsWith("odds_"));
        play.send(() => play.act("roll"));
      };
      return [
        el("span", { class: "bet-total" }, "On the table ", el("b", {}, chips(total))),
        play.button("Clear", () => play.send(() => play.act("clear")), play.can("clear")),
        play.button("Rebet", () => play.place(ctx.memory.last), play.lacks(ctx.memory.last)),
        play.button("Double", () => play.double(), list.length > 0 && isActive()),
        ...play.oddsButtons(),
        play.button("Roll", roll, play.can("roll"), "primary"),
      ];
    },
  });
  root.append(play.layout.element);
  play.render();
  return {
    update: (state, before) => play.update(state, before),
    headline: () => play.headline(),
    lines: () => play.decided,
    destroy() {
      play.destroy();
      root.remove();
    },
  };
}

export default { layout: "spots", mount };
