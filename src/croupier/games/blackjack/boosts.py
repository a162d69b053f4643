"""Average boost of a hand in super mode, exactly, from the values of its cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

from croupier.games.blackjack import rules
from croupier.house.supermode import mean_boosts, shares_of


def mean_boost(counts: Sequence[int], decks: int) -> Fraction:
    """Return the mean boost of hands with so many cards of each value, ace first; there must be so many.

    >>> float(mean_boost((0, 0, 0, 0, 0, 0, 0, 0, 0, 2), 1))
    1.3403187680079696
    """
    return _from_a_shoe(decks)(counts[9], tuple(sorted(filter(None, counts[:9]))))


@cache
def _from_a_shoe(decks: int) -> Callable[[int, tuple[int, ...]], Fraction]:
    shares = shares_of(rules.MULTIPLIERS, rules.MULTIPLIER_LIMITS)
    return mean_boosts(decks, {rules.LIT_COUNT: 1}, shares, rules.BOOST_MAX)
