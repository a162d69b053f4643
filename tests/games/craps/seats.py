"""Bets that are up, by name, and tables with a point, for tests of craps."""

from __future__ import annotations

from typing import Any

from croupier.games.craps.bets import read_name
from croupier.games.craps.layout import CrapsTable, LiveBet


def live(name: str, stake: int = 10, **more: Any) -> LiveBet:
    """Return a bet that works on every roll."""
    named = read_name(name)
    assert named is not None
    return LiveBet(named.id, stake, named.number, named.mode, **more)


def point_up(number: int, rolls: int = 1, **trackers: Any) -> CrapsTable:
    """Return a table with a point up, so many rolls into its first hand and set."""
    return CrapsTable("point", number, rolls, hand_rolls=rolls, set_rolls=rolls, **trackers)
