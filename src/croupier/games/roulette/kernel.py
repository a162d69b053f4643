"""One round of roulette over its streams, for the simulator to compile: lay a batch of bets, spin until it is decided.

In super mode the lit numbers are drawn first, from the stream that is kept for them. The row's facts are the pocket of
the first spin, that of the last, and how often the wheel was spun.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream
from croupier.games.roulette import rules

# The row, as `croupier.house.plan` lays it out; a kernel imports no house.
STAKED, RETURNED, FEES, LINES, FACTS, PRIVATE = 0, 1, 2, 3, 23, 39
DONE = 0
SUPER_MOVE = 4294967295
FIRST_POCKET, LAST_POCKET, SPINS = FACTS, FACTS + 1, FACTS + 2
LIT_COUNT, LIT_IDS, LIT_MULTIPLIERS = PRIVATE, PRIVATE + 1, PRIVATE + 1 + rules.LIT_COUNT_MAX
WORK_SIZE = rules.LIT_COUNT_MAX


def step(
    stream: Stream,
    move: int,
    row: MutableSequence[int],
    kinds: Sequence[int],
    numbers: Sequence[int],
    stakes: Sequence[int],
    options: Sequence[int],
    work: MutableSequence[int],
    spare: MutableSequence[int],
) -> int:
    """Make one move and return the next. The options are the zero rule, and 1 for a super session."""
    if move == SUPER_MOVE:
        row[LIT_COUNT] = rules.generate(stream, work, spare)
        for i in range(row[LIT_COUNT]):
            row[LIT_IDS + i] = work[i]
            row[LIT_MULTIPLIERS + i] = spare[i]
        return 1
    pocket = rules.spin(stream, options[0])
    row[LAST_POCKET] = pocket
    row[SPINS] += 1
    if move == 1:
        row[FIRST_POCKET] = pocket
        return _first_spin(row, kinds, numbers, stakes, options[0], options[1] == 1, pocket)
    return _prison_spin(row, kinds, numbers, stakes, options[0], pocket, move)


def _first_spin(
    row: MutableSequence[int],
    kinds: Sequence[int],
    numbers: Sequence[int],
    stakes: Sequence[int],
    zero_rule: int,
    is_super: bool,
    pocket: int,
) -> int:
    multiplier = 0
    if is_super:
        for i in range(row[LIT_COUNT]):
            if row[LIT_IDS + i] == pocket:
                multiplier = row[LIT_MULTIPLIERS + i]
    following = DONE
    staked = 0
    total_return = 0
    for i in range(len(stakes)):
        stake = stakes[i]
        staked += stake
        returned = 0
        if is_super and rules.is_eligible(kinds[i], numbers[i]):
            row[FEES] += stake // 5
            returned = rules.super_return(numbers[i], stake, pocket, multiplier)
        else:
            result = rules.fate(kinds[i], numbers[i], pocket, zero_rule)
            returned = rules.fate_return(kinds[i], stake, result)
            if result == rules.IMPRISONED:
                following = 2
        row[LINES + i] = returned
        total_return += returned
    row[STAKED] = staked
    row[RETURNED] = total_return
    return following


def _prison_spin(
    row: MutableSequence[int],
    kinds: Sequence[int],
    numbers: Sequence[int],
    stakes: Sequence[int],
    zero_rule: int,
    pocket: int,
    move: int,
) -> int:
    if rules.stays_imprisoned(pocket, zero_rule):
        return move + 1
    for i in range(len(stakes)):
        if rules.fate(kinds[i], numbers[i], 0, zero_rule) == rules.IMPRISONED:
            returned = rules.prison_return(kinds[i], numbers[i], stakes[i], pocket)
            row[LINES + i] = returned
            row[RETURNED] += returned
    return DONE
