"""The kernel of casino war against the engine: the same rounds to the last chip, card and fee."""

from __future__ import annotations

from croupier.games.casino_war import rules
from tests.games.casino_war.facts import KIT

GAME = KIT.game


def test_all_three_bets_at_their_best_fit_63_bits():
    most = sum(rules.return_max(kind, rules.STAKE_MAX, 11, True, True) for kind in range(3))

    assert most < 2**63 <= most + 19


def test_odd_stakes_surrender_as_in_the_engine():
    for stake in (1, 2, 3):
        plan = GAME.plan({"main": stake}, "always_surrender")
        for session_id in range(200):
            KIT.same_round(plan, session_id)


def test_a_plan_goes_to_war_unless_told_otherwise():
    assert GAME.plan({"tie": 2, "main": 10}).options == (0, 10, 1, rules.WAR)
