"""Roulette: lay chips on the layout, and spin the wheel once."""

from croupier.games.roulette.game import Roulette

__all__ = ["Roulette"]
