"""Powers of cards with everything that reaches them: one function over a board."""

from __future__ import annotations

from croupier.games.lanes.play.board import BoardState


def compute_effective_power(board: BoardState, lane: int, col: int) -> int:
    """Return the power of the card on a tile: printed, changed, gained, under auras and counted; 0 without a card."""
    return board.power_at(lane, col)
