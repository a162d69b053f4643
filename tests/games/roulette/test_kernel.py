"""The kernel of roulette against the engine: the same rounds to the last chip, pocket and fee."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.engine import Match, apply_action, create_match, view_for
from croupier.engine.chance import ScriptedRng
from croupier.errors import BadOptions
from croupier.games.roulette import Roulette, rules
from croupier.games.roulette.bets import bets_of
from croupier.games.roulette.options import ZERO_RULES
from croupier.house.plan import DONE, FACTS, FEES, LINES, RETURNED, ROW_SIZE, STAKED, Plan
from croupier.rng import SUPER_MOVE, GameRng

GAME = Roulette()
SEED = bytes(range(32))
SESSIONS = 2000
INSIDE = ["straight:0", "straight:17", "split:1-2", "split:14-17", "street:1-2-3", "corner:1-2-4-5", "trio:0-1-2"]
OUTSIDE = ["red", "black", "even", "odd", "low", "high", "dozen:1", "dozen:2", "column:1", "column:3"]


SCRATCH: dict[Plan, tuple[list[int], list[int]]] = {}


def scratch(plan: Plan) -> tuple[list[int], list[int]]:
    return SCRATCH.setdefault(plan, ([0] * plan.work_size, [0] * plan.work_size))


def by_kernel(plan: Plan, session_id: int, streams: Any = None) -> list[int]:
    """Play a round with the kernel, its scratch arrays as the rounds of the plan before it left them."""
    row, work, spare = [0] * ROW_SIZE, *scratch(plan)
    move = plan.first_move
    while True:
        stream = GameRng.new(SEED, session_id, move) if streams is None else streams[move]
        move = plan.step(stream, move, row, plan.kinds, plan.numbers, plan.stakes, plan.options, work, spare)
        if move == DONE:
            return row


def by_engine(plan: Plan, session_id: int, options: Any, streams: Any = None) -> Match[Any]:
    match = create_match(GAME, ["ann"], seed=SEED, session_id=session_id, options=options, host=plan.terms)
    while match.status == "active":
        action = plan.policy(view_for(GAME, match, "ann"), (), GameRng.new(b"", 0, 0))
        answer = apply_action(GAME, match, action, rng=None if streams is None else streams[match.version + 1])
        assert answer.ok, answer.error
        match = answer.state
    return match


def compare(plan: Plan, row: list[int], match: Match[Any]) -> Any:
    state = match.game
    money = state.money
    assert (row[STAKED], row[RETURNED], row[FEES]) == (money.staked, money.returned, money.fees)
    assert {bet: row[LINES + i] for i, bet in enumerate(plan.bets)} == {line.bet: line.returned for line in money.lines}
    facts = plan.facts(state)
    assert tuple(row[FACTS : FACTS + len(facts)]) == facts
    return state


@pytest.mark.parametrize("super_mode", [False, True])
@pytest.mark.parametrize("zero_rule", ZERO_RULES)
def test_two_thousand_rounds_are_those_of_the_engine(zero_rule, super_mode):
    """Seventeen bets in half of them, and one even-money bet in the other half."""
    options = {"zero_rule": zero_rule}
    spins = set()
    for bets in (dict.fromkeys([*INSIDE, *OUTSIDE], 15), {"red": 7}):
        plan = GAME.plan(bets, "", options, super_mode)
        for session_id in range(SESSIONS):
            match = by_engine(plan, session_id, options)
            state = compare(plan, by_kernel(plan, session_id), match)
            spins.add(len(state.pockets))

    assert spins == {"en_prison": {1, 2}, "en_prison_repeat": {1, 2, 3}}.get(zero_rule, {1})


@pytest.mark.parametrize("zero_rule", ZERO_RULES)
def test_every_bet_of_the_layout_is_settled_alike(zero_rule):
    options = {"zero_rule": zero_rule}
    names = list(bets_of(ZERO_RULES.index(zero_rule)))
    for first in range(0, len(names), 20):
        plan = GAME.plan(dict.fromkeys(names[first : first + 20], 5), "", options)
        for pocket in range(38 if zero_rule == "double_zero" else 37):
            kernel_streams, engine_streams = ({1: ScriptedRng([pocket]), 2: ScriptedRng([1])} for _ in range(2))
            row = by_kernel(plan, 0, kernel_streams)
            compare(plan, row, by_engine(plan, 0, options, engine_streams))


def test_a_bet_may_be_imprisoned_again_and_again():
    options = {"zero_rule": "en_prison_repeat"}
    plan = GAME.plan({"red": 10, "straight:0": 1}, "", options)
    for last, returned in ((1, 46), (2, 36)):
        pockets = [0, 0, 0, last]
        first, second = ({move: ScriptedRng([pocket]) for move, pocket in enumerate(pockets, 1)} for _ in range(2))

        state = compare(plan, by_kernel(plan, 0, first), by_engine(plan, 0, options, second))

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
        money = compare(plan, by_kernel(plan, session_id), by_engine(plan, session_id, options)).money
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
