"""Poker hand ranking in the numeric subset: three cards, or the best five out of five, six or seven.

A rank is one whole number: the larger one wins, equal ones tie, and suits are never compared. Its category stands above
bit 20, and below it what decides between hands of one category, in five nibbles with the most important one first (the
ace is 14, and 5 is the top of A-2-3-4-5; what is not needed is 0):

    rank >> 20          category: HIGH_CARD ... ROYAL_FLUSH, or THREE_HIGH_CARD ... THREE_STRAIGHT_FLUSH
    rank >> 16 & 15     the quads, trips, pair, top of the straight, or highest card; then >> 12, >> 8, >> 4, >> 0

Enumerations need not name five cards each time. A hand is also a set of bits, one `card_bit` a card, that grows with
`|` and goes to `rank_hand`; or it is the ranks held in each suit, twos in bit 0 up to aces in bit 12, for `rank_masks`.
"""

from __future__ import annotations

HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL_FLUSH = range(10)
CATEGORY_NAMES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
)

# With three cards a straight is rarer than a flush, and trips are rarer than both (docs/games/three-card-poker.md).
THREE_HIGH_CARD, THREE_PAIR, THREE_FLUSH, THREE_STRAIGHT, THREE_TRIPS, THREE_STRAIGHT_FLUSH = range(6)
THREE_CATEGORY_NAMES = ("high card", "pair", "flush", "straight", "three of a kind", "straight flush")

_ACE = 14
_RANKS = 8191  # a bit for each of the thirteen ranks
_SUIT_BITS = 16  # from one suit to the next: a hand fits into 61 bits, and the compiler's numbers have 63


def category(rank: int) -> int:
    """Return what kind of hand a rank is.

    >>> CATEGORY_NAMES[category(rank5(0, 12, 11, 10, 9))]
    'royal flush'
    """
    return rank >> 20


