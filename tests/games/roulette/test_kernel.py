"""The kernel of roulette against the engine: the same rounds to the last chip, pocket and fee."""

from __future__ import annotations

import pytest

from croupier.engine.chance import ScriptedRng
from croupier.errors import BadOptions
from croupier.games.roulette.bets import bets_of
from croupier.games.roulette.options import ZERO_RULES
from croupier.sim.kernels import kernel_of
from croupier.testing import assert_same_round
from tests.games.roulette.facts import KIT

GAME = KIT.game


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


def test_a_bet_that_is_not_on_the_wheel_has_no_plan():
    with pytest.raises(BadOptions):
        GAME.plan({"first_four": 5}, "", {"zero_rule": "double_zero"})
