"""Exact odds of sic bo: all 216 rolls counted with the rules that settle the bets."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

from croupier.games.sic_bo import rules
from croupier.games.sic_bo.bets import BETS
from croupier.games.sic_bo.options import SicBoOptions
from croupier.house import supermode
from croupier.house.odds import Returns, add, table_sheet
from croupier.house.supermode import multiplier_chances

ROLLS = tuple(product(range(1, 7), repeat=3))

STAKE = rules.BOOST_DIVISOR  # no boosted profit on it has to be rounded


def _returns(kind: int, number: int, options: SicBoOptions) -> Returns:
    """Return what a bet returns per chip, and with which chance."""
    return _super_returns(kind, number, options, {0: Fraction(1)})


def _super_returns(
    kind: int, number: int, options: SicBoOptions, multipliers: dict[int, Fraction] | None = None
) -> Returns:
    """Return the same for super mode, on stakes in tens: on any other a boosted profit is rounded down."""
    if multipliers is None:
        drawn = (rules.lit_multiplier(number, byte) for byte in range(256))
        multipliers = multiplier_chances(lit_chance(number), drawn)
    found: Returns = {}
    returned = Counter(rules.settle(kind, number, STAKE, roll, (options.pay_table_code,)) for roll in ROLLS)
    for (chips, count), (multiplier, chance) in product(returned.items(), multipliers.items()):
        boosted = rules.boosted(chips, STAKE, multiplier)
        add(found, Fraction(boosted, STAKE), chance * Fraction(count, len(ROLLS)))
    return found


def lit_chance(total: int) -> Fraction:
    """Return the chance that a total from 4 to 17 is lit.

    Three different totals of fourteen are: a little above 3/14 for 4 to 7 and below it for the others, because 256
    bytes do not divide by 14.
    """
    return supermode.lit_chance(total - 4, 14, rules.LIT_COUNT)


odds, super_odds, prices = table_sheet(lambda options: BETS, _returns, rules.is_eligible, _super_returns)
