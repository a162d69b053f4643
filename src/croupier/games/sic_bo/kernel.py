"""One round of sic bo over its streams, for the simulator to compile: lay a batch of bets and roll.

In super mode the lit totals are drawn first, from the stream that is kept for them. The row's facts are the three dice.
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
WORK_SIZE = rules.LIT_COUNT


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
    multiplier = 0
    for i in range(rules.LIT_COUNT):
        if row[LIT_IDS + i] == a + b + c:
            multiplier = row[LIT_MULTIPLIERS + i]
    staked = 0
    total_return = 0
    for i in range(len(stakes)):
        stake = stakes[i]
        staked += stake
        returned = rules.bet_return(kinds[i], numbers[i], stake, a, b, c, options[0])
        if options[1] == 1 and rules.is_eligible(kinds[i], numbers[i]):
            row[FEES] += stake // 5
            returned = rules.boosted(returned, stake, multiplier)
        row[LINES + i] = returned
        total_return += returned
    row[STAKED] = staked
    row[RETURNED] = total_return
    return DONE
