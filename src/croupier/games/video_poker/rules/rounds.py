"""One round in numbers: the deal, the draw, what comes back, and what super mode adds to it.

A hold is a mask of five bits: bit 0 keeps the first card, bit 4 the fifth.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from croupier.draws import Stream, draw_card
from croupier.games.video_poker.rules.hands import ROYAL
from croupier.kit.lit import draw_unlit, lit_place

PACK_SIZE = 52
CARDS = 5
HOLD_ALL = 31


def fill_pack(pack: MutableSequence[int]) -> int:
    """Write the sorted pack and return its size."""
    for card in range(PACK_SIZE):
        pack[card] = card
    return PACK_SIZE


def fill_draw_pack(pack: MutableSequence[int], cards: Sequence[int], at: int) -> int:
    """Write the sorted pack without the five cards from `at` on, and return its size: discards never come back."""
    a, b, c, d, e = cards[at], cards[at + 1], cards[at + 2], cards[at + 3], cards[at + 4]
    size = 0
    for card in range(PACK_SIZE):
        if card != a and card != b and card != c and card != d and card != e:
            pack[size] = card
            size += 1
    return size


def draw(
    stream: Stream, pack: MutableSequence[int], size: int, cards: MutableSequence[int], at: int, mask: int
) -> None:
    """Replace the five cards from place `at` on that the mask does not keep, first to last, by cards of the pack.

    A mask of 0 deals: nothing is kept.
    """
    for place in range(CARDS):
        if mask >> place & 1 == 0:
            cards[at + place] = draw_card(stream, pack, size)
            size -= 1


# Super mode.

MARKED_COUNT = 4  # cards that super mode marks (casino-core, section 7.1)

# A byte modulo 52 is every card five times in 256, and from this one on four times: ten to king of clubs. Those are
# called light here.
FIRST_LIGHT_CARD = 256 % PACK_SIZE
LIGHT_CARDS = PACK_SIZE - FIRST_LIGHT_CARD

# Tenths that a profit is multiplied by, by the marked cards in the final hand; any of them in a royal flush counts as
# four (casino-core, section 7.5). What is above 1 of it is divided by BOOST_DIVISOR.
BOOST_TENTHS = (10, 12, 20, 500, 5000)
BOOST_DIVISOR = 25  # docs/decisions/0023

# Compiled integers wrap silently: the largest product on the way is the profit of a royal flush times its boost.
STAKE_MAX = (2**63 - 1) // (800 * BOOST_TENTHS[4])


def generate(stream: Stream, ids: MutableSequence[int], multipliers: MutableSequence[int]) -> int:
    """Mark four cards: write them in the order drawn, with multiplier 1, and return how many.

    A card is one byte modulo 52, drawn again while it is marked already, so that light cards are marked less often: the
    published streams are made that way. What marks are worth is up to `boost_tenths`.
    """
    for index in range(MARKED_COUNT):
        ids[index] = draw_unlit(stream, 0, PACK_SIZE, ids, index)
        multipliers[index] = 1
    return MARKED_COUNT


def count_marked(cards: Sequence[int], at: int, ids: Sequence[int], count: int) -> int:
    """Return how many of the five cards from place `at` on are marked."""
    found = 0
    for place in range(CARDS):
        if lit_place(cards[at + place], ids, count) >= 0:
            found += 1
    return found


def boost_tenths(hand: int, marked: int) -> int:
    """Return the tenths that so many marked cards in a final hand stand for.

    >>> boost_tenths(ROYAL, 0), boost_tenths(ROYAL, 1), boost_tenths(1, 3)
    (10, 5000, 500)
    """
    if hand == ROYAL and marked > 0:
        return BOOST_TENTHS[MARKED_COUNT]
    return BOOST_TENTHS[marked]


def super_return(stake: int, returned: int, tenths: int) -> int:
    """Return the chips handed back in super mode: the profit grows with its boost, rounded down; all else stays.

    >>> super_return(100, 600, 10), super_return(100, 100, 5000), super_return(100, 0, 5000)
    (600, 100, 0)
    """
    if returned <= stake:
        return returned
    return returned + (returned - stake) * (tenths - 10) // (10 * BOOST_DIVISOR)
