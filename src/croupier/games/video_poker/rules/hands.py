"""Hands: what the final five cards are, and what each pay table returns for them.

A hand is one of fifteen numbers. Those up to `ROYAL` are the categories of `croupier.kit.poker`, with two differences:
a pair counts from jacks on, and `FOUR` is four of a kind where no more is said of it. Four aces and four twos, threes
or fours have numbers of their own, because some tables pay them more; the last three need wild deuces.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.kit.cards import rank0, rank_high, suit
from croupier.kit.poker import PAIR, QUADS, category, rank5

NOTHING, HIGH_PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL = range(10)
FOUR_LOW, FOUR_ACES, FIVE, WILD_ROYAL, FOUR_DEUCES = range(10, 15)
HANDS = 15

JACKS_9_6, JACKS_8_5, BONUS_8_5, DOUBLE_BONUS_9_7, DEUCES_WILD = range(5)

# What comes back for one chip, stake included, by pay table and hand (docs/games/video-poker.md). In Deuces Wild the
# seven numbers it goes by, 25/16/10/4/4/3/2, are the wild royal down to the straight.
PAYS = (
    (0, 1, 2, 3, 4, 6, 9, 25, 50, 800, 25, 25, 0, 0, 0),
    (0, 1, 2, 3, 4, 5, 8, 25, 50, 800, 25, 25, 0, 0, 0),
    (0, 1, 2, 3, 4, 5, 8, 25, 50, 800, 40, 80, 0, 0, 0),
    (0, 1, 1, 3, 5, 7, 9, 50, 50, 800, 80, 160, 0, 0, 0),
    (0, 0, 0, 1, 2, 3, 4, 4, 10, 800, 0, 0, 16, 25, 200),
)

_DEUCE = 1
_TEN, _JACK, _ACE = 10, 11, 14


def hand_of(a: int, b: int, c: int, d: int, e: int, is_wild: bool) -> int:
    """Return what five cards are. With wild deuces nothing below three of a kind counts.

    >>> hand_of(10, 23, 1, 14, 3, False) == TWO_PAIR, hand_of(10, 23, 1, 2, 3, False) == HIGH_PAIR
    (True, True)
    >>> hand_of(9, 22, 1, 2, 3, False) == NOTHING  # tens are not enough
    True
    >>> hand_of(1, 14, 27, 40, 5, True) == FOUR_DEUCES, hand_of(0, 12, 11, 10, 1, True) == WILD_ROYAL
    (True, True)
    """
    rank = rank5(a, b, c, d, e)
    found = category(rank)
    top = rank >> 16 & 15
    if is_wild:
        return _wild_hand(found, a, b, c, d, e)
    if found == PAIR and top < _JACK:
        return NOTHING
    if found == QUADS:
        if top == _ACE:
            return FOUR_ACES
        if top <= 4:
            return FOUR_LOW
    return found


def hand_at(cards: Sequence[int], at: int, is_wild: bool) -> int:
    """Return what the five cards from place `at` on are."""
    return hand_of(cards[at], cards[at + 1], cards[at + 2], cards[at + 3], cards[at + 4], is_wild)


def _wild_hand(natural: int, a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the best that five cards can be where every deuce stands for any card, one that is there already included.

    `natural` is their category with deuces as they are. A royal flush with deuces is `WILD_ROYAL`, without any `ROYAL`.
    """
    deuces, distinct, paired = 0, 0, 0
    ranks, again, suits = 0, 0, 0  # bits: the ranks beside the deuces, ace high; those there twice or more; the suits
    for card in (a, b, c, d, e):
        if rank0(card) == _DEUCE:
            deuces += 1
        else:
            bit = 1 << rank_high(card)
            if ranks & bit == 0:
                distinct += 1
            elif again & bit == 0:
                paired += 1
                again |= bit
            ranks |= bit
            suits |= 1 << suit(card)
    if deuces == 0:
        if natural < TRIPS:
            return NOTHING
        return natural
    if deuces == 4:
        return FOUR_DEUCES
    if distinct == 1:
        return FIVE
    if paired == 0:
        return _all_different(deuces, ranks, suits & (suits - 1) == 0)
    if distinct == 3:  # a pair, two others and one deuce
        return TRIPS
    if paired == 2:
        return FULL_HOUSE
    return FOUR


def _all_different(deuces: int, ranks: int, is_suited: bool) -> int:
    """Return what one to three deuces make of other cards that are all of different ranks."""
    is_straight = _within_five(ranks) or _within_five(ranks & (1 << _ACE) - 1 | ranks >> _ACE << 1)  # the ace as 1
    if is_suited and is_straight:
        if ranks & (1 << _TEN) - 1 > 0:  # something below a ten
            return STRAIGHT_FLUSH
        return WILD_ROYAL
    if deuces == 3:
        return FOUR
    if is_suited:
        return FLUSH
    if is_straight:
        return STRAIGHT
    if deuces == 2:
        return TRIPS
    return NOTHING


def _within_five(ranks: int) -> bool:
    """Tell whether no two ranks are more than four apart: deuces can then fill in the rest of a straight."""
    return ranks // (ranks & -ranks) < 1 << 5
