"""One round of baccarat over its streams, for the simulator to compile: lay a batch of bets, deal, settle.

In super mode the lit cards are drawn first, from the stream that is kept for them. The row's facts are the six slots
of the round, -1 where no card was drawn.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream
from croupier.games.baccarat import rules

# The row, as `croupier.house.plan` lays it out; a kernel imports no house.
STAKED, RETURNED, FEES, LINES, FACTS, PRIVATE = 0, 1, 2, 3, 23, 39
DONE = 0
SUPER_MOVE = 4294967295
LIT_COUNT, LIT_IDS, LIT_MULTIPLIERS = PRIVATE, PRIVATE + 1, PRIVATE + 1 + rules.LIT_MAX
SORTED = rules.PACK_SIZE  # where the pack keeps in mind, from round to round, that it is one
WORK_SIZE = rules.PACK_SIZE + 1
PLAIN_ROW_SIZE = FACTS + rules.SLOTS


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
    """Make one move and return the next. The options are what Tie and the pairs pay, and 1 for a super session."""
    if move == SUPER_MOVE:
        work[SORTED] = 0  # the pack has to make room
        row[LIT_COUNT] = rules.generate(stream, work, spare)
        for i in range(row[LIT_COUNT]):
            row[LIT_IDS + i] = work[i]
            row[LIT_MULTIPLIERS + i] = spare[i]
        return 1
    if work[SORTED] == 0:
        rules.fill_pack(work)
        work[SORTED] = 1
    found = rules.deal_round(stream, work, rules.PACK_SIZE, spare)
    rules.restore_pack(work, spare)
    for slot in range(rules.SLOTS):
        row[FACTS + slot] = spare[slot]
    if options[2] == 1:
        return _settle_super(row, kinds, stakes, options, found, spare)
    staked = 0
    total_return = 0
    for i in range(len(stakes)):
        stake = stakes[i]
        staked += stake
        returned = rules.bet_return(kinds[i], stake, found, options[0], options[1])
        row[LINES + i] = returned
        total_return += returned
    row[STAKED] = staked
    row[RETURNED] = total_return
    return DONE


def _settle_super(
    row: MutableSequence[int],
    kinds: Sequence[int],
    stakes: Sequence[int],
    options: Sequence[int],
    found: tuple[int, int, int, int, int],
    cards: Sequence[int],
) -> int:
    for i in range(len(stakes)):
        stake = stakes[i]
        if rules.is_eligible(kinds[i]):
            row[FEES] += stake // 5
            boost = rules.boost_of(
                kinds[i],
                cards,
                row[LIT_IDS : LIT_IDS + rules.LIT_MAX],
                row[LIT_MULTIPLIERS : LIT_MULTIPLIERS + rules.LIT_MAX],
                row[LIT_COUNT],
            )
            returned = rules.super_return(kinds[i], stake, found, boost, options[0], options[1])
        else:
            returned = rules.bet_return(kinds[i], stake, found, options[0], options[1])
        row[LINES + i] = returned
        row[STAKED] += stake
        row[RETURNED] += returned
    return DONE
