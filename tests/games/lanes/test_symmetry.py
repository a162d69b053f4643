"""The two sides are one: a game mirrored left to right with the sides swapped gives the mirrored result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from croupier.games.lanes.compat import CardHydrator, Deck, GameState, load_cards
from croupier.games.lanes.play.board import check_cells
from croupier.games.lanes.rules import layout, playouts, scoring, turns
from croupier.rng import GameRng
from tests.games.lanes.conftest import random_deck


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


def test_random_games_are_right_after_every_play_and_in_the_mirror(any_file, rules):
    """A thousand a profile with the cards of the game that the rules come from, which are a test's alone."""
    cards = load_cards(any_file)
    is_large = cards.info.id == "compatibility"
    tables, hydrator, rng = cards.tables, CardHydrator(cards), GameRng.new(b"compatibility", 0, 0)
    ends: Counter[int] = Counter()
    moves = [0] * 400
    for _ in range(1000 if is_large else 40):
        one, two = (Deck(random_deck(cards, rng), rng.next_u32()) for _ in range(2))
        cells = GameState(one, two, hydrator, rules=rules).cells
        twin = GameState(two, one, hydrator, rules=rules, first_side="E").cells
        while not cells[layout.OVER]:
            turns.begin_turn(cells, None)
            turns.begin_turn(twin, None)
            if not is_large:
                counts = {playouts.legal_moves(row, tables, row[layout.SIDE], moves) for row in (cells, twin)}
                assert len(counts) == 1
                check_cells(twin, cards)
            move = playouts.random_move(cells, tables, rng, 1)
            playouts.make_move(twin, tables, None, move if move < 0 else mirrored_move(move, cells, twin))
            playouts.make_move(cells, tables, None, move)
            check_cells(cells, cards)
            assert mirrored(twin) == plain(cells)
            assert [cells[at] for at in (layout.TURN, layout.PASSES, layout.OVER)] == [
                twin[at] for at in (layout.TURN, layout.PASSES, layout.OVER)
            ]
        ends[cells[layout.OVER]] += 1
        assert scoring.margin(cells, tables) == -scoring.margin(twin, tables)

    assert not is_large or (ends[layout.TWO_PASSES] > 100 and ends[layout.BOARD_FULL] > 10)
