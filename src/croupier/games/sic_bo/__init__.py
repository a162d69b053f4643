"""Sic bo: three dice, one roll, and bets on the total, its size and parity, on faces, pairs, doubles and triples."""

from croupier.games.sic_bo.game import SicBo

__all__ = ["SicBo"]
