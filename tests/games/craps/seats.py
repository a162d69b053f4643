"""Bets that are up, by name, for tests of the craps table."""

from __future__ import annotations

from typing import Any

from croupier.games.craps.bets import read_name
from croupier.games.craps.layout import LiveBet


def live(name: str, stake: int = 10, **more: Any) -> LiveBet:
    """Return a bet that works on every roll."""
    named = read_name(name)
    assert named is not None
    return LiveBet(named.id, stake, named.number, named.mode, **more)
