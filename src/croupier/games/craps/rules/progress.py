"""Bets that live on the table's trackers: of a set, of a hand, and Muggsy (docs/games/craps.md, Bets by tiers).

A set bet is decided by the roll that completes it, and by any 7; a hand bet by the seven-out, though the sixth point
pays Fire at once. The trackers have been fed with the roll and not yet cleared.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.craps.rules.ids import (
    BONUS_ALL,
    BONUS_SMALL,
    BONUS_TALL,
    DIFFERENT_DOUBLES,
    FIRE,
    HOT_ROLLER,
    MUGGSY,
    REPEATER,
    REPLAY,
    RIDE_LINE,
    TWICE_HARD,
    is_point,
    repeats,
    target,
    ways,
)
from croupier.games.craps.rules.prices import (
    ALL_WAYS,
    DOUBLES_MASK,
    DOUBLES_PAYS,
    FIRE_PAYS,
    HAND_LENGTH,
    HOT_PAYS,
    HOT_RULE,
    HOT_TOP,
    LOSES,
    MUGGSY_PAYS,
    MUGGSY_RULE,
    MUGGSY_SEVEN,
    REPEATER_HITS,
    REPLAY_PAYS,
    REPLAY_TOP,
    RIDE_PAYS,
    RIDE_TOP,
    STAYS,
    WINS,
)
from croupier.games.craps.rules.table import (
    BONUS_NUMBERS,
    DOUBLES_SEEN,
    FIRE_POINTS,
    HAND_ROLLS,
    HARD_STREAK,
    HOT_STREAK,
    PASS_WINS,
    POINT,
    POINTS_MADE,
    REPEATER_COUNTS,
    ROLL_COUNT,
    bit_count,
    points_of_all_ways,
)

SMALL_NUMBERS, TALL_NUMBERS = 0b1111100, 0b1111100000000
ALL_POINTS = 0b111111


def may_decide(bet: int, point: int, die1: int, die2: int, prices: Sequence[int]) -> bool:
    """Tell whether a roll can decide a bet on the trackers at all, whatever they hold; most rolls cannot.

    >>> [may_decide(FIRE, 6, *dice, ()) for dice in ((3, 4), (2, 4), (5, 5))]  # a seven-out, a point made, neither
    [True, True, False]
    >>> [may_decide(DIFFERENT_DOUBLES, 0, *dice, ()) for dice in ((3, 4), (2, 4), (5, 5))]
    [True, False, True]
    """
    total = die1 + die2
    if bet == MUGGSY:
        return True
    if bet >= REPEATER:
        return total == 7 or total == target(bet)
    if BONUS_SMALL <= bet <= BONUS_ALL:
        return total == 7 or bonus_numbers(bet) >> total & 1 == 1
    if bet == TWICE_HARD or bet == DIFFERENT_DOUBLES:
        return total == 7 or die1 == die2
    if bet == HOT_ROLLER and prices[HOT_RULE] == ALL_WAYS:
        return total == 7 or is_point(total)
    return point > 0 and (total == 7 or (bet == FIRE and total == point))


def judge_trackers(table: Sequence[int], bet: int, placed: int, total: int, prices: Sequence[int]) -> int:
    """Return the verdict on a bet on the trackers. `placed` is the roll count when it was placed."""
    if bet >= REPEATER:
        hits = prices[REPEATER_HITS] if prices[REPEATER_HITS] > 0 else repeats(target(bet))
        return _complete_or_seven(table[REPEATER_COUNTS + target(bet) - 2] >= hits, total)
    if BONUS_SMALL <= bet <= BONUS_ALL:
        wanted = bonus_numbers(bet)
        return _complete_or_seven(table[BONUS_NUMBERS] & wanted == wanted, total)
    if bet == TWICE_HARD:
        return _complete_or_seven(_hard_twice(table), total)
    if bet == DIFFERENT_DOUBLES:
        seen = table[DOUBLES_SEEN] & prices[DOUBLES_MASK]
        if total != 7 and seen != prices[DOUBLES_MASK]:
            return STAYS
        return prices[DOUBLES_PAYS + bit_count(seen)]
    if bet == HOT_ROLLER and prices[HOT_RULE] == ALL_WAYS:
        points = points_of_all_ways(table)
        return STAYS if total != 7 and points < 6 else prices[HOT_PAYS + points]
    if bet == HOT_ROLLER or bet == FIRE or bet == RIDE_LINE or bet == REPLAY:
        return _judge_hand(table, bet, total, prices)
    return _judge_muggsy(table, placed, total, prices)


def _complete_or_seven(is_complete: bool, total: int) -> int:
    """Return the verdict on a bet that wins when it is complete, and is lost with any 7 before."""
    if is_complete:
        return WINS
    return LOSES if total == 7 else STAYS


def bonus_numbers(bet: int) -> int:
    """Return the totals that a bonus bet needs, as a mask."""
    if bet == BONUS_SMALL:
        return SMALL_NUMBERS
    return TALL_NUMBERS if bet == BONUS_TALL else SMALL_NUMBERS | TALL_NUMBERS


def _hard_twice(table: Sequence[int]) -> bool:
    for place in range(4):
        if table[HARD_STREAK + place] >= 2:
            return True
    return False


def _judge_hand(table: Sequence[int], bet: int, total: int, prices: Sequence[int]) -> int:
    if total != 7 or table[POINT] == 0:
        is_done = bet == FIRE and table[FIRE_POINTS] == ALL_POINTS
        return prices[FIRE_PAYS + 6] if is_done else STAYS
    if bet == FIRE:
        return prices[FIRE_PAYS + bit_count(table[FIRE_POINTS])]
    if bet == RIDE_LINE:
        return prices[RIDE_PAYS + min(table[PASS_WINS], RIDE_TOP)]
    if bet == REPLAY:
        return _best_replay(table, prices)
    count = table[HAND_ROLLS] if prices[HOT_RULE] == HAND_LENGTH else table[HOT_STREAK]
    return prices[HOT_PAYS + min(count, HOT_TOP)]


def _best_replay(table: Sequence[int], prices: Sequence[int]) -> int:
    """Return the best tier that one point reached: one prize a hand."""
    best = LOSES
    for place in range(6):
        number = place + 4 if place < 3 else place + 5
        row = REPLAY_PAYS + (ways(number) - 3) * (REPLAY_TOP + 1)
        best = max(best, prices[row + min(table[POINTS_MADE + place], REPLAY_TOP)])
    return best


def _judge_muggsy(table: Sequence[int], placed: int, total: int, prices: Sequence[int]) -> int:
    """Return the verdict on Muggsy, which lives one roll or two: a 7 at once, or a point and then a 7.

    Under the other rule it is a come-out 7 and then a point.
    """
    is_first = table[ROLL_COUNT] == placed + 1
    if prices[MUGGSY_RULE] == MUGGSY_SEVEN:
        if total == 7:
            return prices[MUGGSY_PAYS if is_first else MUGGSY_PAYS + 1]
        return STAYS if is_first and is_point(total) else LOSES
    if is_first:
        return STAYS if total == 7 else LOSES
    return prices[MUGGSY_PAYS + 1] if is_point(total) else LOSES
