"""Shut the Box as WebAssembly: the module is built from the rules, and its class is `SoloBox` in JavaScript."""

from __future__ import annotations

import gzip
from random import Random
from typing import Any

import pytest

from croupier.games.shut_the_box.compat import SoloBox
from tests.web.page_modules import STATIC, needs_node, run
from tools.wasm.build import OUT, shut_the_box

OFFLINE = STATIC / "offline"
PACKED_MAX = 15_000
GAMES, SOAK_GAMES = 2_000, 10_000

USE = """
const game = new Game();
const dice = game.roll_dice();
const isValid = game.is_valid_move([3, 4]);
const success = game.make_move([3, 4]);
"""
# As it stands in the document that the class comes from; and with the module loaded first.
TUTORIAL = f"\nimport {{ Game }} from './shut_the_box.js';\n{USE}"
WITH_INIT = f'\nimport init, {{ Game }} from "./shut-the-box.js";\nawait init();{USE}'
AFTERWARDS = """
const isSeven = dice[0] + dice[1] === 7;
console.log(JSON.stringify({ dice: [...dice], isValid, success, score: game.get_score(), isSeven }));
"""


IMPORT = f'import init, {{ Game }} from "{(OFFLINE / "shut-the-box.js").as_uri()}";\n'
LOAD = f"{IMPORT}await init();\n"


def test_the_module_is_built_again_to_the_same_bytes():
    """`python -m tools.wasm.build` writes it anew."""
    assert OUT.read_bytes() == shut_the_box()


def test_module_and_class_are_small():
    files = [OUT, OFFLINE / "shut-the-box.js"]

    assert sum(len(gzip.compress(path.read_bytes(), 9, mtime=0)) for path in files) <= PACKED_MAX


@needs_node
@pytest.mark.parametrize("tutorial", [TUTORIAL, WITH_INIT], ids=["document", "init"])
def test_the_tutorial_runs_in_node_as_it_stands(tmp_path, tutorial):
    for name in ("shut_the_box.js", "shut-the-box.js", "shut-the-box.wasm"):
        (tmp_path / name).write_bytes((OFFLINE / name).read_bytes())
    (tmp_path / "tutorial.mjs").write_text(tutorial + AFTERWARDS)
    (tmp_path / "package.json").write_text('{"type": "module"}')

    told = run(f'await import("{(tmp_path / "tutorial.mjs").as_uri()}");')

    assert all(1 <= die <= 6 for die in told["dice"])
    assert told["isValid"] == told["success"] == told["isSeven"]
    assert told["score"] == (38 if told["isSeven"] else 45)


# The meaning of the document's ten tests: a line each says what it checks.
TEN = """
const { default: init, Game } = await import(`${where}/shut-the-box.js`);
await init();
const same = (a, b) => JSON.stringify([...a]) === JSON.stringify(b);
const fresh = (...down) => { const game = new Game(); down.forEach((tile) => game.flip_tile(tile)); return game; };
const tests = {
  new_game() {
    const game = fresh();
    return same(game.get_tiles(), [1, 1, 1, 1, 1, 1, 1, 1, 1]) && game.get_score() === 45 &&
      !game.is_game_over() && game.get_current_sum() === 0;
  },
  flip_tile() {
    const game = fresh();
    return game.flip_tile(5) && !game.flip_tile(5) && !game.flip_tile(0) && !game.flip_tile(10) &&
      same(game.get_tiles(), [1, 1, 1, 1, 0, 1, 1, 1, 1]);
  },
  valid_moves() {
    const game = fresh();
    const before = game.is_valid_move([7]);
    game.set_dice_values(3, 4);
    return !before && [[7], [3, 4], [1, 2, 4]].every((tiles) => game.is_valid_move(tiles)) &&
      ![[8], [1, 2], [], [0, 7], [3, 3, 1], [10]].some((tiles) => game.is_valid_move(tiles));
  },
  make_move() {
    const game = fresh();
    game.set_dice_values(3, 4);
    return !game.make_move([8]) && game.get_score() === 45 && game.make_move([3, 4]) && game.get_current_sum() === 0 &&
      same(game.get_tiles(), [1, 1, 0, 0, 1, 1, 1, 1, 1]) && !game.make_move([7]);
  },
  win_condition() {
    const game = fresh(3, 4, 5, 6, 7, 8, 9);
    game.set_dice_values(3, 0);
    return game.make_move([1, 2]) && game.is_game_over() && game.get_score() === 0;
  },
  dice_logic() {
    const two = Array.from({ length: 50 }, () => fresh().roll_dice());
    const one = Array.from({ length: 50 }, () => fresh(7, 8, 9).roll_dice());
    const isFace = (value) => value >= 1 && value <= 6;
    return two.every(([a, b]) => isFace(a) && isFace(b)) && one.every(([a, b]) => isFace(a) && b === 0);
  },
  game_over_detection() {
    const game = fresh(1, 2, 3, 4, 5, 6, 7, 8);
    game.set_dice_values(1, 1);
    return game.is_game_over() && !game.is_valid_move([9]) && !game.make_move([9]);
  },
  reset() {
    const game = fresh(1, 2);
    game.set_dice_values(6, 6);
    game.reset();
    return game.get_score() === 45 && game.get_current_sum() === 0 && !game.is_game_over();
  },
  score_calculation() {
    return fresh(1, 2, 3, 4, 5, 6, 7, 8).get_score() === 9 && fresh(4, 5, 6, 7, 8, 9).get_score() === 6;
  },
  complex_combinations() {
    const game = fresh(9, 8, 7);
    game.set_dice_values(6, 6);
    return [[1, 5, 6], [2, 4, 6], [3, 4, 5], [1, 2, 3, 6], [1, 2, 4, 5]].every((tiles) => game.is_valid_move(tiles)) &&
      game.valid_moves().length === 5 && !game.is_game_over();
  },
};
"""
NAMES = [
    "new_game", "flip_tile", "valid_moves", "make_move", "win_condition", "dice_logic", "game_over_detection", "reset",
    "score_calculation", "complex_combinations",
]  # fmt: skip


