"""Oracle of poker hands: ranked by counting ranks, for calculations that share nothing with the package."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations

HANDS = ["high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house", "four of a kind"]
HANDS += ["straight flush", "royal flush"]


def pips(cards: Iterable[int]) -> list[int]:
    """Return the ranks from the top, aces 14."""
    return sorted((14 if card % 13 == 0 else card % 13 + 1 for card in cards), reverse=True)


@cache
def value_of_five(cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return the place of a hand in `HANDS`, and then the ranks that decide, those held most often first."""
    groups = sorted(Counter(pips(cards)).items(), key=lambda item: (item[1], item[0]), reverse=True)
    shape, order = tuple(count for _, count in groups), tuple(rank for rank, _ in groups)
    flush = len({card // 13 for card in cards}) == 1
    straight = shape == (1, 1, 1, 1, 1) and (order[0] - order[4] == 4 or order == (14, 5, 4, 3, 2))
    if straight:
        order = (5,) if order == (14, 5, 4, 3, 2) else order[:1]
    if straight and flush:
        return (9 if order == (14,) else 8, *order)
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    return (max(kinds[shape], 5 * flush, 4 * straight), *order)


def best_five(cards: Iterable[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return what the best five are worth, and which they are."""
    return max((value_of_five(five), five) for five in combinations(sorted(cards), 5))


def name_of(cards: Iterable[int]) -> str:
    """Return the name of the best five."""
    return HANDS[best_five(cards)[0][0]]
