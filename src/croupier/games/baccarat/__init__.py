"""Baccarat: two hands from eight decks, drawn by a fixed table, and ten bets on how they end."""

from croupier.games.baccarat.game import Baccarat

__all__ = ["Baccarat"]
