"""The kernel of blackjack against the engine: the same rounds to the last chip, card and fee."""

from __future__ import annotations

from collections import Counter

import pytest

from croupier.errors import BadOptions
from croupier.games.blackjack import Blackjack, kernel, rounds, rules, strategy
from croupier.games.blackjack.bets import SIDE_BETS
from croupier.games.blackjack.options import BlackjackOptions
from croupier.rng import SUPER_MOVE
from croupier.rounds import FACTS, PRIVATE
from croupier.testing import HouseKit

GAME = Blackjack()
KIT = HouseKit(GAME)
compare = KIT.same_round
SESSIONS = 500
MAIN = {"main": 20}
SOME = {"main": 15, "lucky_ladies": 2, "royal_match": 3}
ALL = {"main": 20, **dict(zip(SIDE_BETS, (3, 2, 5, 7, 3), strict=True))}
ONE_DECK = {"decks": 1, "surrender": True, "peek": True, "hit_soft_17": False}
TWO_DECKS = {"decks": 2, "six_to_five": True, "double_after_split": False, "resplit_aces": False}
SIX_DECKS = {"decks": 6, "peek": True, "hit_split_aces": False}
FOUR_DECKS = {"decks": 4, "surrender": True, "hit_split_aces": False, "peek": True}


@pytest.mark.parametrize(
    ("policy", "bets", "options", "super_mode"),
    [
        ("basic", MAIN, None, False),
        ("basic", ALL, None, True),
        ("basic", ALL, ONE_DECK, False),
        ("basic", SOME, TWO_DECKS, False),
        ("basic", ALL, SIX_DECKS, False),
        ("basic", SOME, FOUR_DECKS, True),
        ("never_bust", ALL, ONE_DECK, True),
        ("mimic_dealer", ALL, None, True),
    ],
)
def test_five_hundred_rounds_are_those_of_the_engine(policy, bets, options, super_mode):
    plan = GAME.plan(bets, policy, options, super_mode)

    seen: Counter[str] = Counter()
    for session_id in range(SESSIONS):
        state = compare(plan, session_id, options)
        seen.update(hand.status for hand in state.hands)
        seen["split"] += len(state.hands) > 1
        seen["doubled"] += any(hand.doubled for hand in state.hands)

    wanted = {"standing", "natural"}
    if policy != "never_bust":
        wanted.add("busted")
    if policy != "mimic_dealer":
        wanted |= {"split", "doubled"}
        if (options or {}).get("surrender"):
            wanted.add("surrendered")
    assert {what for what, count in seen.items() if count} >= wanted


@pytest.mark.parametrize(
    "options", [BlackjackOptions(), BlackjackOptions(decks=2, peek=True, double_after_split=False)]
)
def test_four_hands_are_those_of_the_engine(options, monkeypatch):
    """A player who splits whatever can be split comes to four hands sooner; the kernel finds the sessions."""
    splits = list(strategy.table_for("basic", options))
    for value in range(1, 11):
        for up_value in range(1, 11):
            splits[rules.pair_cell(value, up_value)] = rules.SPLIT_BIT
    monkeypatch.setattr(strategy, "table_for", lambda policy, chosen: tuple(splits))
    plan = GAME.plan(ALL, "basic", options)

    hand_count = FACTS + rounds.HAND_COUNT
    found = [session_id for session_id in range(5000) if KIT.by_kernel(plan, session_id)[hand_count] == 4]

    assert len(found) >= 3
    for session_id in found:
        assert len(compare(plan, session_id, options).hands) == 4


@pytest.mark.parametrize("super_mode", [False, True])
def test_the_largest_stakes_stay_within_63_bits(super_mode):
    stake = rules.STAKE_MAX // 5 * 5
    plan = GAME.plan({"main": stake, **dict.fromkeys(SIDE_BETS, rules.STAKE_MAX)}, "basic", None, super_mode)

    for session_id in range(300):
        money = compare(plan, session_id, None).money
        assert max(money.staked, money.returned, money.fees) < 2**63


def test_odd_stakes_are_rounded_as_in_the_engine():
    for stake in (1, 3, 7):
        for options in (ONE_DECK, TWO_DECKS):
            plan = GAME.plan({"main": stake, "royal_match": stake}, "basic", options)
            for session_id in range(150):
                compare(plan, session_id, options)


def test_a_plan_has_the_bets_of_the_opening_and_follows_basic_strategy_unless_told_otherwise():
    plan = GAME.plan({"bust_it": 2, "main": 10})

    assert plan.bets == ("main", "bust_it")
    assert (plan.kinds, plan.stakes) == ((rules.MAIN, rules.BUST_IT), (10, 2))
    assert plan.options[:9] == (8, 1, 0, 0, 1, 1, 1, 0, 0)
    assert plan.options[9:] == strategy.table_for("basic", BlackjackOptions())
    assert plan.terms.stake == 10
    assert (plan.first_move, GAME.plan(MAIN, super_mode=True).first_move) == (1, SUPER_MOVE)


def test_a_row_has_room_for_every_card_that_can_be_seen():
    assert rounds.ROUND_SIZE == rounds.SEEN + 4 * 21 + 1
    assert FACTS + rounds.PHASE == PRIVATE
    assert kernel.CHOICE == FACTS + rounds.ROUND_SIZE
    assert kernel.ROW_SIZE == kernel.CHOICE + 1 + 2 * 5


@pytest.mark.parametrize(
    ("bets", "policy", "options", "super_mode"),
    [
        ({}, "", None, False),
        ({"bust_it": 5}, "", None, False),
        ({"main": 5, "double:1": 5}, "", None, False),
        ({"main": 5, "insurance": 5}, "", {"peek": True}, False),
        ({"main": 0}, "", None, False),
        ({"main": 5, "bust_it": 0}, "", None, False),
        ({"main": rules.STAKE_MAX + 1}, "", None, False),
        ({"main": 12}, "", None, True),
        ({"main": 5}, "card_counting", None, False),
        ({"main": 5}, "", {"decks": 3}, False),
    ],
)
def test_a_round_that_cannot_be_played_has_no_plan(bets, policy, options, super_mode):
    with pytest.raises(BadOptions):
        GAME.plan(bets, policy, options, super_mode)
