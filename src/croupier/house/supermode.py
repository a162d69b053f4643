"""Super mode: what a session lights up (docs/house.md, Super mode), what that returns, and how likely it is.

The fee is in `croupier.rounds`, what it does to an edge in `croupier.house.odds`; what may be lit, and what it is
worth, is in the rules of each game as `generate`, `is_eligible`, `boost` and `super_settle`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

from croupier.house.game import GameType, HouseGame, Lit, house_game
from croupier.house.money import Stake
from croupier.house.table_round import SuperSteps
from croupier.rng import GameRng
from croupier.rounds import SUPER_MOVE, super_fee

__all__ = [
    "exactly_lit",
    "generate_super_multipliers",
    "get_super_mode_fee",
    "lit_chance",
    "marked_chances",
    "multiplier_chances",
    "settled",
]


def get_super_mode_fee(bet: int) -> int:
    """Return the fee for a bet in super mode, a fifth of it rounded down: `croupier.rounds.SUPER_FEE_DIVISOR` is fixed.

    >>> get_super_mode_fee(100), get_super_mode_fee(4)
    (20, 0)
    """
    return super_fee(bet)


def generate_super_multipliers(
    game: HouseGame[Any] | GameType | str, seed: bytes | GameRng, session_id: int = 0
) -> tuple[Lit, ...]:
    """Return what is lit in a super session, in the order drawn, from the stream that is kept for it.

    Or from a stream that is given in place of the seed.
    """
    rng = seed if isinstance(seed, GameRng) else GameRng.new(seed, session_id, SUPER_MOVE)
    return house_game(game).super_multipliers(rng)


def settled(
    steps: SuperSteps,
    laid: Stake,
    code: tuple[int, int],
    find: Sequence[int],
    options: Sequence[int],
    lit: Sequence[Lit],
) -> int:
    """Return the chips handed back for a bet by the steps of its game, or `STAYS`; boosted if it paid the fee."""
    if not laid.boosted:
        return steps.settle(*code, laid.stake, find, options)
    ids, multipliers = [each.id for each in lit], [each.multiplier for each in lit]
    boost = steps.boost(*code, find, ids, multipliers, len(lit))
    return steps.super_settle(*code, laid.stake, find, options, boost)


def lit_chance(place: int, m: int, count: int) -> Fraction:
    """Return the chance that one of `m` ids, the one at `place`, is among the `count` that `draw_unlit` lights.

    >>> lit_chance(0, 2, 1), lit_chance(0, 37, 37), lit_chance(0, 37, 6) > lit_chance(36, 37, 6)
    (Fraction(1, 2), Fraction(1, 1), True)
    """
    one = (1, 0) if place < 256 % m else (0, 1)
    return exactly_lit(m, count, one, one)


@cache
def exactly_lit(m: int, count: int, lit: tuple[int, int], known: tuple[int, int]) -> Fraction:
    """Return the chance that of some of `m` ids just certain ones are among the `count` that `draw_unlit` lights.

    Where 256 bytes do not divide by m, the first ids have one byte more than the others and are lit more often. Both
    pairs of numbers count those heavy ones first: how many are lit, and how many there are.
    """
    every = (256 % m, m - 256 % m)
    chance = Fraction(0)
    for drawn, weight in _lit_counts(m, count).items():
        for total, found, own, mine in zip(every, drawn, known, lit, strict=True):
            weight *= Fraction(comb(total - own, found - mine) if found >= mine else 0, comb(total, found))
        chance += weight
    return chance


@cache
def marked_chances(m: int, count: int) -> dict[tuple[int, ...], Fraction]:
    """Return the chance of every set of `count` of `m` ids, the lowest first, that `draw_unlit` may light.

    >>> marked_chances(4, 2)[0, 3], marked_chances(13, 2)[0, 1] > marked_chances(13, 2)[11, 12]
    (Fraction(1, 6), True)
    """
    chances = {}
    for marked in combinations(range(m), count):
        heavy = sum(place < 256 % m for place in marked)
        chances[marked] = exactly_lit(m, count, (heavy, count - heavy), (heavy, count - heavy))
    return chances


@cache
def _lit_counts(m: int, count: int) -> dict[tuple[int, int], Fraction]:
    """Return the chances of how many heavy ids are lit, and how many of the others."""
    chances = {(0, 0): Fraction(1)}
    for _ in range(count):
        following: dict[tuple[int, int], Fraction] = {}
        for (heavy, light), chance in chances.items():
            ways = ((256 % m - heavy) * (256 // m + 1), (m - 256 % m - light) * (256 // m))
            for after, share in zip(((heavy + 1, light), (heavy, light + 1)), ways, strict=True):
                if share:
                    following[after] = following.get(after, Fraction(0)) + chance * Fraction(share, sum(ways))
        chances = following
    return chances


def multiplier_chances(lit: Fraction, multipliers: Iterable[int]) -> dict[int, Fraction]:
    """Return the chance of each multiplier on something that is lit with chance `lit`; 0 stands for not lit.

    The multipliers are those of every draw that there is, all equally likely.

    >>> multiplier_chances(Fraction(1, 2), (2, 2, 5, 2))
    {0: Fraction(1, 2), 2: Fraction(3, 8), 5: Fraction(1, 8)}
    """
    counts = Counter(multipliers)
    total = counts.total()
    return {0: 1 - lit} | {multiplier: lit * Fraction(count, total) for multiplier, count in counts.items()}
