"""Bots and the coach of Lanes: evaluation, search, guesses at hidden cards, advice with reasons."""
