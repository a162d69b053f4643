"""The kernel of video poker against the engine: the same sessions to the last chip, card and fee."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.engine import Match, apply_action, create_match, view_for
from croupier.engine.chance import ScriptedRng
from croupier.errors import BadOptions
from croupier.games.video_poker import VideoPoker, kernel
from croupier.games.video_poker.bets import PAY_TABLES, POLICIES
from croupier.games.video_poker.rules import hands, rounds
from croupier.house.plan import DONE, FACTS, FEES, LINES, RETURNED, ROW_SIZE, STAKED, Plan
from croupier.rng import SUPER_MOVE, GameRng

GAME = VideoPoker()
SEED = bytes(range(32))
SESSIONS = 2000


def by_kernel(plan: Plan, session_id: int, streams: Any = None) -> list[int]:
    """Play a session with the kernel, its scratch arrays full of rubbish."""
    row, work, spare = [0] * ROW_SIZE, [7] * plan.work_size, [7] * plan.work_size
    move = plan.first_move
    while True:
        stream = GameRng.new(SEED, session_id, move) if streams is None else streams[move]
        move = plan.step(stream, move, row, plan.kinds, plan.numbers, plan.stakes, plan.options, work, spare)
        if move == DONE:
            return row


def by_engine(plan: Plan, session_id: int, options: Any) -> Match[Any]:
    match = create_match(GAME, ["ann"], seed=SEED, session_id=session_id, options=options, host=plan.terms)
    answer = apply_action(GAME, match, plan.policy(view_for(GAME, match, "ann"), (), GameRng.new(b"", 0, 0)))
    assert answer.ok, answer.error
    assert answer.state.status == "finished"
    return answer.state


def compare(plan: Plan, session_id: int, options: Any) -> Any:
    row, state = by_kernel(plan, session_id), by_engine(plan, session_id, options).game
    money = state.money
    assert (row[STAKED], row[RETURNED], row[FEES]) == (money.staked, money.returned, money.fees)
    assert [row[LINES]] == [line.returned for line in money.lines]
    facts = plan.facts(state)
    assert tuple(row[FACTS : FACTS + len(facts)]) == facts
    return state


@pytest.mark.parametrize("super_mode", [False, True], ids=["plain", "super"])
@pytest.mark.parametrize(
    ("policy", "name"),
    [
        *(("optimal", name) for name in PAY_TABLES),
        *((policy, name) for policy in ("hold_all", "royal_hunter") for name in ("jacks_9_6", "deuces_wild")),
    ],
)
def test_two_thousand_sessions_are_those_of_the_engine(policy, name, super_mode):
    options = {"pay_table": name}
    plan = GAME.plan({"stake": 15}, policy, options, super_mode)

    for session_id in range(SESSIONS):
        compare(plan, session_id, options)


@pytest.mark.parametrize("super_mode", [False, True], ids=["plain", "super"])
def test_the_largest_stake_stays_within_63_bits_on_a_royal_flush(super_mode):
    """Four to the royal are dealt and the ace drawn; in super mode all of its cards are marked that can be."""
    stake = rounds.STAKE_MAX // 5 * 5
    plan = GAME.plan({"stake": stake}, "optimal", None, super_mode)

    # 10, J, Q, K of spades and a five of hearts: places in the sorted pack, from which the last card fills the gaps.
    row = by_kernel(
        plan,
        0,
        {
            0: ScriptedRng([9, 10, 11, 12, 17]),
            1: ScriptedRng([0]),
            SUPER_MOVE: Marks([9, 10, 11, 12]),
        },
    )

    assert row[kernel.HAND] == hands.ROYAL
    profit = 799 * stake
    assert row[RETURNED] == stake + (profit + profit * 4990 // 250 if super_mode else profit) < 2**63


class Marks:
    """A stream of raw bytes that are the cards to mark."""

    def __init__(self, cards: list[int]) -> None:
        self.block, self.index = bytes(cards), 0

    def rehash(self) -> None:
        raise AssertionError("four bytes are enough")


def test_the_facts_are_the_cards_the_hold_and_the_hand():
    plan = GAME.plan({"stake": 1})
    seen = set()
    for session_id in range(200):
        state = compare(plan, session_id, None)
        *cards, mask, hand = plan.facts(state)
        assert tuple(cards) == (*state.dealt, *state.cards)
        kept = tuple(number for number in range(1, 6) if mask >> (number - 1) & 1)
        assert kept == state.held
        seen.add((len(kept), hand))
    assert len(seen) > 12


def test_a_session_begins_with_the_stream_of_set_up():
    assert [GAME.plan({"stake": 5}, super_mode=super_mode).first_move for super_mode in (False, True)] == [0, 0]


def test_the_best_play_is_the_usual_policy():
    assert GAME.plan({"stake": 5}).options == GAME.plan({"stake": 5}, "optimal").options
    assert len({GAME.plan({"stake": 5}, policy).options for policy in POLICIES}) == 3


@pytest.mark.parametrize(
    ("bets", "policy", "options", "super_mode"),
    [
        ({}, "", None, False),
        ({"main": 5}, "", None, False),
        ({"stake": 5, "main": 5}, "", None, False),
        ({"stake": 0}, "", None, False),
        ({"stake": rounds.STAKE_MAX + 1}, "", None, False),
        ({"stake": 12}, "", None, True),
        ({"stake": 5}, "best", None, False),
        ({"stake": 5}, "", {"pay_table": "jacks_9_5"}, False),
    ],
)
def test_a_session_that_cannot_be_played_has_no_plan(bets, policy, options, super_mode):
    with pytest.raises(BadOptions):
        GAME.plan(bets, policy, options, super_mode)
