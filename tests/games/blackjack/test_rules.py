"""The rules of blackjack in numbers: hands, the shoe, what bets bring back, super mode, strategy tables."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from itertools import chain, combinations_with_replacement, permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games.blackjack import rounds, rules
from croupier.games.blackjack.bets import BETS, SIDE_BETS, double_bet, hand_bet
from croupier.games.blackjack.options import BlackjackOptions
from croupier.rng import GameRng
from croupier.testing import cards_of
from tests.games.blackjack.test_vectors import hand_back, is_soft, points, side_price

# Hands.


def test_hands_of_up_to_five_cards_count_and_end_as_in_the_second_calculation():
    """An ace counts eleven while that does not pass 21; the dealer draws to 17, and on soft 17 where the table says so;
    a card ends a hand at 21, above it, and after a double."""
    seen = set()
    for cards in chain.from_iterable(combinations_with_replacement(range(13), size) for size in range(1, 6)):
        hand = sum(map(rules.card_value, cards)), 0 in cards
        total, soft = points([*cards]), is_soft([*cards])
        assert (rules.best_total(*hand), rules.is_soft(*hand)) == (total, soft)
        draws = [total < 17 or (total == 17 and soft and hits) for hits in (False, True)]
        assert [rules.dealer_draws(*hand, hits) for hits in (False, True)] == draws
        after = rules.BUSTED if total > 21 else rules.STANDING if total == 21 else rules.PLAYING
        assert rules.status_after(*hand, False) == after
        assert rules.status_after(*hand, True) == (after if total > 21 else rules.STANDING)
        seen.add((total, soft))
    assert {(17, True), (17, False), (21, True), (21, False), (22, False), (12, True), (50, False)} <= seen


def test_a_natural_is_an_ace_and_a_card_of_ten():
    naturals = [pair for pair in product(range(52), repeat=2) if rules.is_natural(*pair)]

    assert len(naturals) == 2 * 4 * 16
    assert {frozenset((one % 13, other % 13)) for one, other in naturals} == {
        frozenset((0, r)) for r in (9, 10, 11, 12)
    }


def test_no_hand_has_more_than_21_cards():
    """Cards are hit below 21 only: the longest hand under that rule, by trying every way to grow one."""

    def longest(hard: int, has_ace: bool, size: int) -> int:
        if rules.status_after(hard, has_ace, False) != rules.PLAYING:
            return size
        return max(longest(hard + value, has_ace or value == 1, size + 1) for value in (1, 2))

    assert longest(4, False, 2) <= rules.CARDS_MAX
    assert longest(2, True, 2) <= rules.CARDS_MAX


# The shoe.


def shoe_without(seen: list[int], decks: int) -> tuple[list[int], list[int], list[int]]:
    """Return a round that has seen cards, without those that there are not so often, and the oracle's sorted pack."""
    hand = [0] * rounds.ROUND_SIZE
    seen = [card for number, card in enumerate(seen) if seen[:number].count(card) < decks]
    for card in seen:
        rounds.note_seen(hand, card, (decks,))
    return seen, hand, GameRng.new(b"", 0, 0).create_shoe_excluding(seen, decks, shuffled=False)


@given(
    decks=st.sampled_from((1, 2, 4, 6, 8)),
    seen=st.lists(st.integers(0, 51), max_size=24),
    draws=st.integers(1, 16),
    session_id=st.integers(0, 2**32),
)
def test_draws_are_those_of_draw_card_from_the_sorted_remaining_shoe(decks, seen, draws, session_id):
    """The oracle builds the pack and takes cards from it, as every other card game does."""
    seen, hand, pack = shoe_without(seen, decks)
    assert pack == sorted((Counter(dict.fromkeys(range(52), decks)) - Counter(seen)).elements())
    ours, theirs = GameRng.new(b"shoe", session_id, 1), GameRng.new(b"shoe", session_id, 1)
    moved = [7] * rounds.WORK_SIZE

    found = [rounds.draw(ours, hand, (decks,), moved, drawn, rounds.NOT_BARRED) for drawn in range(draws)]

    assert found == [theirs.draw_card(pack) for _ in range(draws)]
    assert ours.bytes_used == theirs.bytes_used


