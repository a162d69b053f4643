// Rows of cards. Cards that lie there already stay; new ones are dealt, one after the other.

import { el } from "../lib/dom.js";
import { drawCard } from "../draw/cards.js";

const STEP_MS = 140;
const LONGEST_MS = 1100;

/** A row of cards with a label for those who listen. `slots` is how many places are marked out before cards come. */
export class CardsRow {
  constructor(label, { slots = 0, kind = "" } = {}) {
    this.element = el("div", { class: `cards-row ${kind}`.trim(), role: "group", "aria-label": label });
    this.slots = slots;
    this.shown = [];
    this.show([]);
  }

  set label(text) {
    this.element.setAttribute("aria-label", text);
  }

  /**
   * Show these cards; null is one face down. With `isDealt` the cards that were not there come in one by one, the first
   * of them after `after` milliseconds. Returns when the last of them lies, in milliseconds.
   */
  show(cards, { isDealt = false, after = 0, lit = [], dim = [] } = {}) {
    let kept = 0;
    while (kept < cards.length && kept < this.shown.length && this.shown[kept] === cards[kept]) kept += 1;
    const old = [...this.element.children].slice(kept);
    for (const one of old) one.remove();
    let at = after;
    cards.slice(kept).forEach((card, place) => {
      const drawn = drawCard(card);
      const isTurned = this.shown[kept + place] === null && card !== null;
      const isMoved = isDealt && this.element.isConnected;
      // A card that lay there face down lies there until it is turned, others come from the shoe.
      if (isMoved && isTurned) setTimeout(() => old[place].replaceWith(drawn), at);
      if (isMoved) drawn.classList.add(isTurned ? "is-turned" : "is-dealt");
      if (isMoved && !isTurned) drawn.style.animationDelay = `${at}ms`;
      if (isMoved) at = Math.min(at + STEP_MS, LONGEST_MS);
      this.element.append(isMoved && isTurned ? old[place] : drawn);
    });
    for (let empty = cards.length; empty < this.slots; empty += 1) {
      this.element.append(el("span", { class: "card-slot", "aria-hidden": "true" }));
    }
    this.shown = [...cards];
    [...this.element.children].forEach((child, place) => {
      child.classList.toggle("is-lit", lit.includes(place));
      child.classList.toggle("is-dim", dim.includes(place));
    });
    this.element.classList.toggle("is-empty", cards.length === 0 && this.slots === 0);
    return at;
  }
}
