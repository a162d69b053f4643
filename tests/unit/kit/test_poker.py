"""Poker hands: every one falls into its published category, and another library puts them in the same order."""

from __future__ import annotations

import warnings
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.kit import cards, poker
from croupier.kit.poker import card_bit, rank3, rank5, rank6, rank7, rank_hand
from croupier.sim import compiled

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it calls its parser by names that have gone out of use
    import eval7  # type: ignore[import-untyped]

BITS = np.array([1 << (card // 13 * 16 + (card % 13 + 12) % 13) for card in range(52)], dtype=np.int64)


def ranked(text: str) -> int:
    """Return the rank of cards written like `AS KS QS`."""
    hand = [cards.parse_card(name) for name in text.split()]
    return {3: rank3, 5: rank5, 6: rank6, 7: rank7}[len(hand)](*hand)  # type: ignore[operator, no-any-return]


# Every hand there is


def mark(size, bits, counts, seen):
    """Rank every hand of five, six or seven cards: a loop over a card too many runs once."""
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    four = bits[a] | bits[b] | bits[c] | bits[d]
                    for e in range(d):
                        for f in range(e if size > 5 else 1):
                            six = four | bits[e] | (bits[f] if size > 5 else 0)
                            for g in range(f if size > 6 else 1):
                                rank = rank_hand(six | (bits[g] if size > 6 else 0))
                                counts[rank >> 20] += 1
                                seen[rank] = 1


# High card, pair, two pair, trips, straight, flush, full house, quads, straight flush, royal flush; then how many hands
# differ in rank. Published with the rules of poker; trips and better of six cards: docs/games/three-card-poker.md.
PUBLISHED = {
    5: ([1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4], 7462),
    6: ([6612900, 9730740, 2532816, 732160, 361620, 205792, 165984, 14664, 1656, 188], 6075),
    7: ([23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 37260, 4324], 4824),
}


@pytest.mark.parametrize("size", PUBLISHED)
def test_every_hand_falls_into_its_published_category(size):
    counts, seen = np.zeros(10, np.int64), np.zeros(10 << 20, np.uint8)

    compiled(mark)(size, BITS, counts, seen)

    assert (counts.tolist(), int(seen.sum())) == PUBLISHED[size]


def test_all_22100_hands_of_three_cards_fall_into_their_published_categories():
    ranks = [rank3(*hand) for hand in combinations(range(52), 3)]

    assert np.bincount([rank >> 20 for rank in ranks]).tolist() == [16440, 3744, 1096, 720, 52, 48]
    # 286 sets of three ranks less 12 straights, 13 * 12 pairs, as many flushes as high cards, 12, 13, 12
    assert len(set(ranks)) == 274 + 156 + 274 + 12 + 13 + 12


# Against another library


def random_hands(size, count):
    drawn = np.random.default_rng(2024).integers(0, 52, (3 * count, size))
    ordered = np.sort(drawn, axis=1)
    return drawn[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)][:count]


def rank_all(bits, hands, ranks):
    for row in range(len(hands)):
        hand = 0
        for place in range(hands.shape[1]):
            hand |= bits[hands[row, place]]
        ranks[row] = rank_hand(hand)


@pytest.mark.parametrize(
    ("size", "count"),
    [(5, 50_000), (6, 50_000), (7, 100_000),
     *(pytest.param(size, 1_000_000, marks=pytest.mark.soak) for size in (5, 6, 7))],
)  # fmt: skip
def test_another_library_puts_random_hands_in_the_same_order(size, count):
    """Same order everywhere, not only from hand to hand: one number of theirs for each of ours, growing together."""
    names = [eval7.Card("A23456789TJQK"[card % 13] + "shdc"[card // 13]) for card in range(52)]
    hands = random_hands(size, count)
    ranks = np.zeros(count, np.int64)

    compiled(rank_all)(BITS, hands, ranks)
    theirs = np.array([eval7.evaluate([names[card] for card in hand]) for hand in hands.tolist()])

    assert len(hands) == count
    pairs = np.unique(ranks << 32 | theirs)  # in the order of our ranks
    assert (np.diff(pairs >> 32) > 0).all()
    assert (np.diff(pairs & 0xFFFFFFFF) > 0).all()


# By hand


@pytest.mark.parametrize(
    ("hand", "category", "nibbles"),
    [
        ("AS KS QS JS 10S", "royal flush", 0xE0000),
        ("9H KH QH JH 10H", "straight flush", 0xD0000),
        ("AD 2D 3D 4D 5D", "straight flush", 0x50000),
        ("AS AH AD AC KS", "four of a kind", 0xED000),
        ("2S 2H 2D 3C 3S", "full house", 0x23000),
        ("2C 4C 6C 8C 10C", "flush", 0xA8642),
        ("AS 2H 3D 4C 5S", "straight", 0x50000),
        ("AS KH QD JC 10S", "straight", 0xE0000),
        ("KS AH 2D 3C 4S", "high card", 0xED432),  # no straight runs round the ace
        ("7S 7H 7D KC 2S", "three of a kind", 0x7D200),
        ("7S 7H 2D 2C AS", "two pair", 0x72E00),
        ("7S 7H 3D 2C AS", "pair", 0x7E320),
        ("7S 5H 4D 3C 2S", "high card", 0x75432),
        ("AS 2H 3D 4C 5S 6H", "straight", 0x60000),
        ("KS KH KD 2S 2H 2D", "full house", 0xD2000),  # the lower trips serve as the pair
        ("KS KH QS QH JS JH", "two pair", 0xDCB00),  # the third pair lends its rank as the kicker
        ("KS KH KD 2S 2H 3S 3H", "full house", 0xD3000),
        ("KS KH QS QH JS JH AS", "two pair", 0xDCE00),
        ("2S 4S 6S 8S 10S QS AS", "flush", 0xECA86),
        ("2S 3S 4S 5S 6S 7H 8H", "straight flush", 0x60000),  # a longer straight that is not suited counts for less
        ("AS AH AD AC KS KH KD", "four of a kind", 0xED000),
        ("AS KS QH JH 10D AD AC", "straight", 0xE0000),
        ("AS KS QS", "straight flush", 0xE0000),
        ("AS 2S 3S", "straight flush", 0x30000),
        ("7S 7H 7D", "three of a kind", 0x70000),
        ("QS AH KD", "straight", 0xE0000),
        ("3S AH 2D", "straight", 0x30000),
        ("2S AH KD", "high card", 0xED200),
        ("AH 10H 2H", "flush", 0xEA200),
        ("9H 4S 9D", "pair", 0x94000),
        ("9H KS 9D", "pair", 0x9D000),
        ("QH 6S 4D", "high card", 0xC6400),
    ],
)
def test_a_hand_is_worth_what_the_books_say(hand, category, nibbles):
    rank = ranked(hand)
    names = poker.THREE_CATEGORY_NAMES if len(hand.split()) == 3 else poker.CATEGORY_NAMES

    assert (names[poker.category(rank)], f"{rank & 0xFFFFF:05X}") == (category, f"{nibbles:05X}")


def test_the_constants_number_the_categories_by_their_names():
    five = "HIGH_CARD", "PAIR", "TWO_PAIR", "TRIPS", "STRAIGHT", "FLUSH", "FULL_HOUSE", "QUADS"
    three = "HIGH_CARD", "PAIR", "FLUSH", "STRAIGHT", "TRIPS", "STRAIGHT_FLUSH"

    assert [getattr(poker, name) for name in (*five, "STRAIGHT_FLUSH", "ROYAL_FLUSH")] == list(range(10))
    assert [getattr(poker, f"THREE_{name}") for name in three] == list(range(6))


# Laws

DECK = st.permutations(range(52))


@given(deck=DECK, suits=st.permutations(range(4)), turned=st.permutations(range(7)))
def test_neither_the_order_of_the_cards_nor_which_suit_is_which_matters(deck, suits, turned):
    hand = deck[:7]
    other = [suits[hand[place] // 13] * 13 + hand[place] % 13 for place in turned]

    assert rank7(*other) == rank7(*hand)
    kept = [place for place in turned if place < 5]
    assert rank5(*(suits[hand[place] // 13] * 13 + hand[place] % 13 for place in kept)) == rank5(*hand[:5])
    three = [place for place in turned if place < 3]
    assert rank3(*(suits[hand[place] // 13] * 13 + hand[place] % 13 for place in three)) == rank3(*hand[:3])


@given(deck=DECK)
def test_six_and_seven_cards_are_worth_their_best_five(deck):
    assert rank6(*deck[:6]) == max(rank5(*five) for five in combinations(deck[:6], 5))
    assert rank7(*deck[:7]) == max(rank5(*five) for five in combinations(deck[:7], 5))


@given(deck=DECK)
def test_compiled_ranks_are_those_of_the_interpreter(deck):
    for rule, size in ((rank3, 3), (rank5, 5), (rank6, 6), (rank7, 7)):
        assert compiled(rule)(*deck[:size]) == rule(*deck[:size])


def test_each_card_has_a_bit_of_its_own_below_the_sign():
    assert [card_bit(card) for card in range(52)] == BITS.tolist()
    assert len(set(BITS.tolist())) == 52
    assert max(BITS.tolist()) < 2**61
