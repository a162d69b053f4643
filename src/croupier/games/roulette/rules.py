"""The rules of roulette in numbers: every bet with the pockets it covers and what it pays; how the wheel settles it.

A wheel has the pockets 0 to 36, and 37 where there is a double zero. A bet is a kind and a number, both a byte on the
wire (docs/protocol.md, Bets). The number of a bet near the zeros is the sum of its pockets, with
the double zero counted as 37: 3 is the split 0-3 and also the trio 0-1-2, 39 the split 00-2 and the trio 0-00-2.

Everything here is in the numeric subset and trusts its arguments, of which `valid` is the judge.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream, bounded, bounded_u32, next_byte
from croupier.kit.lit import draw_unlit, multiplier_on
from croupier.rounds import STAYS

STRAIGHT, RED, BLACK, EVEN, ODD, LOW, HIGH, DOZEN, COLUMN = range(9)
SIDE_SPLIT, UPRIGHT_SPLIT, STREET, CORNER, SIX_LINE = range(9, 14)
ZERO_SPLIT, TRIO, FIRST_FOUR, TOP_LINE = range(14, 18)
KIND_COUNT = 18
PROFIT_TO_1 = (35, 1, 1, 1, 1, 1, 1, 2, 2, 17, 17, 11, 8, 5, 17, 11, 8, 6)

# The zero rules (rules.md, Options). Only the last has the double zero.
STANDARD, LA_PARTAGE, EN_PRISON, EN_PRISON_REPEAT, DOUBLE_ZERO_WHEEL = range(5)
DOUBLE_ZERO = 37

# What a round has drawn: the pocket of the first spin, that of the last, and how often the wheel was spun.
FIRST_POCKET, LAST_POCKET, SPINS = range(3)
FIND_SIZE = 3
FIND_COUNT = 38

BETS_MAX = 20

# Super mode (rules.md, Super mode): a lit number pays its multiplier to 1, an unlit one this.
UNLIT_PROFIT_TO_1 = 30
LIT_MULTIPLIER_MAX = 400

# Compiled integers wrap silently: twenty bets on one number, lit with the largest multiplier, must fit 63 bits.
STAKE_MAX = (2**63 - 1) // (BETS_MAX * (1 + LIT_MULTIPLIER_MAX))


def is_red(pocket: int) -> bool:
    """Tell whether the pocket is red. On 1-10 and 19-28 the odd numbers are, elsewhere the even ones.

    >>> [pocket for pocket in range(38) if is_red(pocket)]
    [1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]
    """
    if pocket < 1 or pocket > 36:
        return False
    odd_is_red = (pocket - 1) % 18 < 10
    return (pocket % 2 == 1) == odd_is_red


def is_even_money(kind: int) -> bool:
    """Tell whether the kind is one of the six that pay 1 to 1, to which the French rules are kind on zero."""
    return RED <= kind <= HIGH


def number_is_ignored(kind: int) -> bool:
    """Tell whether bets of this kind are all alike, so that any number stands for the same bet."""
    return is_even_money(kind) or kind == FIRST_FOUR or kind == TOP_LINE


def valid(kind: int, number: int, zero_rule: int) -> bool:
    """Tell whether the layout of this zero rule has such a bet. The ignored number of a kind without one may be any.

    Beside the zeros a layout offers what touches on the cloth: with one zero the splits 0-1, 0-2, 0-3, the trios
    0-1-2, 0-2-3 and the first four; with two zeros the splits 0-1, 0-2, 00-2, 00-3, 0-00, the trios 0-1-2, 0-00-2,
    00-2-3 and the top line.

    >>> valid(STRAIGHT, 37, STANDARD), valid(STRAIGHT, 37, DOUBLE_ZERO_WHEEL)
    (False, True)
    >>> valid(ZERO_SPLIT, 3, STANDARD), valid(ZERO_SPLIT, 3, DOUBLE_ZERO_WHEEL)  # 0 and 3 do not touch there
    (True, False)
    """
    two_zeros = zero_rule == DOUBLE_ZERO_WHEEL
    if kind == FIRST_FOUR:
        return not two_zeros
    if kind == TOP_LINE:
        return two_zeros
    if is_even_money(kind):
        return True
    if number < 0:
        return False
    if kind == STRAIGHT:
        return number < pocket_count(zero_rule)
    if kind == DOZEN or kind == COLUMN:
        return number <= 2
    if kind == ZERO_SPLIT:
        if two_zeros:
            return number == 1 or number == 2 or number == 37 or number == 39 or number == 40
        return 1 <= number <= 3
    if kind == TRIO:
        if two_zeros:
            return number == 3 or number == 39 or number == 42
        return number == 3 or number == 5
    if number < 1:
        return False
    if kind == SIDE_SPLIT:
        return number <= 35 and number % 3 != 0
    if kind == UPRIGHT_SPLIT:
        return number <= 33
    if kind == STREET:
        return number <= 34 and number % 3 == 1
    if kind == CORNER:
        return number <= 32 and number % 3 != 0
    if kind == SIX_LINE:
        return number <= 31 and number % 3 == 1
    return False


def covers(kind: int, number: int, pocket: int) -> bool:
    """Tell whether a bet of `kind` on `number` wins in `pocket`.

    >>> covers(DOZEN, 0, 12), covers(DOZEN, 0, 13)
    (True, False)
    >>> covers(EVEN, 0, 0)  # zero is even in arithmetic, not at the table
    False
    """
    if kind == STRAIGHT:
        return pocket == number
    if kind >= ZERO_SPLIT:
        return _covers_near_zero(kind, number, pocket)
    if pocket < 1 or pocket > 36:
        return False
    if kind == RED:
        return is_red(pocket)
    if kind == BLACK:
        return not is_red(pocket)
    if kind == EVEN:
        return pocket % 2 == 0
    if kind == ODD:
        return pocket % 2 == 1
    if kind == LOW:
        return pocket <= 18
    if kind == HIGH:
        return pocket >= 19
    if kind == DOZEN:
        return (pocket - 1) // 12 == number
    if kind == COLUMN:
        return (pocket - 1) % 3 == number
    step = pocket - number
    if kind == SIDE_SPLIT:
        return step == 0 or step == 1
    if kind == UPRIGHT_SPLIT:
        return step == 0 or step == 3
    if kind == STREET:
        return 0 <= step <= 2
    if kind == CORNER:
        return step == 0 or step == 1 or step == 3 or step == 4
    return 0 <= step <= 5


def _covers_near_zero(kind: int, number: int, pocket: int) -> bool:
    if kind == TOP_LINE:
        return pocket <= 3 or pocket == DOUBLE_ZERO
    if kind == FIRST_FOUR:
        return pocket <= 3
    if kind == ZERO_SPLIT:
        if number <= DOUBLE_ZERO:  # 0 and another
            return pocket == 0 or pocket == number
        return pocket == DOUBLE_ZERO or pocket == number - DOUBLE_ZERO
    if pocket == 2:  # every trio has it
        return True
    if pocket == 0:
        return number != 42
    if pocket == 1:
        return number == 3
    if pocket == 3:
        return number == 5 or number == 42
    return pocket == DOUBLE_ZERO and number >= 39


# The round: spin, settle, and spin again while bets are imprisoned. The options of its steps are the zero rule.


def draw(stream: Stream, find: MutableSequence[int], options: Sequence[int], work: MutableSequence[int]) -> None:
    """Spin the wheel."""
    find[LAST_POCKET] = spin(stream, options[0])
    if find[SPINS] == 0:
        find[FIRST_POCKET] = find[LAST_POCKET]
    find[SPINS] += 1


def settle(kind: int, number: int, stake: int, find: Sequence[int], options: Sequence[int]) -> int:
    """Return the chips that the last spin hands back for a bet, or `STAYS` where it is imprisoned.

    Stake and profit where it wins, from prison the stake alone; half the stake rounded down under la partage.

    >>> settle(STRAIGHT, 17, 5, (17, 17, 1), (STANDARD,)), settle(RED, 0, 101, (0, 0, 1), (LA_PARTAGE,))
    (180, 50)
    >>> settle(RED, 0, 10, (0, 0, 1), (EN_PRISON,)) == STAYS, settle(RED, 0, 10, (0, 32, 2), (EN_PRISON,))
    (True, 10)
    """
    pocket, zero_rule = find[LAST_POCKET], options[0]
    wins = covers(kind, number, pocket)
    if find[SPINS] > 1:
        if pocket == 0 and zero_rule == EN_PRISON_REPEAT:
            return STAYS
        return stake if wins else 0
    if wins:
        return stake + stake * PROFIT_TO_1[kind]
    if pocket == 0 and is_even_money(kind):
        if zero_rule == LA_PARTAGE:
            return stake // 2
        if zero_rule == EN_PRISON or zero_rule == EN_PRISON_REPEAT:
            return STAYS
    return 0


def find_number(find: Sequence[int]) -> int:
    """Return a number below `FIND_COUNT` for a first spin: its pocket."""
    return find[LAST_POCKET]


def pocket_count(zero_rule: int) -> int:
    """Return how many pockets the wheel has: 38 with the double zero, else 37."""
    return 38 if zero_rule == DOUBLE_ZERO_WHEEL else 37


def spin(stream: Stream, zero_rule: int) -> int:
    """Return the pocket the ball falls into."""
    return bounded(stream, pocket_count(zero_rule))


# Super mode.


def lit_multiplier(percentile: int) -> int:
    """Return the multiplier of a lit number from a draw below 10,000 (rules.md, Super mode)."""
    if percentile < 4500:
        return 50
    if percentile < 8000:
        return 100
    if percentile < 9500:
        return 150
    if percentile < 9900:
        return 200
    return LIT_MULTIPLIER_MAX


def lit_count(byte: int) -> int:
    """Return how many numbers are lit, from a raw byte: five to seven."""
    return 5 + byte % 3


def generate(stream: Stream, ids: MutableSequence[int], multipliers: MutableSequence[int]) -> int:
    """Light five to seven numbers, in draw order, into two arrays of at least `LIT_COUNT_MAX`; return how many.

    The remainders of raw bytes are not quite even (0 to 33 come up slightly more often than 34 to 36), because the
    published streams are made that way; the odds take it into account.
    """
    count = lit_count(next_byte(stream))
    for i in range(count):
        ids[i] = draw_unlit(stream, 0, 37, ids, i)
        multipliers[i] = lit_multiplier(bounded_u32(stream, 10000))
    return count


def is_eligible(kind: int, number: int) -> bool:
    """Tell whether super mode boosts a bet, and takes its fee: straight bets on what can be lit, so not on 00."""
    return kind == STRAIGHT and number != DOUBLE_ZERO


def boost(
    kind: int, number: int, find: Sequence[int], ids: Sequence[int], multipliers: Sequence[int], count: int
) -> int:
    """Return the multiplier on the number of a bet that wins; 0 where it is not lit."""
    if find[LAST_POCKET] != number:
        return 0
    return multiplier_on(number, ids, multipliers, count)


def super_settle(
    kind: int, number: int, stake: int, find: Sequence[int], options: Sequence[int], multiplier: int
) -> int:
    """Return the chips handed back for an eligible bet when the pocket is lit with `multiplier`; 0 is not lit.

    >>> [super_settle(STRAIGHT, 17, 5, (17, 17, 1), (STANDARD,), multiplier) for multiplier in (50, 0)]
    [255, 155]
    """
    if find[LAST_POCKET] != number:
        return 0
    return stake + stake * (multiplier if multiplier > 0 else UNLIT_PROFIT_TO_1)


def return_max(kind: int, number: int, stake: int, is_super: bool) -> int:
    """Return the most that a bet can bring back, for the house to know what it stands to pay."""
    if is_super and is_eligible(kind, number):
        return stake + stake * LIT_MULTIPLIER_MAX
    return stake + stake * PROFIT_TO_1[kind]
