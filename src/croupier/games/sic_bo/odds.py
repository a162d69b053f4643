"""Exact odds of sic bo: all 216 rolls counted with the rules that settle the bets."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product

from croupier.games.sic_bo import rules
from croupier.games.sic_bo.bets import BETS
from croupier.games.sic_bo.options import SicBoOptions
from croupier.house import supermode
from croupier.house.odds import OddsRow, per_chip, row_from_returns, with_super_fee
from croupier.house.supermode import multiplier_chances

__all__ = ["lit_chance", "odds", "prices", "super_odds"]

ROLLS = tuple(product(range(1, 7), repeat=3))
STAKE = rules.BOOST_DIVISOR  # no boosted profit on it has to be rounded


def odds(options: SicBoOptions) -> tuple[OddsRow, ...]:
    """Return the worth of every bet.

    >>> {row.bet: str(row.edge) for row in odds(SicBoOptions())}["total:9"]
    '41/216'
    """
    return tuple(row_from_returns(name, _returns(*code, options, {0: Fraction(1)})) for name, code in BETS.items())


def prices(options: SicBoOptions) -> dict[str, tuple[Fraction, ...]]:
    """Return what a chip on each bet can return; see `HouseGame.prices`.

    >>> [str(price) for price in prices(SicBoOptions())["single:5"]]
    ['0', '2', '3', '4']
    """
    table = (options.pay_table_code,)
    return {
        name: per_chip(1, (rules.settle(kind, number, 1, roll, table) for roll in ROLLS))
        for name, (kind, number) in BETS.items()
    }


def super_odds(options: SicBoOptions) -> tuple[OddsRow, ...]:
    """Return the worth of every eligible bet in super mode, as `with_super_fee` tells it, for stakes in tens.

    On any other stake a boosted profit is rounded down.
    """
    rows = []
    for name, (kind, number) in BETS.items():
        if rules.is_eligible(kind, number):
            drawn = (rules.lit_multiplier(number, byte) for byte in range(256))
            chances = multiplier_chances(lit_chance(number), drawn)
            rows.append(with_super_fee(row_from_returns(name, _returns(kind, number, options, chances))))
    return tuple(rows)


def _returns(
    kind: int, number: int, options: SicBoOptions, multipliers: dict[int, Fraction]
) -> dict[Fraction | int, Fraction]:
    """What a bet returns per chip, and with which chance, given the chances of each multiplier on its total."""
    counts = Counter(rules.settle(kind, number, STAKE, roll, (options.pay_table_code,)) for roll in ROLLS)
    found: dict[Fraction | int, Fraction] = defaultdict(Fraction)
    for returned, count in counts.items():
        for multiplier, chance in multipliers.items():
            found[Fraction(rules.boosted(returned, STAKE, multiplier), STAKE)] += chance * Fraction(count, len(ROLLS))
    return found


def lit_chance(total: int) -> Fraction:
    """Return the chance that a total from 4 to 17 is lit.

    Three different totals of fourteen are: a little above 3/14 for 4 to 7 and below it for the others, because 256
    bytes do not divide by 14.
    """
    return supermode.lit_chance(total - 4, 14, rules.LIT_COUNT)
