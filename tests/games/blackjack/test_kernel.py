"""The kernel of blackjack against the engine: the same rounds to the last chip, card and fee."""

from __future__ import annotations

import pytest

from croupier.games.blackjack import kernel, rounds, rules, strategy
from croupier.games.blackjack.options import BlackjackOptions
from croupier.rounds import FACTS, PRIVATE
from tests.games.blackjack.facts import ALL, GAME, KIT, ONE_DECK, TWO_DECKS

compare = KIT.same_round


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


def test_a_row_has_room_for_every_card_that_can_be_seen():
    assert rounds.ROUND_SIZE == rounds.SEEN + 4 * 21 + 1
    assert FACTS + rounds.PHASE == PRIVATE
    assert kernel.CHOICE == FACTS + rounds.ROUND_SIZE
    assert kernel.ROW_SIZE == kernel.CHOICE + 1 + 2 * 5
