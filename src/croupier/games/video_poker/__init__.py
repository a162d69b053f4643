"""Video poker: five cards, keep what you like, draw the rest once, and be paid by a table."""

from croupier.games.video_poker.game import VideoPoker

__all__ = ["VideoPoker"]
