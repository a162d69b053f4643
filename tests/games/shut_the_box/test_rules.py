"""The numeric rules of Shut the Box on every board, checked against tuples of tiles."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from croupier.games.shut_the_box import odds, rules
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


SMALL_SETS = sorted(tiles for size in range(1, 5) for tiles in combinations(range(1, 13), size) if sum(tiles) <= 12)
MASKS = {tiles: mask(*tiles) for tiles in SMALL_SETS}
ORACLE_SETS = {total: [tiles for tiles in SMALL_SETS if sum(tiles) == total] for total in range(1, 13)}


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

    assert [len(listed_sets(board, total)) for total in range(1, 13)] == SETS_BY_TOTAL[tile_count]


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


def test_the_sets_of_every_board_and_total_are_listed_counted_and_chosen():
    """Sets come in lexicographic order. Among the highest, or the fewest, tiles the next highest tile decides."""
    for board, total in product(range(4096), range(1, 13)):
        sets = [tiles for tiles in ORACLE_SETS[total] if MASKS[tiles] & ~board == 0]
        masks = [MASKS[tiles] for tiles in sets]
        count = min(map(len, sets), default=0)
        fewest = [tiles for tiles in sets if len(tiles) == count]
        assert listed_sets(board, total) == masks
        assert [rules.set_at(board, total, index) for index in range(len(sets) + 1)] == [*masks, 0]
        assert rules.can_make(board, total) == bool(sets)
        assert rules.highest_tile_set(board, total) == mask(*max((tiles[::-1] for tiles in sets), default=()))
        assert rules.fewest_tiles_set(board, total) == mask(*max((tiles[::-1] for tiles in fewest), default=()))
        assert odds.valid_sets(board, total) == tuple(sets)
        assert odds.set_masks(board, total) == tuple(masks)


@pytest.mark.parametrize("total", [-1, 0, 13, 78])
def test_a_total_that_no_dice_show_cannot_be_made(total):
    assert not rules.can_make(rules.full_board(12), total)
    assert odds.valid_sets(rules.full_board(12), total) == ()


def test_sum_tiles_highest_tile_score_and_dice_follow_from_the_tiles_that_are_up():
    one_die = {
        rules.DIE_HIGH_TILES_DOWN: lambda up: max(up, default=0) <= 6,
        rules.DIE_SUM_AT_MOST_SIX: lambda up: sum(up) <= 6,
        rules.DIE_ALWAYS_TWO: lambda up: False,
    }
    for board in range(4096):
        up = tiles_up(board)
        assert (odds.tiles_of(board), odds.mask_of(up, 12)) == (up, board)
        assert rules.board_sum(board) == sum(up)
        assert rules.count_up(board) == len(up)
        assert rules.highest_up(board) == max(up, default=0)
        assert [tile for tile in range(1, 13) if rules.tile_up(board, tile)] == list(up)
        assert rules.board_score(board, rules.SCORE_SUM) == sum(up)
        assert rules.board_score(board, rules.SCORE_DIGITS) == int("".join(map(str, up)) or "0") < 2**63
        for rule, is_allowed in one_die.items():  # one die, where allowed, is forced unless there is a choice
            assert rules.one_die_allowed(board, rule) is is_allowed(up)
            assert rules.dice_min(board, rule) == rules.dice_max(board, rule, False) == (1 if is_allowed(up) else 2)
            assert rules.dice_max(board, rule, True) == 2
    assert rules.board_score(rules.full_board(12), rules.SCORE_DIGITS) == 123456789101112


@pytest.mark.parametrize("dice", [1, 2])
def test_totals_come_up_as_often_as_counting_the_faces_says(dice):
    totals = [sum(faces) for faces in product(range(1, 7), repeat=dice)]

    assert [rules.total_ways(dice, total) for total in range(-1, 15)] == [
        totals.count(total) for total in range(-1, 15)
    ]


def test_the_first_die_is_drawn_first_and_one_die_leaves_the_second_at_0():
    # The published stream of this seed begins with the faces 1, 1, 2, 4, 1, 6, 6, 4.
    rng = GameRng.new(bytes(32), session_id=1, move_number=0)

    assert [rules.roll(rng, 2), rules.roll(rng, 2)] == [(1, 1), (2, 4)]
    assert [rules.roll(rng, 1), rules.roll(rng, 1)] == [(1, 0), (6, 0)]
    assert rules.roll(rng, 2) == (6, 4)
