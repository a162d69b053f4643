// The buttons between rounds that the card tables share: deal, clear, rebet, double.

import { chips, t } from "../lib/dom.js";

/** Return the choices before a round. `deal` begins it with the bets in the circles. */
export function bettingChoices(circles, ctx, deal, verb = t`Deal`) {
  if (!ctx.begin) return []; // a round that is looked at, not played
  const isReady = circles.opening > 0 && !circles.problem;
  return [
    {
      id: "deal",
      label: verb,
      note: isReady ? chips(circles.total) : circles.opening > 0 ? t`more than you have` : t`place a bet`,
      key: "n",
      isPrimary: true,
      isOff: !isReady,
      run: async () => {
        circles.remember();
        await deal();
      },
    },
    { id: "clear", label: t`Clear`, key: "c", isQuiet: true, isOff: circles.total === 0, run: () => circles.clear() },
    circles.total === 0 && ctx.memory.cleared
      ? { id: "rebet", label: t`Rebet`, key: "r", isQuiet: true, run: () => circles.rebet() }
      : { id: "double-bets", label: t`Double`, key: "x", isQuiet: true, isOff: !isReady, run: () => circles.double() },
  ];
}
