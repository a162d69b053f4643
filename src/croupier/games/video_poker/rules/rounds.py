"""The round in numbers: the deal, a hold and its draw, what the stake returns, and what super mode adds to it.

A round is kept in an array, the hand: five cards dealt, the five that are there now, the hold, and what the final cards
make. A hold, which is the one decision, is a mask of five bits: bit 0 keeps the first card, bit 4 the fifth. There is
one bet, which has no kind or number. The steps are those of `house.card_round`.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream, draw_card
from croupier.games.video_poker.rules import holds
from croupier.games.video_poker.rules.hands import HANDS, ROYAL, hand_at
from croupier.kit.lit import lit_place, mark
from croupier.kit.rows import tail
from croupier.rounds import DONE

PACK_SIZE = 52
CARDS = 5
HOLD_ALL = 31

# The set-up deals, and the draw comes next. The pack needs less room than the choice of a hold.
DEAL_MOVE, WORK_SIZE = 0, holds.WORK_SIZE + CARDS
DRAW = 1

# The hand.
DEALT, CURRENT, HELD, MADE = 0, CARDS, 2 * CARDS, 2 * CARDS + 1

# The options: whether deuces are wild, and what each hand pays. Behind them those of a policy: whether every card is
# kept; what hands are worth to it; and unless every card is kept, the sums of `rules.holds` with those worths.
IS_SUPER, IS_WILD, PAYS = range(3)
KEEPS_ALL, WORTHS = PAYS + HANDS, PAYS + HANDS + 1
SUMS = WORTHS + HANDS


def deal(stream: Stream, hand: MutableSequence[int], options: Sequence[int], work: MutableSequence[int]) -> int:
    """Deal five cards from a whole pack into a hand in which nothing is held."""
    for card in range(PACK_SIZE):
        work[card] = card
    # A hold of 0, which keeps nothing; as a constant it would unroll five draws, and cost a tenth of a round.
    _replace(stream, hand[HELD], hand, work, PACK_SIZE)
    for place in range(CARDS):
        hand[DEALT + place] = hand[CURRENT + place]
    return DRAW


def is_legal(hold: int, hand: Sequence[int], options: Sequence[int]) -> bool:
    """Tell whether a number is a hold: any of the cards may be kept."""
    return 0 <= hold <= HOLD_ALL


def draws(hold: int) -> bool:
    """Tell whether a hold leaves cards to be drawn."""
    return hold != HOLD_ALL


def take(
    stream: Stream, hold: int, hand: MutableSequence[int], options: Sequence[int], work: MutableSequence[int]
) -> int:
    """Replace the cards that a hold does not keep, and say what they make. The round is over then."""
    hand[HELD] = hold
    if draws(hold):
        _replace(stream, hold, hand, work, fill_draw_pack(work, hand))
    hand[MADE] = hand_at(hand, CURRENT, options[IS_WILD] == 1)
    return DONE


def fill_draw_pack(pack: MutableSequence[int], hand: Sequence[int]) -> int:
    """Write the sorted pack without the five cards dealt, and return its size: discards never come back."""
    a, b, c, d, e = hand[DEALT], hand[DEALT + 1], hand[DEALT + 2], hand[DEALT + 3], hand[DEALT + 4]
    size = 0
    for card in range(PACK_SIZE):
        if card != a and card != b and card != c and card != d and card != e:
            pack[size] = card
            size += 1
    return size


def _replace(stream: Stream, hold: int, hand: MutableSequence[int], pack: MutableSequence[int], size: int) -> None:
    """Put cards of the pack in the place of those that a hold does not keep, first to last."""
    for place in range(CARDS):
        if hold >> place & 1 == 0:
            hand[CURRENT + place] = draw_card(stream, pack, size)
            size -= 1


def choose(hand: Sequence[int], options: Sequence[int], work: MutableSequence[int]) -> int:
    """Return the hold of the policy in the options."""
    if options[KEEPS_ALL] == 1:
        return HOLD_ALL
    own = options[WORTHS + hand_at(hand, DEALT, options[IS_WILD] == 1)]
    return holds.choose(hand, DEALT, own, options, SUMS, tail(work, holds.WORK_SIZE), work)


def settle(kind: int, number: int, stake: int, hand: Sequence[int], options: Sequence[int]) -> int:
    """Return the chips handed back for what the cards make."""
    return stake * options[PAYS + hand[MADE]]


# Super mode.

MARKED_COUNT = 4  # cards that super mode marks (docs/games/video-poker.md, Super mode)

# A byte modulo 52 is every card five times in 256, and from this one on four times: ten to king of clubs. Those are
# called light here.
FIRST_LIGHT_CARD = 256 % PACK_SIZE
LIGHT_CARDS = PACK_SIZE - FIRST_LIGHT_CARD

# Tenths that a profit is multiplied by, by the marked cards in the final hand; any of them in a royal flush counts as
# four. What is above 1 of it is divided by BOOST_DIVISOR.
BOOST_TENTHS = (10, 12, 20, 500, 5000)
BOOST_DIVISOR = 25  # docs/decisions/0023

# Compiled integers wrap silently: the largest product on the way is the profit of a royal flush times its boost.
STAKE_MAX = (2**63 - 1) // (800 * BOOST_TENTHS[4])


def generate(stream: Stream, ids: MutableSequence[int], multipliers: MutableSequence[int]) -> int:
    """Mark four cards, light ones less often, and return how many; what they are worth is up to `boost_tenths`."""
    return mark(stream, PACK_SIZE, MARKED_COUNT, ids, multipliers)


def boost(
    kind: int, number: int, hand: Sequence[int], ids: Sequence[int], multipliers: Sequence[int], count: int
) -> int:
    """Return the tenths that the marked cards of the hand stand for: 10 where nothing is marked."""
    marked = 0
    for place in range(CURRENT, CURRENT + CARDS if count > 0 else CURRENT):
        if lit_place(hand[place], ids, count) >= 0:
            marked += 1
    return boost_tenths(hand[MADE], marked)


def super_settle(kind: int, number: int, stake: int, hand: Sequence[int], options: Sequence[int], tenths: int) -> int:
    """Return the chips handed back with a boost of so many tenths; 10 are none."""
    return super_return(stake, settle(kind, number, stake, hand, options), tenths)


def boost_tenths(hand: int, marked: int) -> int:
    """Return the tenths that so many marked cards in a final hand stand for.

    >>> boost_tenths(ROYAL, 0), boost_tenths(ROYAL, 1), boost_tenths(1, 3)
    (10, 5000, 500)
    """
    if hand == ROYAL and marked > 0:
        return BOOST_TENTHS[MARKED_COUNT]
    return BOOST_TENTHS[marked]


def super_return(stake: int, returned: int, tenths: int) -> int:
    """Return what a return comes to in super mode: the profit grows with its boost, rounded down; all else stays.

    >>> super_return(100, 600, 10), super_return(100, 100, 5000), super_return(100, 0, 5000)
    (600, 100, 0)
    """
    if returned <= stake:
        return returned
    return returned + (returned - stake) * (tenths - 10) // (10 * BOOST_DIVISOR)