@given(decks=st.sampled_from((1, 2, 8)), seen=st.lists(st.integers(0, 51), max_size=8), session_id=st.integers(0, 999))
def test_a_barred_card_is_left_in_the_shoe_and_another_drawn(decks, seen, session_id):
    _, hand, pack = shoe_without(seen, decks)
    for barred in (1, 10):
        ours, theirs = GameRng.new(b"hole", session_id, 1), GameRng.new(b"hole", session_id, 1)
        place = theirs.next_bounded_usize(len(pack))
        while min(pack[place] % 13 + 1, 10) == barred:
            place = theirs.next_bounded_usize(len(pack))
        found = rounds.draw(ours, hand, (decks,), [0] * rounds.WORK_SIZE, 0, barred)

        assert (found, ours.bytes_used) == (pack[place], theirs.bytes_used)


def test_a_dealer_who_has_peeked_has_no_natural():
    for up_card in range(52):
        naturals = {rules.card_value(card) for card in range(52) if rules.is_natural(up_card, card)}
        assert naturals == {rules.natural_value(rules.card_value(up_card))} - {0}


def test_the_dealer_plays_to_the_end_of_the_rule():
    for session_id, hits in product(range(300), (False, True)):
        dealer = [session_id % 52, *[0] * rules.CARDS_MAX]
        _, hand, _ = shoe_without(dealer[:1], 1)
        hand[rounds.DEALER_SIZE] = 1
        stream = GameRng.new(b"dealer", session_id, 1)
        rounds.play_dealer(stream, hand, (1, int(hits)), [0] * rounds.WORK_SIZE, 0, dealer, 21)
        size = hand[rounds.DEALER_SIZE]
        for end in range(1, size + 1):
            hard = sum(map(rules.card_value, dealer[:end]))
            has_ace = any(card % 13 == 0 for card in dealer[:end])
            assert rules.dealer_draws(hard, has_ace, hits) is (end < size)
        assert hand[rounds.DEALER_TOTAL] == hard + (10 if has_ace and hard <= 11 else 0)
        assert len(set(dealer[:size])) == size  # one deck


# Decisions.

# Hands, options, and what may be done with the first of them besides to hit and to stand.
PLAYED: list[tuple[list[str], dict[str, Any], set[int]]] = [
    (["10S 6S"], {}, {rules.DOUBLE}),
    (["10S 6S"], {"surrender": True, "double_after_split": False}, {rules.DOUBLE, rules.SURRENDER}),
    (["5S 6S 2S"], {"surrender": True}, set()),
    (["8S 8H"], {}, {rules.DOUBLE, rules.SPLIT}),
    (["KS KH"], {"resplit_aces": False}, {rules.DOUBLE, rules.SPLIT}),
    (["10S KH"], {}, {rules.DOUBLE}),  # two ranks
    (["8S 8H 2S"], {}, set()),
    (["AS AH"], {"resplit_aces": False}, {rules.DOUBLE, rules.SPLIT}),
    (["AS AH", "AD 2S"], {}, {rules.DOUBLE, rules.SPLIT}),
    (["AS AH", "AD 2S"], {"resplit_aces": False}, {rules.DOUBLE}),
    (["8S 8H", "8D 2S"], {"surrender": True, "double_after_split": False}, {rules.SPLIT}),
    (["8S 8S", "8D 2S", "8C 3S"], {"resplit_aces": False}, {rules.DOUBLE, rules.SPLIT}),
    (["8S 8H", "8D 2S", "8C 3S", "8S 4S"], {}, {rules.DOUBLE}),
]


@pytest.mark.parametrize(
    ("phase", "hands", "options", "expected"),
    [
        (0, [], {}, {rules.DEAL}),
        (0, ["10S 9S"], {}, set()),
        (rounds.INSURANCE, ["10S 9S"], {}, {rules.INSURE, rules.DECLINE}),
        (rounds.INSURANCE, ["10S AS"], {}, {rules.INSURE, rules.DECLINE, rules.TAKE_EVEN_MONEY}),
        (rounds.INSURANCE, ["10S AS"], {"six_to_five": True}, {rules.INSURE, rules.DECLINE}),
        (rounds.REVEAL, ["10S 9S"], {}, {rules.REVEAL}),
        *((rounds.PLAY, hands, options, {rules.HIT, rules.STAND, *more}) for hands, options, more in PLAYED),
    ],
)
def test_the_legal_decisions_are_those_of_the_rules_page(phase, hands, options, expected):
    """Sections 3, 4 and 8; the first hand plays."""
    hand = [0] * rounds.ROUND_SIZE
    hand[rounds.PHASE], hand[rounds.HAND_COUNT] = phase, len(hands)
    for place, names in enumerate(hands):
        at = rounds.HANDS + rounds.HAND_SIZE * place
        for card in cards_of(names):
            rounds.add_card(hand, at, card)
        if rules.is_natural(*cards_of(names)[:2]):
            hand[at + rounds.STATUS] = rules.NATURAL

    numbers = BlackjackOptions(**options).numbers
    assert {choice for choice in range(-1, 20) if rounds.is_legal(choice, hand, numbers)} == expected


