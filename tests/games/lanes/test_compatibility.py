"""The rules with the cards of the game they come from, converted for the test: ids alone, never names."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from croupier.games.lanes.compat import BoardState
from croupier.games.lanes.play.position import SIDES, tile_name

# How many of the 164 cards are in each row of the table.
ROWS = {
    ("on_play", "power", "enemies"): 7,
    ("on_play", "power", "all"): 15,
    ("on_play", "power", "allies"): 1,
    ("on_play", "destroy", "enemies"): 3,
    ("on_play", "destroy", "all"): 2,
    ("on_play", "add_to_hand", ""): 7,
    ("on_play", "spawn", ""): 3,
    ("on_spawned", "power", "self"): 1,
    ("while_in_play", "power", "allies"): 18,
    ("while_in_play", "power", "all"): 9,
    ("while_in_play", "power", "enemies"): 1,
    ("while_in_play", "power_per", ""): 12,
    ("on_destroyed", "power", ""): 13,
    ("on_destroyed", "add_to_hand", ""): 3,
    ("on_card_destroyed", "gain", ""): 7,
    ("on_card_played", "gain", ""): 2,
    ("on_first_enhanced", "power", ""): 9,
    ("on_first_enfeebled", "power", ""): 7,
    ("on_power_reaches", "power", ""): 1,
    ("on_play", "power_by_replaced", "allies"): 3,
    ("on_play", "power_by_replaced", "all"): 5,
    ("on_lane_won", "score", ""): 4,
    ("on_round_end", "score_transfer", ""): 1,
}


def test_the_converted_cards_are_those_of_the_specified_table(compatibility):
    split = {(when, do) for when, do, who in ROWS if who}
    counts: Counter[tuple[str, str, str]] = Counter()
    for card in compatibility:
        for ability in card.abilities:
            who = (ability.who or "") if (ability.when, ability.do) in split else ""
            counts[ability.when, ability.do, who] += 1

    assert dict(counts) == ROWS
    assert sum(1 for card in compatibility if not card.abilities and card.cost != "replace" and card.raise_ == 1) == 23
    assert sum(1 for card in compatibility if card.cost == "replace") == 11
    assert Counter(card.tier for card in compatibility) == {"common": 85, "rare": 60, "token": 19}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("others", ["", ":001"])
def test_every_card_can_be_played_by_both_sides_on_every_second_tile(compatibility, rules, side, others):
    """Once on a bare board and once with a card on every other tile: nothing breaks, and the board is valid."""
    empty = BoardState(compatibility, rules)
    empty.set_up({tile_name(tile): f"{side}3{others if tile % 2 else ''}" for tile in range(15)})
    for card, tile in product(compatibility, range(0, 15, 2)):
        board = empty.clone()
        lane, col = divmod(tile, 5)
        board.place_card(lane, col, card, side)
        board.apply_pawns(lane, col, side)
        board.apply_effects(lane, col, side, 3)
        board.settle()
        board.validate()
