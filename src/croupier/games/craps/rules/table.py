"""Point, hand and trackers of a craps table as whole numbers, and how a roll changes them, in two steps.

A roll is fed before the bets settle and advances the table after they have: `feed` counts it and fills the trackers,
clearing nothing, so that every bet finds what it needs; `advance` moves the phase and then clears. In between the
phase and the point are those from before the roll.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.games.craps.rules.ids import is_point, point_place

COME_OUT, POINT_UP, CLOSED = 0, 1, 2

PHASE, POINT = 0, 1
ROLL_COUNT, SERIES, HAND_NUMBER = 2, 3, 4  # only grow
HAND_ROLLS, SET_ROLLS = 5, 6
# Since the last seven-out:
FIRE_POINTS = 7  # mask of the points made, by place
HOT_STREAK, PASS_WINS = 8, 9
POINTS_MADE = 10  # six entries
# Since the last 7 of any kind:
BONUS_NUMBERS = 16  # mask of the totals, bit t for t
DOUBLES_SEEN = 17  # mask of the faces, bit f - 1 for f
WAYS_SEEN = 18  # mask of the pairs of point numbers, in the order of `FIRST_WAY`
HARD_STREAK = 19  # four entries: 4, 6, 8, 10
REPEATER_COUNTS = 23  # eleven entries: 2 to 12
TABLE_SIZE = 34

# The 14 pairs that make a point, ascending by point: 1-3 2-2, 1-4 2-3, 1-5 2-4 3-3, 2-6 3-5 4-4, 3-6 4-5, 4-6 5-5.
FIRST_WAY = (0, 2, 4, 7, 10, 12)
WAYS_OF_POINT = (3, 12, 112, 896, 3072, 12288)
"""All pairs of each point as a mask."""

# What a roll was, by phase and point before it.
NOTHING, NATURAL, CRAPS, POINT_SET, POINT_MADE, SEVEN_OUT = 0, 1, 2, 3, 4, 5


def roll_event(point: int, total: int) -> int:
    """Return what a roll is for the line, with the point from before it (0 at the come-out).

    >>> roll_event(0, 7), roll_event(0, 12), roll_event(0, 6), roll_event(6, 6), roll_event(6, 7), roll_event(6, 11)
    (1, 2, 3, 4, 5, 0)
    """
    if point == 0:
        if total == 7 or total == 11:
            return NATURAL
        return POINT_SET if is_point(total) else CRAPS
    if total == point:
        return POINT_MADE
    return SEVEN_OUT if total == 7 else NOTHING


def next_point(point: int, total: int) -> int:
    """Return the point after a roll, 0 for none."""
    if point == 0:
        return total if is_point(total) else 0
    return 0 if total == point or total == 7 else point


def feed(table: MutableSequence[int], die1: int, die2: int) -> None:
    """Count a roll and fill the trackers; nothing is cleared yet (steps 2 and 3)."""
    total = die1 + die2
    table[ROLL_COUNT] += 1
    table[HAND_ROLLS] += 1
    table[SET_ROLLS] += 1
    event = roll_event(table[POINT], total)
    if event == NATURAL:
        table[PASS_WINS] += 1
    elif event == POINT_MADE:
        place = point_place(total)
        table[FIRE_POINTS] |= 1 << place
        table[POINTS_MADE + place] += 1
        table[HOT_STREAK] += 1
        table[PASS_WINS] += 1
    if total == 7:
        return
    table[BONUS_NUMBERS] |= 1 << total
    table[REPEATER_COUNTS + total - 2] += 1
    table[DOUBLES_SEEN] |= int(die1 == die2) << (die1 - 1)
    if total % 2 == 0 and 4 <= total <= 10:
        streak = HARD_STREAK + total // 2 - 2
        table[streak] = (table[streak] + 1) * int(die1 == die2)
    if is_point(total):
        way = FIRST_WAY[point_place(total)] + min(die1, die2) - max(total - 6, 1)
        table[WAYS_SEEN] |= 1 << way


def advance(table: MutableSequence[int], total: int) -> None:
    """Move the phase, then clear what ends with a 7 or with the hand (steps 11 and 12)."""
    point = table[POINT]
    after = next_point(point, total)
    table[POINT] = after
    table[PHASE] = POINT_UP if after > 0 else COME_OUT
    if point > 0 and after == 0:
        table[SERIES] += 1
    if total != 7:
        return
    table[SET_ROLLS] = 0
    for place in range(BONUS_NUMBERS, TABLE_SIZE):
        table[place] = 0
    if point == 0:
        return
    table[HAND_NUMBER] += 1
    table[HAND_ROLLS] = 0
    for place in range(FIRE_POINTS, BONUS_NUMBERS):
        table[place] = 0


def points_of_all_ways(table: Sequence[int]) -> int:
    """Return how many points have been thrown in every pair that makes them since the last 7."""
    count = 0
    for place in range(6):
        wanted = WAYS_OF_POINT[place]
        if table[WAYS_SEEN] & wanted == wanted:
            count += 1
    return count


def bit_count(mask: int) -> int:
    """Return how many bits of a mask are set."""
    count = 0
    while mask > 0:
        mask &= mask - 1  # clears the lowest bit that is set
        count += 1
    return count
