// GameRng: the stream of one move, and every draw that croupier makes from it. The same bytes as in Python.

import { fromHex, joinBytes, sha256 } from "./sha256.js";

const U32_MAX = 4294967295;

export class GameRng {
  /** The stream of a move: `seed` is bytes or hex, `sessionId` a number, BigInt or decimal text. */
  constructor(seed, sessionId, moveNumber) {
    const place = new DataView(new ArrayBuffer(12));
    place.setBigUint64(0, BigInt(sessionId));
    place.setUint32(8, moveNumber);
    const bytes = typeof seed === "string" ? fromHex(seed) : seed;
    this.block = sha256(joinBytes(bytes, new Uint8Array(place.buffer)));
    this.index = 0;
    this.used = 0;
  }

  /** A stream that goes on with a block of 32 bytes. */
  static fromState(block) {
    const rng = Object.create(GameRng.prototype);
    return Object.assign(rng, { block: typeof block === "string" ? fromHex(block) : block, index: 0, used: 0 });
  }

  nextU8() {
    if (this.index >= 32) {
      this.block = sha256(this.block);
      this.index = 0;
    }
    this.used += 1;
    this.index += 1;
    return this.block[this.index - 1];
  }

  nextU32() {
    let value = 0;
    for (let i = 0; i < 4; i += 1) value = value * 256 + this.nextU8();
    return value;
  }

  nextU64() {
    return (BigInt(this.nextU32()) << 32n) | BigInt(this.nextU32());
  }

  nextF32() {
    return ((this.nextU8() << 16) | (this.nextU8() << 8) | this.nextU8()) / 16777216;
  }

  fillBytes(count) {
    return Uint8Array.from({ length: count }, () => this.nextU8());
  }

  // 255 and 2^32 - 1, not 256 and 2^32: that is how the published streams are made.
  nextBounded(m) {
    if (m < 1) return 0;
    if (m > 255) throw new RangeError("nextBounded takes at most 255");
    const limit = 255 - (255 % m);
    let value = this.nextU8();
    while (value >= limit) value = this.nextU8();
    return value % m;
  }

  nextBoundedU32(m) {
    if (m < 1) return 0;
    const limit = U32_MAX - (U32_MAX % m);
    let value = this.nextU32();
    while (value >= limit) value = this.nextU32();
    return value % m;
  }

  nextBoundedUsize(m) {
    return m <= 255 ? this.nextBounded(m) : this.nextBoundedU32(Math.min(m, U32_MAX));
  }

  rollDie(sides = 6) {
    return this.nextBoundedUsize(sides) + 1;
  }

  spinRoulette() {
    return this.nextBounded(37);
  }

  /** Shuffle an array in place, from the top down. */
  shuffle(items) {
    for (let i = items.length - 1; i > 0; i -= 1) {
      const j = this.nextBoundedUsize(i + 1);
      [items[i], items[j]] = [items[j], items[i]];
    }
    return items;
  }

  /** Take a card out of a pack: a fresh place, which the last card then fills. */
  drawCard(pack) {
    const place = this.nextBoundedUsize(pack.length);
    const card = pack[place];
    pack[place] = pack[pack.length - 1];
    pack.pop();
    return card;
  }

  createDeck() {
    return this.createShoe(1);
  }

  createShoe(decks) {
    return this.shuffle(Array.from({ length: 52 * Math.max(decks, 1) }, (_, place) => place % 52));
  }

  /** The deck without some cards; one named twice is gone once, and what is no card is ignored. */
  createDeckExcluding(cards) {
    return this.shuffle(sortedPack(1).filter((card) => !cards.includes(card)));
  }

  /** Several decks less some cards: each mention takes one copy out, and what is no card is ignored. */
  createShoeExcluding(cards, decks) {
    return this.shuffle(sortedPack(Math.max(decks, 1), cards.filter((card) => card >= 0 && card < 52)));
  }

  createShoeExcludingCounts(counts, decks) {
    return this.createShoeExcluding(counts.flatMap((count, card) => Array(count).fill(card)), decks);
  }
}

/** Return `decks` packs of 52, equal cards side by side, without the cards of `without`, each taken out once. */
export function sortedPack(decks, without = []) {
  const pack = Array.from({ length: 52 * decks }, (_, place) => Math.floor(place / decks));
  for (const card of without) {
    const place = pack.indexOf(card);
    if (place >= 0) pack.splice(place, 1); // more copies than there are take out what there is
  }
  return pack;
}
