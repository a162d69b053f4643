"""Craps: the house game (`house`), the table for many (`table`), and what both stand on: rules, bets, layout."""

from croupier.games.craps.house.game import Craps

__all__ = ["Craps"]