def test_a_hand_keeps_as_many_cards_as_it_can_have():
    hand, cards = [0] * rounds.ROUND_SIZE, [51 - number for number in range(rules.CARDS_MAX)]
    at = rounds.HANDS + rounds.HAND_SIZE
    for card in cards:
        rounds.add_card(hand, at, card)

    assert [rounds.card_at(hand, at, index) for index in range(hand[at + rounds.SIZE])] == cards
    assert max(hand) < 2**63
    assert set(hand[at + rounds.HAND_SIZE :]) == {0}


# What bets bring back.

WAYS = {rules.BUSTED: "busted", rules.STANDING: "standing", rules.NATURAL: "natural"}
WAYS |= {rules.SURRENDERED: "surrendered", rules.EVEN_MONEY: "even money"}


@pytest.mark.parametrize(("status", "how"), WAYS.items())
def test_a_hand_returns_what_the_second_calculation_says(status, how):
    """Every total against every end of the dealer's; halves and fifths of a chip are rounded down."""
    totals = {"busted": range(22, 27), "natural": [21], "even money": [21]}.get(how, range(4, 22))
    ends = [*((total, False) for total in range(17, 27)), (21, True)]
    for stake, own, (total, natural), short in product((1, 2, 3, 4, 5, 10), totals, ends, (False, True)):
        found = rules.hand_return(stake, status, own, total, natural, short)
        assert found == hand_back(how, stake, own, total, natural, short), (own, total, natural)


def test_bust_it_pays_by_the_number_of_cards():
    for total, size in product(range(17, 27), range(2, 11)):
        if total < 22 or size > 2:
            price = side_price("bust_it", [1, 2], 3, False, total, size)
            assert rules.side_return(rules.BUST_IT, 10, 1, 2, 3, False, total, size) == (
                10 + 10 * price if price else 0
            )


def test_insurance_pays_2_to_1_on_a_natural():
    assert (rules.insurance_return(5, True), rules.insurance_return(5, False)) == (15, 0)


def test_21_plus_3_pays_its_five_lines_on_every_three_cards():
    lines: Counter[int] = Counter()
    for cards in combinations_with_replacement(range(52), 3):
        expected = int(side_price("twenty_one_plus_three", [*cards[:2]], cards[2]))
        lines[expected] += 1
        found = {rules.twenty_one_plus_three_halves(*order) for order in permutations(cards)}
        assert found == {2 * expected}, cards
    assert set(lines) == {0, 5, 10, 30, 40, 100}
    assert lines[100] == 52
    assert lines[40] == 12 * 4


def test_bets_on_the_first_two_cards_pay_their_lines_on_every_two_cards():
    for one, other in product(range(52), repeat=2):
        for natural in (False, True):
            ladies = side_price("lucky_ladies", [one, other], 0, natural)
            assert rules.lucky_ladies_halves(one, other, natural) == 2 * ladies
        assert rules.perfect_pairs_halves(one, other) == 2 * side_price("perfect_pairs", [one, other], 0)
        assert rules.royal_match_halves(one, other) == 2 * side_price("royal_match", [one, other], 0)


def test_side_bets_are_settled_by_their_own_rule():
    first, second, up_card = cards_of("QH QH AS")
    found = [
        rules.side_return(kind, 10, first, second, up_card, natural, 21, 2)
        for kind in SIDE_BETS.values()
        for natural in (False, True)
    ]

    assert found == [0, 0, 1260, 10010, 260, 260, 0, 0, 35, 35]


@pytest.mark.parametrize("is_super", [False, True])
def test_no_bet_brings_back_more_than_its_largest_return(is_super):
    for stake, six_to_five in product((5, 20, 100), (False, True)):
        most = rules.return_max(rules.MAIN, stake, six_to_five, is_super)
        for status, total, dealer_total in product(range(6), range(12, 27), range(17, 27)):
            returned = rules.hand_return(stake, status, total, dealer_total, False, six_to_five)
            assert returned <= most
            if is_super:
                assert rules.super_return(stake, returned, rules.BOOST_MAX) <= most
        for kind in SIDE_BETS.values():
            most = rules.return_max(kind, stake, six_to_five, is_super)
            best = {1: (0, 0, 0), 2: (24, 24, 0), 3: (5, 5, 0), 4: (0, 0, 0), 5: (11, 12, 0)}[kind]
            assert rules.side_return(kind, stake, *best, True, 25, 8) == most


