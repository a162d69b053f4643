"""The kernel of roulette against the engine: the same rounds to the last chip, pocket and fee."""

from __future__ import annotations

import pytest

from croupier.engine.chance import ScriptedRng
from croupier.errors import BadOptions
from croupier.games.roulette import Roulette, rules
from croupier.games.roulette.bets import bets_of
from croupier.games.roulette.options import ZERO_RULES
from croupier.rounds import SUPER_MOVE
from croupier.sim.kernels import kernel_of
from croupier.testing import HouseKit, assert_same_round

GAME = Roulette()
KIT = HouseKit(GAME, keeps_scratch=True)
SESSIONS = 2000
INSIDE = ["straight:0", "straight:17", "split:1-2", "split:14-17", "street:1-2-3", "corner:1-2-4-5", "trio:0-1-2"]
OUTSIDE = ["red", "black", "even", "odd", "low", "high", "dozen:1", "dozen:2", "column:1", "column:3"]


@pytest.mark.parametrize("super_mode", [False, True])
@pytest.mark.parametrize("zero_rule", ZERO_RULES)
def test_two_thousand_rounds_are_those_of_the_engine(zero_rule, super_mode):
    """Seventeen bets in half of them, and one even-money bet in the other half."""
    options = {"zero_rule": zero_rule}
    spins = set()
    for bets in (dict.fromkeys([*INSIDE, *OUTSIDE], 15), {"red": 7}):
        plan = GAME.plan(bets, "", options, super_mode)
        for session_id in range(SESSIONS):
            state = KIT.same_round(plan, session_id, options, kernel_of(plan))
            spins.add(len(state.pockets))

    assert spins == {"en_prison": {1, 2}, "en_prison_repeat": {1, 2, 3}}.get(zero_rule, {1})


@pytest.mark.parametrize("zero_rule", ZERO_RULES)
def test_every_bet_of_the_layout_is_settled_alike(zero_rule):
    options = {"zero_rule": zero_rule}
    names = list(bets_of(ZERO_RULES.index(zero_rule)))
    for first in range(0, len(names), 20):
        plan = GAME.plan(dict.fromkeys(names[first : first + 20], 5), "", options)
        for pocket in range(38 if zero_rule == "double_zero" else 37):
            for step in (None, kernel_of(plan)):
                kernel_streams, engine_streams = ({1: ScriptedRng([pocket]), 2: ScriptedRng([1])} for _ in range(2))
                row = KIT.by_kernel(plan, 0, kernel_streams, step)
                assert_same_round(plan, row, KIT.by_engine(plan, 0, options, engine_streams).game)


def test_a_bet_may_be_imprisoned_again_and_again():
    options = {"zero_rule": "en_prison_repeat"}
    plan = GAME.plan({"red": 10, "straight:0": 1}, "", options)
    for last, returned in ((1, 46), (2, 36)):
        pockets = [0, 0, 0, last]
        first, second = ({move: ScriptedRng([pocket]) for move, pocket in enumerate(pockets, 1)} for _ in range(2))

        state = KIT.by_engine(plan, 0, options, second).game
        assert_same_round(plan, KIT.by_kernel(plan, 0, first, kernel_of(plan)), state)

        assert state.pockets == tuple(pockets)
        assert state.money.returned == returned
        assert plan.facts(state) == (0, last, 4)


@pytest.mark.parametrize("super_mode", [False, True])
@pytest.mark.parametrize("zero_rule", ["standard", "en_prison", "double_zero"])
def test_the_largest_stake_on_twenty_bets_stays_within_63_bits(zero_rule, super_mode):
    options = {"zero_rule": zero_rule}
    stake = rules.STAKE_MAX // 5 * 5
    names = [name for name in bets_of(ZERO_RULES.index(zero_rule)) if "17" in name][:10] + OUTSIDE
    plan = GAME.plan(dict.fromkeys(names, stake), "", options, super_mode)

    for session_id in range(200):
        money = KIT.same_round(plan, session_id, options, kernel_of(plan)).money
        assert max(money.staked, money.returned, money.fees) < 2**63


def test_a_super_round_begins_with_the_stream_of_the_lit_numbers():
    assert GAME.plan({"straight:17": 5}).first_move == 1
    assert GAME.plan({"straight:17": 5}, super_mode=True).first_move == SUPER_MOVE


@pytest.mark.parametrize(
    ("bets", "options", "super_mode"),
    [
        ({}, None, False),
        ({"red": 0}, None, False),
        ({"red": rules.STAKE_MAX + 1}, None, False),
        ({"straight:37": 5}, None, False),
        ({"straight:00": 5}, None, False),
        ({"straight:17": 12}, None, True),
        ({"first_four": 5}, {"zero_rule": "double_zero"}, False),
        ({f"straight:{number}": 1 for number in range(21)}, None, False),
        ({"red": 10}, {"zero_rule": "triple_zero"}, False),
    ],
)
def test_a_round_that_cannot_be_played_has_no_plan(bets, options, super_mode):
    with pytest.raises(BadOptions):
        GAME.plan(bets, "", options, super_mode)


def test_bets_without_a_boost_need_no_round_stake_in_super_mode():
    assert GAME.plan({"red": 12, "straight:17": 5}, super_mode=True).stakes == (12, 5)
