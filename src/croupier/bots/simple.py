"""Bots without a search: `random_bot` and `first_bot`."""

from __future__ import annotations

from typing import Any

from croupier.engine import Action, MatchView
from croupier.rng import GameRng


def random_bot(view: MatchView[Any], legal: tuple[Action, ...], rng: GameRng) -> Action:
    """Take any legal action, each equally likely."""
    return rng.pick(legal)


def first_bot(view: MatchView[Any], legal: tuple[Action, ...], rng: GameRng) -> Action:
    """Take the first legal action."""
    return legal[0]
