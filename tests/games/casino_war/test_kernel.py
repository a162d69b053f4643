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


def test_the_facts_are_the_cards_and_the_ending():
    plan = GAME.plan({"main": 5})
    for session_id in range(200):
        state = KIT.same_round(plan, session_id)
        *cards, ending = plan.facts(state)
        war = [state.player[1], state.dealer[1]] if state.outcome.startswith("war") else [-1, -1]
        assert cards == [state.player[0], state.dealer[0], *war]
        assert state.outcome == ("lost", "won", "tied", "surrendered", "war_lost", "war_won", "war_tied")[ending]


def test_a_plan_has_the_bets_of_the_opening_and_goes_to_war_unless_told_otherwise():
    plan = GAME.plan({"tie": 2, "main": 10})

    assert plan.bets == ("main", "tie")
    assert plan.stakes == (10, 2)
    assert plan.options == (0, 10, 1, rules.WAR)
    assert plan.terms.stake == 10
