// Decks of lanes: the rules for building one, and those that are kept in this browser.

import { t } from "../lib/dom.js";

export const DECK_SIZE = 15;
const LIMITS = { common: 2, rare: 1, token: 0 };
const KEY = "croupier.lanes.decks";

/** Return how many copies of a card a deck may have. */
export function copiesMax(card) {
  return LIMITS[card.tier] ?? 0;
}

/** Return what keeps a list of ids from being a deck, in sentences; none if it is one. The server checks it again. */
export function deckProblems(ids, cards) {
  const problems = [];
  if (ids.length !== DECK_SIZE) problems.push(t`A deck is ${DECK_SIZE} cards; this one has ${ids.length}.`);
  for (const id of new Set(ids)) {
    const card = cards.get(id);
    const count = ids.filter((one) => one === id).length;
    if (!card) problems.push(t`There is no card ${id}.`);
    else if (count > copiesMax(card)) problems.push(t`${card.name}: at most ${copiesMax(card)}.`);
  }
  return problems;
}

/** Return what may be unwise about a deck, in sentences. */
export function deckWarnings(ids, cards) {
  const known = ids.map((id) => cards.get(id)).filter(Boolean);
  const cheap = known.filter((card) => card.cost === 1).length;
  const warnings = [];
  if (cheap < 6) warnings.push(t`Only ${cheap} cards cost one pawn: the first turns may find nothing to play.`);
  if (!known.some((card) => /B3[PX]/.test(card.pattern)))
    warnings.push(t`No card puts a pawn straight ahead: lanes will be hard to enter.`);
  return warnings;
}

/** Return the decks kept in this browser: [{ name, cards }]. */
export function savedDecks() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((deck) => typeof deck?.name === "string" && Array.isArray(deck.cards)) : [];
  } catch {
    return []; // storage is off, or holds something else
  }
}

/** Keep a deck under its name, in place of one that had it. */
export function saveDeck(name, ids) {
  const others = savedDecks().filter((deck) => deck.name !== name);
  localStorage.setItem(KEY, JSON.stringify([...others, { name, cards: ids }]));
}

/** Forget a deck. */
export function dropDeck(name) {
  localStorage.setItem(KEY, JSON.stringify(savedDecks().filter((deck) => deck.name !== name)));
}
