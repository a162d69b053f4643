"""Exact values against hand calculation, published figures, and an oracle that works on tuples of tiles."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from croupier.errors import BadOptions, CroupierError
from croupier.games.shut_the_box import rules
from croupier.games.shut_the_box.odds import (
    BadPolicy,
    BadPosition,
    BoardSettings,
    Choice,
    analyse,
    dice_allowed,
    set_masks,
    solve,
    tiles_of,
    valid_sets,
)
from croupier.games.shut_the_box.policies import POLICIES
from tests.games.scenes import grouped
from tests.games.shut_the_box.matches import NINE, board_value, policy_value, score_chances, subsets

DIE_RULES = ["high_tiles_down", "sum_at_most_six", "always_two"]


# An oracle of its own: top down, over tuples of tiles, roll by roll.


def oracle_dice(up, die_rule, die_choice):
    one = {"high_tiles_down": all(tile <= 6 for tile in up), "sum_at_most_six": sum(up) <= 6, "always_two": False}
    if not one[die_rule]:
        return [2]
    return [1, 2] if die_choice else [1]


def oracle_end(up, objective, scoring):
    if objective == "shut":
        return Fraction(not up)
    return Fraction(sum(up) if scoring == "sum" else int("".join(map(str, up)) or "0"))


@cache
def oracle_after(up, total, objective, die_rule, die_choice, scoring):
    left = [
        oracle_value(tuple(tile for tile in up if tile not in tiles), objective, die_rule, die_choice, scoring)
        for tiles in subsets(up, total)
    ]
    if not left:
        return oracle_end(up, objective, scoring)
    return min(left) if objective == "score" else max(left)


@cache
def oracle_value(up, objective, die_rule="high_tiles_down", die_choice=False, scoring="sum"):
    if not up:
        return oracle_end(up, objective, scoring)
    values = []
    for dice in oracle_dice(up, die_rule, die_choice):
        rolls = [sum(faces) for faces in product(range(1, 7), repeat=dice)]
        outcomes = [oracle_after(up, total, objective, die_rule, die_choice, scoring) for total in rolls]
        values.append(sum(outcomes) / len(rolls))
    return min(values) if objective == "score" else max(values)


@pytest.mark.parametrize("objective", ["score", "shut"])
@pytest.mark.parametrize("scoring", ["sum", "digits"])
@pytest.mark.parametrize("die_choice", [False, True])
@pytest.mark.parametrize("die_rule", DIE_RULES)
@pytest.mark.parametrize("up", [(1, 2, 3, 4, 5, 6), (2, 3, 5, 7, 9), (1, 3, 4, 6, 8), (1, 2, 10, 11, 12), (1, 2, 4)])
def test_the_solver_agrees_with_the_oracle_on_small_boards(up, die_rule, die_choice, scoring, objective):
    value = board_value(up, objective, tile_count=12, die_rule=die_rule, die_choice=die_choice, scoring=scoring)

    assert value == oracle_value(up, objective, die_rule, die_choice, scoring)


@pytest.mark.parametrize("objective", ["score", "shut"])
def test_the_solver_agrees_with_the_oracle_on_every_board_of_nine_tiles(objective):
    for board in range(512):
        assert board_value(board, objective) == oracle_value(tiles_of(board), objective)


def test_the_full_box_of_nine_is_worth_these_exact_figures():
    """Found by the oracle above as well; kept as numbers so that no change can move both unseen."""
    assert board_value(NINE) == Fraction(57123431375, 4897760256)  # 11.6632
    assert board_value(NINE, "shut") == Fraction(2840041, 38263752)  # 0.0742


@pytest.mark.parametrize(("die_rule", "percent"), [("always_two", 7.1432), ("sum_at_most_six", 9.7614)])
def test_the_chance_of_shutting_nine_tiles_is_the_published_one(die_rule, percent):
    """Bill Butler, "Shut the Box" (durangobill.com, STBstats.txt), all-or-nothing play, to four decimals."""
    assert round(float(board_value(NINE, "shut", die_rule=die_rule)) * 100, 4) == percent


# By hand.


@pytest.mark.parametrize("tile_count", [9, 10, 12])
@pytest.mark.parametrize("die_rule", DIE_RULES)
@pytest.mark.parametrize("die_choice", [False, True])
@pytest.mark.parametrize("scoring", ["sum", "digits"])
def test_the_shut_box_is_worth_0_and_certain(tile_count, die_rule, die_choice, scoring):
    options = {"tile_count": tile_count, "die_rule": die_rule, "die_choice": die_choice, "scoring": scoring}

    assert board_value(0, "score", **options) == 0
    assert board_value([], "shut", **options) == 1
    assert analyse([], settings=BoardSettings(**options)) == ()


TWO_DICE = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}  # ways of 36


@pytest.mark.parametrize("die_rule", DIE_RULES)
@pytest.mark.parametrize("tile", range(1, 13))
def test_one_tile_is_shut_by_one_roll_or_never(tile, die_rule):
    """By one die up to 6, unless two are always rolled, and by its own total alone."""
    is_one = tile <= 6 and die_rule != "always_two"
    chance = Fraction(1, 6) if is_one else Fraction(TWO_DICE.get(tile, 0), 36)

    assert board_value([tile], "shut", tile_count=12, die_rule=die_rule) == chance
    assert board_value([tile], "score", tile_count=12, die_rule=die_rule) == tile * (1 - chance)


def test_tiles_1_and_2_by_hand():
    """A 1 leaves the 2, a 2 leaves the 1, a 3 shuts both, and 4, 5, 6 end the game with score 3."""
    assert board_value([1, 2], "shut") == Fraction(1, 6) * (Fraction(1, 6) + Fraction(1, 6) + 1)
    assert board_value([1, 2], "score") == Fraction(1, 6) * (Fraction(5, 3) + Fraction(5, 6) + 0 + 3 * 3)


def test_digits_count_a_tile_of_two_digits_in_full():
    assert board_value([10, 12], "score", tile_count=12, scoring="digits", die_rule="always_two") == Fraction(
        3 * Fraction(35 * 12, 36) + 1 * Fraction(33 * 10, 36) + 32 * 1012, 36
    )


# Choices.


def test_the_two_objectives_differ_where_a_sure_low_score_costs_the_chance():
    """With 3, 4, 7 up and a 7 to match the score wants the 7 down, the shut box wants 3 and 4 down."""
    assert analyse([3, 4, 7], 7) == (
        Choice(Fraction(203, 36), (7,)),  # 3 and 4 up: (5/2 + 10/3 + 4 * 7) / 6
        Choice(Fraction(35, 6), (3, 4)),
    )
    assert analyse([3, 4, 7], 7, "shut") == (Choice(Fraction(1, 6), (3, 4)), Choice(Fraction(1, 18), (7,)))


def test_equal_choices_come_in_lexicographic_order():
    assert analyse([1, 2, 3, 4], 5, "shut") == (Choice(Fraction(2, 9), (1, 4)), Choice(Fraction(2, 9), (2, 3)))
    # By number of tiles, or by mask from the highest tile down, (8,) would come first.
    assert [choice.tiles for choice in analyse([1, 2, 5, 8], 8, "shut")] == [(1, 2, 5), (8,)]


@pytest.mark.parametrize("objective", ["score", "shut"])
def test_choices_come_best_first_and_hold_what_the_board_they_leave_is_worth(objective):
    for board in range(1, 512):
        up = tiles_of(board)
        for total in range(1, 13):
            choices = analyse(board, total, objective)
            values = [choice.value for choice in choices]
            assert values == sorted(values, reverse=objective == "shut")
            assert sorted(choice.tiles for choice in choices) == list(valid_sets(board, total))
            for choice in choices[:1]:
                left = tuple(tile for tile in up if tile not in choice.tiles)
                assert choice.value == oracle_value(left, objective)


def test_a_total_that_cannot_be_made_has_no_choices_and_one_beyond_the_dice_of_the_board_has():
    assert analyse([9], 2) == analyse([], 7) == ()
    assert analyse([3, 4], 7, "shut") == (Choice(Fraction(1), (3, 4)),)


def test_before_the_roll_each_number_of_dice_has_its_value_best_first():
    free = BoardSettings(die_choice=True)
    assert analyse([1], objective="shut") == (Choice(Fraction(1, 6), dice=1),)
    assert analyse([1], None, "shut", free) == (Choice(Fraction(1, 6), dice=1), Choice(Fraction(0), dice=2))
    # With 1 to 6 up two dice are better by far: most totals of one die leave a board that ends soon.
    assert [roll.dice for roll in analyse(range(1, 7), settings=free)] == [2, 1]
    assert [roll.dice for roll in analyse(NINE, settings=free)] == [2]
    solution = solve("score", free)
    assert solution.roll_value(0b1, 1) == Fraction(5, 6)  # only a 1 helps
    assert solution.roll_value(0b1, 2) == 1  # two dice never show 1


def test_a_board_is_worth_its_best_number_of_dice():
    for board in range(1, 512):
        for objective in ("score", "shut"):
            best = analyse(board, None, objective, BoardSettings(die_choice=True))[0]
            assert best.value == board_value(board, objective, die_choice=True)


def test_a_mask_and_the_tiles_in_any_order_are_the_same_board():
    assert analyse(0b100010001, 9) == analyse([9, 1, 5], 9) == analyse(iter((5, 1, 9)), 9)


# Freedom and other policies.


@pytest.mark.parametrize("tile_count", [9, 10, 12])
@pytest.mark.parametrize("die_rule", DIE_RULES)
@pytest.mark.parametrize("scoring", ["sum", "digits"])
def test_a_choice_of_dice_never_makes_any_board_worse(tile_count, die_rule, scoring):
    forced = BoardSettings(tile_count, die_rule, False, scoring)
    free = BoardSettings(tile_count, die_rule, True, scoring)

    for objective in ("score", "shut"):
        costs = solve(objective, forced).costs, solve(objective, free).costs
        assert all(without >= with_choice for without, with_choice in zip(*costs, strict=True))


def test_a_choice_of_dice_helps_where_two_dice_are_better_than_the_forced_one():
    assert board_value(NINE, "shut", die_choice=True) > board_value(NINE, "shut")
    assert board_value(NINE, "score", die_choice=True) < board_value(NINE, "score")
    assert board_value(NINE, die_rule="always_two") == board_value(NINE, die_rule="always_two", die_choice=True)


PLAYED = [
    *((9, die_rule, die_choice, "sum") for die_rule in DIE_RULES for die_choice in (False, True)),
    (9, "high_tiles_down", True, "digits"),
    (10, "sum_at_most_six", True, "digits"),
    (12, "high_tiles_down", False, "sum"),  # some three seconds, the others well under one
]


@pytest.mark.parametrize(("tile_count", "die_rule", "die_choice", "scoring"), PLAYED)
def test_no_policy_beats_the_optimal_one_on_its_own_objective(tile_count, die_rule, die_choice, scoring):
    options = {"tile_count": tile_count, "die_rule": die_rule, "die_choice": die_choice, "scoring": scoring}
    full = rules.full_board(tile_count)
    least = board_value(full, "score", **options)
    greatest = board_value(full, "shut", **options)
    scores = {name: policy_value(policy, "score", **options) for name, policy in POLICIES.items()}
    chances = {name: policy_value(policy, "shut", **options) for name, policy in POLICIES.items()}

    assert scores["optimal_score"] == least == min(scores.values())
    assert chances["optimal_shut"] == greatest == max(chances.values())
    assert scores["uniform"] > least
    assert chances["uniform"] < greatest


class Scrambled(Struct, frozen=True):
    """A policy without sense: what it picks hangs on a number, differently on every board."""

    number: int

    def sets(self, board, total, game_settings, /):
        valid = set_masks(board, total)
        return (valid[(self.number // (1 + board % 97) + total) % len(valid)],)

    def dice(self, board, game_settings, /):
        allowed = dice_allowed(board, game_settings)
        return allowed[(self.number // (1 + board % 89)) % len(allowed)]


@settings(max_examples=25)
@given(st.builds(Scrambled, st.integers(0, 10**9)), st.sampled_from(DIE_RULES), st.booleans())
def test_no_senseless_policy_beats_the_optimal_one(policy, die_rule, die_choice):
    options = {"die_rule": die_rule, "die_choice": die_choice}

    assert policy_value(policy, "score", **options) >= board_value(NINE, "score", **options)
    assert policy_value(policy, "shut", **options) <= board_value(NINE, "shut", **options)


def test_the_uniform_policy_averages_over_its_sets():
    """On 1, 2, 3 with one die: a 3 is shut as 1 2 or as 3, each half of the time."""
    one_left = Fraction(1, 6)
    two_left = (one_left + one_left + 1) / 6  # either tile alone, or both at once: three totals of six
    by_hand = (
        two_left  # 1
        + two_left  # 2
        + (one_left + two_left) / 2  # 3
        + one_left  # 4 = 1 3
        + one_left  # 5 = 2 3
        + 1  # 6 = 1 2 3
    ) / 6

    assert policy_value(POLICIES["uniform"], "shut", up=[1, 2, 3]) == by_hand


@pytest.mark.parametrize(
    ("tile_count", "name"), [*((9, name) for name in POLICIES), (12, "uniform"), (12, "optimal_score")]
)
def test_the_scores_of_a_policy_add_up_to_one_game_and_to_its_value(tile_count, name):
    policy = POLICIES[name]

    scores = score_chances(policy, tile_count=tile_count)

    assert sum(scores.values()) == 1
    assert sum(score * chance for score, chance in scores.items()) == policy_value(policy, tile_count=tile_count)
    assert scores[0] == policy_value(policy, "shut", tile_count=tile_count)


def test_the_worst_end_of_the_best_play_is_two_twos():
    """No first roll ends the game; a 2 leaves no choice, and a second 2 ends it at 43: one in 36 twice."""
    assert list(score_chances(POLICIES["optimal_score"]).items())[-1] == (43, Fraction(1, 1296))


def test_a_policy_has_a_value_from_any_board():
    """By digits tile 12 up and tiles 1, 2 up both read 12.

    A 3 leaves the 12, where 35 of 36 rolls end; a 12 leaves 1 and 2, where one die ends at 4, 5, 6.
    """
    digits = {"tile_count": 12, "scoring": "digits"}
    scores = score_chances(POLICIES["highest_tile"], [1, 2, 12], **digits)
    mean = sum(score * chance for score, chance in scores.items())

    assert scores[12] == Fraction(2, 36) * Fraction(35, 36) + Fraction(1, 36) * Fraction(1, 2)
    assert policy_value(POLICIES["highest_tile"], up=[1, 2, 12], **digits) == mean
    assert [policy_value(POLICIES["optimal_shut"], goal, [9]) for goal in ("score", "shut")] == [8, Fraction(1, 9)]
    assert policy_value(POLICIES["uniform"], up=[]) == 0


# Refusals.


NO_OPTIONS = {"tile_count": [11, 9.0, "9", None], "die_rule": ["never", 0], "die_choice": [1, "yes"]}


@pytest.mark.parametrize(("value", "field"), [*grouped(NO_OPTIONS), ("product", "scoring")])
def test_options_that_no_box_has_are_refused_by_name(field, value):
    with pytest.raises(BadOptions, match=field) as caught:
        BoardSettings(**{field: value})

    assert caught.value.path == f"$.{field}"


@pytest.mark.parametrize("objective", ["speed", None, 1])
def test_an_unknown_objective_is_refused(objective):
    with pytest.raises(BadOptions, match="'score' or 'shut'"):
        board_value(511, objective)
    with pytest.raises(BadOptions, match="'score' or 'shut'"):
        policy_value(POLICIES["uniform"], objective)


@pytest.mark.parametrize(
    "board", [-1, 512, True, [0], [10], [3, 3], [True], [1.0], ["1"], "123", 1.5, None, [None], [[1]]]
)
def test_a_board_that_the_box_cannot_show_is_refused(board):
    with pytest.raises(BadPosition) as caught:
        analyse(board, 5)

    assert isinstance(caught.value, CroupierError)
    assert isinstance(caught.value, ValueError)
    assert caught.value.code == "bad_position"


@pytest.mark.parametrize("total", [0, 13, -1, True, 7.0, "7"])
def test_a_total_that_no_dice_show_is_refused(total):
    with pytest.raises(BadPosition, match="1 to 12"):
        analyse(511, total)


class Fixed(Struct, frozen=True):
    """A policy that answers the same everywhere."""

    picks: tuple[int, ...]
    dice_count: int = 2

    def sets(self, board, total, game_settings, /):
        return self.picks

    def dice(self, board, game_settings, /):
        return self.dice_count


@pytest.mark.parametrize(
    "policy", [Fixed(()), Fixed((0,)), Fixed((0b100000000, 0b100000000)), Fixed((0b1,)), Fixed((0b100000000,), 1)]
)
def test_a_policy_that_breaks_the_rules_raises_bad_policy(policy):
    with pytest.raises(BadPolicy):
        policy_value(policy, die_rule="always_two")
