"""One session of hi-lo over its streams, for the simulator to compile: a policy guesses and cashes out.

Set-up shows the first card, so the first move is 0, in super mode too, where nothing is lit. The row's facts are the
hand. A decision is made as soon as the card before it is shown, and kept in the row until its stream is opened; a
cash-out needs none.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream
from croupier.games.hi_lo import rules
from croupier.kit.rows import tail
from croupier.rounds import DONE, FACTS, FEES, LINES, PRIVATE, RETURNED, STAKED, super_fee

CHOICE = PRIVATE
WORK_SIZE = rules.HAND_SIZE


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
    """Make one move and return the next. The options are those of the rules, and the policy."""
    hand = tail(row, FACTS)
    if move == 0:
        row[STAKED] = stakes[0]
        if options[rules.IS_SUPER] == 1:
            row[FEES] = super_fee(stakes[0])
        rules.deal(stream, hand, options, work)
        following = rules.GUESSING
    else:
        following = rules.take(stream, row[CHOICE], hand, options, work)
    if following == rules.GUESSING:
        row[CHOICE] = rules.choose(hand, options, rules.POLICY)
        if row[CHOICE] != rules.CASH_OUT:
            return move + 1
        rules.take(stream, rules.CASH_OUT, hand, options, work)
    row[LINES] = rules.settle(stakes[0], hand, options)
    row[RETURNED] = row[LINES]
    return DONE


def guess_step(
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
    """Turn one card up for guesses with any card on show, and cash out; the options are those of the rules."""
    rules.deal(stream, spare, options, work)
    for i in range(len(kinds)):
        rules.show(numbers[i] - 1, work)
        rules.turn_up(kinds[i], spare[rules.CARD], work, options)
        row[STAKED] += stakes[i]
        row[LINES + i] = rules.settle(stakes[i], work, options)
        row[RETURNED] += row[LINES + i]
    return DONE
