"""One round of casino war over its streams, for the simulator to compile: deal, and where it ties the policy's answer.

The bets are main and, where one is laid, tie, in that order; the raise has no line, but is in the accounts. Laying the
tie bet is a move of its own, so that the deal is move 2 with it and move 1 without. In super mode the marked ranks are
drawn first, from the stream that is kept for them. The row's facts are the first cards, the war cards or -1, and how
the round ended.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream
from croupier.games.casino_war import rules
from croupier.rounds import DONE, FACTS, FEES, LINES, PRIVATE, RETURNED, STAKED, SUPER_MOVE, super_fee

MAIN_AT, TIE_AT = 0, 1
PLAYER_CARD, DEALER_CARD, WAR_PLAYER_CARD, WAR_DEALER_CARD, ENDING = range(FACTS, FACTS + 5)
MARKED = PRIVATE
WORK_SIZE = rules.PACK_SIZE


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

    The options are what the tie bet pays, whether a second tie pays a bonus, whether the policy goes to war, and 1 for
    a super session.
    """
    play_move = 1
    if len(stakes) > TIE_AT:
        play_move = 2
    if move == SUPER_MOVE:
        for i in range(rules.generate(stream, work, spare)):
            row[MARKED + i] = work[i]
        return play_move
    if move == play_move:
        found = _deal(stream, row, work)
        row[STAKED] += stakes[MAIN_AT]
        if options[3] == 1:
            row[FEES] += super_fee(stakes[MAIN_AT])
        if len(stakes) > TIE_AT:
            row[STAKED] += stakes[TIE_AT]
            _pay(row, TIE_AT, rules.bet_return(rules.TIE, stakes[TIE_AT], found, options[0], options[1] == 1))
        if found == rules.DEAL_TIED:
            if options[2] == 1:
                return move + 1
            found = rules.SURRENDERED
        return _finish(row, stakes[MAIN_AT], options, found, row[PLAYER_CARD])
    found = _deal_war(stream, row, work)
    row[STAKED] += stakes[MAIN_AT]  # the raise
    row[RETURNED] += rules.bet_return(rules.RAISE, stakes[MAIN_AT], found, options[0], options[1] == 1)
    return _finish(row, stakes[MAIN_AT], options, found, row[WAR_PLAYER_CARD])


def _deal(stream: Stream, row: MutableSequence[int], pack: MutableSequence[int]) -> int:
    player_card, dealer_card = rules.deal(stream, pack, rules.fill_pack(pack))
    row[PLAYER_CARD] = player_card
    row[DEALER_CARD] = dealer_card
    row[WAR_PLAYER_CARD] = -1
    row[WAR_DEALER_CARD] = -1
    return rules.compare(player_card, dealer_card)


def _deal_war(stream: Stream, row: MutableSequence[int], pack: MutableSequence[int]) -> int:
    size = rules.fill_war_pack(pack, row[PLAYER_CARD], row[DEALER_CARD])
    player_card, dealer_card = rules.deal_war(stream, pack, size)
    row[WAR_PLAYER_CARD] = player_card
    row[WAR_DEALER_CARD] = dealer_card
    return rules.compare_war(player_card, dealer_card)


def _finish(row: MutableSequence[int], stake: int, options: Sequence[int], found: int, last_card: int) -> int:
    """Settle the main bet, from the player's card that decided."""
    row[ENDING] = found
    if options[3] == 1:
        marked = row[MARKED : MARKED + rules.MARKED_COUNT]
        boost = rules.boost_of(found, row[PLAYER_CARD], last_card, marked, rules.MARKED_COUNT)
        _pay(row, MAIN_AT, rules.super_main_return(stake, found, boost))
    else:
        _pay(row, MAIN_AT, rules.bet_return(rules.MAIN, stake, found, options[0], options[1] == 1))
    return DONE


def _pay(row: MutableSequence[int], line: int, returned: int) -> None:
    row[LINES + line] = returned
    row[RETURNED] += returned
