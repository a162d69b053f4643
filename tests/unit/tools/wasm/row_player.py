"""Rows of games: a kernel played over session after session, in the numeric subset too."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from croupier.kit.rows import tail
from tools.wasm.streams import open_stream

__all__ = ["row_player"]


def row_player(step: Any) -> FunctionType:
    """Return a function that plays sessions with a kernel, each into a row of zeros, and counts their moves."""

    def play(
        stream: Any, seed: Any, first: int, count: int, first_move: int, rows: Any, row_size: int,
        kinds: Any, numbers: Any, stakes: Any, options: Any, work: Any, spare: Any,
    ) -> int:  # fmt: skip
        moves = 0
        for i in range(count):
            row = tail(rows, i * row_size)
            move = first_move
            while True:  # the first move may be number 0
                open_stream(stream, seed, first + i, move)
                move = step(stream, move, row, kinds, numbers, stakes, options, work, spare)
                moves += 1
                if move == 0:
                    break
        return moves

    assert isinstance(play, FunctionType)
    return play
