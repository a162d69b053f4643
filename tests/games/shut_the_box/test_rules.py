"""The numbers of Shut the Box, counted whole and checked against tuples of tiles."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from croupier.games.shut_the_box import rules
from croupier.rng import GameRng

SETS_BY_TOTAL = {  # published: valid sets with everything up, for totals 1 … 12
    9: [1, 1, 2, 2, 3, 4, 5, 6, 8, 9, 10, 12],
    10: [1, 1, 2, 2, 3, 4, 5, 6, 8, 10, 11, 13],
    12: [1, 1, 2, 2, 3, 4, 5, 6, 8, 10, 12, 15],
}


def mask(*tiles):
    return sum(2 ** (tile - 1) for tile in tiles)


def tiles_up(board):
    """The oracle's own reading of a mask, through its binary digits."""
    return tuple(tile for tile, digit in enumerate(reversed(f"{board:b}"), 1) if digit == "1")


def oracle_sets(total):
    """Every set of distinct tiles of 1 … 12 with this sum, in lexicographic order."""
    sets = [tiles for size in range(1, 5) for tiles in combinations(range(1, 13), size) if sum(tiles) == total]
    return sorted(sets)


ORACLE_SETS = {total: oracle_sets(total) for total in range(1, 13)}


def oracle_valid_sets(up, total):
    return [tiles for tiles in ORACLE_SETS[total] if set(tiles) <= set(up)]


def every_total():
    """Yield every board of twelve tiles with every total, and the sets that make it."""
    for board in range(4096):
        up = tiles_up(board)
        for total in range(1, 13):
            yield board, total, oracle_valid_sets(up, total)


def listed_sets(board, total):
    found = []
    chosen = rules.next_set(board, total, 0)
    while chosen:
        found.append(chosen)
        chosen = rules.next_set(board, total, chosen)
    return found


@pytest.mark.parametrize("tile_count", [9, 10, 12])
def test_the_full_board_has_the_listed_number_of_sets_for_every_total(tile_count):
    board = rules.full_board(tile_count)

    assert [rules.set_count(board, total) for total in range(1, 13)] == SETS_BY_TOTAL[tile_count]


@pytest.mark.parametrize(
    ("tile_count", "boards", "one_die", "playable", "dead", "safe"),
    # Published; the boards of 1 to 6 alone are the same 63 in a box of twelve.
    [(9, 511, 63, 3888, 1418, 117), (12, 4095, 63, 34048, 10682, 942)],
)
def test_the_boards_of_a_box_are_as_many_as_published(tile_count, boards, one_die, playable, dead, safe):
    counted = {"boards": 0, "one_die": 0, "playable": 0, "dead": 0, "safe": 0}
    for board in range(1, rules.full_board(tile_count) + 1):
        dice = rules.dice_min(board, rules.DIE_HIGH_TILES_DOWN)
        made = [rules.can_make(board, total) for total in range(1, 13) if rules.total_ways(dice, total)]
        counted["boards"] += 1
        counted["one_die"] += dice == 1
        counted["playable"] += sum(made)
        counted["dead"] += len(made) - sum(made)
        counted["safe"] += all(made)

    assert counted == {"boards": boards, "one_die": one_die, "playable": playable, "dead": dead, "safe": safe}


def test_next_set_lists_the_sets_of_every_board_in_lexicographic_order():
    for board, total, sets in every_total():
        assert listed_sets(board, total) == [mask(*tiles) for tiles in sets]


def test_can_make_agrees_with_the_list_of_sets_on_every_board():
    for board, total, sets in every_total():
        assert rules.can_make(board, total) == bool(sets)


@pytest.mark.parametrize("total", [-1, 0, 13, 78])
def test_a_total_that_no_dice_show_cannot_be_made(total):
    assert not rules.can_make(rules.full_board(12), total)


def test_sets_are_counted_and_picked_by_index_in_the_order_of_the_list():
    board = rules.full_board(9)

    assert [rules.set_at(board, 6, index) for index in range(5)] == [mask(1, 2, 3), mask(1, 5), mask(2, 4), mask(6), 0]
    assert rules.set_at(mask(9), 2, 0) == rules.set_at(mask(1), 1, 1) == 0
    assert rules.set_count(mask(9), 2) == 0


def test_sum_tiles_highest_tile_and_score_follow_from_the_tiles_that_are_up():
    for board in range(4096):
        up = tiles_up(board)
        assert rules.board_sum(board) == sum(up)
        assert rules.count_up(board) == len(up)
        assert rules.highest_up(board) == max(up, default=0)
        assert [tile for tile in range(1, 13) if rules.tile_up(board, tile)] == list(up)
        assert rules.board_score(board, rules.SCORE_SUM) == sum(up)
        assert rules.board_score(board, rules.SCORE_DIGITS) == int("".join(map(str, up)) or "0") < 2**63
    assert rules.board_score(rules.full_board(12), rules.SCORE_DIGITS) == 123456789101112


def test_one_die_is_allowed_by_the_die_rule_alone_on_every_board():
    for board in range(4096):
        up = tiles_up(board)
        assert rules.one_die_allowed(board, rules.DIE_HIGH_TILES_DOWN) is (max(up, default=0) <= 6)
        assert rules.one_die_allowed(board, rules.DIE_SUM_AT_MOST_SIX) is (sum(up) <= 6)
        assert rules.one_die_allowed(board, rules.DIE_ALWAYS_TWO) is False


@pytest.mark.parametrize("dice", [1, 2])
def test_totals_come_up_as_often_as_counting_the_faces_says(dice):
    totals = [sum(faces) for faces in product(range(1, 7), repeat=dice)]

    assert [rules.total_ways(dice, total) for total in range(-1, 15)] == [
        totals.count(total) for total in range(-1, 15)
    ]


def test_one_die_is_forced_without_a_choice_and_free_with_it():
    low, high = mask(1, 6), mask(1, 7)
    rule = rules.DIE_HIGH_TILES_DOWN

    assert (rules.dice_min(low, rule), rules.dice_max(low, rule, False)) == (1, 1)
    assert (rules.dice_min(low, rule), rules.dice_max(low, rule, True)) == (1, 2)
    assert (rules.dice_min(high, rule), rules.dice_max(high, rule, False)) == (2, 2)
    assert (rules.dice_min(high, rule), rules.dice_max(high, rule, True)) == (2, 2)


def test_the_first_die_is_drawn_first_and_one_die_leaves_the_second_at_0():
    # The published stream of this seed begins with the faces 1, 1, 2, 4, 1, 6, 6, 4.
    rng = GameRng.new(bytes(32), session_id=1, move_number=0)

    assert [rules.roll(rng, 2), rules.roll(rng, 2)] == [(1, 1), (2, 4)]
    assert [rules.roll(rng, 1), rules.roll(rng, 1)] == [(1, 0), (6, 0)]
    assert rules.roll(rng, 2) == (6, 4)


def test_the_highest_tile_decides_then_the_next_highest_on_every_board():
    for board, total, sets in every_total():
        best = max((tiles[::-1] for tiles in sets), default=())
        assert rules.highest_tile_set(board, total) == mask(*best)


def test_the_fewest_tiles_decide_then_the_highest_of_them_on_every_board():
    for board, total, sets in every_total():
        fewest = min(map(len, sets), default=0)
        best = max((tiles[::-1] for tiles in sets if len(tiles) == fewest), default=())
        assert rules.fewest_tiles_set(board, total) == mask(*best)
