"""One round of sic bo over its streams, for the simulator to compile: lay a batch of bets and roll.

In super mode the lit totals are drawn first, from the stream that is kept for them. The row's facts are the three dice.

The same bets lie on the table round after round, and there are only 216 rolls: what the bets return is settled once for
each of them and kept in `work`, where a later round finds it.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream
from croupier.games.sic_bo import rules

# The row, as `croupier.house.plan` lays it out; a kernel imports no house.
STAKED, RETURNED, FEES, LINES, FACTS, PRIVATE = 0, 1, 2, 3, 23, 39
DONE = 0
SUPER_MOVE = 4294967295
LIT_IDS, LIT_MULTIPLIERS = PRIVATE, PRIVATE + rules.LIT_COUNT
# What is kept in `work` behind the lit totals, for each roll: whether it is settled, then what each bet returns.
SETTLED, SETTLED_SIZE = rules.LIT_COUNT, 1 + rules.BETS_MAX
WORK_SIZE = SETTLED + 216 * SETTLED_SIZE
PLAIN_ROW_SIZE = FACTS + 3


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
    """Make one move and return the next. The options are the pay table, and 1 for a super session."""
    if move == SUPER_MOVE:
        for i in range(rules.generate(stream, work, spare)):
            row[LIT_IDS + i] = work[i]
            row[LIT_MULTIPLIERS + i] = spare[i]
        return 1
    a, b, c = rules.roll(stream)
    row[FACTS] = a
    row[FACTS + 1] = b
    row[FACTS + 2] = c
    place = SETTLED + SETTLED_SIZE * (36 * a + 6 * b + c - 43)
    if work[place] == 0:
        work[place] = 1
        for i in range(len(stakes)):
            work[place + 1 + i] = rules.bet_return(kinds[i], numbers[i], stakes[i], a, b, c, options[0])
    staked = 0
    total_return = 0
    for i in range(len(stakes)):
        staked += stakes[i]
        returned = work[place + 1 + i]
        row[LINES + i] = returned
        total_return += returned
    row[STAKED] = staked
    row[RETURNED] = total_return
    if options[1] == 1:
        _boost(row, kinds, numbers, stakes, a + b + c)
    return DONE


def _boost(
    row: MutableSequence[int], kinds: Sequence[int], numbers: Sequence[int], stakes: Sequence[int], total: int
) -> None:
    multiplier = 0
    for i in range(rules.LIT_COUNT):
        if row[LIT_IDS + i] == total:
            multiplier = row[LIT_MULTIPLIERS + i]
    for i in range(len(stakes)):
        if rules.is_eligible(kinds[i], numbers[i]):
            row[FEES] += stakes[i] // 5
            returned = rules.boosted(row[LINES + i], stakes[i], multiplier)
            row[RETURNED] += returned - row[LINES + i]
            row[LINES + i] = returned