def card_bit(card: int) -> int:
    """Return the one bit that stands for a card in a hand; a hand is the bits of its cards together.

    The ranks of a suit lie side by side, two to ace, and the next suit begins 16 bits further up.

    >>> card_bit(1), card_bit(0), card_bit(14)
    (1, 4096, 65536)
    """
    return 1 << (card // 13 * _SUIT_BITS + (card + 12) % 13)


def rank3(a: int, b: int, c: int) -> int:
    """Return the rank of three cards, in the order of three card games.

    >>> rank3(0, 1, 2) >> 16, rank3(0, 14, 28) >> 16, rank3(0, 12, 11) >> 16  # A-2-3 is the lowest straight
    (83, 51, 94)
    """
    high, middle, low = (a + 12) % 13 + 2, (b + 12) % 13 + 2, (c + 12) % 13 + 2
    if high < middle:
        high, middle = middle, high
    if middle < low:
        middle, low = low, middle
    if high < middle:
        high, middle = middle, high
    if high == low:
        return THREE_TRIPS << 20 | high << 16
    if high == middle:
        return THREE_PAIR << 20 | high << 16 | low << 12
    if middle == low:
        return THREE_PAIR << 20 | middle << 16 | high << 12
    suited = a // 13 == b // 13 and b // 13 == c // 13
    top = 0
    if high - low == 2:
        top = high
    elif high == _ACE and middle == 3:  # and so the low card is a two
        top = 3
    if top > 0:
        if suited:
            return THREE_STRAIGHT_FLUSH << 20 | top << 16
        return THREE_STRAIGHT << 20 | top << 16
    if suited:
        return THREE_FLUSH << 20 | high << 16 | middle << 12 | low << 8
    return THREE_HIGH_CARD << 20 | high << 16 | middle << 12 | low << 8


def rank5(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the rank of five cards.

    >>> rank5(0, 1, 2, 3, 17) == STRAIGHT << 20 | 5 << 16  # A-2-3-4-5 is the lowest straight
    True
    """
    return rank_hand(card_bit(a) | card_bit(b) | card_bit(c) | card_bit(d) | card_bit(e))


def rank6(a: int, b: int, c: int, d: int, e: int, f: int) -> int:
    """Return the rank of the best five out of six cards."""
    return rank_hand(card_bit(a) | card_bit(b) | card_bit(c) | card_bit(d) | card_bit(e) | card_bit(f))


def rank7(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> int:
    """Return the rank of the best five out of seven cards."""
    return rank_hand(card_bit(a) | card_bit(b) | card_bit(c) | card_bit(d) | card_bit(e) | card_bit(f) | card_bit(g))


def rank_hand(hand: int) -> int:
    """Return the rank of the best five out of the five, six or seven cards whose bits are set."""
    return rank_masks(
        hand & _RANKS,
        hand >> _SUIT_BITS & _RANKS,
        hand >> 2 * _SUIT_BITS & _RANKS,
        hand >> 3 * _SUIT_BITS,
    )


def rank_masks(spades: int, hearts: int, diamonds: int, clubs: int) -> int:
    """Return the rank of the best five cards, given the ranks held in each suit: five, six or seven cards in all.

    Nothing is searched: which ranks are held twice, three or four times is counted for all ranks at once.
    """
    flush = _five_or_more(spades) | _five_or_more(hearts) | _five_or_more(diamonds) | _five_or_more(clubs)
    if flush > 0:
        run = _straights(flush)
        if run > 0:
            top = _top(run) + 3
            if top == _ACE:
                return ROYAL_FLUSH << 20 | top << 16
            return STRAIGHT_FLUSH << 20 | top << 16
    # Each rank held at all, twice or more, three times or more: a bit of its own in every mask.
    either, other = spades | hearts, diamonds | clubs
    both, others = spades & hearts, diamonds & clubs
    held = either | other
    pairs = both | others | (either & other)
    trips = (both & other) | (others & either)
    if trips > 0:
        quads = both & others
        if quads > 0:
            return QUADS << 20 | _top(quads) << 16 | _top(held ^ quads) << 12
        three = _top(trips)
        two = pairs ^ 1 << (three - 2)
        if two > 0:
            return FULL_HOUSE << 20 | three << 16 | _top(two) << 12
    if flush > 0:
        return FLUSH << 20 | _nibbles(flush, 5)
    run = _straights(held)
    if run > 0:
        return STRAIGHT << 20 | (_top(run) + 3) << 16
    if trips > 0:
        return TRIPS << 20 | _top(trips) << 16 | _nibbles(held ^ trips, 2) >> 4
    if pairs > 0:
        pair = _top(pairs)
        held ^= 1 << (pair - 2)
        pairs ^= 1 << (pair - 2)
        if pairs > 0:
            second = _top(pairs)
            return TWO_PAIR << 20 | pair << 16 | second << 12 | _top(held ^ (1 << (second - 2))) << 8
        return PAIR << 20 | pair << 16 | _nibbles(held, 3) >> 4
    return HIGH_CARD << 20 | _nibbles(held, 5)


def _five_or_more(mask: int) -> int:
    """Return the mask if five bits or more are set, and 0 otherwise."""
    rest = mask & (mask - 1)  # without its lowest bit; 0 stays 0
    rest &= rest - 1
    rest &= rest - 1
    rest &= rest - 1
    if rest > 0:
        return mask
    return 0


def _straights(mask: int) -> int:
    """Return a bit for each straight among the ranks: bit 0 for A-2-3-4-5, bit 9 for 10-J-Q-K-A."""
    ranks = mask << 1 | mask >> 12  # the ace below the two as well
    return ranks & ranks >> 1 & ranks >> 2 & ranks >> 3 & ranks >> 4


def _top(mask: int) -> int:
    """Return the rank of the highest bit: 2 for bit 0 up to 14 for bit 12; the mask is not 0."""
    # The compiler makes one instruction of this loop once it knows that no sign is shifted in.
    mask &= _RANKS
    rank = 1
    while mask > 0:
        mask >>= 1
        rank += 1
    return rank


def _nibbles(mask: int, count: int) -> int:
    """Return the `count` highest ranks in the first of five nibbles; as many are there."""
    nibbles = 0
    for place in range(count):
        rank = _top(mask)
        mask ^= 1 << (rank - 2)
        nibbles |= rank << (16 - 4 * place)
    return nibbles
