"""The kernel of ultimate texas hold'em against the engine: the same rounds to the last chip, card and fee."""

from __future__ import annotations

from collections import Counter

import pytest

from croupier.errors import BadOptions
from croupier.games.ultimate_texas_holdem import UltimateTexasHoldem, rules
from croupier.games.ultimate_texas_holdem.options import HoldemOptions
from croupier.games.ultimate_texas_holdem.tables import guide
from croupier.rng import SUPER_MOVE
from croupier.testing import HouseKit

GAME = UltimateTexasHoldem()
KIT = HouseKit(GAME)
compare = KIT.same_round
ALL_BETS = {"ante": 25, "trips": 7, "six_card": 3, "progressive": 1}
SESSIONS = 2000


@pytest.mark.parametrize(
    ("policy", "bets", "options", "super_mode"),
    [
        ("best", ALL_BETS, None, False),
        ("best", {"ante": 15}, {"dealer_qualifies": "always"}, True),
        ("simple", ALL_BETS, None, True),
        ("simple", {"ante": 15, "trips": 1}, {"play_4x": False}, False),
    ],
    ids=str,
)
def test_two_thousand_rounds_are_those_of_the_engine(policy, bets, options, super_mode):
    """Every way a round can go is among them: each raise that is on offer, a fold, and every ending."""
    plan = GAME.plan(bets, policy, options, super_mode)

    states = [compare(plan, session_id, options) for session_id in range(SESSIONS)]

    chosen = GAME.read_options(options)
    assert {state.play for state in states} == {0, 1, 2, 4 if chosen.play_4x else 3}
    unqualified = {"lost_unqualified", "won_unqualified"} if chosen.dealer_qualifies == "pair" else set()
    assert set(Counter(state.outcome for state in states)) == {"folded", "lost", "tied", "won"} | unqualified


@pytest.mark.parametrize("options", [{"play_3x": False, "play_4x": False}, {"play_3x": False}], ids=str)
def test_raises_that_are_not_on_offer_are_not_made(options):
    for policy in ("best", "simple"):
        plan = GAME.plan({"ante": 10}, policy, options)
        plays = {compare(plan, session_id, options).play for session_id in range(150)}
        assert plays == {0, 1, 2} | ({4} if "play_4x" not in options else set())


@pytest.mark.parametrize("super_mode", [False, True])
def test_the_largest_stakes_stay_within_63_bits(super_mode):
    ante = rules.STAKE_MAX // 5 * 5
    bets = {"ante": ante, "trips": rules.STAKE_MAX, "six_card": rules.STAKE_MAX, "progressive": 1}
    plan = GAME.plan(bets, "simple", None, super_mode)

    for session_id in range(200):
        money = compare(plan, session_id, None).money
        assert max(money.staked, money.returned, money.fees) < 2**63


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
    assert (plan.first_move, GAME.plan({"ante": 10}, super_mode=True).first_move) == (1, SUPER_MOVE)


@pytest.mark.parametrize(
    ("bets", "policy", "options", "super_mode"),
    [
        ({}, "", None, False),
        ({"trips": 5}, "", None, False),
        ({"ante": 5, "blind": 5}, "", None, False),
        ({"ante": 5, "play": 5}, "", None, False),
        ({"ante": 0}, "", None, False),
        ({"ante": 5, "six_card": 0}, "", None, False),
        ({"ante": 5, "progressive": 2}, "", None, False),
        ({"ante": rules.STAKE_MAX + 1}, "", None, False),
        ({"ante": 12}, "", None, True),
        ({"ante": 5}, "always_raise", None, False),
        ({"ante": 5}, "", {"dealer_qualifies": "queen"}, False),
    ],
    ids=str,
)
def test_a_round_that_cannot_be_played_has_no_plan(bets, policy, options, super_mode):
    with pytest.raises(BadOptions):
        GAME.plan(bets, policy, options, super_mode)
