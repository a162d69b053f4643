// Draws checked in the page: read from the bytes of each move's stream, and compared with what the table showed.
//
// A reader gets the game's state before and after a move and says what chance must have given: faces, pockets, or cards
// out of a sorted pack without those already seen. How bytes become faces and cards is the same for all games.

import { cardShort } from "../draw/cards.js";
import { sortedPack } from "./rng.js";

const added = (before, after) => (after ?? []).slice((before ?? []).length);

const dice = (faces) => ({ shown: faces.join(" "), draw: (rng) => faces.map(() => rng.rollDie()).join(" ") });
const spins = (pockets) => ({ shown: pockets.join(" "), draw: (rng) => pockets.map(() => rng.spinRoulette()).join(" ") });

/** Cards from a sorted pack: `burned` of them are drawn first and shown to nobody. */
function cards(found, { decks = 1, seen = [], burned = 0 } = {}) {
  return {
    shown: found.map(cardShort).join(" "),
    draw(rng) {
      const pack = sortedPack(decks, seen);
      for (let i = 0; i < burned; i += 1) rng.drawCard(pack);
      return found.map(() => cardShort(rng.drawCard(pack))).join(" ");
    },
  };
}

const lastRoll = (state) => (state.table?.history ?? []).at(-1) ?? null;

function crapsDice(before, after) {
  const roll = lastRoll(after);
  return roll && roll[0] !== lastRoll(before)?.[0] ? dice([roll[2], roll[3]]) : null;
}

function blackjack(before, after, action, options) {
  const decks = options.decks ?? 8;
  const seen = [...before.hands.flatMap((hand) => hand.cards), ...before.dealer];
  if (before.peeked || after.peeked) return undefined; // a peeked card is redrawn by a rule of its own
  if (!after.dealer.length) return null; // bets that are put down before the deal
  if (!before.dealer.length) return cards([...after.first, ...after.dealer], { decks });
  // The player's cards come first; a hand that is over with them has the dealer's drawn in the same move.
  const found = [...newInHands(before.hands, after.hands), ...added(before.dealer, after.dealer)];
  return found.length ? cards(found, { decks, seen }) : null;
}

function newInHands(before, after) {
  if (after.length > before.length) {
    const at = after.findIndex((hand, i) => hand.cards.join() !== before[i]?.cards.join());
    return [after[at].cards[1], after[at + 1].cards[1]];
  }
  return after.flatMap((hand, i) => hand.cards.slice(before[i].cards.length));
}

const READERS = {
  baccarat: (before, after) => {
    const [p, b] = [after.player, after.banker];
    if (!p.length || before.player.length) return null;
    return cards([p[0], p[1], b[0], b[1], ...p.slice(2), ...b.slice(2)], { decks: 8 });
  },
  blackjack,
  "casino-war": (before, after) => {
    const [p, d] = [added(before.player, after.player), added(before.dealer, after.dealer)];
    if (!p.length) return null;
    const seen = [...before.player, ...before.dealer];
    return cards([p[0], d[0]], { decks: 6, seen, burned: seen.length ? 3 : 0 });
  },
  craps: crapsDice,
  "craps-table": crapsDice,
  "hi-lo": (before, after) => (after.cards.length > (before?.cards.length ?? 0) ? cards([after.cards.at(-1)]) : null),
  roulette: (before, after) => {
    const pockets = added(before.pockets, after.pockets);
    return pockets.length ? spins(pockets) : null;
  },
  "shut-the-box": (before, after, action) => (action.type === "roll" ? dice(after.dice.filter(Boolean)) : null),
  "sic-bo": (before, after) => (after.dice.length && !before.dice.length ? dice(after.dice) : null),
  "three-card-poker": (before, after) => {
    if (after.player.length > before.player.length) return cards(after.player);
    return after.dealer.length > before.dealer.length ? cards(after.dealer, { seen: before.player }) : null;
  },
  "ultimate-texas-holdem": (before, after) => {
    const order = (state) => [...state.hole, ...state.board, ...state.dealer, ...state.extra];
    const seen = order(before);
    const found = order(after).slice(seen.length);
    return found.length ? cards(found, { seen }) : null;
  },
  "video-poker": (before, after) => {
    if (!before) return cards(after.dealt);
    const drawn = after.cards.filter((card, i) => card !== after.dealt[i]);
    return drawn.length ? cards(drawn, { seen: after.dealt }) : null;
  },
};

/** Games whose set-up draws, from the stream of move 0. */
const SETUP_DRAWS = new Set(["hi-lo", "video-poker"]);

/**
 * Return every draw of a match as { move, drawn, shown, ok }; null for a game or a round that only `croupier verify`
 * can read. `steps` are the views of all versions from 0 on; `open(move, seed)` opens the stream of a move.
 */
export function readDraws(record, steps, open) {
  const read = READERS[record.game_id];
  if (!read || steps.length !== record.actions.length + 1) return null;
  const found = [];
  const look = (move, before, after, action, seed) => {
    const expected = read(before, after, action, record.options);
    if (expected === undefined) return false;
    if (expected) {
      const drawn = expected.draw(open(move, seed));
      found.push({ move, drawn, shown: expected.shown, ok: drawn === expected.shown });
    }
    return true;
  };
  const game = (index) => steps[index].view.game;
  if (SETUP_DRAWS.has(record.game_id)) look(0, null, game(0), null, null);
  for (let index = 0; index < record.actions.length; index += 1) {
    const seed = record.seeds?.[index] || null;
    if (!look(index + 1, game(index), game(index + 1), record.actions[index], seed)) return null;
  }
  return found;
}
