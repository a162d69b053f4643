"""The document's `Game`, which is `SoloBox`: its published cases, its seeds, and its invariants under any calls.

The ten tests that the document names are scenes with those names in their titles.
"""

from __future__ import annotations

from copy import deepcopy
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import BadSeed, CroupierError
from croupier.games import shut_the_box
from croupier.games.shut_the_box import Game, rules
from croupier.games.shut_the_box.compat import BadDice, SoloBox, check_combinations
from croupier.rng import GameRng
from tests.games.scenes import grouped, play, scenes

NINE = list(range(1, 10))


def box_with(*up, seed=0):
    """A box with just these tiles up and nothing rolled."""
    box = SoloBox(seed)
    for tile in NINE:
        if tile not in up:
            assert box.flip_tile(tile)
    return box


def after_dice(*dice):
    box = SoloBox()
    box.set_dice_values(*dice)
    return box


def shown(box):
    return (box.get_tiles(), box.dice1, box.dice2, box.get_current_sum(), box.is_game_over())


# Cases 1 to 16: the tiles that are up, what is done, and what is then so.


class Solo:
    """A box that reads steps in words: `set 3 4`, `move 7` and `flip 9` that are taken, `roll` and `reset`."""

    def __init__(self, head: str) -> None:
        self.box = box_with(*NINE) if head == "new" else box_with(*map(int, head.replace("none", "").split()))

    def take(self, words):
        numbers = [int(word) for word in words[1:]]
        match words[0]:
            case "move":
                assert self.box.is_valid_move(numbers) is True
                assert self.box.make_move(numbers) is True
            case "flip":
                assert self.box.flip_tile(*numbers) is True
            case "set":
                self.box.set_dice_values(*numbers)
            case other:
                getattr(self.box, {"roll": "roll_dice", "reset": "reset"}[other])()

    def refusal(self, words):
        """Return `False` where a move or a flip is not taken and changes nothing."""
        before, numbers = shown(self.box), [int(word) for word in words[1:]]
        if words[0] == "move":
            assert self.box.is_valid_move(numbers) is False
            answer = self.box.make_move(numbers)
        else:
            answer = self.box.flip_tile(*numbers)
        assert shown(self.box) == before
        return str(answer)

    def look(self, path):
        match path:
            case "score":
                return self.box.get_score()
            case "up":
                assert self.box.tiles == tuple(map(bool, self.box.get_tiles()))
                return [tile for tile, is_up in zip(NINE, self.box.get_tiles(), strict=True) if is_up]
            case "dice":
                return (self.box.dice1, self.box.dice2)
            case "sum":
                assert self.box.get_current_sum() == self.box.current_sum
                return self.box.get_current_sum()
            case "over":
                assert self.box.is_game_over() is self.box.game_over
                return self.box.is_game_over()
            case "moves":
                return self.box.valid_moves()
        assert path == "can_move"
        return self.box.has_valid_moves()


