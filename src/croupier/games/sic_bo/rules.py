"""The rules of sic bo in numbers: three dice are rolled once, and every bet is won or lost.

A bet is a kind and a number, both a byte on the wire (rules.md, Bets). The number is a face, a total, two faces in
one byte (`first << 4 | second`) or a mask of faces (bit f - 1 for face f), as the kind has it. There are no pushes; a
triple beats small, big, odd and even.

Everything here is in the numeric subset and trusts its arguments, of which `valid` is the judge.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream, next_byte, roll_die
from croupier.kit.lit import draw_unlit, multiplier_on

SMALL, BIG, ODD, EVEN, TRIPLE, ANY_TRIPLE, DOUBLE, TOTAL, SINGLE, DOMINO, EASY_HOP, HARD_HOP, FOUR_FACES = range(13)
KIND_COUNT = 13
BETS_MAX = 20
FIND_SIZE = 3
FIND_COUNT = 6**3

# Profit to 1, a column a pay table (rules.md, Bets).
MACAU, ATLANTIC_CITY = 0, 1
TRIPLE_PAYS = (150, 180)
ANY_TRIPLE_PAYS = (24, 30)
DOUBLE_PAYS = (8, 10)
DOMINO_PAYS = (5, 5)
EASY_HOP_PAYS = (30, 30)
HARD_HOP_PAYS = (50, 50)
FOUR_FACES_PAYS = (7, 7)
TOTAL_PAYS = (
    (180, 50, 18, 14, 12, 8, 6, 6, 6, 6, 8, 12, 14, 18, 50, 180),  # totals 3 to 18
    (180, 60, 30, 17, 12, 8, 6, 6, 6, 6, 8, 12, 17, 30, 60, 180),
)

# Super mode (rules.md, Super mode): a lit total's profit is multiplied by 1 + (m - 1) / BOOST_DIVISOR.
BOOST_DIVISOR = 10
LIT_COUNT = 3
LIT_MULTIPLIER_MAX = 30

# Compiled integers wrap silently: the boosted profits of twenty largest bets must fit 63 bits before they are divided.
STAKE_MAX = (2**63 - 1) // (BETS_MAX * 181 * (BOOST_DIVISOR + LIT_MULTIPLIER_MAX))


def number_is_ignored(kind: int) -> bool:
    """Tell whether bets of this kind are all alike, so that any number stands for the same bet."""
    return kind <= EVEN or kind == ANY_TRIPLE


def _bit_count(mask: int) -> int:
    count = 0
    while mask > 0:
        mask &= mask - 1  # clears the lowest bit that is set
        count += 1
    return count


def valid(kind: int, number: int) -> bool:
    """Tell whether there is such a bet. The ignored number of a kind without one may be any.

    >>> valid(TOTAL, 18), valid(TOTAL, 2), valid(DOMINO, 0x14), valid(DOMINO, 0x41)  # the lower face comes first
    (True, False, True, False)
    """
    if kind < 0 or kind >= KIND_COUNT or number < 0 or number > 255:
        return False
    if number_is_ignored(kind):
        return True
    if kind == TRIPLE or kind == DOUBLE or kind == SINGLE:
        return 1 <= number <= 6
    if kind == TOTAL:
        return 3 <= number <= 18
    if kind == EASY_HOP:
        return number < 64 and _bit_count(number) == 3
    if kind == FOUR_FACES:
        return number < 64 and _bit_count(number) == 4
    first = number >> 4
    second = number & 15
    if first < 1 or first > 6 or second < 1 or second > 6:
        return False
    if kind == DOMINO:
        return first < second
    return first != second


# The round: roll three dice, which are all there is to find. The options of its steps are the pay table.


def draw(stream: Stream, find: MutableSequence[int], options: Sequence[int], work: MutableSequence[int]) -> None:
    """Roll the three dice, in the order they are drawn."""
    for die in range(FIND_SIZE):
        find[die] = roll_die(stream)


def settle(kind: int, number: int, stake: int, find: Sequence[int], options: Sequence[int]) -> int:
    """Return the chips handed back for one bet: stake and profit, or nothing.

    >>> settle(TOTAL, 9, 10, (2, 3, 4), (MACAU,)), settle(SINGLE, 4, 10, (4, 1, 4), (MACAU,)), settle(
    ...     BIG, 0, 10, (5, 5, 5), (MACAU,)
    ... )
    (70, 30, 0)
    """
    times = times_won(kind, number, find[0], find[1], find[2])
    if times == 0:
        return 0
    return stake + stake * times * price(kind, number, options[0])


def find_number(find: Sequence[int]) -> int:
    """Return a number below `FIND_COUNT` for a roll."""
    return 36 * find[0] + 6 * find[1] + find[2] - 43


def times_won(kind: int, number: int, a: int, b: int, c: int) -> int:
    """Return how many times over a bet wins when the dice show `a`, `b`, `c` in any order; 0 where it loses.

    Only a single wins more than once: with each die that shows its face.

    >>> times_won(SINGLE, 4, 4, 1, 4), times_won(DOUBLE, 4, 4, 4, 4)  # a triple is a double too
    (2, 1)
    >>> times_won(SMALL, 0, 2, 2, 2)
    0
    """
    is_triple = a == b and b == c
    total = a + b + c
    if kind <= EVEN:
        if is_triple:
            return 0
        if kind == SMALL:
            return 1 if total <= 10 else 0
        if kind == BIG:
            return 1 if total >= 11 else 0
        return 1 if (total % 2 == 1) == (kind == ODD) else 0
    if kind == TRIPLE:
        return 1 if is_triple and a == number else 0
    if kind == ANY_TRIPLE:
        return 1 if is_triple else 0
    if kind == DOUBLE:
        return 1 if count_of(number, a, b, c) >= 2 else 0
    if kind == TOTAL:
        return 1 if total == number else 0
    if kind == SINGLE:
        return count_of(number, a, b, c)
    if kind == DOMINO or kind == HARD_HOP:
        first = count_of(number >> 4, a, b, c)
        second = count_of(number & 15, a, b, c)
        if kind == DOMINO:
            return 1 if first > 0 and second > 0 else 0
        return 1 if first == 2 and second == 1 else 0
    shown = (1 << (a - 1)) | (1 << (b - 1)) | (1 << (c - 1))
    return 1 if _bit_count(shown) == 3 and shown & number == shown else 0


def count_of(face: int, a: int, b: int, c: int) -> int:
    """Return how many of the dice show a face."""
    count = 0
    if a == face:
        count += 1
    if b == face:
        count += 1
    if c == face:
        count += 1
    return count


def price(kind: int, number: int, pay_table: int) -> int:
    """Return what a bet pays to 1 each time it wins.

    >>> price(SMALL, 0, MACAU), price(TOTAL, 4, MACAU), price(TOTAL, 4, ATLANTIC_CITY)
    (1, 50, 60)
    """
    if kind == TRIPLE:
        return TRIPLE_PAYS[pay_table]
    if kind == ANY_TRIPLE:
        return ANY_TRIPLE_PAYS[pay_table]
    if kind == DOUBLE:
        return DOUBLE_PAYS[pay_table]
    if kind == TOTAL:
        return TOTAL_PAYS[pay_table][number - 3]
    if kind == DOMINO:
        return DOMINO_PAYS[pay_table]
    if kind == EASY_HOP:
        return EASY_HOP_PAYS[pay_table]
    if kind == HARD_HOP:
        return HARD_HOP_PAYS[pay_table]
    if kind == FOUR_FACES:
        return FOUR_FACES_PAYS[pay_table]
    return 1


# Super mode.


def lit_span(total: int) -> tuple[int, int]:
    """Return the smallest multiplier that can lie on a total, and how many there are (rules.md, Super mode).

    >>> lit_span(10), lit_span(14), lit_span(9)  # 2 or 3, 4 to 7, 8 to 30
    ((2, 2), (4, 4), (8, 23))
    """
    if total == 10 or total == 11:
        return 2, 2
    if total == 7 or total == 8 or total == 13 or total == 14:
        return 4, 4
    return 8, 23


def lit_multiplier(total: int, byte: int) -> int:
    """Return the multiplier of a lit total from a raw byte."""
    smallest, count = lit_span(total)
    return smallest + byte % count


def generate(stream: Stream, ids: MutableSequence[int], multipliers: MutableSequence[int]) -> int:
    """Light three totals of 4 to 17, in draw order, into two arrays of at least `LIT_COUNT`; return how many.

    The remainders of raw bytes are not quite even (4 to 7 come up slightly more often), because the published
    streams are made that way; the odds take it into account.
    """
    for i in range(LIT_COUNT):
        total = draw_unlit(stream, 4, 14, ids, i)
        ids[i] = total
        multipliers[i] = lit_multiplier(total, next_byte(stream))
    return LIT_COUNT


def is_eligible(kind: int, number: int) -> bool:
    """Tell whether super mode boosts a bet, and takes its fee: totals that can be lit, so neither 3 nor 18."""
    return kind == TOTAL and 4 <= number <= 17


def boost(
    kind: int, number: int, find: Sequence[int], ids: Sequence[int], multipliers: Sequence[int], count: int
) -> int:
    """Return the multiplier on the total of a bet that wins; 0 where it is not lit."""
    if find[0] + find[1] + find[2] != number:
        return 0
    return multiplier_on(number, ids, multipliers, count)


def super_settle(
    kind: int, number: int, stake: int, find: Sequence[int], options: Sequence[int], multiplier: int
) -> int:
    """Return the chips handed back for an eligible bet when the total rolled is lit with `multiplier`; 0 is not lit."""
    return boosted(settle(kind, number, stake, find, options), stake, multiplier)


def boosted(returned: int, stake: int, multiplier: int) -> int:
    """Return what an eligible bet of `stake` hands back in super mode, when it would hand back `returned` without.

    The profit is multiplied by 1 + (m - 1) / `BOOST_DIVISOR` and rounded down; `multiplier` 0 is a total not lit.

    >>> boosted(700, 100, 19), boosted(700, 100, 0), boosted(0, 100, 19)
    (1780, 700, 0)
    """
    if multiplier == 0 or returned <= stake:
        return returned
    return stake + (returned - stake) * (BOOST_DIVISOR + multiplier - 1) // BOOST_DIVISOR


def return_max(kind: int, number: int, stake: int, pay_table: int, is_super: bool) -> int:
    """Return the most that a bet can bring back, for the house to know what it stands to pay.

    A boosted profit is rounded up here: chips that are laid on a bet in parts can together bring one chip more than the
    parts by themselves, each rounded down.
    """
    times = 3 if kind == SINGLE else 1
    profit = stake * times * price(kind, number, pay_table)
    if is_super and is_eligible(kind, number):
        smallest, count = lit_span(number)
        boost = BOOST_DIVISOR + (smallest + count - 1) - 1
        profit = (profit * boost + BOOST_DIVISOR - 1) // BOOST_DIVISOR
    return stake + profit
