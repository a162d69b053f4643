// Shut the Box offline: `Game` over the rules in WebAssembly (`croupier.games.shut_the_box.rules`), once `init` is done.
// The server plays by the same Python, and a seed rolls what `SoloBox` rolls from it.

const TILES = 9;
const EACH = Array.from({ length: TILES }, (_, i) => i + 1);
const HIGH_TILES_DOWN = 0n; // one die once 7, 8 and 9 are down
const SUM = 0n; // scored by the sum of what is up
const STREAM_SIZE = 112; // as tools/wasm/streams.py has it

let rules = null;

/** Load the module: from beside this file, from another address, or from its bytes. Doing so again changes nothing. */
export default async function init(source = new URL("./shut-the-box.wasm", import.meta.url)) {
  if (rules) return;
  const bytes = source instanceof URL || typeof source === "string" ? await read(String(source)) : source;
  rules ??= (await WebAssembly.instantiate(bytes, {})).instance.exports;
}

async function read(address) {
  if (address.startsWith("file:")) return (await import("node:fs/promises")).readFile(new URL(address));
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.arrayBuffer();
}

function seedBytes(seed) {
  if (seed === undefined) return crypto.getRandomValues(new Uint8Array(32));
  if (seed instanceof Uint8Array) return Uint8Array.from(seed);
  const isWhole = typeof seed === "bigint" || Number.isSafeInteger(seed);
  if (!isWhole || seed < 0 || BigInt(seed) >= 1n << 64n) throw new RangeError("a seed is bytes, or a whole number below 2 ** 64");
  return Uint8Array.from({ length: 8 }, (_, i) => Number((BigInt(seed) >> BigInt(56 - 8 * i)) & 255n));
}

function roll(seed, session, number, dice) {
  const stream = rules.heap.value;
  const at = stream + 8 * STREAM_SIZE;
  const missing = at + 8 * seed.length - rules.memory.buffer.byteLength;
  if (missing > 0) rules.memory.grow(Math.ceil(missing / 65536));
  new BigInt64Array(rules.memory.buffer, at, seed.length).set([...seed].map(BigInt));
  rules.open_stream(stream, STREAM_SIZE, at, seed.length, BigInt(session), BigInt(number));
  return rules.roll(stream, STREAM_SIZE, dice).map(Number);
}

export class Game {
  #seed; #board; #dice; #sum; #isOver; #rolls; #session = -1;

  /** A box with all nine tiles up. A seed (bytes, or a whole number below 2 ** 64) fixes every roll. */
  constructor(seed) {
    if (!rules) throw new Error("await init() first: the rules are not loaded");
    this.#seed = seedBytes(seed);
    this.reset();
  }

  /** A new game. The seed stays, and the dice are those of its next session. */
  reset() {
    this.#board = rules.full_board(BigInt(TILES));
    [this.#dice, this.#sum, this.#isOver, this.#rolls, this.#session] = [[0, 0], 0, false, 0, this.#session + 1];
  }

  get_tiles() {
    return Uint8Array.from(EACH, (tile) => Number(rules.tile_up(this.#board, BigInt(tile))));
  }

  get_score() {
    return Number(rules.board_score(this.#board, SUM));
  }

  get_current_sum() {
    return this.#sum;
  }

  is_game_over() {
    return this.#isOver;
  }

  /** Roll two dice while a tile of 7 or more is up, else one; the second value of one die is 0. */
  roll_dice() {
    if (!this.#isOver) this.#show(roll(this.#seed, this.#session, (this.#rolls += 1), rules.dice_min(this.#board, HIGH_TILES_DOWN)));
    return Uint8Array.from(this.#dice);
  }

  /** Put down dice that were thrown elsewhere; (d, 0) is one die, (0, 0) takes the dice away. */
  set_dice_values(first, second) {
    const isDie = (value) => Number.isInteger(value) && value >= 0 && value <= 6;
    if (!isDie(first) || !isDie(second) || (first === 0 && second > 0)) throw new RangeError("a die shows 1 to 6, and 0 stands for no die");
    this.#show([first, second]);
  }

  #show(dice) {
    this.#dice = dice;
    this.#sum = dice[0] + dice[1];
    if (this.#sum > 0 && !rules.can_make(this.#board, BigInt(this.#sum))) this.#isOver = true;
  }

  /** Every set of tiles that may be shut now, in the order of the rules. */
  valid_moves() {
    const found = [];
    if (this.#isOver || this.#sum === 0) return found;
    for (let mask; (mask = rules.set_at(this.#board, BigInt(this.#sum), BigInt(found.length))) !== 0n; ) found.push(EACH.filter((tile) => rules.tile_up(mask, BigInt(tile))));
    return found;
  }

  is_valid_move(tiles) {
    return this.#validMask(tiles) !== 0n;
  }

  make_move(tiles) {
    const mask = this.#validMask(tiles);
    if (mask === 0n) return false;
    this.#board ^= mask;
    this.#sum = 0;
    this.#isOver = this.#board === 0n;
    return true;
  }

  /** Lower one tile by hand, whatever the dice say. This is no move: total and end of the game stay. */
  flip_tile(tile) {
    const mask = maskOf([tile]) & this.#board;
    this.#board ^= mask;
    return mask !== 0n;
  }

  #validMask(tiles) {
    const mask = this.#isOver || this.#sum === 0 ? 0n : maskOf([...tiles]);
    return (mask & this.#board) === mask && rules.board_score(mask, SUM) === BigInt(this.#sum) ? mask : 0n;
  }
}

/** The tiles as a number with a bit for each; 0 if one is named twice or is no tile. */
function maskOf(tiles) {
  const areTiles = tiles.every((tile) => Number.isInteger(tile) && tile >= 1 && tile <= TILES) && new Set(tiles).size === tiles.length;
  return areTiles ? tiles.reduce((mask, tile) => mask | (1n << BigInt(tile - 1)), 0n) : 0n;
}
