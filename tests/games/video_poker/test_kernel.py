"""The kernel of video poker against the engine: the same sessions to the last chip, card and fee."""

from __future__ import annotations

import pytest

from croupier.engine.chance import ScriptedRng
from croupier.games.video_poker.bets import POLICIES
from croupier.games.video_poker.rules import hands, rounds
from croupier.rng import SUPER_MOVE
from croupier.rounds import FACTS, RETURNED
from tests.games.video_poker.facts import GAME, KIT

compare = KIT.same_round


@pytest.mark.parametrize("super_mode", [False, True], ids=["plain", "super"])
def test_the_largest_stake_stays_within_63_bits_on_a_royal_flush(super_mode):
    """Four to the royal are dealt and the ace drawn; in super mode all of its cards are marked that can be."""
    stake = rounds.STAKE_MAX // 5 * 5
    plan = GAME.plan({"stake": stake}, "optimal", None, super_mode)

    # 10, J, Q, K of spades and a five of hearts: places in the sorted pack, from which the last card fills the gaps.
    row = KIT.by_kernel(
        plan, 0, {0: ScriptedRng([9, 10, 11, 12, 17]), 1: ScriptedRng([0]), SUPER_MOVE: Marks([9, 10, 11, 12])}
    )

    assert row[FACTS + rounds.MADE] == hands.ROYAL
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


def test_the_best_play_is_the_usual_policy():
    assert GAME.plan({"stake": 5}).options == GAME.plan({"stake": 5}, "optimal").options
    assert len({GAME.plan({"stake": 5}, policy).options for policy in POLICIES}) == 3