def test_all_bets_at_their_best_fit_63_bits():
    stake = rules.STAKE_MAX
    bets = sum(rules.return_max(kind, stake, False, True) for kind in range(6))
    raises = 7 * 2 * stake + rules.insurance_return(stake // 2, True)
    profit = rules.hand_return(stake, rules.NATURAL, 21, 20, False, False) - stake

    assert bets + raises < 2**63
    assert profit * (4 + 3 * (rules.BOOST_MAX - 1)) < 2**63


# Super mode.


def test_multipliers_2_3_4_6_and_8_have_their_shares_of_ten_thousand():
    edges = {0: 2, 4999: 2, 5000: 3, 8499: 3, 8500: 4, 9699: 4, 9700: 6, 9949: 6, 9950: 8, 9999: 8}
    for chance, expected in edges.items():
        block = b"".join(bytes([card]) + chance.to_bytes(4, "big") for card in range(5)) + bytes(7)
        found = [0] * 5
        assert (rules.generate(GameRng.from_state(block), [0] * 5, found), found) == (5, [expected] * 5)


def test_a_boost_multiplies_the_lit_cards_of_a_hand_up_to_512():
    ids, multipliers = (3, 17, 40), (2, 3, 8)

    def boost(*cards: int) -> int:
        return reduce(lambda found, card: rules.boosted(found, card, ids, multipliers, 3), cards, 1)

    assert [boost(1, 2), boost(3, 2), boost(3, 3, 17), boost(40, 40, 40), boost(40, 40, 40, 3)] == [1, 2, 12, 512, 512]


@pytest.mark.parametrize(
    ("returned", "boost", "expected"),
    [(0, 8, 0), (10, 8, 10), (20, 8, 20), (40, 1, 40), (40, 2, 55), (40, 5, 100), (50, 2, 72), (50, 3, 95)],
)
def test_a_boost_adds_three_quarters_of_itself_less_one_to_a_profit(returned, boost, expected):
    assert rules.super_return(20, returned, boost) == expected


# Names and tables.


def test_names_and_codes_go_both_ways():
    assert len(set(BETS.values())) == len(BETS)
    assert [hand_bet(number) for number in range(1, 5)] == ["main", "split:2", "split:3", "split:4"]
    assert {double_bet(number) for number in range(1, 5)} <= set(BETS)
    assert list(SIDE_BETS.values()) == [1, 2, 3, 4, 5]


def test_every_cell_of_a_strategy_table_has_a_place_of_its_own():
    cells = [rules.total_cell(total, False, up) for total, up in product(range(4, 21), range(1, 11))]
    cells += [rules.total_cell(total, True, up) for total, up in product(range(12, 21), range(1, 11))]
    cells += [rules.pair_cell(value, up) for value, up in product(range(1, 11), range(1, 11))]

    assert sorted(cells) == list(range(rules.TABLE_SIZE))


def test_a_table_is_followed_in_its_order():
    """First surrender, then split, then double, then hit or stand; what is not allowed is passed over."""
    table = [0] * (5 + rules.TABLE_SIZE)
    table[5 + rules.total_cell(16, False, 10)] = rules.SURRENDER_BIT + rules.HIT_BIT
    table[5 + rules.pair_cell(8, 10)] = rules.SPLIT_BIT
    table[5 + rules.pair_cell(8, 1)] = rules.SPLIT_BIT + rules.SURRENDER_BIT
    table[5 + rules.total_cell(18, True, 2)] = rules.DOUBLE_BIT

    def choose(hard: int, has_ace: bool, pair: int, up: int, double: bool, surrender: bool) -> int:
        return rules.choose(table, 5, hard, has_ace, pair, up, double, surrender)

    assert choose(16, False, 0, 10, True, True) == rules.SURRENDER
    assert choose(16, False, 0, 10, True, False) == rules.HIT
    assert choose(16, False, 8, 10, True, True) == rules.SPLIT
    assert choose(16, False, 8, 1, True, True) == rules.SURRENDER
    assert choose(16, False, 8, 1, True, False) == rules.SPLIT
    assert choose(8, True, 0, 2, True, False) == rules.DOUBLE
    assert choose(8, True, 0, 2, False, False) == rules.STAND
    assert choose(11, True, 0, 2, True, True) == rules.STAND
    assert choose(21, False, 0, 2, True, True) == rules.STAND
