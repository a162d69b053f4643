"""Exact odds of roulette: every pocket counted with the rules that settle the bets.

Figures are per chip of an even stake: under la partage an odd one loses half a chip more on zero, to rounding.
"""

from __future__ import annotations

from fractions import Fraction

from croupier.games.roulette import rules
from croupier.games.roulette.bets import bets_of
from croupier.games.roulette.options import RouletteOptions
from croupier.house import supermode
from croupier.house.odds import Returns, add, table_sheet
from croupier.house.supermode import multiplier_chances
from croupier.rounds import STAYS

STAKE = 2  # can be halved


def _returns(kind: int, number: int, options: RouletteOptions) -> Returns:
    """Returns of a bet per chip with their chances. Prison spins are counted until the bet is decided."""
    table = (options.zero_rule_code,)
    pockets = range(rules.pocket_count(*table))
    found: Returns = {}
    for pocket in pockets:
        ends = [rules.settle(kind, number, STAKE, (pocket, pocket, 1), table)]
        if ends == [STAYS]:
            # Spins that change nothing come out in the wash: the chances are those among the spins that decide.
            ends = [rules.settle(kind, number, STAKE, (pocket, then, 2), table) for then in pockets]
            ends = [returned for returned in ends if returned != STAYS]
        for returned in ends:
            add(found, Fraction(returned, STAKE), Fraction(1, len(pockets) * len(ends)))
    return found


def _super_returns(kind: int, number: int, options: RouletteOptions) -> Returns:
    table = (options.zero_rule_code,)
    count = rules.pocket_count(*table)
    found: Returns = {}
    for multiplier, chance in multiplier_chances(lit_chance(number), map(rules.lit_multiplier, range(10000))).items():
        for pocket in range(count):
            add(found, rules.super_settle(kind, number, 1, (pocket, pocket, 1), table, multiplier), chance / count)
    return found


def lit_chance(number: int) -> Fraction:
    """Return the chance that a number from 0 to 36 is lit.

    A little above 6/37 for 0 to 33 and below it for 34 to 36: 256 bytes do not divide by 37, nor by 3.
    """
    return sum((supermode.lit_chance(number, 37, rules.lit_count(byte)) for byte in range(256)), Fraction(0)) / 256


odds, super_odds, prices = table_sheet(
    lambda options: bets_of(options.zero_rule_code), _returns, rules.is_eligible, _super_returns
)
