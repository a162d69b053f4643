"""The line: Pass, DontPass, Come, DontCome and the odds on them (docs/games/craps.md, Odds).

A pass bet follows the table's point, a come bet the number it travelled to; on its first roll it has none. Apart from
that they are one bet.
"""

from __future__ import annotations

from croupier.games.craps.rules.ids import is_dark
from croupier.games.craps.rules.prices import LOSES, PUSHES, STAYS, TRAVELS, WINS


def judge_flat(bet: int, number: int, total: int) -> int:
    """Return the verdict on a flat bet that is on `number`, 0 on its first roll.

    >>> judge_flat(1, 0, 12) == PUSHES, judge_flat(1, 4, 12) == STAYS  # 12 is a push on the first roll alone
    (True, True)
    >>> judge_flat(2, 0, 6) == TRAVELS, judge_flat(2, 6, 6) == WINS
    (True, True)
    """
    dark = is_dark(bet)
    if number == 0:
        if total == 7 or total == 11:
            return LOSES if dark else WINS
        if total == 2 or total == 3:
            return WINS if dark else LOSES
        if total == 12:
            return PUSHES if dark else LOSES
        return TRAVELS
    if total == 7:
        return WINS if dark else LOSES
    if total == number:
        return LOSES if dark else WINS
    return STAYS


def judge_odds(bet: int, number: int, works: bool, total: int) -> int:
    """Return the verdict on odds; those that are off are handed back when their flat bet decides."""
    if total != number and total != 7:
        return STAYS
    if not works:
        return PUSHES
    return LOSES if is_dark(bet) == (total == number) else WINS
