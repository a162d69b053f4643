"""The names of the ultimate texas hold'em bets and policies, and their codes; no bet here carries a number."""

from __future__ import annotations

from croupier.games.ultimate_texas_holdem import rules

# Name -> (kind, number). Blind is as large as Ante and laid with it; Play is the raise.
BETS: dict[str, tuple[int, int]] = {
    "ante": (rules.ANTE, 0),
    "blind": (rules.BLIND, 0),
    "play": (rules.PLAY, 0),
    "trips": (rules.TRIPS_BET, 0),
    "six_card": (rules.SIX_CARD, 0),
    "progressive": (rules.PROGRESSIVE, 0),
}

SIDE_BETS = ("trips", "six_card", "progressive")

POLICIES: dict[str, int] = {"best": rules.BEST, "simple": rules.SIMPLE}
"""The ways to play that odds, bots and the simulator know: name to the number in `rules`."""