SCENES = scenes("""
# 1 new game has all tiles up and nothing rolled | new
? up [1, 2, 3, 4, 5, 6, 7, 8, 9]; ? score 45; ? dice (0, 0); ? sum 0; ? over False
# 2 no move is valid before the roll | new
move 7 -> False; move 1 -> False; move -> False; move 3 4 -> False; move 1 2 3 4 5 6 7 8 9 -> False
## Nothing to match.
? can_move True; ? moves []; ? score 45
# 3 dice 3 and 4 shut nothing that does not add up to 7 | new
set 3 4; move 8 -> False; move 1 2 -> False; move 0 -> False; move 10 -> False; move -> False; move 0 7 -> False
move 16 -9 -> False
# valid moves need all their tiles | new
set 3 4; flip 7; move 7 -> False; flip 3; move 3 4 -> False; flip 1; move 1 2 4 -> False
# 6 make move spends the total and leaves the dice visible | new
set 3 4; move 8 -> False; move 3 4; ? sum 0; ? score 38; ? over False; ? dice (3, 4); ? up [1, 2, 5, 6, 7, 8, 9]
move 7 -> False; set 3 4; move 7
# 7 a tile that is down cannot be shut again but others make its total | new
flip 5; set 2 3; ? over False; move 5 -> False; ? moves [(1, 4), (2, 3)]
# 8 game over detection with a lone 9 at dice 1 and 1 | 9
? score 9; set 1 1; ? over True; ? score 9; ? can_move False; move 9 -> False
# win condition | 8 9
set 5 3; move 8; ? over False; set 4 5; move 9; ? over True; ? score 0
# 8 a lone 9 is shut by dice 4 and 5 | 9
set 4 5; move 9; ? over True; ? score 0; ? up []
# 12 dice may be set against the one die rule | 1 2 3 4 5
set 5 5; ? over False; move 1 4 5
# 12 one die may be set against the one die rule | new
set 4 0; ? moves [(1, 3), (4,)]
# 12 setting no dice takes the total away and ends nothing | new
set 3 4; set 0 0; ? dice (0, 0); ? sum 0; ? over False; move 7 -> False
# 12 setting dice never brings an ended game back | 9
set 1 1; set 4 5; ? over True; move 9 -> False; ? moves []; set 0 0; ? over True; move 9 -> False; ? moves []
set 6 3; ? over True; move 9 -> False; ? moves []
# 13 flip tile knows nine tiles | new
flip 5; flip 5 -> False; ? up [1, 2, 3, 4, 6, 7, 8, 9]; flip 0 -> False; flip 10 -> False
# 13 flip tile lowers a tile whatever the dice say | new
set 3 4; flip 9; flip 9 -> False; ? sum 7; ? over False; ? score 36
# 13 flip tile ignores the end of the game | 9
set 1 1; flip 9; ? over True
# 15 after the end nothing is rolled and nothing moves until reset | 9
set 1 1; roll; ? dice (1, 1); ? up [9]; ? sum 2; ? over True; move 9 -> False; move 2 -> False
reset; ? up [1, 2, 3, 4, 5, 6, 7, 8, 9]; ? dice (0, 0); ? sum 0; ? over False
# reset in the middle of a game | 3 4 5 6 7 8 9
roll; reset; ? up [1, 2, 3, 4, 5, 6, 7, 8, 9]; ? dice (0, 0); ? sum 0; ? over False
# 15 a win ends the game too | 9
set 4 5; move 9; roll; ? dice (4, 5); ? sum 0
# 16 score calculation adds the tiles that are up | new
flip 1; flip 9; ? score 35; flip 5; ? score 30
# 16 score calculation of the three lowest tiles | 1 2 3
? score 6
# 16 score calculation of a box without tiles | none
? score 0
""")


@pytest.mark.parametrize(("head", "scene"), SCENES)
def test_a_box_does_what_is_written(head, scene):
    play(Solo(head), scene)


SEVENS = [[7], [3, 4], [1, 2, 4], [1, 6], [2, 5], [6, 1], [4, 2, 1], (3, 4), {2, 5}]
NO_TILES = [[3, 3], [1, 1, 4], [True, 5], [1, 2, 3, False], [6.0], [1.5, 4.5], ["6"], "6", "123", [-3, 9], [-6], [None]]


@pytest.mark.parametrize(
    ("dice", "tiles", "valid"),
    [
        *[((3, 4), tiles, True) for tiles in SEVENS],  # any set that adds up, in any order
        *[((6, 6), tiles, True) for tiles in ([1, 2, 9], [3, 4, 5], [1, 2, 3, 6], [9, 2, 1])],
        *[((6, 6), tiles, False) for tiles in ([1, 2, 8], [7, 6], [1, 2, 3, 4])],
        # Repeats and what is not a tile, even if they add up.
        *[((2, 4), tiles, False) for tiles in (*NO_TILES, [[6]], None, 6)],
    ],
)
def test_dice_shut_sets_of_tiles_that_add_up_and_nothing_else(dice, tiles, valid):
    box = after_dice(*dice)
    before = shown(box)

    assert box.is_valid_move(tiles) is valid
    assert box.make_move(tiles) is valid
    assert shown(box) == before if not valid else box.get_score() == 45 - sum(dice)


