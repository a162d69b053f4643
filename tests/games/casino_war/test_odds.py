"""Exact odds of casino war against published figures, closed forms and a second count card by card."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.games.casino_war.odds import main_edge, odds, super_odds, tie_chance
from croupier.games.casino_war.options import CasinoWarOptions
from tests.games.second_lit import lit_sets

TIE = Fraction(24 - 1, 312 - 1)
# The tied rank has 22 cards left, the other twelve have 24 each.
SECOND_TIE = Fraction(22 * 21 + 12 * 24 * 23, 310 * 309)
WAR_LOST = (1 - SECOND_TIE) / 2

DEFAULT = CasinoWarOptions()
CHEAP = CasinoWarOptions(tie_pays=11, second_tie_bonus=False)


def rows(options):
    return {(row.bet, row.policy): row for row in odds(options)}


@pytest.mark.parametrize(
    ("options", "bet", "policy", "percent"),
    [
        # Published.
        (DEFAULT, "main", "always_war", "2.3301%"),
        (CHEAP, "main", "always_war", "2.8771%"),
        (DEFAULT, "main", "always_surrender", "3.6977%"),
        (CHEAP, "main", "always_surrender", "3.6977%"),
        (DEFAULT, "tie", "-", "18.6495%"),
        (CHEAP, "tie", "-", "11.2540%"),
    ],
)
def test_edges_are_the_published_ones(options, bet, policy, percent, checks):
    checks("published", "casino-war", [rows(options)[bet, policy]])
    assert f"{float(rows(options)[bet, policy].edge):.4%}" == percent


def test_tie_chances_are_the_published_ones():
    """That of a second tie is in the edges, by their closed forms."""
    assert tie_chance() == TIE == Fraction(23, 311)
    assert f"{float(SECOND_TIE):.6f}" == "0.073974"


def test_edges_match_their_closed_forms(checks):
    # Direct wins and losses cancel out. A lost war costs two bets; a won one brings one, with the bonus a tie two.
    no_bonus = 2 * WAR_LOST - (1 - WAR_LOST)
    war = {DEFAULT: no_bonus - SECOND_TIE, CHEAP: no_bonus}
    for options in (DEFAULT, CHEAP):
        found = rows(options)
        assert found["main", "always_war"].edge == TIE * war[options]
        assert found["main", "always_war"].edge_per_chip == TIE * war[options] / (1 + TIE)
        assert found["main", "always_surrender"].edge == TIE / 2
        assert found["main", "always_surrender"].edge_per_chip == TIE / 2
        assert found["tie", "-"].edge == 1 - (options.tie_pays + 1) * TIE
        checks("closed form", "casino-war", found.values())
    assert rows(DEFAULT)["main", "always_war"].edge == Fraction(23138, 993023)


def test_rows_say_how_often_the_player_ends_ahead():
    for options in (DEFAULT, CHEAP):
        found = rows(options)
        assert found["main", "always_war"].win == (1 - TIE) / 2 + TIE * (1 - WAR_LOST)
        assert found["main", "always_surrender"].win == (1 - TIE) / 2
        assert found["tie", "-"].win == TIE


def test_the_stake_matters_to_surrender_alone():
    for stake in (1, 2, 3, 5_000):
        assert main_edge("always_war", stake, DEFAULT) == Fraction(23138, 993023)
    assert main_edge("always_surrender", 1, DEFAULT) == 0
    assert main_edge("always_surrender", 2, DEFAULT) == TIE / 2
    assert main_edge("always_surrender", 5, DEFAULT) == TIE * Fraction(3, 5)


# Super mode. The second count asks for each rank how often it is marked, from the bytes that come before it.


def chance_free_of(*ranks):
    """Return the chance that none of `ranks` is among the three marked: nine ranks have 20 bytes of 256, four 19."""
    return lit_sets(tuple(20 if rank < 9 else 19 for rank in ranks), {20: 9, 19: 4}, 3)[frozenset()]


def oracle_gains():
    """Return what boosts bring per chip of the main bet: on the deal, and in wars."""
    order = [*range(1, 13), 0]  # twos to aces
    free = {rank: chance_free_of(rank) for rank in range(13)}
    deal = sum((Fraction(24 * 24 * order.index(rank), 312 * 311) * (1 - free[rank]) for rank in range(13)), Fraction(0))
    war = Fraction(0)
    for tied in range(13):
        for last in range(13):
            left = [22 if rank == tied else 24 for rank in order]
            place = order.index(last)
            won = left[place] * (sum(left[:place]) + left[place] - 1)  # lower dealer cards, and as high ones
            only_last = free[tied] - chance_free_of(*{tied, last})
            mean = 3 * (1 - free[tied]) + only_last
            war += Fraction(24 * 23, 312 * 311) * Fraction(won, 310 * 309) * mean
    return deal, war


def test_super_edges_match_the_second_count(checks):
    deal, war = oracle_gains()
    for options in (DEFAULT, CHEAP):
        plain = rows(options)
        always_war, always_surrender = super_odds(options)

        cost = Fraction(1, 5)
        expected = cost + plain["main", "always_war"].edge - deal - war
        assert always_war.edge == expected
        assert always_war.edge_per_chip == expected / (1 + cost + TIE)
        assert always_surrender.edge == cost + TIE / 2 - deal
        assert always_surrender.edge_per_chip == always_surrender.edge / (1 + cost)
        assert always_war.win == plain["main", "always_war"].win
        checks("model", "casino-war", (always_war, always_surrender), super_mode=True)


def test_super_edges_are_the_published_ones():
    assert [f"{float(row.edge):.4%}" for row in super_odds(DEFAULT)] == ["8.2793%", "13.1011%"]
    assert [f"{float(row.edge):.4%}" for row in super_odds(CHEAP)] == ["8.8264%", "13.1011%"]
