"""Rows of games: a kernel played over session after session, in the numeric subset too."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from croupier.kit.rows import tail
from tools.wasm.streams import open_stream


def row_player(step: Any) -> FunctionType:
    """Return a function that plays sessions with a kernel, each into a row of zeros, and counts their moves.

    `facts` are the first session, how many, the first move, the size of a row, and where in `contents` each part ends:
    seed, kinds, numbers, stakes, options, work, spare.
    """

    def play(stream: Any, facts: Any, contents: Any, rows: Any) -> int:
        seed = contents[0 : facts[4]]
        kinds = contents[facts[4] : facts[5]]
        numbers = contents[facts[5] : facts[6]]
        stakes = contents[facts[6] : facts[7]]
        options = contents[facts[7] : facts[8]]
        work = contents[facts[8] : facts[9]]
        spare = contents[facts[9] : facts[10]]
        moves = 0
        for i in range(facts[1]):
            row = tail(rows, i * facts[3])
            move = facts[2]
            while True:  # the first move may be number 0
                open_stream(stream, seed, facts[0] + i, move)
                move = step(stream, move, row, kinds, numbers, stakes, options, work, spare)
                moves += 1
                if move == 0:
                    break
        return moves

    assert isinstance(play, FunctionType)
    return play