def test_a_move_may_come_from_an_iterator_which_is_read_to_the_first_wrong_tile():
    box = after_dice(3, 4)

    assert box.make_move(iter(int, 1)) is False  # 0, 0, 0, ... without end
    assert box.make_move(iter([3, 4])) is True
    assert box.get_score() == 38


# Case 9.


@pytest.mark.parametrize(
    ("up", "dice"),
    [((1, 2, 3, 4, 5, 6), 1), ((6,), 1)]
    + [(up, 2) for up in ((7, 8, 9), (7,), (1, 2, 3, 4, 5, 6, 7), (1, 2, 3, 4, 5, 6, 9), (1, 9), NINE)],
)
def test_the_tiles_that_are_up_decide_how_many_dice_are_rolled(up, dice):
    for seed in range(60):
        box = box_with(*up, seed=seed)

        first, second = box.roll_dice()

        assert 1 <= first <= 6
        assert (1 <= second <= 6) if dice == 2 else second == 0
        assert box.get_current_sum() == first + second


# Cases 10 and 11.


@pytest.mark.parametrize(
    ("up", "makes"),
    [
        ((7,), {7}),
        ((1,), {1}),
        ((1, 2), {1, 2, 3}),
        ((5, 6), {5, 6, 11}),  # below every tile: 1 to 4; above the sum: 12
        ((1, 2, 3), {1, 2, 3, 4, 5, 6}),
        ((8, 9), {8, 9}),
        (NINE, set(range(1, 13))),  # no first roll ends the game
    ],
)
def test_only_totals_that_some_set_makes_keep_the_game_going(up, makes):
    for total in range(1, 13):
        box = box_with(*up)
        box.set_dice_values(min(total, 6), max(total - 6, 0))
        assert box.is_game_over() is (total not in makes)
        assert box.has_valid_moves() is (total in makes)
        assert bool(box.valid_moves()) is (total in makes)


# Case 12.


@pytest.mark.parametrize(
    "dice", [(7, 1), (1, 7), (-1, 3), (3, -1), (0, 4), (True, 2), (2.0, 3), ("2", 3), (None, None)]
)
def test_dice_that_cannot_lie_on_a_table_are_refused_and_change_nothing(dice):
    box = after_dice(3, 4)
    before = shown(box)

    with pytest.raises(ValueError, match=r"^di(c)?e ") as caught:
        box.set_dice_values(*dice)

    assert isinstance(caught.value, BadDice)
    assert isinstance(caught.value, CroupierError)
    assert (caught.value.code, shown(box)) == ("bad_dice", before)


# Case 13.


def test_flip_tile_refuses_what_is_not_a_tile():
    box: Any = SoloBox()

    assert [box.flip_tile(tile) for tile in (0, 10, -1, True, 1.0, "1", None)] == [False] * 7
    assert box.get_score() == 45


def test_lowering_the_last_tile_by_hand_ends_the_game_only_at_the_next_roll():
    box = box_with()
    assert (box.is_game_over(), box.get_score()) == (False, 0)

    first, second = box.roll_dice()

    assert 1 <= first <= 6
    assert (second, box.is_game_over(), box.get_score()) == (0, True, 0)


# Case 14.


def test_rolling_again_replaces_the_pending_total_and_may_end_the_game():
    ended = 0
    for seed in range(50):
        box = box_with(9, seed=seed)
        box.set_dice_values(4, 5)
        assert not box.is_game_over()
        dice = box.roll_dice()
        ended += sum(dice) != 9
        assert [box.dice1, box.dice2] == dice
        assert box.get_current_sum() == sum(dice)
        assert box.is_game_over() is (sum(dice) != 9)
    assert ended > 25


# Case 17.


