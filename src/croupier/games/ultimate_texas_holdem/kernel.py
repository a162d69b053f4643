"""One round of ultimate texas hold'em over its streams, for the simulator to compile: deal, and bet as the policy says.

The bets are the Ante and whichever side bets are laid; Blind and Play have no lines, but are in the accounts. Laying
side bets and dealing is one move, the first; each check is another that draws. A raise draws nothing, so that the next
stream is that of the move after it, the reveal. In super mode the marked ranks are drawn first, from the stream that is
kept for them. The row's facts are the thirteen cards, -1 where four were not drawn, the Antes bet on Play, and how the
round ended.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream
from croupier.games.ultimate_texas_holdem import rules
from croupier.kit.poker import category
from croupier.rounds import DONE, FACTS, FEES, LINES, PRIVATE, RETURNED, STAKED, SUPER_MOVE, super_fee

DEAL_MOVE = 1
CARDS, PLAY, ENDING = FACTS, FACTS + rules.EXTRA_KNOWN, FACTS + rules.EXTRA_KNOWN + 1
KNOWN, MARKED = PRIVATE, PRIVATE + 1
ANTE_AT = 0
WORK_SIZE = rules.SHOWDOWN_WORK  # more than a pack of cards


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
    """Make one move and return the next. The options are the guide that `rules.choose` goes by."""
    if move == SUPER_MOVE:
        for i in range(rules.generate(stream, work, spare)):
            row[MARKED + i] = work[i]
        return DEAL_MOVE
    ante = stakes[ANTE_AT]
    if move == DEAL_MOVE:
        row[STAKED] += ante  # the Blind
        for line in range(len(stakes)):
            row[STAKED] += stakes[line]
        if options[rules.SUPER_AT] == 1:
            row[FEES] += super_fee(ante)
    known = row[KNOWN]
    is_last = row[PLAY] > 0 or known == rules.BOARD_KNOWN
    wanted = rules.next_known(known)
    if is_last:
        wanted = rules.DEALER_KNOWN
        for line in range(len(kinds)):
            if kinds[line] == rules.SIX_CARD:
                wanted = rules.EXTRA_KNOWN
    for place in range(known):
        spare[place] = row[CARDS + place]
    rules.deal(stream, spare, known, wanted, work)
    for place in range(known, wanted):
        row[CARDS + place] = spare[place]
    row[KNOWN] = wanted
    if is_last:
        _settle(row, kinds, stakes, options, spare)
        return DONE
    row[PLAY] = rules.choose(spare, wanted, options, work)
    if row[PLAY] > 0:
        row[STAKED] += row[PLAY] * ante
        return move + 2
    return move + 1


def _settle(
    row: MutableSequence[int],
    kinds: Sequence[int],
    stakes: Sequence[int],
    options: Sequence[int],
    cards: Sequence[int],
) -> None:
    """Settle every bet: those of the opening, and after them Blind and Play."""
    for place in range(row[KNOWN], rules.EXTRA_KNOWN):
        row[CARDS + place] = -1
    rank = rules.player_rank(cards)
    ending = rules.FOLDED
    if row[PLAY] > 0:
        ending = rules.compare(rank, rules.dealer_rank(cards), options[rules.NEEDS_PAIR_AT] == 1)
    row[ENDING] = ending
    for line in range(len(stakes) + 2):
        if line < len(stakes):
            kind = kinds[line]
            stake = stakes[line]
        elif line == len(stakes):
            kind = rules.BLIND
            stake = stakes[ANTE_AT]
        else:
            kind = rules.PLAY
            stake = row[PLAY] * stakes[ANTE_AT]
        hand = category(rank)
        if kind == rules.SIX_CARD or kind == rules.PROGRESSIVE:
            hand = rules.category_for(kind, cards)
        returned = rules.bet_return(kind, stake, ending, hand)
        if kind == rules.ANTE and options[rules.SUPER_AT] == 1:
            marked = row[MARKED : MARKED + rules.MARKED_COUNT]
            boost = rules.boost_of(rank, cards, marked, rules.MARKED_COUNT)
            returned = rules.super_ante_return(stake, ending, boost)
        if line < len(stakes):
            row[LINES + line] = returned
        row[RETURNED] += returned
