"""Rules of placing bets between rolls: place, raise, lower, remove, switch (docs/games/craps.md).

Each question is answered with a code, `OK` or the first rule that stands in the way, in a fixed order; the
words are in `croupier.games.craps.placing`. Balances and the bank's cover are not the rules' business.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.craps.rules import ids
from croupier.games.craps.rules.prices import (
    ALL_WAYS,
    HOT_RULE,
    commission_of,
    has_modes,
    is_offered,
    parts_of,
    profit_max,
    slot_of,
    win_of,
)
from croupier.games.craps.rules.table import CLOSED, HAND_ROLLS, PHASE, POINT, POINT_UP, ROLL_COUNT, SET_ROLLS

OK = 0
TABLE_CLOSED, UNKNOWN_BET, UNKNOWN_NUMBER, UNKNOWN_MODE, NOT_OFFERED = 1, 2, 3, 4, 5
ALREADY_PLACED, NEEDS_COME_OUT, NEEDS_POINT, NEEDS_NEW_HAND, NEEDS_NEW_SET, NEEDS_FLAT_BET = 6, 7, 8, 9, 10, 11
NOT_A_STAKE, UNDER_LIMIT, OVER_LIMIT, NOT_A_MULTIPLE = 12, 13, 14, 15
OVER_ODDS, PROFIT_TOO_SMALL, OVER_PROFIT = 16, 17, 18
IS_CONTRACT, ONLY_LOWER, STAYS_UP, ALWAYS_WORKS = 19, 20, 21, 22

# The limits of a table as a flat array.
STAKE_LIMITS = 0  # smallest and largest: line, come, YES, NO, Big; propositions; side bets
MAX_PROFIT, PLAYER_MAX, MAX_BETS = 6, 7, 8
ODDS_MULTIPLES = 9  # six entries: how many times the flat bet odds may be on 4, 5, 6, 8, 9, 10
LIMITS_SIZE = 15


def window_of(bet: int, prices: Sequence[int]) -> int:
    """Return when a bet may be placed; the hot roller's window depends on its rule."""
    if bet == ids.HOT_ROLLER and prices[HOT_RULE] == ALL_WAYS:
        return ids.SET
    return ids.WINDOW[bet]


def window_shut(table: Sequence[int], bet: int, flat_stake: int, prices: Sequence[int]) -> int:
    """Return `OK` if the bet's window is open, else what it waits for. `flat_stake` is that of the bet under odds."""
    window = window_of(bet, prices)
    if window == ids.CO and table[PHASE] == POINT_UP:
        return NEEDS_COME_OUT
    if window == ids.PT and table[PHASE] != POINT_UP:
        return NEEDS_POINT
    if window == ids.HAND and table[HAND_ROLLS] > 0:
        return NEEDS_NEW_HAND
    if window == ids.SET and table[SET_ROLLS] > 0:
        return NEEDS_NEW_SET
    if ids.is_odds(bet) and flat_stake == 0:
        return NEEDS_FLAT_BET
    return OK


def known(bet: int, number: int, mode: int, prices: Sequence[int]) -> int:
    """Return `OK` if there is such a bet at this table."""
    if bet < 0 or bet >= ids.BET_COUNT:
        return UNKNOWN_BET
    if ids.is_odds(bet) and ids.has_number(bet):
        if not ids.is_point(number):
            return UNKNOWN_NUMBER
    elif number != 0 and not (ids.is_odds(bet) and ids.is_point(number)):
        return UNKNOWN_NUMBER
    if mode != 0 and (mode != 1 or not has_modes(bet)):
        return UNKNOWN_MODE
    if is_offered(slot_of(bet, number, mode), prices):
        return OK
    return UNKNOWN_MODE if mode == 1 else NOT_OFFERED


def odds_max(bet: int, number: int, flat_stake: int, multiple: int) -> int:
    """Return the largest odds on a flat bet: a multiple of it, or where odds are laid what wins that multiple.

    Three, four and five times the flat bet taken on 4, 5 and 6 so becomes six times laid on every number.

    >>> [odds_max(29, 4, 10, 3), odds_max(29, 5, 10, 4), odds_max(29, 6, 10, 5)]
    [30, 40, 50]
    >>> [odds_max(30, 4, 10, 3), odds_max(30, 5, 10, 4), odds_max(30, 6, 10, 5)]
    [60, 60, 60]
    """
    taken = flat_stake * multiple
    return taken * 6 // ids.ways(number) if ids.is_dark(bet) else taken


def number_under(bet: int, number: int, point: int) -> int:
    """Return the number that odds on a bet are on: the point for a line bet, its own for a come bet, else 0."""
    if bet <= ids.DONT_PASS:
        return point
    return number if bet <= ids.DONT_COME else 0


def odds_wanted(flat: int, number: int, stake: int, multiples: Sequence[int], at: int) -> int:
    """Return the odds that a policy puts on a line or come bet that is on `number`; 0 for none.

    The policy is six numbers from `at` on: how many times the stake on 4, 5, 6, 8, 9, 10.

    >>> [odds_wanted(flat, 4, 10, (3, 4, 5, 5, 4, 3), 0) for flat in (0, 1)], odds_wanted(0, 0, 10, (3,) * 6, 0)
    ([30, 60], 0)
    """
    if number == 0:
        return 0
    return odds_max(ids.ODDS_PASS + flat, number, stake, multiples[at + ids.point_place(number)])


