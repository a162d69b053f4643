"""Hole cards and flops of hold'em in numbers: which are alike but for the names of the suits.

Cards lie in one flat array, two in the hole and then the flop. Everything here is in the numeric subset.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.kit.cards import rank_high

FLOP_CLASSES, HOLDINGS = 1755, 1326
HOLE_KNOWN, FLOP_KNOWN = 2, 5


def flop_place(cards: Sequence[int]) -> int:
    """Return the place of hole cards and a flop in a table, the same for all that differ in the names of suits alone.

    A suit is known by how many cards of the flop it has, which, and then by which hole cards. In that order the suits
    get new names, and the flop is one of 1,755.
    """
    a = flop_key(cards, 0) << 13 | hole_key(cards, 0)
    b = flop_key(cards, 1) << 13 | hole_key(cards, 1)
    c = flop_key(cards, 2) << 13 | hole_key(cards, 2)
    d = flop_key(cards, 3) << 13 | hole_key(cards, 3)
    first = renamed(cards[0], suit_place(a, b, c, d, cards[0] // 13))
    second = renamed(cards[1], suit_place(a, b, c, d, cards[1] // 13))
    flop = flop_class(
        renamed(cards[2], suit_place(a, b, c, d, cards[2] // 13)),
        renamed(cards[3], suit_place(a, b, c, d, cards[3] // 13)),
        renamed(cards[4], suit_place(a, b, c, d, cards[4] // 13)),
    )
    return flop * HOLDINGS + holding(first, second)


def flop_key(cards: Sequence[int], suit: int) -> int:
    """Return what the flop has of a suit: how many cards, and then which."""
    key = 0
    for place in range(HOLE_KNOWN, FLOP_KNOWN):
        if cards[place] // 13 == suit:
            key += 1 << 13 | 1 << (rank_high(cards[place]) - 2)
    return key


def hole_key(cards: Sequence[int], suit: int) -> int:
    """Return which hole cards are of a suit."""
    key = 0
    for place in range(HOLE_KNOWN):
        if cards[place] // 13 == suit:
            key += 1 << (rank_high(cards[place]) - 2)
    return key


def suit_place(a: int, b: int, c: int, d: int, suit: int) -> int:
    """Return the place of a suit among the four whose keys are given, the largest first."""
    key = a if suit == 0 else b if suit == 1 else c if suit == 2 else d
    before = (a > key) + (b > key) + (c > key) + (d > key)
    return before + (suit > 0 and a == key) + (suit > 1 and b == key) + (suit > 2 and c == key)


def renamed(card: int, place: int) -> int:
    """Return a card with the suit at `place`: those of the first suit are the highest, and twos the lowest of each."""
    return 13 * (3 - place) + rank_high(card) - 2


def flop_class(one: int, two: int, three: int) -> int:
    """Return the number of a flop, 0 to 1754, from its three cards renamed: of one suit, of two, of three."""
    high, low = max(one, two, three), min(one, two, three)
    middle = one + two + three - high - low
    a, b, c = high % 13, middle % 13, low % 13
    if low >= 39:
        return a * (a - 1) * (a - 2) // 6 + b * (b - 1) // 2 + c
    if middle >= 39:
        return 286 + 13 * (a * (a - 1) // 2 + b) + c
    return 1300 + (a + 2) * (a + 1) * a // 6 + (b + 1) * b // 2 + c


def holding(one: int, two: int) -> int:
    """Return the number of two different cards, 0 to 1325, whichever comes first."""
    high, low = max(one, two), min(one, two)
    return high * (high - 1) // 2 + low
