// The hand of lanes: cards to choose from, or to mark for the mulligan.

import { el, show, t } from "../lib/dom.js";
import { keepFocus } from "../common/focus.js";
import { cardLabel, drawCost, drawPattern, factionOf } from "../draw/lanes-cards.js";

/** Return a small card for the hand or a list: cost, name, power, pattern. */
export function handCard(card, factions, attributes, ...more) {
  const faction = factionOf(card, factions);
  const button = el(
    "button",
    {
      type: "button",
      "aria-label": cardLabel(card, factions),
      title: card.text,
      ...attributes,
      class: `lanes-hand-card is-${card.tier} ${attributes.class ?? ""}`,
    },
    el("span", { class: "lanes-hand-head" }, drawCost(card), el("span", { class: "lanes-hand-power" }, String(card.power))),
    drawPattern(card, factions),
    el("span", { class: "lanes-hand-name" }, card.name),
    ...more,
  );
  button.style.setProperty("--faction", faction.colour);
  return button;
}

/** The viewer's hand. `onpick(index)` hears which card was chosen. */
export class HandOfCards {
  constructor(cards, factions, onpick) {
    this.cards = cards;
    this.factions = factions;
    this.onpick = onpick;
    this.element = el("div", { class: "lanes-hand", role: "group", "aria-label": t`Your hand` });
  }

  /** Show these ids; `chosen` are places that are marked, `dim` those that cannot be played, `word` what a mark means. */
  show(ids, { chosen = [], dim = [], isOff = false, word = "chosen" } = {}) {
    keepFocus(this.element, () => {
      show(
        this.element,
        ids.map((id, index) => {
          const card = this.cards.get(id);
          if (!card) return el("span", { class: "lanes-hidden" }, "?");
          const isChosen = chosen.includes(index);
          const state = [isChosen ? "is-chosen" : "", dim.includes(index) ? "is-dim" : ""].filter(Boolean).join(" ");
          return handCard(
            card,
            this.factions,
            {
              class: state,
              "aria-pressed": String(isChosen),
              "aria-disabled": isOff ? "true" : null,
              "aria-label": `${cardLabel(card, this.factions)}${isChosen ? t` Is ${word}.` : dim.includes(index) ? t` Has no tile now.` : ""}`,
              dataset: { key: `card-${index}`, card: String(index) },
              onclick: () => this.onpick(index),
            },
            isChosen && word !== "chosen" ? el("span", { class: "lanes-hand-mark", "aria-hidden": "true" }, word) : null,
          );
        }),
      );
    });
  }
}
