"""The coach of blackjack: exact values of every choice, from the cards that are left."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.engine import act, apply_action, create_match, legal_actions, view_for
from croupier.errors import BadOptions
from croupier.games.blackjack import Blackjack, coach, rules, strategy
from croupier.games.blackjack.options import BlackjackOptions
from croupier.house import Terms
from croupier.kit.cards import parse_card
from croupier.rng import GameRng
from tests.games.blackjack.second_dealer import Shoe, dealer_ends, draws, total_of

GAME = Blackjack()
SCALE = strategy.SCALE


def advice(text: str, **options: Any) -> dict[str, Fraction]:
    """Return what every choice is worth in a described situation, best first."""
    match = GAME.situation(text, options)
    found = GAME.advise(view_for(GAME, match, "you"), legal_actions(GAME, match))
    values = [item.value for item in found]
    assert values == sorted(values, reverse=True)
    return {item.action.type: item.value for item in found}


def card(value: int, suit: int) -> int:
    return value - 1 + 13 * suit


def decision(low: int, high: int, up_value: int) -> tuple[tuple[int, int], int]:
    return (card(low, 0), card(high, 1)), card(up_value, 2)


# Every legal action, best first.


def test_every_legal_action_has_a_value_and_no_other():
    assert set(advice("10,6:9")) == {"hit", "stand", "double"}
    assert set(advice("8,8:9", surrender=True)) == {"hit", "stand", "double", "split", "surrender"}
    assert set(advice("10,K:9")) == {"hit", "stand", "double"}
    assert set(advice("10,2,4:9", surrender=True)) == {"hit", "stand"}
    assert set(advice("A,K:A", peek=True)) == {"insurance", "even_money", "decline"}
    assert set(advice("10,6:A", peek=True)) == {"insurance", "decline"}


def test_the_chart_is_named_beside_what_it_says():
    match = GAME.situation("10,6:9", {"surrender": True})
    found = GAME.advise(view_for(GAME, match, "you"), legal_actions(GAME, match))

    assert [item.action.type for item in found if item.text] == ["surrender"]
    assert found[0].action.type == "surrender"


def test_there_is_nothing_to_say_before_the_deal_and_at_the_reveal():
    match = create_match(GAME, ["ann"], seed=b"", host=Terms(10))
    assert GAME.advise(view_for(GAME, match, "ann"), legal_actions(GAME, match)) == ()
    with pytest.raises(BadOptions):
        GAME.advise(view_for(GAME, match, "ann"), (), "glory")


# Published values: to four places, infinite or eight decks as told.


def test_well_known_choices_come_out_as_published():
    """Surrender is minus one half after a peek; sixteen against a ten is a hit by a hair, seventeen a stand."""
    sixteen = advice("10,6:10", peek=True, surrender=True)
    assert list(sixteen)[:3] == ["surrender", "hit", "stand"]
    assert sixteen["surrender"] == Fraction(-1, 2)
    assert 0 < sixteen["hit"] - sixteen["stand"] < Fraction(1, 100)
    assert next(iter(advice("10,7:10", peek=True))) == "stand"
    assert next(iter(advice("6,5:6"))) == "double"
    assert next(iter(advice("8,8:10", peek=True))) == "split"
    assert next(iter(advice("8,8:10"))) == "hit"  # without a peek a natural takes both stakes


@pytest.mark.parametrize(
    ("text", "options", "best"),
    [
        ("7,7:10", {"decks": 1, "peek": True}, "stand"),  # two of the four sevens that would make 21 are gone
        ("10,2:4", {"decks": 1, "peek": True}, "hit"),
        ("9,3:4", {"decks": 1, "peek": True}, "stand"),
        ("10,5,A:10", {"peek": True}, "stand"),  # sixteen of three cards with a five
        ("9,6,A:10", {"peek": True}, "hit"),
        ("10,5:10", {"decks": 1, "peek": True, "surrender": True}, "surrender"),
        ("8,7:10", {"decks": 1, "peek": True, "surrender": True}, "hit"),
        ("6,2:5", {"decks": 1, "peek": True, "hit_soft_17": False}, "hit"),
        ("5,3:5", {"decks": 1, "peek": True, "hit_soft_17": False}, "double"),
    ],
)
def test_the_very_cards_matter_as_published(text, options, best):
    """Exceptions to the chart that are known from the books."""
    assert next(iter(advice(text, **options))) == best


def test_insurance_is_worth_three_times_the_chance_of_a_ten_less_one_on_half_the_stake():
    for text, tens, cards in (("10,6:A", 127, 413), ("9,6:A", 128, 413), ("K,Q:A", 126, 413)):
        values = advice(text, peek=True)
        assert values["insurance"] - values["decline"] == Fraction(1, 2) * (Fraction(3 * tens, cards) - 1)


def test_even_money_is_one_stake_and_a_natural_is_worth_more():
    values = advice("A,K:A", peek=True)

    assert values == {
        "decline": Fraction(3, 2) * (1 - Fraction(127, 413)),
        "insurance": Fraction(1),
        "even_money": Fraction(1),
    }
    assert "even_money" not in advice("A,K:A", peek=True, six_to_five=True)


# Worked out again.


@cache
def best(hard: int, has_ace: bool, shoe: Shoe, up: int) -> tuple[Fraction, Fraction, Fraction]:
    """Return what it is worth to stand, hit and double, where a natural takes all."""
    total, _ = total_of(hard, has_ace)
    ends = dealer_ends((up,), shoe, True)
    stand = sum((chance * ((end < total) - (end > total)) for end, chance in ends.items()), Fraction(0))
    hit = double = Fraction(0)
    for value, chance, rest in draws(shoe):
        if hard + value > 21:
            hit, double = hit - chance, double - 2 * chance
            continue
        ace = has_ace or value == 1
        after = best(hard + value, ace, rest, up)
        hit += chance * max(after[choice] for choice in sensible(hard + value, ace, up))
        double += chance * 2 * after[0]
    return stand, hit, double


def sensible(hard: int, has_ace: bool, up: int) -> tuple[int, ...]:
    """Return what the coach looks at after a hit: 0 is to stand, 1 to hit."""
    if has_ace and hard <= 11:
        return (0,) if hard > 8 else (0, 1) if hard == 8 else (1,)
    lowest, highest = (12, 13) if 2 <= up <= 6 else (15, 16)
    return (0,) if hard > highest else (0, 1) if hard >= lowest else (1,)


@pytest.mark.parametrize(
    ("cards", "up", "shoe"),
    [
        ((10, 6), 9, (1, 1, 1, 0, 2, 1, 1, 1, 1, 4)),
        ((10, 2), 10, (2, 1, 0, 1, 1, 1, 0, 1, 1, 5)),
        ((1, 6), 7, (1, 1, 1, 1, 0, 1, 1, 1, 1, 5)),
        ((9, 7), 1, (1, 1, 1, 1, 1, 1, 1, 1, 1, 4)),
    ],
)
@pytest.mark.parametrize("is_peeked", [False, True], ids=["open", "peeked"])
def test_values_are_those_of_plain_recursion_in_fractions(cards, up, shoe, is_peeked):
    """Of small shoes, in which nobody can miss a card. After a peek what a natural takes is given back, and shared."""
    options = BlackjackOptions()
    stand, hit, double = best(sum(cards), 1 in cards, shoe, up)
    natural = Fraction(shoe[10 - up], sum(shoe)) if up in (1, 10) and is_peeked else Fraction(0)

    hands = coach._Hands(up, is_peeked and up in (1, 10), options, 0)
    found = hands.worths([card(value, 0) for value in cards], shoe)

    expected = {"stand": (stand, 1), "hit": (hit, 1), "double": (double, 2)}
    for action, (worth, stakes) in expected.items():
        assert abs(found[action] - float((worth + stakes * natural) / (1 - natural))) < 1e-12


@pytest.mark.parametrize(("decks", "bound"), [(8, 0.002), (2, 0.008), (1, 0.02)])
def test_the_quick_way_to_value_a_split_is_as_close_as_it_says(decks, bound):
    """Against the exact values of first splits, which are shipped."""
    for value, up_value in product(range(1, 10), range(1, 11)):
        options = BlackjackOptions(decks=decks, double_after_split=value != 8)
        cards, up_card = decision(value, value, up_value)
        shoe = coach._left((*cards, up_card), decks)
        exact = strategy.first_values(options, value, value, up_value).split
        assert exact is not None
        same_left = 4 * decks - 2 - (value == up_value)
        about = coach._Hands(up_value, False, options, sum(shoe)).split(value, shoe, same_left, 1)
        assert abs(about - exact / SCALE) < bound


def test_a_split_of_a_later_hand_counts_the_cards_on_the_table():
    """Eights against a six: with the tens gone to another hand they are worth less."""
    options = BlackjackOptions(decks=1)
    eight = [card(8, suit) for suit in range(4)]
    up_card = parse_card("6S")
    values = []
    for others in ("2S 3S", "KS QS"):
        seen = (*eight[:3], *[parse_card(name) for name in others.split()], up_card)
        values.append(coach.play_worths(eight[:2], seen, 2, up_card, False, options)["split"])

    assert values[0] > values[1]


@pytest.mark.parametrize(
    ("cards", "up_value", "most"),
    [
        ((10, 6), 10, 20),
        ((10, 2), 6, 60),
        ((2, 3, 4), 1, 200),
        ((1, 1), 1, 420),
        ((1, 1, 2), 1, 420),
        ((2, 2), 3, 420),
        ((2, 2, 2), 2, 200),
    ],
)
def test_a_decision_asks_for_the_dealers_chances_no_more_often_than_this(cards, up_value, most, monkeypatch):
    """A deterministic bound on time: each costs some 0.05 to 0.1 ms, by the up card."""
    asked = 0
    chances = coach._Dealer.chances

    def counted(*arguments: Any) -> tuple[float, float]:
        nonlocal asked
        asked += 1
        return chances(*arguments)

    monkeypatch.setattr(coach._Dealer, "chances", counted)
    hand = [card(value, place % 4) for place, value in enumerate(cards)]
    up_card = card(up_value, 3)

    coach.play_worths(hand, (*hand, card(9, 0), up_card), 2, up_card, False, BlackjackOptions())

    assert 0 < asked <= most


@pytest.mark.parametrize("cards", [(1, 1), (1, 2), (2, 2), (1, 5), (1, 1, 2)])
@pytest.mark.parametrize("up_value", [1, 2, 6, 10])
def test_small_hands_are_not_quite_exact(cards, up_value):
    hand = [card(value, place % 4) for place, value in enumerate(cards)]
    seen = (*hand, card(9, 0), card(up_value, 3))
    quick = coach.play_worths(hand, seen, 2, card(up_value, 3), False, BlackjackOptions())
    exact = coach._Hands(up_value, False, BlackjackOptions(), 0).worths(hand, coach._left(seen, 8))

    assert {action: float(quick[action]) for action in exact} == pytest.approx(exact, abs=2e-4)
    best = max(exact, key=lambda action: exact[action])
    assert best == max(exact, key=lambda action: quick[action])


def test_the_coach_looks_at_what_is_seen_and_at_nothing_else():
    """In play: the same cards on the table give the same advice, whatever the seed has in store."""
    found = set()
    for seed in (b"one", b"two"):
        match = GAME.situation("10,6:9")
        match = replace(match, rng_state=replace(match.rng_state, seed=seed.hex()))
        found.add(str(GAME.advise(view_for(GAME, match, "you"), legal_actions(GAME, match))))
    assert len(found) == 1


def test_the_coach_agrees_with_the_chart_but_for_known_exceptions():
    """Eight decks, first decisions: the chart decides for all hands of a total, the coach for these very cards."""
    options = BlackjackOptions()
    table = strategy.table_for("basic", options)
    differ = []
    for up_value, low, high in product(range(1, 11), range(1, 11), range(1, 11)):
        if low > high or (low, high) == (1, 10) or (low == high == 10):
            continue
        cards, up_card = decision(low, high, up_value)
        worths = coach.play_worths(cards, (*cards, up_card), 1, up_card, False, options)
        del worths["surrender"]
        by_chart = rules.choose(table, 0, low + high, low == 1, low if low == high else 0, up_value, True, False)
        name = {rules.HIT: "hit", rules.STAND: "stand", rules.DOUBLE: "double", rules.SPLIT: "split"}[by_chart]
        if worths[name] < max(worths.values()):
            differ.append((low, high, up_value, float(max(worths.values()) - worths[name])))

    assert len(differ) <= 6
    assert max((cost for *_, cost in differ), default=0) < 0.003


# Situations.


@pytest.mark.parametrize(
    "text",
    ["", "10,6", "10,6:", ":9", "10:9", "10,6:9,8", "10,1:9", "X,6:9", "10,6,7:9", "10,5,6:9", "A,K:9", "10 6 ? : 9"],
)
def test_a_malformed_situation_is_refused(text):
    with pytest.raises(BadOptions):
        GAME.situation(text)


def test_a_rank_stands_for_any_card_of_it_that_is_left():
    match = GAME.situation("9,9,A:9", {"decks": 1})

    assert len(set(match.game.seen)) == 4
    with pytest.raises(BadOptions, match="not so many"):
        GAME.situation("2♠,2♠:9", {"decks": 1})
    assert GAME.situation("2♠,2♠:9", {"decks": 2}).game.hands[0].total == 4


def test_a_situation_can_be_played_on():
    match = GAME.situation("10,6:9", {"peek": True})
    for action in ("hit", "stand"):
        answer = apply_action(GAME, match, act(action), rng=GameRng.new(b"on", 0, 1))
        assert answer.ok
    assert GAME.situation("10,6:A", {"peek": True}).turn.phase == "insurance"
    assert GAME.situation("10,2,3:A", {"peek": True}).game.peeked
