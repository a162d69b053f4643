"""Exact odds of roulette: every pocket counted with the rules that settle the bets.

Figures are per chip of an even stake: under la partage an odd one loses half a chip more on zero, to rounding.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache

from croupier.games.roulette import rules
from croupier.games.roulette.bets import bets_of
from croupier.games.roulette.options import RouletteOptions
from croupier.house.odds import OddsRow, row_from_returns

__all__ = ["lit_chance", "odds", "prices", "super_odds"]

STAKE = 2  # can be halved
SUPER_FEE = Fraction(1, 5)


def odds(options: RouletteOptions) -> tuple[OddsRow, ...]:
    """Return the worth of every bet on the layout.

    >>> {str(row.edge) for row in odds(RouletteOptions())}
    {'1/37'}
    """
    zero_rule = options.zero_rule_code
    return tuple(
        row_from_returns(name, _returns(kind, number, zero_rule)) for name, (kind, number) in bets_of(zero_rule).items()
    )


def prices(options: RouletteOptions) -> dict[str, tuple[Fraction, ...]]:
    """Return what a chip on each bet can return; see `HouseGame.prices`.

    >>> [str(price) for price in prices(RouletteOptions("la_partage"))["red"]]
    ['0', '1/2', '2']
    """
    zero_rule = options.zero_rule_code
    return {name: tuple(sorted(map(Fraction, _returns(*code, zero_rule)))) for name, code in bets_of(zero_rule).items()}


def _returns(kind: int, number: int, zero_rule: int) -> dict[Fraction | int, Fraction]:
    """What a bet returns per chip, and with which chance. Prison spins are counted until the bet is decided."""
    count = rules.pocket_count(zero_rule)
    found: dict[Fraction | int, Fraction] = {}
    for pocket in range(count):
        if rules.fate(kind, number, pocket, zero_rule) == rules.IMPRISONED:
            # Spins that change nothing come out in the wash: the chances are those among the spins that decide.
            deciding = [pocket for pocket in range(count) if not rules.stays_imprisoned(pocket, zero_rule)]
            ends = [rules.prison_return(kind, number, STAKE, pocket) for pocket in deciding]
        else:
            ends = [rules.bet_return(kind, number, STAKE, pocket, zero_rule)]
        for returned in ends:
            key = Fraction(returned, STAKE)
            found[key] = found.get(key, Fraction(0)) + Fraction(1, count * len(ends))
    return found


# Super mode.


def super_odds(options: RouletteOptions) -> tuple[OddsRow, ...]:
    """Return the worth of every eligible bet in super mode, its fee of a fifth included.

    `edge` is the expected loss per chip staked, `edge_per_chip` per chip of stake and fee together. The chances to win
    and lose are the bet's own; they do not count the fee.
    """
    zero_rule = options.zero_rule_code
    rows = []
    for name, (kind, number) in bets_of(zero_rule).items():
        if rules.is_eligible(kind, number):
            row = row_from_returns(name, _super_returns(number, zero_rule))
            edge = row.edge + SUPER_FEE
            figures = (row.win, row.push, row.lose, edge, edge / (1 + SUPER_FEE))
            rows.append(OddsRow(name, "-", *figures, variance=row.variance))
    return tuple(rows)


def _super_returns(number: int, zero_rule: int) -> dict[Fraction | int, Fraction]:
    count = rules.pocket_count(zero_rule)
    found: dict[Fraction | int, Fraction] = {}
    for multiplier, chance in _multiplier_chances(number).items():
        ways = Counter(rules.super_return(number, 1, pocket, multiplier) for pocket in range(count))
        for returned, pockets in ways.items():
            found[returned] = found.get(returned, Fraction(0)) + chance * Fraction(pockets, count)
    return found


def _multiplier_chances(number: int) -> dict[int, Fraction]:
    """The chance of each multiplier on a number; 0 stands for not lit."""
    lit = lit_chance(number)
    percentiles = Counter(rules.lit_multiplier(percentile) for percentile in range(10000))
    return {0: 1 - lit} | {multiplier: lit * Fraction(count, 10000) for multiplier, count in percentiles.items()}


@cache
def lit_chance(number: int) -> Fraction:
    """Return the chance that a number from 0 to 36 is lit.

    A little above 6/37 for 0 to 33 and below it for 34 to 36: 256 bytes do not divide by 37, nor by 3.
    """
    own_weight = _weight(number)
    heavy = sum(1 for other in range(37) if other != number and _weight(other) == _weight(0))
    missed = [_missed(own_weight, heavy, 36 - heavy, 5 + byte % 3) for byte in range(256)]
    return 1 - sum(missed, Fraction(0)) / 256


@cache
def _weight(number: int) -> int:
    """How many of the 256 bytes stand for a number."""
    return sum(1 for byte in range(256) if byte % 37 == number)


@cache
def _missed(own_weight: int, heavy: int, light: int, draws: int) -> Fraction:
    """The chance that `draws` more numbers miss one of `own_weight`, with so many others of either weight left."""
    if draws == 0:
        return Fraction(1)
    heavy_bytes = heavy * _weight(0)
    light_bytes = light * _weight(36)
    left = heavy_bytes + light_bytes + own_weight
    chance = Fraction(heavy_bytes, left) * _missed(own_weight, heavy - 1, light, draws - 1)
    if light:
        chance += Fraction(light_bytes, left) * _missed(own_weight, heavy, light - 1, draws - 1)
    return chance
