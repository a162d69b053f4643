"""Tic-tac-toe, for comparing engines: the same rules and the same games as the peers play."""

from typing import Annotated

from msgspec import Meta, Struct

from croupier.engine import Game, MatchResult, Setup, Turn, action, refuse

__all__ = ["Board", "TicTacToe"]

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Board(Struct, frozen=True):
    """Nine cells: 0 is free, 1 and 2 are the players' marks."""

    cells: tuple[int, ...] = (0,) * 9


class TicTacToe(Game[Board]):
    """Three in a row wins."""

    id, name, players = "tic-tac-toe", "Tic-tac-toe", (2, 2)
    category = "board"

    def setup(self, table: Setup) -> Board:
        """Begin with an empty board."""
        return Board()

    @action()
    def mark(self, board: Board, turn: Turn, cell: Annotated[int, Meta(ge=0, le=8)]) -> Board:
        """Mark a free cell."""
        cells = board.cells
        if cells[cell]:
            refuse("taken", f"cell {cell} is taken")
        cells = (*cells[:cell], turn.seat + 1, *cells[cell + 1 :])
        turn.events.end_turn()
        return Board(cells)

    def end_if(self, board: Board, turn: Turn) -> MatchResult | None:
        """Three in a row wins; a full board is a draw."""
        cells = board.cells
        for a, b, c in LINES:
            if cells[a] and cells[a] == cells[b] == cells[c]:
                return MatchResult("win", (turn.actor,))
        return None if 0 in cells else MatchResult("draw")
