"""One round of blackjack over its streams, for the simulator to compile: the steps of the rules, and a strategy table.

The bets are main and whichever side bets are laid; raises have no lines, but are in the accounts. Side bets are laid
with the deal, which is move 1. What draws nothing, to stand or to surrender, needs no stream, but is a move and counts
as one. In super mode the lit cards are drawn first, from the stream that is kept for them. The row's facts begin the
hand of the rules.
"""

from __future__ import annotations

from croupier.draws import Stream
from croupier.games.blackjack import rounds, rules
from croupier.kit.rows import Ints, Row, tail
from croupier.rounds import DONE, FACTS, FEES, LINES, RETURNED, STAKED, SUPER_MOVE, super_fee

# The options after those of the rules; the strategy table comes last.
IS_SUPER, TABLE = rounds.PEEK + 1, rounds.PEEK + 2

# The row: the hand of the rules, what is decided next, and what is lit.
CHOICE = FACTS + rounds.ROUND_SIZE
LIT_IDS, LIT_MULTIPLIERS = CHOICE + 1, CHOICE + 1 + rules.LIT_COUNT
ROW_SIZE = LIT_MULTIPLIERS + rules.LIT_COUNT

WORK_SIZE = rounds.WORK_SIZE


def step(
    stream: Stream, move: int, row: Row, kinds: Ints, numbers: Ints, stakes: Ints, options: Ints, work: Row, spare: Row
) -> int:
    """Make one move, and those after it that need no stream, and return the next."""
    if move == SUPER_MOVE:
        rules.generate(stream, tail(row, LIT_IDS), tail(row, LIT_MULTIPLIERS))
        return 1
    hand = tail(row, FACTS)
    if move == 1:
        row[CHOICE] = rules.DEAL
        for line in range(len(stakes)):
            row[STAKED] += stakes[line]
            hand[rounds.ASKED] = max(hand[rounds.ASKED], rounds.cards_asked(kinds[line]))
        if options[IS_SUPER] == 1:
            row[FEES] = super_fee(stakes[0])
    choice = row[CHOICE]
    while rounds.take(stream, choice, hand, options, work, spare) != DONE:
        choice = rounds.follow(options, TABLE, hand, options)
        row[STAKED] += rounds.cost(choice, stakes[0])
        move += 1
        if rounds.needs_stream(choice):
            row[CHOICE] = choice
            return move
    _settle(row, hand, kinds, numbers, stakes, options)
    return DONE


def _settle(row: Row, hand: Ints, kinds: Ints, numbers: Ints, stakes: Ints, options: Ints) -> None:
    lit_count = rules.LIT_COUNT if options[IS_SUPER] == 1 else 0
    boost = rounds.boost_of(hand, tail(row, LIT_IDS), tail(row, LIT_MULTIPLIERS), lit_count)
    for line in range(len(stakes)):
        row[LINES + line] = rounds.settle(kinds[line], numbers[line], stakes[line], hand, options, boost)
        row[RETURNED] += row[LINES + line]
    for place in range(hand[rounds.HAND_COUNT]):
        raises = int(place > 0) + hand[rounds.HANDS + rounds.HAND_SIZE * place + rounds.IS_DOUBLED]
        if raises > 0:
            row[RETURNED] += raises * rounds.settle_hand(place, stakes[0], hand, options)


ACE = 0


def insurance_step(
    stream: Stream, move: int, row: Row, kinds: Ints, numbers: Ints, stakes: Ints, options: Ints, work: Row, spare: Row
) -> int:
    """Insure against the hole card under an ace, which is all that was seen."""
    hand = tail(row, FACTS)
    hand[rounds.UP_CARD] = ACE
    hand[rounds.PHASE] = rounds.INSURANCE
    rounds.note_seen(hand, ACE, options)
    rounds.take(stream, rules.INSURE, hand, options, work, spare)
    row[STAKED] = stakes[0]
    row[LINES] = rounds.settle(rules.INSURANCE, 0, stakes[0], hand, options, 1)
    row[RETURNED] = row[LINES]
    return DONE
