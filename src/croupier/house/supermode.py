"""Which cards, numbers, totals, suits or ranks a super session lights up (casino-core, section 7.1)."""

from __future__ import annotations

from typing import Any

from croupier.house.game import HouseGame, Lit
from croupier.rng import SUPER_MOVE, GameRng

__all__ = ["generate_super_multipliers"]


def generate_super_multipliers(game: HouseGame[Any], seed: bytes, session_id: int) -> tuple[Lit, ...]:
    """Return what is lit in a super session, in the order drawn, from the stream that is kept for it."""
    return game.super_multipliers(GameRng.new(seed, session_id, SUPER_MOVE))
