"""Craps against the house: one seat, its money, its kernel for the simulator."""
