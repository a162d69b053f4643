// Moves a second through boardgame.io's local client, playing the whole games of tic_tac_toe.json.
//
//     node dispatch.mjs [REPEATS]
//
// prints one JSON object. Wherever there is a choice, it is the one that is cheaper for boardgame.io:
// production mode (no check that the state serialises), no debug panel, no subscriber, no undo stack, and one client
// that is reset between games. A reset is well under 1 % of a game; a new client a game measured slower.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { deepStrictEqual } from "node:assert";

// The library reads this when it loads, so it is set first and the library loaded by hand after it.
process.env.NODE_ENV = "production";
const require = createRequire(import.meta.url);
const { Client } = require("boardgame.io/client");
const { INVALID_MOVE } = require("boardgame.io/core");

const WARM_UP_MS = 2000;
const MEASURE_MS = 1000;
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

const ticTacToe = {
  name: "tic-tac-toe",
  disableUndo: true,
  setup: () => ({ cells: new Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell({ G, playerID }, cell) {
      if (G.cells[cell] !== null) return INVALID_MOVE;
      G.cells[cell] = playerID;
    },
  },
  endIf({ G: { cells } }) {
    for (const [a, b, c] of LINES) {
      if (cells[a] !== null && cells[a] === cells[b] && cells[a] === cells[c]) return { winner: cells[a] };
    }
    if (!cells.includes(null)) return { draw: true };
  },
};

/** Plays every game once; returns how many moves that was. */
function playAll(client, games) {
  let moves = 0;
  for (const { cells } of games) {
    client.reset();
    for (const cell of cells) client.moves.clickCell(cell);
    moves += cells.length;
  }
  return moves;
}

/** Plays all games over and over for at least `duration` ms; returns moves a second, rounded. */
function measure(client, games, duration) {
  const start = performance.now();
  let moves = 0;
  let elapsed = 0;
  while (elapsed < duration) {
    moves += playAll(client, games);
    elapsed = performance.now() - start;
  }
  return Math.round((moves * 1000) / elapsed);
}

/** Throws unless the client stands where `game` ends: each mark in its cell, and the result that was listed. */
function checkEnd(client, { cells, winner }) {
  const { G, ctx } = client.getState();
  const board = new Array(9).fill(null);
  cells.forEach((cell, index) => { board[cell] = String(index % 2); });
  deepStrictEqual(G.cells, board);
  deepStrictEqual(ctx.gameover, winner === null ? { draw: true } : { winner: String(winner) });
}

/** Throws unless every game runs to its listed end, not a move earlier, and a taken cell is refused. */
function checkRules(client, games) {
  for (const game of games) {
    client.reset();
    for (const cell of game.cells) {
      deepStrictEqual(client.getState().ctx.gameover, undefined);
      client.moves.clickCell(cell);
    }
    checkEnd(client, game);
  }
  client.reset();
  client.moves.clickCell(4);
  const before = client.getState();
  const { error } = console; // an invalid move is reported there, in production too
  console.error = () => {};
  client.moves.clickCell(4);
  console.error = error;
  deepStrictEqual(client.getState().G, before.G);
  deepStrictEqual(client.getState().ctx, before.ctx);
}

const repeats = Number(process.argv[2] ?? 5);
if (!Number.isInteger(repeats) || repeats < 1) {
  console.error(`repeats ${process.argv[2]}: a whole number from 1`);
  process.exit(2);
}
const games = JSON.parse(readFileSync(new URL("tic_tac_toe.json", import.meta.url), "utf8"));
const client = Client({ game: ticTacToe, numPlayers: 2, debug: false });

checkRules(client, games);
measure(client, games, WARM_UP_MS);
const movesPerSecond = [];
for (let index = 0; index < repeats; index += 1) {
  movesPerSecond.push(measure(client, games, MEASURE_MS));
  checkEnd(client, games[games.length - 1]);
}
console.log(JSON.stringify({
  peer: "boardgame.io",
  version: require("boardgame.io/package.json").version,
  node: process.versions.node,
  moves_per_second: movesPerSecond,
}));