def come_wanted(is_point_up: bool, is_other_lying: bool) -> bool:
    """Tell whether a player who is to lay come bets does so now: with a point up, while another bet lies."""
    return is_point_up and is_other_lying


def multiple_on(number: int, limits: Sequence[int]) -> int:
    """Return how many times the flat bet odds may be taken on a number."""
    return limits[ODDS_MULTIPLES + ids.point_place(number)]


def stake_problem(
    bet: int, number: int, mode: int, stake: int, flat_stake: int, prices: Sequence[int], limits: Sequence[int]
) -> int:
    """Return `OK` if a bet may have this stake, all chips on it together."""
    if stake < 1:
        return NOT_A_STAKE
    kind = ids.LIMITS_OF[bet]
    if kind != ids.ODDS_LIMITS:
        if stake < limits[STAKE_LIMITS + 2 * kind]:
            return UNDER_LIMIT
        if stake > limits[STAKE_LIMITS + 2 * kind + 1]:
            return OVER_LIMIT
    if stake % parts_of(bet) != 0:
        return NOT_A_MULTIPLE
    if kind == ids.ODDS_LIMITS and stake > odds_max(bet, number, flat_stake, multiple_on(number, limits)):
        return OVER_ODDS
    slot = slot_of(bet, number, mode)
    if win_of(slot, stake, prices) - commission_of(slot, stake, prices) < 1:
        return PROFIT_TOO_SMALL
    if profit_max(bet, slot, stake, prices) > limits[MAX_PROFIT]:
        return OVER_PROFIT
    return OK


def may_place(
    table: Sequence[int],
    bet: int,
    number: int,
    mode: int,
    stake: int,
    is_up: bool,
    flat_stake: int,
    prices: Sequence[int],
    limits: Sequence[int],
) -> int:
    """Return `OK` if a bet may be placed. `is_up`: it lies there already; `flat_stake`: of the bet under odds, or 0."""
    if table[PHASE] == CLOSED:
        return TABLE_CLOSED
    problem = known(bet, number, mode, prices)
    if problem == OK and is_up:
        problem = ALREADY_PLACED
    if problem == OK:
        problem = window_shut(table, bet, flat_stake, prices)
    if problem == OK:
        problem = stake_problem(bet, number, mode, stake, flat_stake, prices, limits)
    return problem


def may_raise(
    table: Sequence[int],
    bet: int,
    number: int,
    mode: int,
    stake: int,
    flat_stake: int,
    placed: int,
    prices: Sequence[int],
    limits: Sequence[int],
) -> int:
    """Return `OK` if a bet that is up may have `stake` in all, more than it has."""
    if table[PHASE] == CLOSED:
        return TABLE_CLOSED
    if ids.TAKE_DOWN[bet] == ids.CONTRACT and number_under(bet, number, table[POINT]) > 0:
        return IS_CONTRACT
    if ids.TAKE_DOWN[bet] == ids.LOWER_ONLY and number_under(bet, number, table[POINT]) > 0:
        return ONLY_LOWER
    if bet == ids.MUGGSY and table[ROLL_COUNT] > placed:
        return STAYS_UP
    problem = window_shut(table, bet, flat_stake, prices)
    if problem == OK:
        problem = stake_problem(bet, number, mode, stake, flat_stake, prices, limits)
    return problem


def may_remove(table: Sequence[int], bet: int, number: int, placed: int) -> int:
    """Return `OK` if a bet that is up may be taken down."""
    if table[PHASE] == CLOSED:
        return TABLE_CLOSED
    if ids.TAKE_DOWN[bet] == ids.CONTRACT and number_under(bet, number, table[POINT]) > 0:
        return IS_CONTRACT
    if ids.TAKE_DOWN[bet] == ids.NEVER and (bet != ids.MUGGSY or table[ROLL_COUNT] > placed):
        return STAYS_UP
    return OK


def may_lower(
    table: Sequence[int],
    bet: int,
    number: int,
    mode: int,
    stake: int,
    placed: int,
    prices: Sequence[int],
    limits: Sequence[int],
) -> int:
    """Return `OK` if a bet that is up may be left with `stake`, less than it has."""
    problem = may_remove(table, bet, number, placed)
    if problem != OK:
        return problem
    problem = stake_problem(bet, number, mode, stake, stake, prices, limits)
    # What is smaller than what was allowed is not over anything; a flat bet was lowered since, perhaps.
    return OK if problem == OVER_LIMIT or problem == OVER_ODDS or problem == OVER_PROFIT else problem


def may_switch(table: Sequence[int], bet: int, working: int) -> int:
    """Return `OK` if a bet may be switched to work as `working` says; odds that are laid always work."""
    if table[PHASE] == CLOSED:
        return TABLE_CLOSED
    if ids.TAKE_DOWN[bet] != ids.FREE or (ids.is_odds(bet) and ids.is_dark(bet)):
        return OK if working == ids.WORKS else ALWAYS_WORKS
    return OK


def return_max(bet: int, number: int, mode: int, stake: int, prices: Sequence[int]) -> int:
    """Return the most that a bet can hand back: what the bank must be able to cover until it is decided."""
    return stake + profit_max(bet, slot_of(bet, number, mode), stake, prices)
