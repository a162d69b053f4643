"""One round of three card poker over its streams, for the simulator to compile: deal, then what the policy decides.

The bets are the Ante and whichever side bets are laid; Play has no line, but is in the accounts. Laying the side bets
and dealing is one move, the first. Folding is the second, and draws; playing is the second and draws nothing, and the
dealer's hand comes with the third. In super mode the marked suits are drawn first, from the stream that is kept for
them. The row's facts are the player's cards, the dealer's, and how the round ended.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream
from croupier.games.three_card_poker import rules
from croupier.kit.cards import suit
from croupier.kit.poker import rank3, rank6
from croupier.rounds import DONE, FACTS, FEES, LINES, PRIVATE, RETURNED, STAKED, SUPER_MOVE, super_fee

DEAL_MOVE, FOLD_MOVE, REVEAL_MOVE = 1, 2, 3
PLAYER, DEALER, ENDING = FACTS, FACTS + 3, FACTS + 6
MARKED = PRIVATE
WORK_SIZE = rules.PACK_SIZE

QUALIFIER, IS_SUPER, POLICY = 0, 1, 2  # where the options stand; the policy is the rest of them


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

    The options are the qualifier, 1 for a super session, and the words of the policy.
    """
    if move == SUPER_MOVE:
        for i in range(rules.generate(stream, work, spare)):
            row[MARKED + i] = work[i]
        return DEAL_MOVE
    if move == DEAL_MOVE:
        a, b, c = rules.deal(stream, work, rules.fill_pack(work))
        row[PLAYER] = a
        row[PLAYER + 1] = b
        row[PLAYER + 2] = c
        for line in range(len(stakes)):
            row[STAKED] += stakes[line]
        if options[IS_SUPER] == 1:
            row[FEES] += super_fee(stakes[0])
        return REVEAL_MOVE if rules.is_played(options, POLICY, a, b, c) else FOLD_MOVE
    a, b, c = row[PLAYER], row[PLAYER + 1], row[PLAYER + 2]
    x, y, z = rules.deal(stream, work, rules.fill_dealer_pack(work, a, b, c))
    row[DEALER] = x
    row[DEALER + 1] = y
    row[DEALER + 2] = z
    rank = rank3(a, b, c)
    found = rules.FOLDED
    if move == REVEAL_MOVE:
        found = rules.outcome(rank, rank3(x, y, z), options[QUALIFIER])
        row[STAKED] += stakes[0]  # Play
        row[RETURNED] += rules.bet_return(rules.PLAY, stakes[0], found, rank, 0, 0)
    row[ENDING] = found
    for line in range(len(stakes)):
        if kinds[line] == rules.ANTE and options[IS_SUPER] == 1:
            marked = row[MARKED : MARKED + rules.MARKED_COUNT]
            boost = rules.boost_of(marked, rules.MARKED_COUNT, rank, a, b, c)
            returned = rules.super_ante_return(stakes[line], found, rank, boost)
        else:
            six_rank = rank6(a, b, c, x, y, z) if kinds[line] == rules.SIX_CARD else 0
            returned = rules.bet_return(kinds[line], stakes[line], found, rank, suit(a), six_rank)
        row[LINES + line] = returned
        row[RETURNED] += returned
    return DONE
