"""The kernel of casino war against the engine: the same rounds to the last chip, card and fee."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from croupier.errors import BadOptions
from croupier.games.casino_war import CasinoWar, rules
from croupier.rng import SUPER_MOVE
from croupier.testing import HouseKit

GAME = CasinoWar()
KIT = HouseKit(GAME)
compare = KIT.same_round
CHEAP = {"tie_pays": 11, "second_tie_bonus": False}
POLICIES = ("always_war", "always_surrender")
SESSIONS = 2000


@pytest.mark.parametrize(
    ("policy", "bets", "options", "super_mode"),
    list(product(POLICIES, ({"main": 15}, {"main": 25, "tie": 7}), (None, CHEAP), (False, True))),
)
def test_two_thousand_rounds_are_those_of_the_engine(policy, bets, options, super_mode):
    """About 148 of them tie, and some 11 of the wars tie again."""
    plan = GAME.plan(bets, policy, options, super_mode)

    seen = Counter(compare(plan, session_id, options).outcome for session_id in range(SESSIONS))

    after_a_tie = {"always_war": {"war_lost", "war_won", "war_tied"}, "always_surrender": {"surrendered"}}
    assert set(seen) == {"lost", "won"} | after_a_tie[policy]


@pytest.mark.parametrize("super_mode", [False, True])
def test_the_largest_stakes_stay_within_63_bits(super_mode):
    stake = rules.STAKE_MAX // 5 * 5
    plan = GAME.plan({"main": stake, "tie": rules.STAKE_MAX}, "always_war", {"tie_pays": 11}, super_mode)

    for session_id in range(300):
        money = compare(plan, session_id, {"tie_pays": 11}).money
        assert max(money.staked, money.returned, money.fees) < 2**63


def test_all_three_bets_at_their_best_fit_63_bits():
    most = sum(rules.return_max(kind, rules.STAKE_MAX, 11, True, True) for kind in range(3))

    assert most < 2**63 <= most + 19


def test_odd_stakes_surrender_as_in_the_engine():
    for stake in (1, 2, 3):
        plan = GAME.plan({"main": stake}, "always_surrender")
        for session_id in range(200):
            compare(plan, session_id, None)


def test_the_facts_are_the_cards_and_the_ending():
    plan = GAME.plan({"main": 5})
    for session_id in range(200):
        state = compare(plan, session_id, None)
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


def test_the_tie_bet_is_a_move_before_the_deal_and_super_mode_draws_before_both():
    assert GAME.plan({"main": 5}).first_move == 1
    assert GAME.plan({"main": 5, "tie": 1}).first_move == 2
    assert GAME.plan({"main": 5, "tie": 1}, super_mode=True).first_move == SUPER_MOVE


@pytest.mark.parametrize(
    ("bets", "policy", "options", "super_mode"),
    [
        ({}, "", None, False),
        ({"tie": 5}, "", None, False),
        ({"main": 5, "raise": 5}, "", None, False),
        ({"main": 5, "player": 5}, "", None, False),
        ({"main": 0}, "", None, False),
        ({"main": 5, "tie": 0}, "", None, False),
        ({"main": rules.STAKE_MAX + 1}, "", None, False),
        ({"main": 12}, "", None, True),
        ({"main": 5}, "sometimes_war", None, False),
        ({"main": 5}, "", {"tie_pays": 12}, False),
    ],
)
def test_a_round_that_cannot_be_played_has_no_plan(bets, policy, options, super_mode):
    with pytest.raises(BadOptions):
        GAME.plan(bets, policy, options, super_mode)
