"""The kernel of casino war against the engine: the same rounds to the last chip, card and fee."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest

from croupier.engine import Match, apply_action, create_match, view_for
from croupier.errors import BadOptions
from croupier.games.casino_war import CasinoWar, rules
from croupier.house.plan import DONE, FACTS, FEES, LINES, RETURNED, ROW_SIZE, STAKED, Plan
from croupier.rng import SUPER_MOVE, GameRng

GAME = CasinoWar()
SEED = bytes(range(32))
CHEAP = {"tie_pays": 11, "second_tie_bonus": False}
POLICIES = ("always_war", "always_surrender")
SESSIONS = 2000


def by_kernel(plan: Plan, session_id: int) -> list[int]:
    """Play a round with the kernel, its scratch arrays full of rubbish."""
    row, work, spare = [0] * ROW_SIZE, [7] * plan.work_size, [7] * plan.work_size
    move = plan.first_move
    while move != DONE:
        stream = GameRng.new(SEED, session_id, move)
        move = plan.step(stream, move, row, plan.kinds, plan.numbers, plan.stakes, plan.options, work, spare)
    return row


def by_engine(plan: Plan, session_id: int, options: Any) -> Match[Any]:
    match = create_match(GAME, ["ann"], seed=SEED, session_id=session_id, options=options, host=plan.terms)
    while match.status == "active":
        answer = apply_action(GAME, match, plan.policy(view_for(GAME, match, "ann"), (), GameRng.new(b"", 0, 0)))
        assert answer.ok, answer.error
        match = answer.state
    return match


def compare(plan: Plan, session_id: int, options: Any) -> Any:
    row, state = by_kernel(plan, session_id), by_engine(plan, session_id, options).game
    money = state.money
    assert (row[STAKED], row[RETURNED], row[FEES]) == (money.staked, money.returned, money.fees)
    returned = {line.bet: line.returned for line in money.lines}
    assert [row[LINES + i] for i in range(len(plan.bets))] == [returned[bet] for bet in plan.bets]
    facts = plan.facts(state)
    assert tuple(row[FACTS : FACTS + len(facts)]) == facts
    return state


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
    assert plan.options == (10, 1, 1, 0)
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
