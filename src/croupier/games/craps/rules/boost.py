"""Super mode (docs/games/craps.md): Pass, placed before the first roll, boosted by the total that makes its point."""

from __future__ import annotations

from collections.abc import MutableSequence

from croupier.draws import Stream, bounded_u32, next_byte
from croupier.games.craps.rules.ids import PASS

LIT_COUNT = 3
LIT_POINTS = 6
LIT_MULTIPLIER_MAX = 15
BOOST_DIVISOR = 2  # a lit point's profit is multiplied by 1 + (m - 1) / 2


def lit_multiplier(number: int, percentile: int) -> int:
    """Return the multiplier of a lit point from a number below 10,000."""
    if percentile < 200:
        return LIT_MULTIPLIER_MAX
    if number == 6 or number == 8:
        return 2
    return 4 if number == 5 or number == 9 else 7


def generate(stream: Stream, ids: MutableSequence[int], multipliers: MutableSequence[int]) -> int:
    """Light three points, in draw order, into two arrays of at least `LIT_POINTS`; return how many.

    All three points are drawn before the first multiplier. The remainders of raw bytes are not quite even, because the
    published streams are made that way; the odds take it into account.
    """
    for place in range(LIT_POINTS):
        ids[place] = place + 4 if place < 3 else place + 5
    for place in range(LIT_COUNT):
        other = place + next_byte(stream) % (LIT_POINTS - place)
        kept = ids[place]
        ids[place] = ids[other]
        ids[other] = kept
    for place in range(LIT_COUNT):
        multipliers[place] = lit_multiplier(ids[place], bounded_u32(stream, 10_000))
    return LIT_COUNT


def is_eligible(bet: int) -> bool:
    """Tell whether super mode boosts a bet, and takes its fee."""
    return bet == PASS


def boosted(returned: int, stake: int, multiplier: int) -> int:
    """Return what an eligible Pass hands back, when it would hand back `returned` without super mode.

    The profit is multiplied by 1 + (m - 1) / 2 and rounded down; `multiplier` 0 is a total that is not lit, or a Pass
    that won on the come-out.

    >>> boosted(200, 100, 7), boosted(200, 100, 0), boosted(0, 100, 7), boosted(10, 5, 2)
    (500, 200, 0, 12)
    """
    if multiplier == 0 or returned <= stake:
        return returned
    return stake + (returned - stake) * (BOOST_DIVISOR + multiplier - 1) // BOOST_DIVISOR


def boosted_max(stake: int) -> int:
    """Return the most that an eligible Pass can hand back."""
    return stake + stake * (BOOST_DIVISOR + LIT_MULTIPLIER_MAX - 1) // BOOST_DIVISOR
