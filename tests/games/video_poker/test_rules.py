"""The rules of video poker: what hands are and pay, the deal and the draw, what holds are worth, super mode."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.engine.chance import ScriptedRng
from croupier.games.video_poker.bets import BETS, HAND_NAMES, PAY_TABLES
from croupier.games.video_poker.rules import hands, holds, rounds
from croupier.rng import GameRng
from croupier.rounds import DONE
from croupier.testing import cards_of
from tests.games.video_poker.test_vectors import PRICES, name_of

deals = st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True)


# Hands: every combination of ranks, in one suit and in several.


def hands_of_ranks(is_wild: bool) -> Iterator[tuple[list[int], list[int], int]]:
    """Yield every choice of five ranks as cards, suited and not, its wild deuces apart, and how many look like it.

    Wild deuces have suits that do not matter, so a flush is one of the other cards.
    """
    for ranks in combinations_with_replacement(range(1, 14), 5):
        held = Counter(ranks)
        if max(held.values()) > 4:
            continue
        others = [rank for rank in ranks if rank != 2 or not is_wild]
        deuces = [1 + 13 * number for number in range(5 - len(others))]
        # Equal ranks in different suits from spades on; then the first card in another suit, which is never a flush.
        plain = [13 * sum(e == rank for e in others[:place]) + rank - 1 for place, rank in enumerate(others)]
        ways = prod(comb(4, count) for count in held.values())
        suited_ways = 4 * comb(4, len(deuces)) if len(set(others)) == len(others) else 0
        if suited_ways:
            yield plain, deuces, suited_ways
            plain = [plain[0] + 13, *plain[1:]]
        if ways > suited_ways:
            yield plain, deuces, ways - suited_ways


# How many of the dealt hands there are of each: published; of four of a kind there are 624 without wild cards.
NATURAL = {"royal_flush": 4, "straight_flush": 36, "four_of_a_kind": 432, "four_twos_to_fours": 144, "four_aces": 48}
NATURAL |= {"full_house": 3_744, "flush": 5_108, "straight": 10_200, "three_of_a_kind": 54_912, "two_pair": 123_552}
NATURAL |= {"high_pair": 337_920, "nothing": 2_062_860}
WILD = {"royal_flush": 4, "four_deuces": 48, "wild_royal_flush": 480, "five_of_a_kind": 624, "straight_flush": 2_068}
WILD |= {"four_of_a_kind": 31_552, "full_house": 12_672, "flush": 14_472, "straight": 62_232}
WILD |= {"three_of_a_kind": 355_080, "nothing": 2_119_728}


@pytest.mark.parametrize(("is_wild", "published"), [(False, NATURAL), (True, WILD)], ids=["natural", "wild"])
def test_every_hand_is_what_the_definitions_say(is_wild, published):
    counted: Counter[str] = Counter()
    for cards, deuces, ways in hands_of_ranks(is_wild):
        hand = [*cards, *deuces]
        expected = name_of(hand, is_wild)
        for order in (hand, hand[::-1], hand[2:] + hand[:2], [*deuces, *cards], [*cards[1:], *deuces, cards[0]]):
            assert HAND_NAMES[hands.hand_at(order, 0, is_wild)] == expected, order
        counted[expected] += ways

    assert counted == published
    assert sum(counted.values()) == comb(52, 5)


@given(cards=deals, is_wild=st.booleans(), data=st.data())
def test_the_order_and_the_names_of_suits_do_not_matter(cards, is_wild, data):
    suits = data.draw(st.permutations(range(4)))
    order = data.draw(st.permutations(cards))

    other = [suits[card // 13] * 13 + card % 13 for card in order]

    assert hands.hand_at(cards, 0, is_wild) == hands.hand_at(other, 0, is_wild)


def test_tables_pay_what_the_second_calculation_says():
    """Every price of every table; ids 0 to 9 and what they return at 9/6 are those of the rules page."""
    paid = [{hand: price for hand, price in zip(HAND_NAMES, pays, strict=True) if price} for pays in hands.PAYS]

    assert dict(zip(PAY_TABLES, paid, strict=True)) == PRICES
    assert hands.PAYS[hands.JACKS_9_6][:10] == (0, 1, 2, 3, 4, 6, 9, 25, 50, 800)
    named = [HAND_NAMES[hand] for hand in (hands.NOTHING, hands.HIGH_PAIR, hands.ROYAL)]
    assert named == ["nothing", "high_pair", "royal_flush"]


def test_hands_and_pay_tables_have_names_in_the_order_of_their_numbers():
    assert len(HAND_NAMES) == len(set(HAND_NAMES)) == hands.HANDS
    assert all(len(pays) == hands.HANDS for pays in hands.PAYS)
    assert len(PAY_TABLES) == len(hands.PAYS)
    assert HAND_NAMES[hands.FOUR_DEUCES] == "four_deuces"
    assert PAY_TABLES[hands.DEUCES_WILD] == "deuces_wild"
    assert BETS == {"stake": (0, 0)}


# The deal and the draw.


OPTIONS = (0, 0, *hands.PAYS[hands.JACKS_9_6])


def dealt(stream: GameRng) -> list[int]:
    hand = [99] * (rounds.MADE + 1)
    hand[rounds.HELD] = 0  # a deal replaces all that is not held
    assert rounds.deal(stream, hand, OPTIONS, [99] * 52) == rounds.DRAW
    cards = hand[rounds.DEALT : rounds.DEALT + 5]
    assert hand[rounds.CURRENT : rounds.CURRENT + 5] == cards
    return cards


def after(hold: int, cards: list[int], stream: GameRng | ScriptedRng, options: tuple[int, ...] = OPTIONS) -> list[int]:
    """Return the hand after a hold, which must be the end of the round and leave the cards that were dealt."""
    hand = [*cards, *cards, 99, 99]
    assert rounds.take(stream, hold, hand, options, [99] * 52) == DONE
    assert hand[rounds.DEALT : rounds.DEALT + 5] == cards
    assert hand[rounds.HELD] == hold
    return hand


def test_the_deal_is_five_draws_from_the_sorted_pack():
    """Streams of V15: one deck, the first five of ten draws."""
    assert dealt(GameRng.new(bytes(32), 1, 0)) == [32, 48, 23, 5, 0]
    assert dealt(GameRng.new(bytes(range(48)), 42, 0)) == [38, 22, 23, 40, 17]


def test_the_draw_takes_cards_from_the_47_that_were_not_dealt():
    """V15 again: one deck without 45 15 22 46 44, five draws."""
    cards = [45, 15, 22, 46, 44]

    hand = after(0, cards, GameRng.new(bytes(range(48)), 42, 1))

    assert rounds.fill_draw_pack([0] * 52, hand) == 47
    assert hand[rounds.CURRENT : rounds.CURRENT + 5] == [24, 1, 31, 35, 10]


def test_a_round_ends_with_what_the_cards_make_then():
    """Four to the royal and a deuce are held without the deuce, and the ace comes: wild deuces see it as well."""
    cards = [*cards_of("10S JS QS KS"), 1]

    for options in (OPTIONS, (0, 1, *hands.PAYS[hands.DEUCES_WILD])):
        hand = after(15, cards, ScriptedRng([0]), options)
        assert hand[rounds.MADE] == hands.ROYAL
        assert rounds.settle(0, 0, 7, hand, options) == rounds.super_settle(0, 0, 7, hand, options, 10) == 7 * 800
        assert rounds.super_settle(0, 0, 250, hand, options, 5000) == 250 * 800 + 250 * 799 * 499 // 25
    assert rounds.settle(0, 0, 7, after(31, cards, ScriptedRng([]), options), options) == 7 * 25  # a wild royal


def test_the_legal_holds_are_the_masks_of_five_cards():
    assert [hold for hold in range(-2, 70) if rounds.is_legal(hold, (), ())] == list(range(32))


# What holds are worth.


def test_constants_of_the_draw_are_counts():
    assert tuple(comb(47, 5 - kept) for kept in range(6)) == holds.DRAWS
    assert all(draws * scale == holds.COMMON for draws, scale in zip(holds.DRAWS, holds.SCALES, strict=True))
    assert tuple(bin(mask).count("1") for mask in range(32)) == holds.KEPT
    sizes = [comb(12 + size, size) * patterns for size, patterns in enumerate(holds.SUIT_PATTERNS)]
    assert tuple(sum(sizes[:size]) for size in range(5)) == holds.FIRST_SLOTS
    assert sum(sizes) == holds.SLOTS


@given(cards=deals)
def test_cards_are_sorted_by_rank_and_suit(cards):
    order = [0] * 5
    holds.sort_by_rank(cards, 0, order)

    assert [cards[place] for place in order] == sorted(cards, key=lambda card: (card % 13, card // 13))


def slot(cards: tuple[int, ...]) -> int:
    found = [0] * (3 << len(cards))
    in_order = sorted(cards, key=lambda card: (card % 13, card // 13))
    holds.fill_slots(in_order, 0, range(len(cards)), len(cards), found)
    return found[(1 << len(cards)) - 1]


def canonical(cards: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return what stays of a set when suits lose their names."""
    suits = [tuple(sorted(card % 13 for card in cards if card // 13 == suit)) for suit in range(4)]
    return tuple(sorted(suits))


def test_two_sets_with_one_slot_are_alike_but_for_the_names_of_their_suits():
    """All sets of up to three cards, and of four those with the ace of spades."""
    classes: dict[int, tuple[tuple[int, ...], ...]] = {}
    for size in range(5):
        for cards in combinations(range(52), size):
            if size == 4 and cards[0] > 0:
                break
            found = slot(cards)
            assert holds.FIRST_SLOTS[size] <= found < (*holds.FIRST_SLOTS[1:], holds.SLOTS)[size]
            assert classes.setdefault(found, canonical(cards)) == canonical(cards)


def test_the_slots_of_a_deal_are_those_of_its_subsets():
    cards = cards_of("JS JH 7D 2C 9C")
    order, found = [0] * 5, [7] * holds.WORK_SIZE
    holds.sort_by_rank(cards, 0, order)
    holds.fill_slots(cards, 0, order, 5, found)

    for mask in range(31):
        subset = tuple(cards[order[place]] for place in range(5) if mask >> place & 1)
        assert found[mask] == slot(subset)


def test_leaving_out_counts_the_hands_that_hold_exactly_what_is_kept():
    """With every hand worth 1 the sums are counts, and what is left is the number of draws."""
    work = [comb(52 - kept, 5 - kept) for kept in holds.KEPT]

    holds.leave_out(work)

    assert work == [comb(47, 5 - kept) for kept in holds.KEPT]


@pytest.mark.parametrize(
    ("worths", "mask"),
    [
        ({3: 2, 5: 1}, 3),
        ({1: 1, 3: 1}, 3),  # equal: more cards are kept
        ({3: 1, 5: 1, 24: 1}, 3),  # equal, as many cards: the lowest mask
        ({}, 31),  # all worth nothing
    ],
)
def test_of_equal_holds_the_one_with_more_cards_and_then_the_lowest_mask_is_taken(worths, mask):
    """A worth here is the average return, in units that make all of them whole."""
    work = [worths.get(hold, 0) * holds.COMMON // holds.SCALES[holds.KEPT[hold]] for hold in range(32)]

    assert holds.best_hold(work) == mask


@given(order=st.permutations(range(5)), mask=st.integers(0, 31))
def test_a_mask_over_sorted_cards_keeps_the_same_cards_as_they_were_dealt(order, mask):
    kept = {order[place] for place in range(5) if mask >> place & 1}

    assert holds.unsorted(mask, order) == sum(1 << place for place in kept)


# Super mode.


def test_bytes_make_the_last_four_cards_light():
    made = Counter(byte % 52 for byte in range(256))

    assert {card for card, count in made.items() if count == 4} == set(range(rounds.FIRST_LIGHT_CARD, 52))
    assert {count for card, count in made.items() if card < rounds.FIRST_LIGHT_CARD} == {5}
    assert rounds.LIGHT_CARDS == 4


def test_marked_cards_are_counted_in_the_hand_alone():
    flush = cards_of("2S 5S 7S 9S JS")
    hand = [30, 31, 32, 33, 34, *flush, 0, hands.FLUSH]
    assert rounds.boost(0, 0, hand, [flush[0], flush[4], 99, 30], [1] * 4, 4) == 20  # two of them


@pytest.mark.parametrize(
    ("hand", "count", "tenths"),
    [
        *((hands.FLUSH, count, tenths) for count, tenths in enumerate((10, 12, 20, 500, 5000))),
        *((hands.ROYAL, count, tenths) for count, tenths in enumerate((10, 5000, 5000, 5000, 5000))),
        (hands.WILD_ROYAL, 1, 12),  # the natural one alone
    ],
)
def test_boosts_are_those_of_the_rules_page(hand, count, tenths):
    """The rules page, Super mode."""
    assert rounds.boost_tenths(hand, count) == tenths


@given(
    stake=st.integers(1, rounds.STAKE_MAX),
    pays=st.sampled_from(sorted({pays for table in hands.PAYS for pays in table})),
    tenths=st.sampled_from(rounds.BOOST_TENTHS),
)
def test_a_boost_multiplies_the_profit_by_one_and_a_25th_of_the_rest_rounded_down(stake, pays, tenths):
    """The product on the way, not only the result, must fit 63 bits: compiled numbers wrap."""
    profit = max(pays - 1, 0) * stake
    factor = 1 + (Fraction(tenths, 10) - 1) / 25

    returned = rounds.super_return(stake, pays * stake, tenths)

    assert returned == (stake + profit * factor).__floor__() if pays else returned == 0
    assert profit * (tenths - 10) < 2**63
    assert returned < 2**63
