"""One round of roulette over its streams, for the simulator to compile: lay a batch of bets, spin until it is decided.

In super mode the lit numbers are drawn first, from the stream that is kept for them. The row's facts are the pocket of
the first spin, that of the last, and how often the wheel was spun.

The same bets lie on the table round after round: what the first spin does to them is settled once for each pocket and
kept in `work`, where a later round finds it.
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
# What is kept in `work` behind the lit numbers, for each pocket: whether it is settled, the next move, every return.
SETTLED, SETTLED_SIZE = rules.LIT_COUNT_MAX, 2 + rules.BETS_MAX
WORK_SIZE = SETTLED + 38 * SETTLED_SIZE
PLAIN_ROW_SIZE = SPINS + 1


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
        return _first_spin(row, kinds, numbers, stakes, options, pocket, work)
    return _prison_spin(row, kinds, numbers, stakes, options[0], pocket, move)


def _first_spin(
    row: MutableSequence[int],
    kinds: Sequence[int],
    numbers: Sequence[int],
    stakes: Sequence[int],
    options: Sequence[int],
    pocket: int,
    work: MutableSequence[int],
) -> int:
    place = SETTLED + SETTLED_SIZE * pocket
    if work[place] == 0:
        _settle(kinds, numbers, stakes, options[0], pocket, work, place)
    staked = 0
    total_return = 0
    for i in range(len(stakes)):
        staked += stakes[i]
        returned = work[place + 2 + i]
        row[LINES + i] = returned
        total_return += returned
    row[STAKED] = staked
    row[RETURNED] = total_return
    if options[1] == 1:
        _boost(row, kinds, numbers, stakes, pocket)
    return work[place + 1]


def _settle(
    kinds: Sequence[int],
    numbers: Sequence[int],
    stakes: Sequence[int],
    zero_rule: int,
    pocket: int,
    work: MutableSequence[int],
    place: int,
) -> None:
    work[place] = 1
    work[place + 1] = DONE
    for i in range(len(stakes)):
        result = rules.fate(kinds[i], numbers[i], pocket, zero_rule)
        work[place + 2 + i] = rules.fate_return(kinds[i], stakes[i], result)
        if result == rules.IMPRISONED:
            work[place + 1] = 2


def _boost(
    row: MutableSequence[int], kinds: Sequence[int], numbers: Sequence[int], stakes: Sequence[int], pocket: int
) -> None:
    multiplier = 0
    for i in range(row[LIT_COUNT]):
        if row[LIT_IDS + i] == pocket:
            multiplier = row[LIT_MULTIPLIERS + i]
    for i in range(len(stakes)):
        if rules.is_eligible(kinds[i], numbers[i]):
            row[FEES] += stakes[i] // 5
            returned = rules.super_return(numbers[i], stakes[i], pocket, multiplier)
            row[RETURNED] += returned - row[LINES + i]
            row[LINES + i] = returned


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
