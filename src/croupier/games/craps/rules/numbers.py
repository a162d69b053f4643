"""Bets that a number comes before a 7, or the other way round: YES, NO, hardways, Big (docs/games/craps.md)."""

from __future__ import annotations

from croupier.games.craps.rules.ids import HARD, ODDS_PASS, is_no, target
from croupier.games.craps.rules.prices import LOSES, STAYS, WINS


def judge_number(bet: int, die1: int, die2: int) -> int:
    """Return the verdict on a working bet; a hardway needs both dice alike.

    >>> judge_number(HARD, 2, 2) == WINS, judge_number(HARD, 1, 3) == LOSES, judge_number(HARD, 1, 1) == STAYS
    (True, True, True)
    """
    total = die1 + die2
    if total != target(bet) and total != 7:
        return STAYS
    if is_no(bet):
        return WINS if total == 7 else LOSES
    if total == 7 or (HARD <= bet < ODDS_PASS and die1 != die2):
        return LOSES
    return WINS
