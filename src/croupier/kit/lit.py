"""Lit cards, totals or numbers, whose bets super mode multiplies: drawn without repeats, and found again.

Lit things are ids in the order they were drawn, in the first places of a flat array, all in the numeric subset.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream, next_byte


def draw_unlit(stream: Stream, first: int, m: int, ids: Sequence[int], count: int) -> int:
    """Return one of the `m` ids from `first` on that is not among the first `count` of `ids`.

    It is the remainder of a raw byte, drawn again while it is lit already. Where m does not divide 256 that favours low
    ids a little: the published streams are made that way, and odds have to reckon with it.
    """
    found = first + next_byte(stream) % m
    while lit_place(found, ids, count) >= 0:
        found = first + next_byte(stream) % m
    return found


def mark(stream: Stream, m: int, count: int, ids: MutableSequence[int], multipliers: MutableSequence[int]) -> int:
    """Mark `count` of the ids below m: write them in the order drawn, with multiplier 1, and return how many."""
    for place in range(count):
        ids[place] = draw_unlit(stream, 0, m, ids, place)
        multipliers[place] = 1
    return count


def lit_place(wanted: int, ids: Sequence[int], count: int) -> int:
    """Return where an id stands among the first `count`, or -1.

    >>> lit_place(7, (3, 7, 9), 3), lit_place(9, (3, 7, 9), 2)
    (1, -1)
    """
    for place in range(count):
        if ids[place] == wanted:
            return place
    return -1


def multiplier_on(wanted: int, ids: Sequence[int], multipliers: Sequence[int], count: int) -> int:
    """Return the multiplier that lies on an id, or 0 where it is not lit.

    >>> multiplier_on(7, (3, 7, 9), (50, 100, 50), 3), multiplier_on(8, (3, 7, 9), (50, 100, 50), 3)
    (100, 0)
    """
    place = lit_place(wanted, ids, count)
    if place < 0:
        return 0
    return multipliers[place]
