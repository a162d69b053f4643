"""One round of video poker over its streams, for the simulator to compile: deal, the policy's hold, draw.

Set-up deals, so the first move is 0; the draw is move 1, which needs no stream where every card is kept. In super mode
the marked cards come in between, from the stream that is kept for them. The row's facts are the five cards dealt, the
five final ones, the hold as a mask, and what the final hand is.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream
from croupier.games.video_poker.rules import hands, holds, rounds
from croupier.rounds import DONE, FACTS, FEES, LINES, PRIVATE, RETURNED, STAKED, SUPER_MOVE, super_fee

DEALT, FINAL, HOLD, HAND = FACTS, FACTS + 5, FACTS + 10, FACTS + 11
MARKED = PRIVATE

# The options: whether every card is kept, super mode, wild deuces; what hands pay; what they are worth to the policy;
# and unless every card is kept, the sums of `rules.holds` with those worths.
KEEPS_ALL, IS_SUPER, IS_WILD, PAYS, WORTHS, SUMS = 0, 1, 2, 3, 3 + hands.HANDS, 3 + 2 * hands.HANDS
WORK_SIZE = holds.WORK_SIZE  # the pack needs less


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
    """Make one move and return the next."""
    if move == SUPER_MOVE:
        for i in range(rounds.generate(stream, work, spare)):
            row[MARKED + i] = work[i]
    else:
        # The deal replaces five cards of which none is kept: in a new row the hold is 0.
        size = rounds.fill_pack(work) if move == 0 else rounds.fill_draw_pack(work, row, FINAL)
        rounds.draw(stream, work, size, row, FINAL, row[HOLD])
        row[HAND] = hands.hand_at(row, FINAL, options[IS_WILD] == 1)
    if move == 0:
        _open(row, stakes[0], options, work, spare)
        if options[IS_SUPER] == 1:
            return SUPER_MOVE
    if move != 1 and row[HOLD] != rounds.HOLD_ALL:
        return 1
    returned = _settle(row, stakes[0], options)
    row[LINES] = returned
    row[RETURNED] = returned
    return DONE


def _open(
    row: MutableSequence[int],
    stake: int,
    options: Sequence[int],
    work: MutableSequence[int],
    spare: MutableSequence[int],
) -> None:
    """Take the stake, and choose what to keep of the cards that were dealt."""
    row[STAKED] = stake
    if options[IS_SUPER] == 1:
        row[FEES] = super_fee(stake)
    for place in range(rounds.CARDS):
        row[DEALT + place] = row[FINAL + place]
    if options[KEEPS_ALL] == 1:
        row[HOLD] = rounds.HOLD_ALL
    else:
        row[HOLD] = holds.choose(row, DEALT, options[WORTHS + row[HAND]], options, SUMS, spare, work)


def _settle(row: MutableSequence[int], stake: int, options: Sequence[int]) -> int:
    """Return what the final hand brings back."""
    returned = stake * options[PAYS + row[HAND]]
    if options[IS_SUPER] == 1:
        marked = row[MARKED : MARKED + rounds.MARKED_COUNT]
        count = rounds.count_marked(row, FINAL, marked, rounds.MARKED_COUNT)
        return rounds.super_return(stake, returned, rounds.boost_tenths(row[HAND], count))
    return returned
