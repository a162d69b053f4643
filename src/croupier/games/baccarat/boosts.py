"""How much super mode boosts some cards on average, exactly, without counting lit sets one by one.

Three things are left to chance once the values of the cards are known: which cards they are, which cards are lit,
and the multipliers. Cards of one kind are alike in all three, so it is enough to count how many there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

from croupier.games.baccarat import rules
from croupier.house.odds import add
from croupier.house.supermode import exactly_lit

__all__ = ["Shape", "mean_boost", "shape_of"]

# How many of some cards count 0, and how the others fall on the nine values, most first: 7, 7, 2 and a king are
# (1, (2, 1)). The mean boost depends on no more than that.
Shape = tuple[int, tuple[int, ...]]

# How often each distinct card among some was dealt, for common cards and for rare ones: a nine and two kings of
# clubs are ((1,), (2,)). A byte modulo 52 is five times in 256 each of the cards 0 to 47, the common ones, and four
# times each of 48 to 51, the rare ones: ten, jack, queen and king of clubs.
Copies = tuple[tuple[int, ...], tuple[int, ...]]
RARE = 4


@cache
def shape_of(values: tuple[int, ...]) -> Shape:
    """Return the shape of cards with these values.

    >>> shape_of((7, 2, 0, 7))
    (1, (2, 1))
    """
    counts = Counter(values)
    zeros = counts.pop(0, 0)
    return zeros, tuple(sorted(counts.values(), reverse=True))


@cache
def mean_boost(shape: Shape) -> Fraction:
    """Return the mean of `rules.boost_of` over cards of a shape."""
    return sum((chance * _mean_boost_of(copies) for copies, chance in _copies(shape).items()), Fraction(0))


def _copies(shape: Shape) -> dict[Copies, Fraction]:
    """Return the chances of which cards are behind the values: any of that value in the shoe is as likely.

    Cards of the same value in the other hand need no thought: they are as likely to be any of the rest.
    """
    zeros, others = shape
    # Twelve of the sixteen cards that count 0 are common, and so are all four of every other value.
    found = _copies_within(zeros, 12, RARE)
    for count in others:
        joined: dict[Copies, Fraction] = {}
        for (one, one_chance), (two, two_chance) in product(found.items(), _copies_within(count, 4, 0).items()):
            add(joined, (_sorted(one[0] + two[0]), one[1]), one_chance * two_chance)
        found = joined
    return found


@cache
def _copies_within(count: int, common: int, rare: int) -> dict[Copies, Fraction]:
    """Return the same for `count` cards of one value, of which there are so many common and rare ones."""
    if count == 0:
        return {((), ()): Fraction(1)}
    found: dict[Copies, Fraction] = {}
    cards_left = rules.DECKS * (common + rare) - (count - 1)
    for (common_copies, rare_copies), chance in _copies_within(count - 1, common, rare).items():
        for after, ways in _one_more(common_copies, common):
            add(found, (after, rare_copies), chance * Fraction(ways, cards_left))
        for after, ways in _one_more(rare_copies, rare):
            add(found, (common_copies, after), chance * Fraction(ways, cards_left))
    return found


def _one_more(copies: tuple[int, ...], distinct: int) -> list[tuple[tuple[int, ...], int]]:
    """Return what one more card of `distinct` different ones makes of the copies, and in how many ways."""
    steps = [(_sorted((*copies, 1)), rules.DECKS * (distinct - len(copies)))]
    for index, dealt in enumerate(copies):
        steps.append((_sorted((*copies[:index], dealt + 1, *copies[index + 1 :])), rules.DECKS - dealt))
    return [(after, ways) for after, ways in steps if ways > 0]


@cache
def _mean_boost_of(copies: Copies) -> Fraction:
    """Return the mean boost of given cards: over every choice of those that are lit, and their multipliers."""
    common, rare = copies
    mean = Fraction(0)
    for lit in product((0, 1), repeat=len(common) + len(rare)):
        powers = [dealt for dealt, is_lit in zip(common + rare, lit, strict=True) if is_lit]
        if len(powers) <= rules.LIT_MAX:
            chance = _chance_lit((sum(lit[: len(common)]), sum(lit[len(common) :])), (len(common), len(rare)))
            mean += chance * _mean_product(_sorted(powers))
    return mean


@cache
def _mean_product(powers: tuple[int, ...]) -> Fraction:
    """Return the mean of the capped product of independent multipliers, each to its power."""
    chances = _shares(rules.MULTIPLIER_LIMITS)
    mean = Fraction(0)
    for steps in product(range(len(chances)), repeat=len(powers)):
        boost = prod(rules.MULTIPLIERS[step] ** power for step, power in zip(steps, powers, strict=True))
        mean += min(boost, rules.BOOST_MAX) * prod(chances[step] for step in steps)
    return mean


@cache
def _chance_lit(lit: tuple[int, int], known: tuple[int, int]) -> Fraction:
    """Return the chance that of some cards just certain ones are lit: common and rare ones of so many of each."""
    shares = enumerate(_shares(rules.LIT_COUNT_LIMITS), rules.LIT_MIN)
    return sum((share * exactly_lit(52, count, lit, known) for count, share in shares), Fraction(0))


def _shares(limits: tuple[int, ...]) -> tuple[Fraction, ...]:
    """Return the chances of the steps that `limits` cut 0 to 9999 into."""
    return tuple(Fraction(high - low, limits[-1]) for low, high in zip((0, *limits), limits, strict=False))


def _sorted(copies: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(copies))