@needs_node
def test_the_ten_tests_of_the_document_hold_in_node():
    script = f"const where = {str(OFFLINE.as_uri())!r};{TEN}"

    told = run(script + "console.log(JSON.stringify(Object.entries(tests).map(([name, test]) => [name, test()])));")

    assert told == [[name, True] for name in NAMES]


@needs_node
@pytest.mark.parametrize("games", [GAMES, pytest.param(SOAK_GAMES, marks=pytest.mark.soak)])
def test_thousands_of_games_are_those_of_cpython(games):
    """Each seed plays a whole game, in JavaScript and as a `SoloBox`; numbers pick the moves."""
    script = """const told = [];
for (let seed = 0; seed < given; seed++) {
  const game = new Game(seed);
  const lines = [];
  for (let turn = 0; ; turn++) {
    const dice = [...game.roll_dice()];
    const moves = game.valid_moves();
    lines.push([dice, moves.length, game.get_current_sum(), game.is_game_over()]);
    if (game.is_game_over()) break;
    const move = moves[(seed * 7 + turn * 13) % moves.length];
    lines.push([move, game.make_move(move), game.get_score()]);
    if (game.is_game_over()) break;
  }
  told.push([lines, [...game.get_tiles()], game.get_score()]);
}
console.log(JSON.stringify(told));"""

    told = run(LOAD + script, games)

    assert len(told) == games
    for seed in range(games):
        assert told[seed] == played(seed), seed


def played(seed: int) -> list[Any]:
    box, lines, turn = SoloBox(seed=seed), list[Any](), 0
    while not box.is_game_over():
        dice, moves = box.roll_dice(), box.valid_moves()
        lines.append([dice, len(moves), box.get_current_sum(), box.is_game_over()])
        if moves:
            move = list(moves[(seed * 7 + turn * 13) % len(moves)])
            lines.append([move, box.make_move(move), box.get_score()])
        turn += 1
    return [lines, box.get_tiles(), box.get_score()]


@needs_node
def test_seeds_of_any_length_roll_what_cpython_rolls():
    random = Random(5)
    seeds = [random.randbytes(length) for length in (0, 1, 32, 43, 44, 55, 64, 300, 20_000)]
    script = """await init();
const games = [...given.map((seed) => new Game(Uint8Array.from(seed))), new Game(2n ** 64n - 1n)];
console.log(JSON.stringify(games.map((game) => [[...game.roll_dice()], [...game.roll_dice()]])));"""

    told = run(LOAD + script, [list(seed) for seed in seeds])

    boxes = [*(SoloBox(seed=seed) for seed in seeds), SoloBox(seed=2**64 - 1)]
    assert told == [[box.roll_dice(), box.roll_dice()] for box in boxes]


@needs_node
def test_bad_input_is_refused_and_changes_nothing():
    script = """
const tried = (act) => { try { return String(act()); } catch (error) { return error.constructor.name; } };
const early = tried(() => new Game());
await init();
const game = new Game(1);
game.set_dice_values(3, 4);
const dice = [[7, 1], [0, 3], [1.5, 2], ["3", 4], [undefined, 1], [-1, 1]];
const bad = dice.map((each) => tried(() => game.set_dice_values(...each)));
const moves = [["7"], [7.5], [true], [NaN], [7, 7], [null]].map((tiles) => tried(() => game.make_move(tiles)));
const seeds = [-1, 1.5, "a", 2n ** 64n, null].map((seed) => tried(() => new Game(seed)));
console.log(JSON.stringify([early, bad, moves, seeds, game.get_current_sum(), game.get_score()]));"""

    early, bad, moves, seeds, total, score = run(IMPORT + script)

    assert early == "Error"
    assert set(bad) == set(seeds) == {"RangeError"}
    assert set(moves) == {"false"}
    assert (total, score) == (7, 45)
