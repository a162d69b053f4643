"""Invariants of a board of Lanes: recompute what moves keep up to date, to set a board up, correct it and check it."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.lanes.rules import layout
from croupier.games.lanes.rules.abilities import begin_lasting, ready_at, unfired_at
from croupier.games.lanes.rules.pawns import replay_pawns
from croupier.games.lanes.rules.powers import lowered_of, update_counts, update_status


def recompute(cells: list[int], tables: Sequence[int]) -> None:
    """Work out masks, auras, status, counts and pawns from the cards on the tiles. Nothing fires, nobody dies.

    A card that is down to 0 dies at the next settling.
    """
    for mask in range(layout.CARD_MASKS, layout.CARD_MASKS + layout.CARD_MASK_TOTAL):
        cells[mask] = 0
    for tile in range(layout.TILE_COUNT):
        at = layout.TILES + layout.TILE_CELLS * tile
        cells[at + layout.AURA] = 0
        cells[at + layout.AURA + 1] = 0
        if cells[at + layout.CARD] >= 0:
            cells[layout.CARDS_OF + cells[at + layout.OWNER]] |= 1 << tile
    for tile in range(layout.TILE_COUNT):
        at = layout.TILES + layout.TILE_CELLS * tile
        if cells[at + layout.CARD] >= 0:
            begin_lasting(cells, tables, None, tile)
            cells[at + layout.COUNT] = 0
    everywhere = cells[layout.CARDS_OF] | cells[layout.CARDS_OF + 1]
    update_status(cells, tables, everywhere)
    update_counts(cells, tables, None)
    if cells[layout.DESTROYED] == layout.ROLLBACK:  # else nobody keeps what led to the pawns that are there
        replay_pawns(cells, tables, layout.ALL_TILES)
    cells[layout.UNSETTLED] = lowered_of(cells, tables, everywhere)


def spend_one_shots(cells: list[int], tables: Sequence[int]) -> None:
    """Count every one-shot whose condition holds already as gone off: it was put down, not played."""
    for tile in range(layout.TILE_COUNT):
        at = layout.TILES + layout.TILE_CELLS * tile
        if cells[at + layout.CARD] >= 0:
            cells[at + layout.FIRED] |= ready_at(cells, tables, at)
            if unfired_at(cells, tables, at) == 0:
                cells[layout.ARMED] &= ~(1 << tile)
