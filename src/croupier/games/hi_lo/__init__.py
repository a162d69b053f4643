"""Hi-lo: guess whether the next card is higher or lower, let the pot grow, and cash out before a wrong guess."""

from croupier.games.hi_lo.game import HiLo

__all__ = ["HiLo"]
