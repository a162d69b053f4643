"""Solvers behind the shipped tables of games: whole counts in the numeric subset, which the simulator compiles."""
