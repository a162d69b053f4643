"""One session of video poker over its streams, for the simulator to compile: the steps of `rules.rounds`, and a policy.

Set-up deals, so the first move is 0; the draw is move 1, which needs no stream where every card is kept. In super mode
the marked cards come in between, from the stream that is kept for them. The row's facts are the hand of the rules.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream
from croupier.games.video_poker.rules import hands, holds, rounds
from croupier.kit.rows import Ints, Row, tail
from croupier.rounds import DONE, FACTS, FEES, LINES, LIT_COUNT, LIT_IDS, RETURNED, STAKED, SUPER_MOVE, super_fee

# The options after those of the rules: super mode; whether every card is kept; what hands are worth to the policy; and
# unless every card is kept, the sums of `rules.holds` with those worths.
IS_SUPER, KEEPS_ALL, WORTHS = range(rounds.OPTIONS_SIZE, rounds.OPTIONS_SIZE + 3)
SUMS = WORTHS + hands.HANDS
WORK_SIZE = holds.WORK_SIZE  # the pack needs less


def step(
    stream: Stream, move: int, row: Row, kinds: Ints, numbers: Ints, stakes: Ints, options: Ints, work: Row, spare: Row
) -> int:
    """Make one move and return the next."""
    hand = tail(row, FACTS)
    if move == 0:
        rounds.deal(stream, hand, options, work)
        hand[rounds.HELD] = choose(hand, options, work, spare)
        row[STAKED] = stakes[0]
        if options[IS_SUPER] == 1:
            row[FEES] = super_fee(stakes[0])
            return SUPER_MOVE
    elif move == SUPER_MOVE:
        row[LIT_COUNT] = rounds.generate(stream, tail(row, LIT_IDS), spare)
    if move != 1 and hand[rounds.HELD] != rounds.HOLD_ALL:
        return 1
    rounds.take(stream, hand[rounds.HELD], hand, options, work)
    row[LINES] = rounds.settle_marked(stakes[0], hand, options, tail(row, LIT_IDS), row[LIT_COUNT])
    row[RETURNED] = row[LINES]
    return DONE


def choose(hand: Sequence[int], options: Sequence[int], work: MutableSequence[int], spare: MutableSequence[int]) -> int:
    """Return the hold of the policy in the options."""
    if options[KEEPS_ALL] == 1:
        return rounds.HOLD_ALL
    own = options[WORTHS + hand[rounds.MADE]]
    return holds.choose(hand, rounds.DEALT, own, options, SUMS, spare, work)