def test_what_the_box_hands_out_are_copies():
    box = SoloBox(seed=1)
    dice = box.roll_dice()
    kept = shown(box), box.valid_moves()

    box.get_tiles()[0] = 0
    box.valid_moves().clear()
    dice[0] = 9

    assert (shown(box), box.valid_moves()) == kept


def test_the_state_cannot_be_set_from_outside():
    box = SoloBox()

    for name in ("tiles", "current_sum", "dice1", "dice2", "game_over", "seed"):
        with pytest.raises(AttributeError):
            setattr(box, name, getattr(SoloBox(1), name))


# Combinations.


COMBINATIONS: dict[bool, list[Any]] = {
    True: [
        *((NINE, size, target) for size, target in ((3, 12), (1, 9), (2, 17), (9, 45), (0, 0))),
        *(([], 0, 0), ((3, 5), 2, 8), ([4, 5, 6, 7, 8, 9], 2, 9), ([5, 6, 7, 8, 9], 1, 5)),
        ([6, 7, 8, 9], 0, 0),  # nothing to choose, nothing left: the end of the document's example
    ],
    False: [
        *((NINE, size, target) for size, target in ((1, 10), (2, 18), (0, 5), (1, 0))),
        *(([], 1, 1), ([2, 4, 6], 2, 7), ([], 1, 4), ([1, 2], 1, 0)),
        ([0], 1, 0),  # nothing left to match with a tile still to choose is a no, even here
    ],
}


@pytest.mark.parametrize(("tiles", "size", "target", "found"), grouped(COMBINATIONS))
def test_check_combinations_wants_exactly_that_many_tiles(tiles, size, target, found):
    assert check_combinations(tiles, size, target) is found


def test_check_combinations_agrees_with_counting_and_with_the_box():
    for size in range(1, 10):
        for up in combinations(NINE, size):
            for total in (1, 5, 8, 12):
                sizes = {k for k in range(1, size + 1) if any(sum(c) == total for c in combinations(up, k))}
                assert {k for k in range(1, size + 1) if check_combinations(up, k, total)} == sizes
            box = box_with(*up)
            box.set_dice_values(6, 2)
            assert box.has_valid_moves() is any(check_combinations(up, k, 8) for k in range(1, size + 1))


# Seeds.


def test_roll_number_n_draws_from_stream_n_of_session_0():
    box = SoloBox(b"any bytes")
    for number in (1, 2, 3):
        rng = GameRng.new(b"any bytes", session_id=0, move_number=number)
        assert box.roll_dice() == [rng.roll_die(), rng.roll_die()]
        assert not box.is_game_over()


def test_without_a_seed_the_box_asks_the_system_once_and_keeps_the_answer(monkeypatch):
    asked = []

    def system(count):
        asked.append(count)
        return bytes(range(count))

    monkeypatch.setattr("croupier.rng.token_bytes", system)
    box = SoloBox()
    twin = SoloBox(box.seed)

    assert [box.roll_dice() for _ in range(5)] == [twin.roll_dice() for _ in range(5)]
    box.reset()
    assert box.seed == twin.seed == bytes(range(32))
    assert asked == [32]


def test_reset_deals_the_next_session_of_the_seed():
    """A button for a new game would otherwise deal the game just seen."""
    box = SoloBox(7)
    first = box.roll_dice()
    box.reset()

    assert box.seed == SoloBox(7).seed
    assert box.roll_dice() == list(rules.roll(GameRng.new((7).to_bytes(8, "big"), 1, 1), 2))
    assert SoloBox(7).roll_dice() == first


def test_dice_set_by_hand_do_not_count_as_rolls_and_a_copy_rolls_the_same():
    box, twin = SoloBox(7), SoloBox(7)
    box.set_dice_values(2, 2)
    assert box.roll_dice() == twin.roll_dice()

    twin = deepcopy(box)
    assert box.roll_dice() == twin.roll_dice()
    twin.flip_tile(1)
    assert box.get_score() == 45


