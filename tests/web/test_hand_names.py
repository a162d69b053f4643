"""The names that the browser gives to poker hands are those of the server."""

import itertools
import random
from typing import Any

from croupier.games.three_card_poker.render import hand_words as three_card_words
from croupier.games.ultimate_texas_holdem import rules
from croupier.games.ultimate_texas_holdem.render import hand_words
from croupier.kit.poker import rank_hand
from tests.web.page_modules import call, needs_node

pytestmark = needs_node


def names_of(hands: Any, name: str = "(hand.length === 3 ? m.threeCardName : m.bestFiveName)(hand)") -> Any:
    """Return what the browser calls these hands."""
    return call("draw/hand-names.js", f"given.map((hand) => {name})", hands)


def test_every_hand_of_three_cards_has_the_name_that_the_server_gives_it() -> None:
    hands = [list(hand) for hand in itertools.combinations(range(52), 3)]
    assert names_of(hands) == [three_card_words((a, b, c)) for a, b, c in hands]


def test_the_best_five_of_seven_cards_have_the_name_that_the_server_gives_them() -> None:
    """Half of the hands come from one suit and half of another, so that flushes and straight flushes are there."""
    draw = random.Random(7)
    packs = [list(range(52)), [*range(13), *range(13, 20)]]
    hands = [draw.sample(packs[index % 2], 5 + 2 * (index % 3 > 0)) for index in range(6000)]
    expected = [hand_words(rank_hand(rules.hand_bits(hand, 0, len(hand)))) for hand in hands]
    assert {"a royal flush", "a straight flush to the five"} <= set(expected)
    assert names_of(hands) == expected


def test_the_kicker_that_decides_between_two_hands_of_one_name_is_named() -> None:
    board = [9, 22, 2, 15, 5]  # tens and threes with a six; spades from 0, hearts from 13, an ace first
    pairs = [[[0, 30], [24, 29]], [[7, 30], [8, 29]], [[1, 30], [14, 29]]]  # an ace, a queen; an eight, a nine; neither
    hands = [[[*mine, *board], [*theirs, *board]] for mine, theirs in pairs]
    assert names_of(hands, "m.kickers(...hand)") == [["ace", "queen"], ["eight", "nine"], None]


def test_hands_that_are_several_cards_beat_and_one_hand_beats() -> None:
    pairs = [["three sevens", "a pair of kings"], ["four twos", "a full house"], ["a flush", "three sevens"]]
    assert names_of(pairs, "m.beating(...hand)") == [
        "three sevens beat a pair of kings",
        "four twos beat a full house",
        "a flush beats three sevens",
    ]


def test_the_five_cards_that_are_raised_are_worth_what_all_seven_are() -> None:
    draw = random.Random(11)
    packs = [list(range(52)), [*range(13), *range(13, 20)]]
    hands = [draw.sample(packs[index % 2], 7) for index in range(1500)]
    found: list[Any] = names_of(hands, "m.bestFive(hand)")

    def worth(cards: list[int]) -> int:
        return rank_hand(rules.hand_bits(cards, 0, len(cards)))

    assert all(len(set(five)) == 5 and set(five) <= set(hand) for five, hand in zip(found, hands, strict=True))
    assert [worth(five) for five in found] == [worth(hand) for hand in hands]
