"""A cache within compiled kernels: how the same bets settle on the same draw is worked out once, not every round.

The same bets lie on the table round after round, and meet few different draws. What a kernel wants to know of one is an
*answer*, a few numbers of its scratch array `work`, and has a number, its *key*.
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.kit.rows import Ints, Row, tail


def answer_place(first: int, key: int, size: int) -> int:
    """Return where an answer of so many numbers begins in `work`, of which the first ones have another use.

    Each has a number before it that says whether it is known.
    """
    return first + key * (size + 1) + 1


def memory_size(first: int, key_count: int, size: int) -> int:
    """Return how large `work` must be for so many answers of a size.

    >>> memory_size(52, 37, 6)
    311
    """
    return answer_place(first, key_count, size) - 1


def recalling(learn: Callable[..., None]) -> Callable[..., None]:
    """Return how a kernel makes sure that the answer at a place of `work` is known.

    The first time `learn(answer, find, kinds, numbers, stakes, options, work, spare)` writes it, over zeros.
    """

    def recall(
        place: int, find: Ints, kinds: Ints, numbers: Ints, stakes: Ints, options: Ints, work: Row, spare: Row
    ) -> None:
        if work[place - 1] == 0:
            work[place - 1] = 1
            learn(tail(work, place), find, kinds, numbers, stakes, options, work, spare)

    return recall
