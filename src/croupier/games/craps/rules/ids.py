"""The 91 bets by number (docs/games/craps.md, The bets), and what each family allows.

The order is on the wire: never renumber. Families are runs of ids, so a bet's family is found by
comparing; what differs bet by bet stands in a tuple with one entry an id.
"""

from __future__ import annotations

PASS, DONT_PASS, COME, DONT_COME, FIELD = 0, 1, 2, 3, 4
YES, NO, HARD = 5, 15, 25  # the first of 10, 10 and 4
ODDS_PASS, ODDS_DONT_PASS, ODDS_COME, ODDS_DONT_COME = 29, 30, 31, 32
HOT_ROLLER, FIRE, TWICE_HARD, RIDE_LINE, MUGGSY = 33, 34, 35, 36, 37
BONUS_SMALL, BONUS_TALL, BONUS_ALL, REPLAY, DIFFERENT_DOUBLES = 38, 39, 40, 41, 42
NEXT, REPEATER, HOP = 43, 54, 64  # the first of 11, 10 and 21
ANY_CRAPS, HORN, WORLD, C_AND_E, BIG_6, BIG_8 = 85, 86, 87, 88, 89, 90
BET_COUNT = 91

POINTS = (4, 5, 6, 8, 9, 10)

# Placement windows: at which moments a bet may be laid.
CO, PT, ANY, HAND, SET, NUM = 0, 1, 2, 3, 4, 5
WINDOW = (
    *(CO, CO, PT, PT, ANY),
    *((ANY,) * 24),
    *(PT, PT, NUM, NUM),
    *(HAND, HAND, SET, HAND, CO, SET, SET, SET, HAND, SET),
    *((ANY,) * 11),
    *((SET,) * 10),
    *((ANY,) * 27),
)

# Take-down classes: what may be changed of a bet that lies.
CONTRACT, LOWER_ONLY, FREE, UNTIL_ROLL, NEVER = 0, 1, 2, 3, 4
TAKE_DOWN = (
    *(CONTRACT, LOWER_ONLY, CONTRACT, LOWER_ONLY, UNTIL_ROLL),
    *((FREE,) * 28),
    *((NEVER,) * 10),
    *((UNTIL_ROLL,) * 11),
    *((NEVER,) * 10),
    *((UNTIL_ROLL,) * 25),
    *(FREE, FREE),
)

# Which limits hold; odds have a multiple of their flat bet instead.
TABLE_LIMITS, PROP_LIMITS, SIDE_LIMITS, ODDS_LIMITS = 0, 1, 2, 3
LIMITS_OF = (
    *((TABLE_LIMITS,) * 4),
    PROP_LIMITS,
    *((TABLE_LIMITS,) * 20),
    *((PROP_LIMITS,) * 4),
    *((ODDS_LIMITS,) * 4),
    *((SIDE_LIMITS,) * 10),
    *((PROP_LIMITS,) * 11),
    *((SIDE_LIMITS,) * 10),
    *((PROP_LIMITS,) * 25),
    *((TABLE_LIMITS,) * 2),
)

# When a bet works: bit 0 on come-out rolls, bit 1 with a point up. An off bet neither wins nor loses.
WORKS_AT_COME_OUT, WORKS_WITH_POINT, WORKS = 1, 2, 3


def target(bet: int) -> int:
    """Return the total that a bet is about: YES, NO, hardways, NEXT, repeaters, Big; 0 for all others.

    >>> [target(bet) for bet in (YES, YES + 9, NO + 4, NO + 5, HARD + 3, NEXT + 5, REPEATER + 9, BIG_8, FIRE)]
    [2, 12, 6, 8, 10, 7, 12, 8, 0]
    """
    if NEXT <= bet < REPEATER:
        return bet - NEXT + 2
    if HARD <= bet < ODDS_PASS:
        return 4 + 2 * (bet - HARD)
    if bet == BIG_6 or bet == BIG_8:
        return 6 + 2 * (bet - BIG_6)
    if YES <= bet < HARD:
        place = (bet - YES) % 10
    elif REPEATER <= bet < HOP:
        place = bet - REPEATER
    else:
        return 0
    return place + 2 if place < 5 else place + 3  # nobody bets on 7 before 7


def is_yes(bet: int) -> bool:
    """Tell whether a bet is that a total comes before a 7."""
    return YES <= bet < NO


def is_no(bet: int) -> bool:
    """Tell whether a bet is that a 7 comes before a total."""
    return NO <= bet < HARD


def is_odds(bet: int) -> bool:
    """Tell whether a bet is odds on a flat bet."""
    return ODDS_PASS <= bet <= ODDS_DONT_COME


def is_dark(bet: int) -> bool:
    """Tell whether a line, come or odds bet is on the don't side, with the 7."""
    return bet == DONT_PASS or bet == DONT_COME or bet == ODDS_DONT_PASS or bet == ODDS_DONT_COME


def has_number(bet: int) -> bool:
    """Tell whether a bet has a number of its own besides its id: come bets that travelled, and odds on them."""
    return bet == COME or bet == DONT_COME or bet == ODDS_COME or bet == ODDS_DONT_COME


def is_come(bet: int) -> bool:
    """Tell whether a bet is a come bet, which is laid with a point up."""
    return bet == COME or bet == DONT_COME


def is_tracked(bet: int) -> bool:
    """Tell whether a bet is one of a set or a hand, or Muggsy."""
    return HOT_ROLLER <= bet < NEXT or REPEATER <= bet < HOP


def needs_trackers(bet: int) -> bool:
    """Tell whether a bet is decided by what the table remembers of earlier rolls; Muggsy counts its own."""
    return is_tracked(bet) and bet != MUGGSY


def flat_of(bet: int) -> int:
    """Return the flat bet that odds belong to."""
    if bet <= ODDS_DONT_PASS:
        return bet - ODDS_PASS
    return bet - ODDS_COME + COME


def usual_working(bet: int) -> int:
    """Return when a bet works unless its player says otherwise: YES, hardways and come odds are off at the come-out."""
    if is_yes(bet) or HARD <= bet < ODDS_PASS or bet == ODDS_COME:
        return WORKS_WITH_POINT
    return WORKS


def is_one_roll(bet: int) -> bool:
    """Tell whether every roll decides the bet.

    >>> [is_one_roll(bet) for bet in (FIELD, NEXT, HOP, C_AND_E, BIG_6, REPEATER)]
    [True, True, True, True, False, False]
    """
    return bet == FIELD or NEXT <= bet < REPEATER or HOP <= bet <= C_AND_E


def is_point(total: int) -> bool:
    """Tell whether a total can be the point."""
    return 4 <= total <= 10 and total != 7


def ways(total: int) -> int:
    """Return how many of the 36 rolls give a total.

    >>> [ways(total) for total in range(2, 13)]
    [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    """
    return 6 - abs(total - 7)


def repeats(total: int) -> int:
    """Return how often a total must fall for its repeater: twice for 2 and 12, six times for 6 and 8."""
    return ways(total) + 1


def point_place(number: int) -> int:
    """Return the place of a number in `POINTS`."""
    return number - 4 if number < 7 else number - 5


def hop_bet(die1: int, die2: int) -> int:
    """Return the id of the hop that a pair of dice wins, in whatever order they fell.

    >>> hop_bet(2, 4) == hop_bet(4, 2), hop_bet(1, 1), hop_bet(6, 6)
    (True, 64, 84)
    """
    low = min(die1, die2)
    high = max(die1, die2)
    return HOP + (low - 1) * (14 - low) // 2 + high - low
