"""Ultimate texas hold'em: Ante and Blind, two cards, and one raise that may be the larger the earlier it comes."""

from croupier.games.ultimate_texas_holdem.game import UltimateTexasHoldem

__all__ = ["UltimateTexasHoldem"]
