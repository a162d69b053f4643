"""The kernel of baccarat against the engine: the same rounds to the last chip, card and fee."""

from __future__ import annotations

import pytest

from croupier.errors import BadOptions
from croupier.games.baccarat import Baccarat, rules
from croupier.games.baccarat.bets import BETS
from croupier.rng import SUPER_MOVE
from croupier.testing import HouseKit

GAME = Baccarat()
KIT = HouseKit(GAME, keeps_scratch=True)
compare = KIT.same_round
CHEAP = {"tie_pays": 8, "pair_pays": 11}
SESSIONS = 500


@pytest.mark.parametrize("super_mode", [False, True])
@pytest.mark.parametrize(
    ("bets", "options"),
    [
        (dict.fromkeys(BETS, 15), None),
        (dict.fromkeys(BETS, 15), CHEAP),
        ({"banker": 5}, None),
        ({"tie": 10, "player": 25, "perfect_pair": 1}, {"tie_pays": 8}),
    ],
)
def test_five_hundred_rounds_are_those_of_the_engine(bets, options, super_mode):
    plan = GAME.plan(bets, "", options, super_mode)

    for session_id in range(SESSIONS):
        compare(plan, session_id, options)


@pytest.mark.parametrize("super_mode", [False, True])
def test_the_largest_stake_on_every_bet_stays_within_63_bits(super_mode):
    stake = rules.STAKE_MAX // 5 * 5
    plan = GAME.plan(dict.fromkeys(BETS, stake), "", None, super_mode)

    for session_id in range(100):
        money = compare(plan, session_id, None).money
        assert max(money.staked, money.returned, money.fees) < 2**63


def test_the_facts_are_the_six_slots_of_the_deal():
    plan = GAME.plan({"player": 1})
    seen = set()
    for session_id in range(50):
        state = compare(plan, session_id, None)
        facts = plan.facts(state)
        thirds = tuple(hand[2] if len(hand) == 3 else -1 for hand in (state.player, state.banker))
        assert facts == (*state.player[:2], *state.banker[:2], *thirds)
        seen.add((facts[4] == -1, facts[5] == -1))
    assert seen == {(True, True), (True, False), (False, True), (False, False)}


def test_a_super_round_begins_with_the_stream_of_the_lit_cards():
    assert GAME.plan({"player": 5}).first_move == 1
    assert GAME.plan({"player": 5}, super_mode=True).first_move == SUPER_MOVE


@pytest.mark.parametrize(
    ("bets", "options", "super_mode"),
    [
        ({}, None, False),
        ({"player": 0}, None, False),
        ({"player": rules.STAKE_MAX + 1}, None, False),
        ({"draw": 5}, None, False),
        ({"player": 12}, None, True),
        ({"player": 10}, {"tie_pays": 10}, False),
    ],
)
def test_a_round_that_cannot_be_played_has_no_plan(bets, options, super_mode):
    with pytest.raises(BadOptions):
        GAME.plan(bets, "", options, super_mode)


def test_bets_without_a_boost_need_no_round_stake_in_super_mode():
    assert GAME.plan({"panda_eight": 12}, super_mode=True).stakes == (12,)
