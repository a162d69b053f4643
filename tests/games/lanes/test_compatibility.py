"""The rules with the cards of the game they come from, converted for the test: ids alone, never names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from croupier.games.lanes.compat import BoardState, CardHydrator, Deck, GameState, Rules
from croupier.games.lanes.play.board import check_cells
from croupier.games.lanes.rules import layout, playouts, scoring, turns
from croupier.rng import GameRng

# Section 3.4 of the sheet: how many of the 164 cards are in each row of the table.
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


def test_the_converted_cards_are_those_of_the_sheets_table(compatibility):
    split = {(when, do) for when, do, who in ROWS if who}
    counts: Counter[tuple[str, str, str]] = Counter()
    for card in compatibility:
        for ability in card.abilities:
            who = (ability.who or "") if (ability.when, ability.do) in split else ""
            counts[ability.when, ability.do, who] += 1

    assert dict(counts) == ROWS
    assert sum(1 for card in compatibility if not card.abilities and card.cost != "replace" and card.raise_ == 1) == 23
    assert sum(1 for card in compatibility if card.cost == "replace") == 11
    assert [sum(1 for card in compatibility if card.tier == tier) for tier in ("common", "rare", "token")] == [
        85,
        60,
        19,
    ]


def mirrored(cells: list[int]) -> list[object]:
    """Return what a game shows in a mirror, with the sides swapped: pawns and cards tile by tile, and sorted hands."""
    masks = [cells[layout.PAWNS_OF + place] for place in (3, 4, 5, 0, 1, 2)]
    return shown(cells, masks, 1, lambda tile: tile - 2 * (tile % 5) + 4)


def shown(cells: list[int], masks: list[int], swap: int, tile_there: Callable[[int], int]) -> list[object]:
    found: list[object] = []
    for tile in range(15):
        there = tile_there(tile)
        at = layout.TILES + layout.TILE_CELLS * there
        card, owner, _, *numbers = cells[at : at + layout.PUT]
        auras = [cells[at + layout.AURA + (side ^ swap)] for side in range(2)]
        side = owner ^ swap if card >= 0 else 0
        found.append((*(mask >> there & 1 for mask in masks), card, side, *numbers, *auras))
    for side in (0 ^ swap, 1 ^ swap):
        first = layout.HANDS + side * cells[layout.HAND_ROOM]
        found.append(sorted(cells[first : first + cells[layout.HAND_COUNT + side]]))
    return found


def plain(cells: list[int]) -> list[object]:
    return shown(cells, cells[layout.PAWNS_OF : layout.PAWNS_OF + 6], 0, lambda tile: tile)


def mirrored_move(move: int, cells: list[int], twin: list[int]) -> int:
    """Return the move of the twin that is this one in the mirror. Its hand may hold the card at another place."""
    side = cells[layout.SIDE]
    card = cells[layout.HANDS + side * cells[layout.HAND_ROOM] + (move >> 4)]
    place = 0
    while twin[layout.HANDS + (1 - side) * twin[layout.HAND_ROOM] + place] != card:
        place += 1
    tile = move & 15
    return 16 * place + tile - 2 * (tile % 5) + 4


@pytest.mark.parametrize("rules", [Rules.seed(), Rules.console()], ids=["seed", "console"])
def test_a_thousand_random_games_a_profile_are_right_after_every_play_and_in_the_mirror(compatibility, rules):
    ids = [card.id for card in compatibility if card.tier != "token"]
    tables = compatibility.tables
    hydrator = CardHydrator(compatibility)
    rng = GameRng.new(b"compatibility", 0, 0)
    ends: Counter[int] = Counter()
    for _ in range(1000):
        one, two = (Deck([rng.pick(ids) for _ in range(15)], rng.next_u32()) for _ in range(2))
        cells = GameState(one, two, hydrator, rules=rules).cells
        twin = GameState(two, one, hydrator, rules=rules, first_side="E").cells
        while not cells[layout.OVER]:
            turns.begin_turn(cells, None)
            turns.begin_turn(twin, None)
            move = playouts.random_move(cells, tables, rng, 1)
            playouts.make_move(twin, tables, None, move if move < 0 else mirrored_move(move, cells, twin))
            playouts.make_move(cells, tables, None, move)
            check_cells(cells, compatibility)
            assert mirrored(twin) == plain(cells)
        ends[cells[layout.OVER]] += 1
        assert scoring.margin(cells, tables) == -scoring.margin(twin, tables)

    assert ends[layout.TWO_PASSES] > 100
    assert ends[layout.BOARD_FULL] > 10


def test_every_card_can_be_played_by_both_sides_everywhere(compatibility):
    """Each card on each tile, once on a bare board and once among others: nothing breaks, and the board is right."""
    for rules in (Rules.seed(), Rules.console()):
        for others in (False, True):
            empty = BoardState(compatibility, rules)
            names = [f"{lane}-{col}" for lane in ("TOP", "MID", "BOT") for col in range(1, 6)]
            empty.set_up({name: "Y3:001" if others and place % 2 else "Y3" for place, name in enumerate(names)})
            for card in compatibility:
                for tile in range(0, 15, 2):
                    board = empty.clone()
                    lane, col = divmod(tile, 5)
                    board.place_card(lane, col, card, "Y")
                    board.apply_pawns_for_you(lane, col)
                    board.apply_effects_for_you(lane, col, 3)
                    board.settle()
                    board.validate()
