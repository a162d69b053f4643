"""Lanes in a terminal: the board as text, and every action in a line."""
