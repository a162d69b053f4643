"""How much super mode boosts a hand on average, exactly, from the values of its cards.

Three things are left to chance once the values are known: which cards are behind them, which cards are lit, and the
multipliers. Cards of one kind are alike in all three, so it is enough to count how many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import TypeVar

from croupier.games.blackjack import rules
from croupier.house.supermode import exactly_lit

__all__ = ["mean_boost"]

Key = TypeVar("Key")

# How often each distinct card of a hand was dealt, for common cards and for rare ones: an ace and two kings of clubs
# are ((1,), (2,)). A byte modulo 52 is five times in 256 each of the cards 0 to 47, the common ones, and four times
# each of 48 to 51, the rare ones: ten, jack, queen and king of clubs.
Copies = tuple[tuple[int, ...], tuple[int, ...]]
RARE = 4


def mean_boost(counts: Sequence[int], decks: int) -> Fraction:
    """Return the mean boost of hands with so many cards of each value, ace first; there must be so many.

    >>> float(mean_boost((0, 0, 0, 0, 0, 0, 0, 0, 0, 2), 1))
    1.3403187680079696
    """
    hands: dict[Copies, Fraction] = {((), ()): Fraction(1)}
    for value, count in enumerate(counts, 1):
        if count:
            joined: dict[Copies, Fraction] = {}
            for (one, one_chance), (two, two_chance) in product(
                hands.items(), _copies_within(count, value == 10, decks).items()
            ):
                _add(joined, (_sorted(one[0] + two[0]), _sorted(one[1] + two[1])), one_chance * two_chance)
            hands = joined
    return sum((chance * _mean_boost_of(copies) for copies, chance in hands.items()), Fraction(0))


@cache
def _copies_within(count: int, is_ten: bool, decks: int) -> dict[Copies, Fraction]:
    """Return the chances of which cards are behind some of one value: any of that value in the shoe is as likely."""
    if count == 0:
        return {((), ()): Fraction(1)}
    common, rare = (12, RARE) if is_ten else (4, 0)
    found: dict[Copies, Fraction] = {}
    cards_left = decks * (common + rare) - (count - 1)
    for (common_copies, rare_copies), chance in _copies_within(count - 1, is_ten, decks).items():
        for after, ways in _one_more(common_copies, common, decks):
            _add(found, (after, rare_copies), chance * Fraction(ways, cards_left))
        for after, ways in _one_more(rare_copies, rare, decks):
            _add(found, (common_copies, after), chance * Fraction(ways, cards_left))
    return found


def _one_more(copies: tuple[int, ...], distinct: int, decks: int) -> list[tuple[tuple[int, ...], int]]:
    """Return what one more card of `distinct` different ones makes of the copies, and in how many ways."""
    steps = [(_sorted((*copies, 1)), decks * (distinct - len(copies)))]
    for index, dealt in enumerate(copies):
        steps.append((_sorted((*copies[:index], dealt + 1, *copies[index + 1 :])), decks - dealt))
    return [(after, ways) for after, ways in steps if ways > 0]


@cache
def _mean_boost_of(copies: Copies) -> Fraction:
    """Return the mean boost of given cards: over every choice of those that are lit, and their multipliers."""
    common, rare = copies
    mean = Fraction(0)
    for lit in product((0, 1), repeat=len(common) + len(rare)):
        powers = [dealt for dealt, is_lit in zip(common + rare, lit, strict=True) if is_lit]
        if len(powers) <= rules.LIT_COUNT:
            chosen = sum(lit[: len(common)]), sum(lit[len(common) :])
            chance = exactly_lit(52, rules.LIT_COUNT, chosen, (len(common), len(rare)))
            mean += chance * _mean_product(_sorted(powers))
    return mean


@cache
def _mean_product(powers: tuple[int, ...]) -> Fraction:
    """Return the mean of the capped product of independent multipliers, each to its power."""
    shares = [high - low for low, high in zip((0, *rules.MULTIPLIER_LIMITS), rules.MULTIPLIER_LIMITS, strict=False)]
    total = 0
    for steps in product(range(len(shares)), repeat=len(powers)):
        boost = prod(rules.MULTIPLIERS[step] ** power for step, power in zip(steps, powers, strict=True))
        total += min(boost, rules.BOOST_MAX) * prod(shares[step] for step in steps)
    return Fraction(total, rules.MULTIPLIER_LIMITS[-1] ** len(powers))


def _add(chances: dict[Key, Fraction], key: Key, chance: Fraction) -> None:
    chances[key] = chances.get(key, Fraction(0)) + chance


def _sorted(copies: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(copies))
