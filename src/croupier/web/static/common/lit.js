// Super mode: the cards, totals or numbers that were lit, and their multipliers, shown with the result.

import { el, t } from "../lib/dom.js";
import { cardShort } from "../draw/cards.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const NAMES = [(id) => cardShort(id), (id) => String(id), (id) => String(id), (id) => RANKS[id % 13], (id) => "♠♥♦♣"[id]];

/** Return the lit cards, ranks or suits of a finished session with their multipliers, or null. */
export function drawLit(state) {
  const lit = state?.view.game.lit ?? [];
  if (!lit.length) return null;
  return el(
    "p",
    { class: "table-lit" },
    t`Lit: `,
    lit.map((one) => el("span", { class: "table-lit-one" }, NAMES[one.kind](one.id), one.multiplier > 1 ? ` ×${one.multiplier}` : "")),
  );
}
