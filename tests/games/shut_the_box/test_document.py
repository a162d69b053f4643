"""The Shut the Box document: its ten named tests, its examples and its worked figures, on its `Game`."""

from __future__ import annotations

import pytest

from croupier.errors import BadSeed
from croupier.games import shut_the_box
from croupier.games.shut_the_box import Game
from croupier.games.shut_the_box.compat import check_combinations


def lowered(*tiles: int) -> Game:
    game = Game(1)
    for tile in tiles:
        assert game.flip_tile(tile)
    return game


def test_new_game() -> None:
    game = Game()

    assert game.tiles == (True,) * 9
    assert (game.dice1, game.dice2, game.current_sum, game.game_over) == (0, 0, 0, False)
    assert game.get_tiles() == [1] * 9
    assert game.get_score() == 45


def test_flip_tile() -> None:
    game = Game()

    assert game.flip_tile(5)
    assert not game.flip_tile(5)
    assert game.get_tiles() == [1, 1, 1, 1, 0, 1, 1, 1, 1]
    assert not game.flip_tile(0)
    assert not game.flip_tile(10)


@pytest.mark.parametrize(
    ("tiles", "is_valid"), [([7], True), ([3, 4], True), ([1, 2, 4], True), ([8], False), ([1, 2], False)]
)
def test_valid_moves(tiles: list[int], is_valid: bool) -> None:
    game = Game()
    assert not game.is_valid_move(tiles)  # nothing is rolled
    game.set_dice_values(3, 4)

    assert game.is_valid_move(tiles) is is_valid
    game.flip_tile(tiles[0])
    assert not game.is_valid_move(tiles)


def test_make_move() -> None:
    game = Game()
    game.set_dice_values(3, 4)

    assert not game.make_move([8])
    assert game.make_move([3, 4])
    assert (game.get_current_sum(), game.get_score(), game.is_game_over()) == (0, 38, False)


def test_win_condition() -> None:
    game = lowered(1, 2, 3, 4, 5, 6, 7)
    game.set_dice_values(5, 3)
    assert game.make_move([8])
    assert not game.is_game_over()
    game.set_dice_values(4, 5)

    assert game.make_move([9])
    assert game.is_game_over()
    assert game.get_score() == 0


def test_dice_logic() -> None:
    """Two dice while 7, 8 or 9 is up, one for 1 to 6; the second is 0 then."""
    for seed in range(60):
        two, one = Game(seed), Game(seed)
        for tile in (7, 8, 9):
            one.flip_tile(tile)
        for tile in (7, 8):
            two.flip_tile(tile)
        die1, die2 = two.roll_dice()
        alone, none = one.roll_dice()
        assert (1 <= die1 <= 6, 1 <= die2 <= 6, 1 <= alone <= 6, none) == (True, True, True, 0)
        assert two.get_current_sum() == die1 + die2


def test_game_over_detection() -> None:
    game = lowered(1, 2, 3, 4, 5, 6, 7, 8)
    game.set_dice_values(1, 1)

    assert game.is_game_over()
    assert game.get_score() == 9
    assert not game.is_valid_move([9])


def test_reset() -> None:
    game = lowered(1, 2)
    game.roll_dice()
    game.reset()

    assert game.get_tiles() == [1] * 9
    assert (game.dice1, game.dice2, game.current_sum, game.game_over) == (0, 0, 0, False)


@pytest.mark.parametrize(
    ("down", "score"), [((), 45), (range(1, 9), 9), (range(4, 10), 6), (range(1, 10), 0)], ids=["all", "9", "123", "0"]
)
def test_score_calculation(down: tuple[int, ...], score: int) -> None:
    assert lowered(*down).get_score() == score


def test_complex_combinations() -> None:
    game = Game()
    game.set_dice_values(6, 6)

    assert game.is_valid_move([3, 4, 5])
    assert game.is_valid_move([1, 2, 3, 6])
    assert not game.is_valid_move([1, 2, 3, 4])
    assert check_combinations([1, 2, 3, 4, 5, 6, 7, 8, 9], 3, 12)
    assert check_combinations([4, 5, 6, 7, 8, 9], 2, 9)
    assert check_combinations([5, 6, 7, 8, 9], 1, 5)
    assert check_combinations([6, 7, 8, 9], 0, 0)  # nothing to choose, nothing left: the end of its example
    assert not check_combinations([], 1, 4)
    assert not check_combinations([1, 2], 1, 0)


def test_its_parameters_have_their_names() -> None:
    game = Game.new(seed=1)
    game.set_dice_values(die1=3, die2=4)

    assert game.get_current_sum() == 7
    assert Game.check_combinations(tiles=[1, 2, 3], size=2, target=5)
    assert {"Game", "SoloBox", "ShutTheBox"} <= set(dir(shut_the_box))


def test_the_usage_that_it_shows() -> None:
    game = Game(2024)
    dice = game.roll_dice()

    assert dice == [4, 3]
    assert game.is_valid_move([3, 4])
    assert game.make_move([3, 4])


def test_seeds_are_read_by_the_one_rule() -> None:
    assert [Game(seed).seed for seed in (0, 258, 2**64 - 1)] == [bytes(8), bytes(6) + b"\1\2", b"\xff" * 8]
    for bad in (-1, 2**64, True, 1.5, [1], bytearray(4)):
        with pytest.raises(BadSeed, match="seed"):
            Game(bad)
    assert Game("lucky").roll_dice() == Game(Game("lucky").seed).roll_dice()
    assert Game().seed != Game().seed  # 2**-256 that they are equal
