"""Exact odds of sic bo: all 216 rolls counted with the rules that settle the bets."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

from croupier.games.sic_bo import rules
from croupier.games.sic_bo.bets import BETS
from croupier.games.sic_bo.options import SicBoOptions
from croupier.house.odds import OddsRow, per_chip, row_from_returns

__all__ = ["lit_chance", "odds", "prices", "super_odds"]

ROLLS = tuple(product(range(1, 7), repeat=3))
STAKE = rules.BOOST_DIVISOR  # no boosted profit on it has to be rounded
SUPER_FEE = Fraction(1, 5)


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
    table = options.pay_table_code
    return {
        name: per_chip(1, (rules.bet_return(kind, number, 1, a, b, c, table) for a, b, c in ROLLS))
        for name, (kind, number) in BETS.items()
    }


def super_odds(options: SicBoOptions) -> tuple[OddsRow, ...]:
    """Return the worth of every eligible bet in super mode, its fee of a fifth included.

    `edge` is the expected loss per chip staked, `edge_per_chip` per chip of stake and fee together, both for stakes in
    tens: a boosted profit is rounded down. The chances to win and lose are the bet's own; they do not count the fee.
    """
    rows = []
    for name, (kind, number) in BETS.items():
        if rules.is_eligible(kind, number):
            row = row_from_returns(name, _returns(kind, number, options, _multiplier_chances(number)))
            edge = row.edge + SUPER_FEE
            figures = (row.win, row.push, row.lose, edge, edge / (1 + SUPER_FEE))
            rows.append(OddsRow(name, "-", *figures, variance=row.variance))
    return tuple(rows)


def _returns(
    kind: int, number: int, options: SicBoOptions, multipliers: dict[int, Fraction]
) -> dict[Fraction | int, Fraction]:
    """What a bet returns per chip, and with which chance, given the chances of each multiplier on its total."""
    counts = Counter(rules.bet_return(kind, number, STAKE, a, b, c, options.pay_table_code) for a, b, c in ROLLS)
    found: dict[Fraction | int, Fraction] = {}
    for returned, count in counts.items():
        for multiplier, chance in multipliers.items():
            key = Fraction(rules.boosted(returned, STAKE, multiplier), STAKE)
            found[key] = found.get(key, Fraction(0)) + chance * Fraction(count, len(ROLLS))
    return found


def _multiplier_chances(total: int) -> dict[int, Fraction]:
    """The chance of each multiplier on a total; 0 stands for not lit."""
    lit = lit_chance(total)
    drawn = Counter(rules.lit_multiplier(total, byte) for byte in range(256))
    return {0: 1 - lit} | {multiplier: lit * Fraction(count, 256) for multiplier, count in drawn.items()}


@cache
def lit_chance(total: int) -> Fraction:
    """Return the chance that a total from 4 to 17 is lit.

    Three different totals of fourteen are: a little above 3/14 for 4 to 7 and below it for the others, because 256
    bytes do not divide by 14.
    """
    return 1 - _missed(total, (), Fraction(1))


def _missed(total: int, drawn: tuple[int, ...], chance: Fraction) -> Fraction:
    """The chance that these are drawn first, in this order, and the rest of the three are not `total` either."""
    if len(drawn) == rules.LIT_COUNT:
        return chance
    left = [other for other in range(4, 18) if other not in drawn]
    bytes_left = sum(_weight(other) for other in left)
    return sum(
        (_missed(total, (*drawn, other), chance * _weight(other) / bytes_left) for other in left if other != total),
        Fraction(0),
    )


@cache
def _weight(total: int) -> int:
    """How many of the 256 bytes stand for a total."""
    return sum(1 for byte in range(256) if 4 + byte % 14 == total)
