"""Craps, the house game. The engine under it serves the shared table too: `table`, `placing`, `rules`."""

from croupier.games.craps.game import Craps

__all__ = ["Craps"]
