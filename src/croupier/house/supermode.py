"""Super mode: what a session lights up (casino-core, section 7.1), and how likely each multiplier is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any

from croupier.house.game import HouseGame, Lit
from croupier.rng import GameRng
from croupier.rounds import SUPER_MOVE

__all__ = ["generate_super_multipliers", "lit_chance", "marked_chances", "multiplier_chances"]


def generate_super_multipliers(game: HouseGame[Any], seed: bytes, session_id: int) -> tuple[Lit, ...]:
    """Return what is lit in a super session, in the order drawn, from the stream that is kept for it."""
    return game.super_multipliers(GameRng.new(seed, session_id, SUPER_MOVE))


@cache
def lit_chance(place: int, m: int, count: int) -> Fraction:
    """Return the chance that one of `m` ids, the one at `place`, is among the `count` that `draw_unlit` lights.

    Where 256 bytes do not divide by m, the first ids have one byte more than the others and are lit more often.

    >>> lit_chance(0, 2, 1), lit_chance(0, 37, 37), lit_chance(0, 37, 6) > lit_chance(36, 37, 6)
    (Fraction(1, 2), Fraction(1, 1), True)
    """
    is_heavy = place < 256 % m
    heavy = 256 % m - is_heavy
    return 1 - _missed(256 // m, is_heavy, heavy, m - 1 - heavy, count)


@cache
def _missed(weight: int, is_heavy: bool, heavy: int, light: int, draws: int) -> Fraction:
    """The chance that `draws` more ids miss one, with so many others left that have `weight` bytes, or one more."""
    if draws == 0:
        return Fraction(1)
    heavy_bytes, light_bytes = heavy * (weight + 1), light * weight
    left = heavy_bytes + light_bytes + weight + is_heavy
    chance = Fraction(0)
    if heavy:
        chance += Fraction(heavy_bytes, left) * _missed(weight, is_heavy, heavy - 1, light, draws - 1)
    if light:
        chance += Fraction(light_bytes, left) * _missed(weight, is_heavy, heavy, light - 1, draws - 1)
    return chance


@cache
def marked_chances(m: int, count: int) -> dict[tuple[int, ...], Fraction]:
    """Return the chance of every set of `count` of `m` ids, the lowest first, that `draw_unlit` may light.

    >>> marked_chances(4, 2)[0, 3], marked_chances(13, 2)[0, 1] > marked_chances(13, 2)[11, 12]
    (Fraction(1, 6), True)
    """
    weights = [len(range(place, 256, m)) for place in range(m)]
    sets: dict[tuple[int, ...], Fraction] = {}
    for order in permutations(range(m), count):
        chance, left = Fraction(1), 256
        for place in order:
            chance *= Fraction(weights[place], left)
            left -= weights[place]
        marked = tuple(sorted(order))
        sets[marked] = sets.get(marked, Fraction(0)) + chance
    return sets


def multiplier_chances(lit: Fraction, multipliers: Iterable[int]) -> dict[int, Fraction]:
    """Return the chance of each multiplier on something that is lit with chance `lit`; 0 stands for not lit.

    The multipliers are those of every draw that there is, all equally likely.

    >>> multiplier_chances(Fraction(1, 2), (2, 2, 5, 2))
    {0: Fraction(1, 2), 2: Fraction(3, 8), 5: Fraction(1, 8)}
    """
    counts = Counter(multipliers)
    total = counts.total()
    return {0: 1 - lit} | {multiplier: lit * Fraction(count, total) for multiplier, count in counts.items()}
