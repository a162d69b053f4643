"""The kernel of three card poker against the engine: the same rounds to the last chip, card and fee."""

from __future__ import annotations

from croupier.games.three_card_poker.policies import POLICIES
from tests.games.three_card_poker.facts import KIT

GAME = KIT.game


def test_the_facts_are_the_cards_and_the_ending():
    plan = GAME.plan({"ante": 5})
    for session_id in range(200):
        state = KIT.same_round(plan, session_id)
        *cards, ending = plan.facts(state)
        assert cards == [*state.player, *state.dealer]
        assert state.outcome == ("folded", "not_qualified", "won", "tied", "lost")[ending]


def test_a_plan_has_the_bets_of_the_opening_and_the_best_policy_unless_told_otherwise():
    plan = GAME.plan({"progressive": 1, "pair_plus": 2, "ante": 10})

    assert plan.bets == ("ante", "pair_plus", "progressive")
    assert plan.stakes == (10, 2, 1)
    assert plan.options == GAME.plan({"ante": 10}, "best").options
    assert (plan.terms.stake, plan.opening) == (10, 10)  # the edge is a share of the Ante, whatever lies beside it
    assert {GAME.plan({"ante": 10}, policy).options for policy in POLICIES} == {
        GAME.plan({"ante": 10}, policy).options for policy in ("q64", "q72", "queen_high", "always_play")
    }
