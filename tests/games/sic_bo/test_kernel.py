"""The kernel of sic bo against the engine: the same rounds to the last chip, die and fee."""

from __future__ import annotations

import pytest

from croupier.errors import BadOptions
from croupier.games.sic_bo import SicBo, rules
from croupier.games.sic_bo.bets import BETS
from croupier.rng import SUPER_MOVE
from croupier.sim.kernels import kernel_of
from croupier.testing import HouseKit

GAME = SicBo()
KIT = HouseKit(GAME, keeps_scratch=True)
ATLANTIC_CITY = {"pay_table": "atlantic_city"}
SESSIONS = 500
TOTALS = {f"total:{total}": 15 for total in range(3, 19)}
ONE_OF_EACH = [
    "small",
    "big",
    "odd",
    "even",
    "triple:2",
    "any_triple",
    "double:5",
    "single:4",
    "domino:1-6",
    "easy_hop:2-3-5",
    "hard_hop:4-4-1",
    "four_faces:1-2-4-6",
]


@pytest.mark.parametrize("super_mode", [False, True])
@pytest.mark.parametrize("options", [None, ATLANTIC_CITY])
@pytest.mark.parametrize("bets", [TOTALS, dict.fromkeys(ONE_OF_EACH, 7), {"total:9": 5}], ids=len)
def test_five_hundred_rounds_are_those_of_the_engine(bets, options, super_mode):
    plan = GAME.plan(bets, "", options, super_mode)

    for session_id in range(SESSIONS):
        KIT.same_round(plan, session_id, options, kernel_of(plan))


@pytest.mark.parametrize("super_mode", [False, True])
@pytest.mark.parametrize("first", range(0, len(BETS), 20))
def test_the_largest_stake_on_every_bet_stays_within_63_bits(first, super_mode):
    stake = rules.STAKE_MAX // 5 * 5
    plan = GAME.plan(dict.fromkeys(list(BETS)[first : first + 20], stake), "", ATLANTIC_CITY, super_mode)

    for session_id in range(100):
        money = KIT.same_round(plan, session_id, ATLANTIC_CITY, kernel_of(plan)).money
        assert max(money.staked, money.returned, money.fees) < 2**63


def test_a_super_round_begins_with_the_stream_of_the_lit_totals():
    assert GAME.plan({"total:9": 5}).first_move == 1
    assert GAME.plan({"total:9": 5}, super_mode=True).first_move == SUPER_MOVE


@pytest.mark.parametrize(
    ("bets", "options", "super_mode"),
    [
        ({}, None, False),
        ({"small": 0}, None, False),
        ({"small": rules.STAKE_MAX + 1}, None, False),
        ({"total:2": 5}, None, False),
        (dict.fromkeys(list(BETS)[:21], 1), None, False),
        ({"total:9": 12}, None, True),
        ({"total:9": 10}, {"pay_table": "vegas"}, False),
    ],
)
def test_a_round_that_cannot_be_played_has_no_plan(bets, options, super_mode):
    with pytest.raises(BadOptions):
        GAME.plan(bets, "", options, super_mode)


def test_bets_without_a_boost_need_no_round_stake_in_super_mode():
    assert GAME.plan({"small": 12, "total:3": 1}, super_mode=True).stakes == (12, 1)
