"""The names of the casino war bets and their codes; no bet here carries a number."""

from __future__ import annotations

from croupier.games.casino_war import rules

# Name -> (kind, number). The raise is the second stake that going to war asks for, equal to the main bet.
BETS: dict[str, tuple[int, int]] = {"main": (rules.MAIN, 0), "raise": (rules.RAISE, 0), "tie": (rules.TIE, 0)}
