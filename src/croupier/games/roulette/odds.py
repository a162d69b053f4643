"""Exact odds of roulette: every pocket counted with the rules that settle the bets.

Figures are per chip of an even stake: under la partage an odd one loses half a chip more on zero, to rounding.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import MutableMapping
from fractions import Fraction

from croupier.games.roulette import rules
from croupier.games.roulette.bets import bets_of
from croupier.games.roulette.options import RouletteOptions
from croupier.house import supermode
from croupier.house.odds import OddsRow, row_from_returns, with_super_fee
from croupier.house.supermode import multiplier_chances
from croupier.rounds import STAYS

__all__ = ["lit_chance", "odds", "prices", "super_odds"]

STAKE = 2  # can be halved

Returns = MutableMapping[Fraction | int, Fraction]


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


def _returns(kind: int, number: int, zero_rule: int) -> Returns:
    """What a bet returns per chip, and with which chance. Prison spins are counted until the bet is decided."""
    pockets, options = range(rules.pocket_count(zero_rule)), (zero_rule,)
    found: Returns = defaultdict(Fraction)
    for pocket in pockets:
        ends = [rules.settle(kind, number, STAKE, (pocket, pocket, 1), options)]
        if ends == [STAYS]:
            # Spins that change nothing come out in the wash: the chances are those among the spins that decide.
            ends = [rules.settle(kind, number, STAKE, (pocket, then, 2), options) for then in pockets]
            ends = [returned for returned in ends if returned != STAYS]
        for returned in ends:
            found[Fraction(returned, STAKE)] += Fraction(1, len(pockets) * len(ends))
    return found


def super_odds(options: RouletteOptions) -> tuple[OddsRow, ...]:
    """Return the worth of every eligible bet in super mode, as `with_super_fee` tells it."""
    zero_rule = options.zero_rule_code
    return tuple(
        with_super_fee(row_from_returns(name, _super_returns(kind, number, zero_rule)))
        for name, (kind, number) in bets_of(zero_rule).items()
        if rules.is_eligible(kind, number)
    )


def _super_returns(kind: int, number: int, zero_rule: int) -> Returns:
    count = rules.pocket_count(zero_rule)
    found: Returns = defaultdict(Fraction)
    multipliers = map(rules.lit_multiplier, range(10000))
    for multiplier, chance in multiplier_chances(lit_chance(number), multipliers).items():
        for pocket in range(count):
            returned = rules.super_settle(kind, number, 1, (pocket, pocket, 1), (zero_rule,), multiplier)
            found[returned] += chance / count
    return found


def lit_chance(number: int) -> Fraction:
    """Return the chance that a number from 0 to 36 is lit.

    A little above 6/37 for 0 to 33 and below it for 34 to 36: 256 bytes do not divide by 37, nor by 3.
    """
    return sum((supermode.lit_chance(number, 37, rules.lit_count(byte)) for byte in range(256)), Fraction(0)) / 256
