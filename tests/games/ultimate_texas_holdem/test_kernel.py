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


def test_the_edge_of_a_plan_is_a_share_of_the_ante_whatever_lies_beside_it():
    assert GAME.plan({"progressive": 1, "trips": 2, "ante": 10}).opening == 10


def test_a_plan_without_the_six_card_bet_tells_no_extra_cards():
    plan, with_extra = (GAME.plan({"ante": 5, bet: 1}, "simple") for bet in ("trips", "six_card"))
    for session_id in range(100):
        assert plan.facts(compare(plan, session_id))[9:13] == (-1, -1, -1, -1)
        assert len(set(with_extra.facts(compare(with_extra, session_id))[:13])) == 13
