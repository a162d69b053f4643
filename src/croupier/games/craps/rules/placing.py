"""The numbers of `croupier.games.craps.placing`: when a bet may be placed, its limits, the most odds behind it.

docs/games/craps.md says the same to players. Balances and the bank's cover are neither module's business.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.craps.rules import ids
from croupier.games.craps.rules.prices import ALL_WAYS, HOT_RULE
from croupier.games.craps.rules.table import HAND_ROLLS, PHASE, POINT_UP, SET_ROLLS

OPEN, NEEDS_COME_OUT, NEEDS_POINT, NEEDS_NEW_HAND, NEEDS_NEW_SET = 0, 1, 2, 3, 4

# The limits of a table as a flat array.
STAKE_LIMITS = 0  # smallest and largest: line, come, YES, NO, Big; propositions; side bets
MAX_PROFIT, PLAYER_MAX, MAX_BETS = 6, 7, 8
ODDS_MULTIPLES = 9  # six entries: how many times the flat bet odds may be on 4, 5, 6, 8, 9, 10
LIMITS_SIZE = 15


def window_shut(table: Sequence[int], bet: int, prices: Sequence[int]) -> int:
    """Return `OPEN` if a bet may be placed now, else what it waits for; odds also need the bet they are on."""
    window = ids.WINDOW[bet]
    if bet == ids.HOT_ROLLER and prices[HOT_RULE] == ALL_WAYS:
        window = ids.SET
    if window == ids.CO and table[PHASE] == POINT_UP:
        return NEEDS_COME_OUT
    if window == ids.PT and table[PHASE] != POINT_UP:
        return NEEDS_POINT
    if window == ids.HAND and table[HAND_ROLLS] > 0:
        return NEEDS_NEW_HAND
    if window == ids.SET and table[SET_ROLLS] > 0:
        return NEEDS_NEW_SET
    return OPEN


def number_under(bet: int, number: int, point: int) -> int:
    """Return the number that odds on a bet are on: the point for a line bet, its own for a come bet, else 0."""
    if bet <= ids.DONT_PASS:
        return point
    return number if bet <= ids.DONT_COME else 0


def odds_max(flat: int, number: int, stake: int, multiples: Sequence[int], at: int) -> int:
    """Return the largest odds on a line or come bet that is on `number`, 0 for none, by a table's limits or a policy.

    Those are six numbers from `at` on: how many times the stake on 4, 5, 6, 8, 9, 10. Where odds are laid they are what
    wins as much: three, four and five times taken on 4, 5 and 6 so becomes six times laid on every number.

    >>> [[odds_max(flat, number, 10, (3, 4, 5, 5, 4, 3), 0) for number in (0, 4, 5, 6)] for flat in (0, 1)]
    [[0, 30, 40, 50], [0, 60, 60, 60]]
    """
    if number == 0:
        return 0
    taken = stake * multiples[at + ids.point_place(number)]
    return taken * 6 // ids.ways(number) if ids.is_dark(flat) else taken


def come_wanted(is_point_up: bool, is_other_lying: bool) -> bool:
    """Tell whether a player who is to lay come bets does so now: with a point up, while another bet lies."""
    return is_point_up and is_other_lying
