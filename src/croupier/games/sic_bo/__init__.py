"""Sic bo: three dice, one roll, and bets on the total, its size and parity, on faces, pairs, doubles and triples."""
