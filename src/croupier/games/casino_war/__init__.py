"""Casino war: one card each, the higher wins; equal ranks surrender or go to war."""

from croupier.games.casino_war.game import CasinoWar

__all__ = ["CasinoWar"]
