"""One session of hi-lo over its streams, for the simulator to compile: a policy guesses and cashes out.

Set-up shows the first card, so the first move is 0, in super mode too, where nothing is lit. A cash-out draws nothing
and needs no stream. The row's facts are the first card, the last, how many guesses were made, how many of them were
right, and the factor, which is 0 once the stake is lost.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream
from croupier.games.hi_lo import rules
from croupier.kit.cards import rank1
from croupier.rounds import DONE, FACTS, FEES, LINES, PRIVATE, RETURNED, STAKED, super_fee

FIRST_CARD, LAST_CARD, GUESSES, STREAK, FACTOR = range(FACTS, FACTS + 5)
GUESS = PRIVATE
ROW_COUNT, TABLE_AT = 4, 5
WORK_SIZE = 1


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
    """Make one move and return the next.

    The options are the policy, whether ties push, the commission in basis points, and 1 for a super session. Where the
    policy is a table, how many rows it has, and the table, come after them.
    """
    card = rules.deal(stream)
    if move == 0:
        row[STAKED] = stakes[0]
        if options[3] == 1:
            row[FEES] = super_fee(stakes[0])
        row[FIRST_CARD] = card
        row[FACTOR] = rules.ONE
    else:
        _turn_up(row, card, options[1] == 1)
    row[LAST_CARD] = card
    if row[FACTOR] == 0:
        return DONE
    if options[0] == rules.TABLE:
        row[GUESS] = rules.choose_from(options, TABLE_AT, options[ROW_COUNT], rank1(card), row[STREAK])
    else:
        row[GUESS] = rules.choose(options[0], rank1(card), row[GUESSES], row[STREAK])
    if row[GUESS] == rules.CASH_OUT or rules.must_cash_out(row[FACTOR]):
        returned = rules.final_return(stakes[0], row[FACTOR], options[2], row[STREAK], card, options[3] == 1)
        row[LINES] = returned
        row[RETURNED] = returned
        return DONE
    return move + 1


def _turn_up(row: MutableSequence[int], card: int, tie_pushes: bool) -> None:
    """Decide the guess that was made with the last card on show."""
    found = rules.outcome(row[GUESS], row[LAST_CARD], card, tie_pushes)
    row[GUESSES] += 1
    if found == rules.WRONG:
        row[FACTOR] = 0
    elif found == rules.RIGHT:
        row[FACTOR] = rules.next_factor(row[FACTOR], row[GUESS], rank1(row[LAST_CARD]))
        row[STREAK] += 1


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
    """Turn one card up for guesses with any card on show, and cash out; options: whether ties push, the commission."""
    card = rules.deal(stream)
    for i in range(len(kinds)):
        found = rules.outcome(kinds[i], numbers[i] - 1, card, options[0] == 1)
        factor, streak = rules.ONE, 0
        if found == rules.RIGHT:
            factor, streak = rules.next_factor(rules.ONE, kinds[i], numbers[i]), 1
        returned = 0
        if found != rules.WRONG:
            returned = rules.final_return(stakes[i], factor, options[1], streak, card, False)
        row[STAKED] += stakes[i]
        row[LINES + i] = returned
        row[RETURNED] += returned
    return DONE
