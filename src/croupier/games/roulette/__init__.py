"""Roulette: lay chips on the layout, and one spin of the wheel settles them all."""

from croupier.games.roulette.game import Roulette

__all__ = ["Roulette"]
