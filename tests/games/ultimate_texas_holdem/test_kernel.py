"""The kernel of ultimate texas hold'em against the engine: the same rounds to the last chip, card and fee."""

from __future__ import annotations

import pytest

from croupier.games.ultimate_texas_holdem import rules
from croupier.games.ultimate_texas_holdem.options import HoldemOptions
from croupier.games.ultimate_texas_holdem.tables import guide
from tests.games.ultimate_texas_holdem.facts import KIT

GAME, compare = KIT.game, KIT.same_round


@pytest.mark.parametrize("options", [{"play_3x": False, "play_4x": False}, {"play_3x": False}], ids=str)
def test_raises_that_are_not_on_offer_are_not_made(options):
    for policy in ("best", "simple"):
        plan = GAME.plan({"ante": 10}, policy, options)
        plays = {compare(plan, session_id, options).play for session_id in range(150)}
        assert plays == {0, 1, 2} | ({4} if "play_4x" not in options else set())


def test_bots_and_kernel_go_by_the_same_guide():
    plan = GAME.plan({"ante": 5}, "best", {"dealer_qualifies": "always"})

    assert plan.options == guide(HoldemOptions("always"), rules.BEST)
    assert len(plan.options) == rules.FLOP_AT + rules.FLOP_WORDS
    assert GAME.plan({"ante": 5}, "simple").options == guide(HoldemOptions(), rules.SIMPLE)


def test_the_facts_are_the_cards_the_raise_and_the_ending():
    with_extra, without = (
        GAME.plan({"ante": 5, **side}, "simple") for side in ({"six_card": 1}, {"trips": 1, "progressive": 1})
    )
    for session_id in range(100):
        state = compare(with_extra, session_id, None)
        *cards, play, ending = with_extra.facts(state)
        assert cards == [*state.hole, *state.board, *state.dealer, *state.extra]
        assert (play, len(set(cards))) == (state.play, 13)
        assert state.outcome == ("folded", "lost", "lost_unqualified", "tied", "won_unqualified", "won")[ending]
        assert without.facts(compare(without, session_id, None))[9:13] == (-1, -1, -1, -1)


def test_a_plan_has_the_bets_of_the_opening_and_its_edge_is_a_share_of_the_ante():
    plan = GAME.plan({"progressive": 1, "trips": 2, "ante": 10})

    assert (plan.bets, plan.stakes) == (("ante", "trips", "progressive"), (10, 2, 1))
    assert (plan.opening, plan.terms.stake) == (10, 10)
    assert plan.options == GAME.plan({"ante": 10}, "best").options
