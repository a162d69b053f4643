"""Legality of plays: the moves of a side, and the refusal of a card that may not be played on a tile."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.engine import refuse
from croupier.engine.plain import shown
from croupier.games.lanes.cards.card_set import CardSet
from croupier.games.lanes.errors import IllegalPlacement
from croupier.games.lanes.play.position import hand_of, tile_name
from croupier.games.lanes.rules import layout, playouts
from croupier.games.lanes.rules.pawns import legal_tiles, rank_at


def read_tile_number(lane: object, col: object) -> int:
    """Return the number of the tile in that lane and column, both counted from 0; below 0 is off the board."""
    for what, value, count in (("lane", lane, layout.LANE_COUNT), ("column", col, layout.COLUMN_COUNT)):
        if type(value) is not int or not 0 <= value < count:
            raise IllegalPlacement(f"there is no {what} {shown(value)}: they are 0 to {count - 1}")
    assert isinstance(lane, int)
    assert isinstance(col, int)
    return lane * layout.COLUMN_COUNT + col


def checked_move(cells: Sequence[int], cards: CardSet, side: int, hand_index: int, lane: int, col: int) -> int:
    """Return the number of a play from the hand, or refuse what is not held, not on the board or not allowed there."""
    hand = hand_of(cells, side)
    if not 0 <= hand_index < len(hand):
        refuse("no_such_card", f"your hand has no card at place {hand_index}; it has {len(hand)}, counted from 0")
    try:
        tile = read_tile_number(lane, col)
    except IllegalPlacement as error:
        refuse("no_such_place", str(error))
    problem = placement_problem(cells, cards, side, hand[hand_index] >> 1, tile)
    if problem is not None:
        refuse("cannot_play_there", problem)
    return 16 * hand_index + tile


def list_moves(cells: list[int], tables: Sequence[int], side: int) -> list[int]:
    """Return every move of a side as `rules.playouts` counts moves: by hand, then by tile, passing last."""
    moves = [0] * (layout.TILE_COUNT * cells[layout.HAND_COUNT + side] + 1)
    return moves[: playouts.legal_moves(cells, tables, side, moves)]


def placement_problem(cells: Sequence[int], cards: CardSet, side: int, card: int, tile: int) -> str | None:
    """Return None if the card may be played there, else a sentence that says why not."""
    bit = 1 << tile
    if legal_tiles(cells, cards.tables, side, card) & bit:
        return None
    found = cards.cards[card]
    where = tile_name(tile)
    occupied = (cells[layout.CARDS_OF] | cells[layout.CARDS_OF + 1]) & bit
    if found.cost == "replace":
        there = "the card there is the other side's" if occupied else "there is none"
        return f"{found.name} replaces a card of your own; on {where} {there}"
    if occupied:
        return f"{where} holds a card already"
    rank = rank_at(cells, side, bit)
    if rank == 0:
        return (
            f"{where} is not yours: {'it belongs to nobody' if not rank_at(cells, 1 - side, bit) else 'it is theirs'}"
        )
    return f"{found.name} needs {found.cost} pawns, {where} has {rank}"
