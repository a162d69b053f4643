"""Craps bets on what several rolls collect: numbers, doubles, points made (docs/games/craps.md, Bets by tiers).

A set bet is decided by the roll that completes it, and by any 7; a hand bet by the seven-out, though the sixth point
pays Fire at once. The trackers have been fed with the roll and not yet cleared.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.craps.rules import ids
from croupier.games.craps.rules import prices as pay
from croupier.games.craps.rules import table as rows
from croupier.games.craps.rules.prices import LOSES, STAYS, WINS

SMALL_NUMBERS, TALL_NUMBERS = 0b1111100, 0b1111100000000
ALL_POINTS = 0b111111


def may_decide(bet: int, point: int, die1: int, die2: int, prices: Sequence[int]) -> bool:
    """Tell whether a roll can decide a bet on the trackers at all, whatever they hold; most rolls cannot.

    >>> [may_decide(ids.FIRE, 6, *dice, ()) for dice in ((3, 4), (2, 4), (5, 5))]  # a seven-out, a point made, neither
    [True, True, False]
    >>> [may_decide(ids.DIFFERENT_DOUBLES, 0, *dice, ()) for dice in ((3, 4), (2, 4), (5, 5))]
    [True, False, True]
    """
    total = die1 + die2
    if bet == ids.MUGGSY:
        return True
    if bet >= ids.REPEATER:
        return total == 7 or total == ids.target(bet)
    if ids.BONUS_SMALL <= bet <= ids.BONUS_ALL:
        return total == 7 or bonus_numbers(bet) >> total & 1 == 1
    if bet == ids.TWICE_HARD or bet == ids.DIFFERENT_DOUBLES:
        return total == 7 or die1 == die2
    if bet == ids.HOT_ROLLER and prices[pay.HOT_RULE] == pay.ALL_WAYS:
        return total == 7 or ids.is_point(total)
    return point > 0 and (total == 7 or (bet == ids.FIRE and total == point))


def judge_trackers(table: Sequence[int], bet: int, placed: int, total: int, prices: Sequence[int]) -> int:
    """Return the verdict on a bet on the trackers. `placed` is the roll count when it was placed."""
    if bet >= ids.REPEATER:
        hits = prices[pay.REPEATER_HITS] if prices[pay.REPEATER_HITS] > 0 else ids.repeats(ids.target(bet))
        return _complete_or_seven(table[rows.REPEATER_COUNTS + ids.target(bet) - 2] >= hits, total)
    if ids.BONUS_SMALL <= bet <= ids.BONUS_ALL:
        wanted = bonus_numbers(bet)
        return _complete_or_seven(table[rows.BONUS_NUMBERS] & wanted == wanted, total)
    if bet == ids.TWICE_HARD:
        return _complete_or_seven(_hard_twice(table), total)
    if bet == ids.DIFFERENT_DOUBLES:
        seen = table[rows.DOUBLES_SEEN] & prices[pay.DOUBLES_MASK]
        if total != 7 and seen != prices[pay.DOUBLES_MASK]:
            return STAYS
        return prices[pay.DOUBLES_PAYS + rows.bit_count(seen)]
    if bet == ids.HOT_ROLLER and prices[pay.HOT_RULE] == pay.ALL_WAYS:
        points = rows.points_of_all_ways(table)
        return STAYS if total != 7 and points < 6 else prices[pay.HOT_PAYS + points]
    if bet == ids.HOT_ROLLER or bet == ids.FIRE or bet == ids.RIDE_LINE or bet == ids.REPLAY:
        return _judge_hand(table, bet, total, prices)
    return _judge_muggsy(table, placed, total, prices)


def _complete_or_seven(is_complete: bool, total: int) -> int:
    """Return the verdict on a bet that wins when it is complete, and is lost with any 7 before."""
    if is_complete:
        return WINS
    return LOSES if total == 7 else STAYS


def bonus_numbers(bet: int) -> int:
    """Return the totals that a bonus bet needs, as a mask."""
    if bet == ids.BONUS_SMALL:
        return SMALL_NUMBERS
    return TALL_NUMBERS if bet == ids.BONUS_TALL else SMALL_NUMBERS | TALL_NUMBERS


def _hard_twice(table: Sequence[int]) -> bool:
    for place in range(4):
        if table[rows.HARD_STREAK + place] >= 2:
            return True
    return False


def _judge_hand(table: Sequence[int], bet: int, total: int, prices: Sequence[int]) -> int:
    if total != 7 or table[rows.POINT] == 0:
        is_done = bet == ids.FIRE and table[rows.FIRE_POINTS] == ALL_POINTS
        return prices[pay.FIRE_PAYS + 6] if is_done else STAYS
    if bet == ids.FIRE:
        return prices[pay.FIRE_PAYS + rows.bit_count(table[rows.FIRE_POINTS])]
    if bet == ids.RIDE_LINE:
        return prices[pay.RIDE_PAYS + min(table[rows.PASS_WINS], pay.RIDE_TOP)]
    if bet == ids.REPLAY:
        return _best_replay(table, prices)
    count = table[rows.HAND_ROLLS] if prices[pay.HOT_RULE] == pay.HAND_LENGTH else table[rows.HOT_STREAK]
    return prices[pay.HOT_PAYS + min(count, pay.HOT_TOP)]


def _best_replay(table: Sequence[int], prices: Sequence[int]) -> int:
    """Return the best tier that one point reached: one prize a hand."""
    best = LOSES
    for place in range(6):
        number = place + 4 if place < 3 else place + 5
        row = pay.REPLAY_PAYS + (ids.ways(number) - 3) * (pay.REPLAY_TOP + 1)
        best = max(best, prices[row + min(table[rows.POINTS_MADE + place], pay.REPLAY_TOP)])
    return best


def _judge_muggsy(table: Sequence[int], placed: int, total: int, prices: Sequence[int]) -> int:
    """Return the verdict on Muggsy, which lives one roll or two: a 7 at once, or a point and then a 7.

    Under the other rule it is a come-out 7 and then a point.
    """
    is_first = table[rows.ROLL_COUNT] == placed + 1
    if prices[pay.MUGGSY_RULE] == pay.MUGGSY_SEVEN:
        if total == 7:
            return prices[pay.MUGGSY_PAYS if is_first else pay.MUGGSY_PAYS + 1]
        return STAYS if is_first and ids.is_point(total) else LOSES
    if is_first:
        return STAYS if total == 7 else LOSES
    return prices[pay.MUGGSY_PAYS + 1] if ids.is_point(total) else LOSES