def test_seeds_are_read_by_the_one_rule():
    assert [Game(seed).seed for seed in (0, 258, 2**64 - 1)] == [bytes(8), bytes(6) + b"\1\2", b"\xff" * 8]
    for bad in (-1, 2**64, True, 1.5, [1], bytearray(4)):
        with pytest.raises(BadSeed, match="seed"):
            Game(bad)
    assert Game("lucky").roll_dice() == Game(Game("lucky").seed).roll_dice()
    assert Game().seed != Game().seed  # 2**-256 that they are equal


def test_the_usage_and_the_names_that_the_document_shows():
    game = Game(2024)
    assert game.roll_dice() == [4, 3]
    assert game.is_valid_move([3, 4])
    assert game.make_move([3, 4])
    game = Game.new(seed=1)
    game.set_dice_values(die1=3, die2=4)
    assert game.get_current_sum() == 7
    assert Game.check_combinations(tiles=[1, 2, 3], size=2, target=5)
    assert {"Game", "SoloBox", "ShutTheBox"} <= set(dir(shut_the_box))


def test_the_printed_form_keeps_the_seed_to_itself():
    box = SoloBox(b"secret seed")
    box.set_dice_values(1, 1)

    assert repr(box) == "<SoloBox [1, 1, 1, 1, 1, 1, 1, 1, 1] sum 2>"


# Laws under any calls.

tiles = st.integers(-1, 11)
calls = st.one_of(
    st.tuples(st.just("roll_dice")),
    st.tuples(st.just("set_dice_values"), st.integers(1, 6), st.integers(0, 6)),
    st.tuples(st.just("set_dice_values"), st.just(0), st.just(0)),
    st.tuples(st.just("flip_tile"), tiles),
    st.tuples(st.just("make_move"), st.lists(tiles, max_size=4)),
    st.tuples(st.just("make_move"), st.just("valid"), st.integers(0, 11)),
    st.tuples(st.just("reset")),
)


@given(st.integers(0, 999), st.lists(calls, max_size=40))
def test_the_box_keeps_its_laws_under_any_calls(seed, sequence):
    box = SoloBox(seed)
    for name, *arguments in sequence:
        before = shown(box)
        valid = box.valid_moves()
        if arguments and arguments[0] == "valid":
            arguments = [valid[arguments[1] % len(valid)]] if valid else [[]]
        answer = getattr(box, name)(*arguments)
        tiles, dice1, dice2, total, over = shown(box)

        assert box.get_score() == sum(tile for tile, up in enumerate(tiles, 1) if up)
        assert total in (0, dice1 + dice2)
        assert box.is_valid_move([]) is False
        if name == "reset":
            assert shown(box) == ([1] * 9, 0, 0, 0, False)
            continue
        assert all(now <= then for now, then in zip(tiles, before[0], strict=True))  # no tile comes up again
        assert over or not before[4]  # nor does an ended game
        if answer is False:
            assert shown(box) == before
        if name == "make_move":
            assert answer is (tuple(sorted(arguments[0])) in valid)
            if answer:
                assert sum(before[0]) - sum(tiles) == len(arguments[0])
                assert total == 0
                assert over is (sum(tiles) == 0)
        else:
            assert name == "flip_tile" or tiles == before[0]
        if name == "roll_dice":
            assert answer == [dice1, dice2]
            assert before[4] or total > 0
        if name in ("roll_dice", "set_dice_values") and not over:
            assert total == 0 or box.valid_moves()
        for move in box.valid_moves():
            assert sum(move) == total
            assert list(move) == sorted(set(move))
            assert box.is_valid_move(move)
        assert box.valid_moves() == sorted(box.valid_moves())


@given(st.integers(0, 10**9), st.integers(0, 10**6))
def test_a_game_of_valid_moves_always_ends_within_nine_rolls(seed, number):
    """Every roll shuts a tile or ends the game."""
    box = SoloBox(seed)
    rolls = 0
    while not box.is_game_over():
        box.roll_dice()
        rolls += 1
        moves = box.valid_moves()
        if moves:
            assert box.make_move(moves[number % len(moves)])

    assert rolls <= 9
    assert (box.get_score() == 0) is (box.get_tiles() == [0] * 9)
