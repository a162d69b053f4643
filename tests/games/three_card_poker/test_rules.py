"""The rules of three card poker against the published tables, counts of whole worlds, and the published streams."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games.three_card_poker import rules
from croupier.games.three_card_poker.bets import BETS, QUALIFIERS, SIDE_BETS
from croupier.kit.cards import draw_until
from croupier.kit.poker import rank3, rank6
from croupier.rng import GameRng
from croupier.testing import cards_of
from tests.games.three_card_poker import test_vectors as second

SEED_Z = bytes(32)
SEED_C = bytes(range(48))
SEED_O = b"\x00\x01" + b"\xa5" * 48

FOLDED, NOT_QUALIFIED, WON, TIED, LOST = range(5)
HANDS = {
    "high card": "AS JH 2D",
    "pair": "7S 7H KD",
    "flush": "2H 9H KH",
    "straight": "AS 2H 3D",
    "three of a kind": "4S 4H 4D",
    "straight flush": "9C 10C JC",
    "royal spades": "AS KS QS",
    "royal hearts": "QH AH KH",
    "royal diamonds": "KD AD QD",
    "royal clubs": "AC QC KC",
}


def returned(bet, stake, found, player, dealer="2S 3H 5D"):
    hand, other = cards_of(player), cards_of(dealer)
    six = rank6(*hand, *other) if bet == "six_card" else 0
    return rules.bet_return(BETS[bet][0], stake, found, rank3(*hand), hand[0] // 13, six)


# Dealing.


@pytest.mark.parametrize(
    ("seed", "session_id", "move_number", "dealt"),
    [
        (SEED_Z, 1, 0, (32, 48, 23)),
        (SEED_C, 42, 0, (38, 22, 23)),
        (SEED_C, 42, 1, (7, 47, 29)),
        (SEED_O, 7, 1, (33, 42, 0)),
    ],
)
def test_published_streams_deal_these_cards(seed, session_id, move_number, dealt):
    hand = [0] * 3
    draw_until(GameRng.new(seed, session_id, move_number), hand, 0, 3, [0] * 52)

    assert tuple(hand) == dealt


def test_the_dealers_cards_come_from_the_49_that_are_left():
    for session_id in range(50):
        stream = GameRng.new(SEED_C, session_id, 3)
        left = stream.create_deck_excluding((7, 47, 29), shuffled=False)
        expected = [stream.draw_card(left) for _ in range(3)]
        hand, again = [7, 47, 29, 0, 0, 0], GameRng.new(SEED_C, session_id, 3)
        draw_until(again, hand, 3, 6, [0] * 52)

        assert hand == [7, 47, 29, *expected]
        assert again == stream


# Qualifying and comparing.


def test_every_hand_that_qualifies_is_counted():
    """Below a pair qualify those with a queen, king or ace on top that are neither straight nor flush."""
    ranks = [rank3(*hand) for hand in combinations(range(52), 3)]
    # Sets of three ranks up to jack high: 120, of which 8 are straights (2-3-4 to 9-10-J), in 60 mixed suits each.
    assert sum(not rules.qualifies(rank, rules.QUEEN) for rank in ranks) == (120 - 8) * 60
    # And queen high below Q-6-4: Q-3-2, Q-4-2, Q-4-3, Q-5-2, Q-5-3, Q-5-4, Q-6-2, Q-6-3.
    assert sum(not rules.qualifies(rank, rules.QUEEN_SIX_FOUR) for rank in ranks) == (120 - 8 + 8) * 60


@pytest.mark.parametrize(
    ("player", "dealer", "queen", "q64"),
    [
        ("AS JH 2D", "JS 10D 8C", NOT_QUALIFIED, NOT_QUALIFIED),
        ("JS 10D 8C", "9S 4D 3C", NOT_QUALIFIED, NOT_QUALIFIED),
        ("4S 3D 2H", "QS 5D 4C", WON, NOT_QUALIFIED),
        ("JS 10D 8C", "QS 5D 4C", LOST, NOT_QUALIFIED),
        ("QS 8D 3C", "QH 8C 2S", WON, WON),
        ("QS 8D 3C", "QH 8C 3S", TIED, TIED),
        ("QS 8D 3C", "QH 9C 2S", LOST, LOST),
        ("2S 5S 7S", "AS KD AD", WON, WON),  # a flush beats a pair
        ("2S 5S 7S", "AH 2D 3D", LOST, LOST),  # and loses to a straight
    ],
)
def test_rounds_end_as_the_rules_page_says(player, dealer, queen, q64):
    ranks = rank3(*cards_of(player)), rank3(*cards_of(dealer))

    assert rules.outcome(*ranks, rules.QUEEN) == queen
    assert rules.outcome(*ranks, rules.QUEEN_SIX_FOUR) == q64


# Settling, by the tables as the second calculation has them.


def test_every_hand_qualifies_is_boosted_and_paid_as_in_the_second_calculation():
    """All 22,100: both qualifiers, every two marked suits in one order or the other, bets on the own hand by kind."""
    stakes, seen = {"pair_plus": 10, "six_card": 0, "progressive": 1}, set()
    for hand in combinations(range(52), 3):
        cards, rank = [*hand], rank3(*hand)
        for code, qualifier in ((rules.QUEEN, "queen"), (rules.QUEEN_SIX_FOUR, "q64")):
            assert rules.qualifies(rank, code) == second.qualifies(cards, qualifier)
        for marked in combinations(range(4) if sum(hand) % 2 else (3, 2, 1, 0), 2):
            assert rules.boost_of(marked, 2, rank, *hand) == second.boost(cards, [*marked])
        kind, ranks = second.three_value(cards)
        if (kind, ranks == [14], hand[0] // 13) in seen:
            continue
        seen.add((kind, ranks == [14], hand[0] // 13))
        sides = second.side_returns(cards, [card for card in range(52) if card not in hand][:3], stakes)
        for found, ending in enumerate(("folded", "not_qualified", "won", "tied", "lost")):

            def back(bet: str, stake: int, found: int = found) -> int:
                return rules.bet_return(BETS[bet][0], stake, found, rank, hand[0] // 13, 0)  # noqa: B023

            ante, play = second.ante_and_play(ending, kind, 10, 1)
            assert (back("ante", 10), ending == "folded" or back("play", 10)) == (ante, ending == "folded" or play)
            assert (back("pair_plus", 10), back("progressive", 1)) == (sides["pair_plus"], sides["progressive"])
            for times in (1, 2, 3, 4, 15):
                expected, _ = second.ante_and_play(ending, kind, 100, times)
                assert rules.super_ante_return(100, found, rank, times) == expected
    assert len(seen) > 20


@pytest.mark.parametrize(
    ("player", "dealer", "expected"),
    [
        ("AS KS QS", "JS 10S 2H", 10_010),
        ("AS KS 10S", "JS QS AH", 10_010),  # neither hand a straight of its own
        ("9S KS 10S", "JS QS AH", 2_010),
        ("AH 2H 3H", "4H 5H KS", 2_010),
        ("7S 7H 7D", "7C 2S 3S", 1_010),
        ("7S 7H KD", "7C KS 3S", 210),
        ("7S 7H 7D", "KC KS KH", 210),
        ("2S 4S 6S", "8S JS KH", 160),
        ("AS 2H 3D", "4C 5S KH", 110),
        ("10S JH QD", "KC AS 2H", 110),
        ("7S 7H 2D", "7C KS 3S", 80),
        ("7S 7H 2D", "2C KS KH", 0),
        ("7S 7H 2D", "3C KS JH", 0),
        ("KS AH 2D", "3C 4S 9H", 0),
    ],
)
def test_the_six_card_bet_returns_what_the_rules_page_says_whoever_holds_the_cards(player, dealer, expected):
    for found in range(5):
        assert returned("six_card", 10, found, player, dealer) == expected
        assert returned("six_card", 10, found, dealer, player) == expected


def test_no_bet_brings_back_more_than_its_largest_return():
    assert [rules.return_max(kind, 1, False) for kind in range(5)] == [7, 2, 41, 1001, 10_000]
    assert [rules.return_max(kind, 5, True) for kind in range(5)] == [203, 10, 205, 5005, 50_000]
    for hand in HANDS.values():
        for found in range(5):
            assert returned("ante", 5, found, hand) <= 35
            assert rules.super_ante_return(5, found, rank3(*cards_of(hand)), 15) <= 203


# Policies.


def test_every_hand_has_a_number_of_its_own_whatever_the_order_of_its_cards():
    numbers = {rules.hand_number(*hand) for hand in combinations(range(52), 3)}

    assert numbers == set(range(22_100))
    for hand in ((0, 1, 2), (3, 30, 51), (49, 50, 51), (12, 13, 26)):
        assert len({rules.hand_number(*order) for order in permutations(hand)}) == 1


@given(played=st.sets(st.integers(0, 22_099), max_size=40), hand=st.permutations(range(52)))
def test_a_policy_plays_the_hands_whose_bits_are_set(played, hand):
    words = [0] * 442
    for number in played:
        words[number // 50] |= 1 << number % 50
    a, b, c = hand[:3]
    low, middle, high = sorted((a, b, c))
    number = low + middle * (middle - 1) // 2 + high * (high - 1) * (high - 2) // 6

    assert rules.is_played([7, 7, *words], 2, a, b, c) == (number in played)
    assert max(words) < 2**50


# Super mode.


@given(stake=st.integers(1, 10**15), hand=st.sampled_from(sorted(HANDS)), found=st.integers(0, 4))
def test_a_boost_of_one_changes_nothing_and_no_boost_is_ever_rounded(stake, hand, found):
    rank = rank3(*cards_of(HANDS[hand]))
    assert rules.super_ante_return(stake, found, rank, 1) == returned("ante", stake, found, HANDS[hand])

    profit = returned("ante", 5 * stake, found, HANDS[hand]) - 5 * stake
    if profit > 0:
        for boost in (2, 3, 4, 15):
            gained = rules.super_ante_return(5 * stake, found, rank, boost) - 5 * stake
            assert 5 * gained == profit * (5 + 2 * (boost - 1))


def test_one_largest_stake_on_each_bet_returns_no_more_than_63_bits_hold():
    of_five = sum(rules.return_max(kind, 5, True) for kind in range(4))  # five chips, so that nothing is rounded

    assert 5 * 1084 < of_five <= 5 * 1085
    assert rules.STAKE_MAX * 1085 + 10_000 < 2**63 <= (rules.STAKE_MAX + 1) * 1085 + 10_000


# Words.


def test_five_bets_have_their_codes():
    assert BETS == {"ante": (0, 0), "play": (1, 0), "pair_plus": (2, 0), "six_card": (3, 0), "progressive": (4, 0)}
    assert SIDE_BETS == ("pair_plus", "six_card", "progressive")
    assert QUALIFIERS == {"queen": 0, "q64": 1}
