"""The names of video poker's bet, hands, pay tables and policies; their places are their numbers in `rules`."""

from __future__ import annotations

from typing import Literal, get_args

STAKE = "stake"

BETS: dict[str, tuple[int, int]] = {STAKE: (0, 0)}
"""There is one bet, the stake of the session."""


Hand = Literal[
    "nothing",
    "high_pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
    "four_twos_to_fours",
    "four_aces",
    "five_of_a_kind",
    "wild_royal_flush",
    "four_deuces",
]
HAND_NAMES: tuple[Hand, ...] = get_args(Hand)

PayTable = Literal["jacks_9_6", "jacks_8_5", "bonus_8_5", "double_bonus_9_7", "deuces_wild"]
PAY_TABLES: tuple[PayTable, ...] = get_args(PayTable)

Policy = Literal["optimal", "hold_all", "royal_hunter"]
POLICIES: tuple[Policy, ...] = get_args(Policy)
"""The best by the pay table; keep what was dealt; the best by what hands are worth on average in super mode."""
