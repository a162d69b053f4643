// Names of poker hands, for the eye. Nothing is decided by them: who wins and what is paid comes from the server.

import { t } from "../lib/dom.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const WORDS = [t`two`, t`three`, t`four`, t`five`, t`six`, t`seven`, t`eight`, t`nine`, t`ten`, t`jack`, t`queen`, t`king`, t`ace`];

// Ranks count from 2 to 14: the ace is high, and low in a straight to the five or the three.
const rankOf = (card) => (card % 13 === 0 ? 14 : (card % 13) + 1);
const suitOf = (card) => Math.floor(card / 13);
const word = (rank) => WORDS[rank - 2];
const letter = (rank) => RANKS[(rank - 1) % 13];
const many = (rank) => (rank === 6 ? "sixes" : `${word(rank)}s`);

// Ranks by how often they are there, then by height: [[rank, count], …].
function grouped(cards) {
  const counts = new Map();
  for (const rank of cards.map(rankOf)) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1] || other[0] - one[0]);
}

/** Return the highest card of a straight of `length` among these ranks, or 0. */
function straightTop(ranks, length) {
  const there = new Set(ranks);
  if (there.has(14)) there.add(1);
  for (let top = 14; top >= length; top -= 1) {
    if (Array.from({ length }, (_, step) => top - step).every((rank) => there.has(rank))) return top;
  }
  return 0;
}

/** Return that one hand beats another, by their names: "three sixes beat a pair of kings". */
export function beating(best, other) {
  return /^(three|four) /.test(best) ? t`${best} beat ${other}` : t`${best} beats ${other}`;
}

/** Return what three cards are called: "a pair of sixes, ace kicker". */
export function threeCardName(cards) {
  const ranks = cards.map(rankOf).sort((one, other) => other - one);
  const isFlush = new Set(cards.map(suitOf)).size === 1;
  const groups = grouped(cards);
  const top = straightTop(ranks, 3);
  const listed = ranks.map(letter).join("-");
  if (top) return t`a straight${isFlush ? t` flush` : ""} to the ${word(top)}`;
  if (groups[0][1] === 3) return t`three ${many(groups[0][0])}`;
  if (isFlush) return t`a flush, ${listed}`;
  if (groups[0][1] === 2) return t`a pair of ${many(groups[0][0])}, ${word(groups[1][0])} kicker`;
  return t`${listed} high`;
}

/** Return what the best five of five to seven cards are called: "two pair, jacks and fives". */
export function bestFiveName(cards) {
  const groups = grouped(cards);
  const [first, second] = groups;
  const suit = [0, 1, 2, 3].find((one) => cards.filter((card) => suitOf(card) === one).length >= 5);
  const suited = suit === undefined ? [] : cards.filter((card) => suitOf(card) === suit).map(rankOf);
  const flushTop = straightTop(suited, 5);
  if (flushTop === 14) return t`a royal flush`;
  if (flushTop) return t`a straight flush to the ${word(flushTop)}`;
  if (first[1] === 4) return t`four ${many(first[0])}`;
  if (first[1] === 3 && second?.[1] >= 2) return t`a full house, ${many(first[0])} over ${many(fullOf(groups))}`;
  if (suited.length) return t`a flush, ${word(Math.max(...suited))} high`;
  const top = straightTop(cards.map(rankOf), 5);
  if (top) return t`a straight to the ${word(top)}`;
  if (first[1] === 3) return t`three ${many(first[0])}`;
  if (first[1] === 2 && second?.[1] === 2) return t`two pair, ${many(first[0])} and ${many(second[0])}`;
  if (first[1] === 2) return t`a pair of ${many(first[0])}`;
  return t`${word(first[0])} high`;
}

// The pair of a full house: the highest rank that is there twice or more, besides the three.
function fullOf(groups) {
  return Math.max(...groups.slice(1).filter(([, count]) => count >= 2).map(([rank]) => rank));
}

// How high five cards are: the kind of hand, then ranks by how often they are there and by height. For the eye alone.
function heightOf(cards) {
  const ranks = cards.map(rankOf);
  const groups = grouped(cards);
  const isFlush = new Set(cards.map(suitOf)).size === 1;
  const top = straightTop(ranks, 5);
  const kind = groups.map(([, count]) => count).join("");
  const kinds = { 41: 7, 32: 6, 311: 3, 221: 2, 2111: 1 };
  const height = isFlush && top ? 8 : Math.max(kinds[kind] ?? 0, isFlush ? 5 : 0, top ? 4 : 0);
  return [height, ...(top ? [top] : groups.map(([rank]) => rank))];
}

/** Return the cards that decide between two hands of the same name: ["king", "ten"]; null where nothing does. */
export function kickers(best, other) {
  const [mine, theirs] = [best, other].map((cards) => heightOf(bestFive(cards)));
  const at = mine.findIndex((rank, place) => rank !== theirs[place]);
  return at > 0 ? [word(mine[at]), word(theirs[at])] : null;
}

/** Return the five of five to seven cards that make the best hand. */
export function bestFive(cards) {
  let best = null;
  for (let skip = 0; skip < 2 ** cards.length; skip += 1) {
    const five = cards.filter((_, place) => !(skip & (1 << place)));
    if (five.length !== 5) continue;
    const height = heightOf(five);
    const at = best ? height.findIndex((value, place) => value !== best.height[place]) : 0;
    if (!best || (at >= 0 && height[at] > (best.height[at] ?? 0))) best = { five, height };
  }
  return best?.five ?? null;
}
