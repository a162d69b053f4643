"""How a dealer of blackjack ends, card by card in fractions; a shoe is how many cards of each value it has."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

Shoe = tuple[int, ...]
BUST, NATURAL = 0, 22  # as totals: what loses to every hand, and what beats every hand


def taken(shoe: Shoe, *values: int) -> Shoe:
    """Return a shoe without cards of these values."""
    return tuple(count - values.count(value) for value, count in enumerate(shoe, 1))


def draws(shoe: Shoe) -> Iterator[tuple[int, Fraction, Shoe]]:
    """Yield the values that the next card may have, with their chances and the shoe that is left."""
    for value, count in enumerate(shoe, 1):
        if count:
            yield value, Fraction(count, sum(shoe)), taken(shoe, value)


def total_of(hard: int, has_ace: bool) -> tuple[int, bool]:
    """Return what a hand counts, and whether an ace counts eleven."""
    return (hard + 10, True) if has_ace and hard <= 11 else (hard, False)


@cache
def sized_ends(hard: int, has_ace: bool, size: int, shoe: Shoe, hits: bool) -> dict[tuple[int, int], Fraction]:
    """Return how a dealer ends who has so many cards: the total and the number of cards, with their chances."""
    total, soft = total_of(hard, has_ace)
    if total > 21:
        return {(BUST, size): Fraction(1)}
    if size == 2 and total == 21:
        return {(NATURAL, size): Fraction(1)}
    if size > 1 and (total > 17 or (total == 17 and not (soft and hits))):
        return {(total, size): Fraction(1)}
    found: dict[tuple[int, int], Fraction] = {}
    for value, chance, rest in draws(shoe):
        for end, share in sized_ends(hard + value, has_ace or value == 1, size + 1, rest, hits).items():
            found[end] = found.get(end, Fraction(0)) + chance * share
    return found


@cache
def dealer_ends(cards: tuple[int, ...], shoe: Shoe, hits: bool) -> dict[int, Fraction]:
    """Return the totals that a dealer with these cards ends with."""
    found: dict[int, Fraction] = {}
    for (end, _), chance in sized_ends(sum(cards), 1 in cards, len(cards), shoe, hits).items():
        found[end] = found.get(end, Fraction(0)) + chance
    return found
