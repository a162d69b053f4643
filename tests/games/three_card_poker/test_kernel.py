"""The kernel of three card poker against the engine: the same rounds to the last chip, card and fee."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from croupier.errors import BadOptions
from croupier.games.three_card_poker import ThreeCardPoker, rules
from croupier.games.three_card_poker.policies import POLICIES
from croupier.rng import SUPER_MOVE
from croupier.testing import HouseKit

GAME = ThreeCardPoker()
KIT = HouseKit(GAME)
compare = KIT.same_round
ALL_BETS = {"ante": 15, "pair_plus": 7, "six_card": 3, "progressive": 1}
SESSIONS = 500


@pytest.mark.parametrize(
    ("policy", "bets", "qualifier", "super_mode"),
    [
        *product(("best",), ({"ante": 15}, ALL_BETS), ("queen", "q64"), (False, True)),
        *product(("q64", "q72", "queen_high", "always_play"), (ALL_BETS,), ("queen",), (False, True)),
    ],
    ids=str,
)
def test_five_hundred_rounds_are_those_of_the_engine(policy, bets, qualifier, super_mode):
    options = {"qualifier": qualifier}
    plan = GAME.plan(bets, policy, options, super_mode)

    seen = Counter(compare(plan, session_id, options).outcome for session_id in range(SESSIONS))

    # Ties are too rare to ask for: one round in 1,600.
    folded = set() if policy == "always_play" else {"folded"}
    assert set(seen) - {"tied"} == {"not_qualified", "won", "lost"} | folded


@pytest.mark.parametrize("super_mode", [False, True])
def test_the_largest_stakes_stay_within_63_bits(super_mode):
    stake = rules.STAKE_MAX // 5 * 5
    bets = {"ante": stake, "pair_plus": rules.STAKE_MAX, "six_card": rules.STAKE_MAX, "progressive": 1}
    plan = GAME.plan(bets, "always_play", None, super_mode)

    for session_id in range(300):
        money = compare(plan, session_id, None).money
        assert max(money.staked, money.returned, money.fees) < 2**63


def test_the_facts_are_the_cards_and_the_ending():
    plan = GAME.plan({"ante": 5})
    for session_id in range(200):
        state = compare(plan, session_id, None)
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


def test_the_deal_is_the_first_move_and_super_mode_draws_before_it():
    assert GAME.plan({"ante": 5}).first_move == 1
    assert GAME.plan(ALL_BETS).first_move == 1
    assert GAME.plan(ALL_BETS, super_mode=True).first_move == SUPER_MOVE


@pytest.mark.parametrize(
    ("bets", "policy", "options", "super_mode"),
    [
        ({}, "", None, False),
        ({"pair_plus": 5}, "", None, False),
        ({"ante": 5, "play": 5}, "", None, False),
        ({"ante": 5, "main": 5}, "", None, False),
        ({"ante": 0}, "", None, False),
        ({"ante": 5, "pair_plus": 0}, "", None, False),
        ({"ante": 5, "progressive": 2}, "", None, False),
        ({"ante": rules.STAKE_MAX + 1}, "", None, False),
        ({"ante": 5, "six_card": rules.STAKE_MAX + 1}, "", None, False),
        ({"ante": 12}, "", None, True),
        ({"ante": 5}, "q65", None, False),
        ({"ante": 5}, "", {"qualifier": "king"}, False),
    ],
)
def test_a_round_that_cannot_be_played_has_no_plan(bets, policy, options, super_mode):
    with pytest.raises(BadOptions):
        GAME.plan(bets, policy, options, super_mode)
