"""Blackjack: twenty-one against the dealer, with five side bets."""

from croupier.games.blackjack.game import Blackjack

__all__ = ["Blackjack"]
