"""Oracle of lit sets: the chances of the cards, numbers and ranks that super mode lights, followed draw by draw."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache


@cache
def _lit_sets(
    watched: tuple[int, ...], others: tuple[tuple[int, int], ...], draws: int
) -> dict[frozenset[int], Fraction]:
    states = {(frozenset[int](), others): Fraction(1)}
    for _ in range(draws):
        after: dict[tuple[frozenset[int], tuple[tuple[int, int], ...]], Fraction] = {}
        for (lit, left), chance in states.items():
            weights = {(lit | {place}, left): weight for place, weight in enumerate(watched) if place not in lit}
            for kind, (weight, count) in enumerate(left):
                weights[lit, (*left[:kind], (weight, count - 1), *left[kind + 1 :])] = weight * count
            total = sum(weights.values())
            for state, weight in weights.items():
                if weight:
                    after[state] = after.get(state, Fraction(0)) + chance * Fraction(weight, total)
        states = after
    found: dict[frozenset[int], Fraction] = {}
    for (lit, _), chance in states.items():
        found[lit] = found.get(lit, Fraction(0)) + chance
    return found


def lit_sets(watched: tuple[int, ...], everything: Mapping[int, int], draws: int) -> dict[frozenset[int], Fraction]:
    """Return which of the watched, by their places, so many draws without replacement light, with the chances.

    A thing is drawn by a byte: `watched` are the bytes that light each, `everything` is how many things, the watched
    among them, have so many bytes.
    """
    others = tuple((weight, count - watched.count(weight)) for weight, count in everything.items())
    return _lit_sets(watched, others, draws)
