"""Compiled rounds of video poker: as many of every final hand as the exact odds say, and fair cards and marks.

That they are those of the engine is in `test_kernels_compiled.py`, and where edges lie in `tests/statistical`.

Fixed seed, 200,000 rounds a plan. The count of a hand with chance p is binomial; the bound is five standard deviations,
or ten hands, whichever is more: a rare hand is no normal variable. For the 90 or so counts here the chance of a false
alarm is below 1 in 1,000; the seed being fixed, a run that passed passes again.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba", reason="the compiled path needs croupier[sim]")

from croupier.games.video_poker import VideoPoker, odds
from croupier.games.video_poker.bets import HAND_NAMES, PAY_TABLES, PayTable, Policy
from croupier.games.video_poker.options import VideoPokerOptions
from croupier.games.video_poker.rules import rounds
from croupier.house.card_round import LIT_AT
from croupier.rounds import FACTS
from croupier.sim.simulate import play_rounds

GAME = VideoPoker()
DEALT, FINAL, HOLD, HAND = (FACTS + place for place in (rounds.DEALT, rounds.CURRENT, rounds.HELD, rounds.MADE))
SEED = b"video poker by simulation"
ROUNDS = 200_000
SIGMAS = 5
FEW = 10

PLANS: list[tuple[PayTable, Policy]] = [
    *((name, "optimal") for name in PAY_TABLES),
    ("jacks_9_6", "hold_all"),
    ("jacks_9_6", "royal_hunter"),
    ("deuces_wild", "royal_hunter"),
]


@pytest.mark.parametrize(("name", "policy"), PLANS)
def test_final_hands_come_as_often_as_the_exact_odds_say(name, policy):
    rows = play_rounds(GAME.plan({"stake": 1}, policy, {"pay_table": name}), SEED, 0, ROUNDS)
    counts = np.bincount(rows[:, HAND], minlength=len(HAND_NAMES)).tolist()

    chances: dict[Any, Any] = dict(odds.hand_chances(VideoPokerOptions(name), policy))
    assert sum(counts) == ROUNDS
    for hand, count in zip(HAND_NAMES, counts, strict=True):
        chance = float(chances.get(hand, 0))
        deviation = sqrt(ROUNDS * chance * (1 - chance))
        assert abs(count - ROUNDS * chance) <= (max(SIGMAS * deviation, FEW) if chance else 0), hand


def test_the_five_cards_are_fair_and_marked_ones_as_likely_as_the_bytes_say():
    """Each card is dealt with chance 5/52 and marked with its share of four; bound as above."""
    rows = play_rounds(GAME.plan({"stake": 5}, "optimal", None, True), SEED, 0, ROUNDS)
    dealt = np.bincount(rows[:, DEALT : DEALT + 5].ravel(), minlength=52)
    marked = np.bincount(rows[:, LIT_AT + 1 : LIT_AT + 5].ravel(), minlength=52)

    share = 5 / 52
    assert abs(dealt - ROUNDS * share).max() <= SIGMAS * sqrt(ROUNDS * share * (1 - share))
    means = [float(sum(k * p for k, p in enumerate(odds.boost_chances(light)))) for light in (0, 1)]
    heavy, light_card = means[0] / 5, means[1] - means[0] * 4 / 5
    for card, count in enumerate(marked.tolist()):
        share = light_card if card >= 48 else heavy
        assert abs(count - ROUNDS * share) <= SIGMAS * sqrt(ROUNDS * share * (1 - share)), card
    assert (rows[:, FINAL : FINAL + 5] == rows[:, DEALT : DEALT + 5])[rows[:, HOLD] == 31].all()
