"""Three card poker: an Ante, three cards, and then fold, or play against the dealer's three."""

from croupier.games.three_card_poker.game import ThreeCardPoker

__all__ = ["ThreeCardPoker"]
