"""The coach of video poker: every hold at its exact value, against published values and against trying every draw."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.engine import Match, act, apply_action, create_match, legal_actions, view_for
from croupier.errors import BadOptions
from croupier.games.video_poker import VideoPoker
from croupier.games.video_poker.bets import PAY_TABLES, POLICIES
from croupier.games.video_poker.coach import best_mask, hold_values
from croupier.games.video_poker.game import cards_of, chosen_mask
from croupier.games.video_poker.options import VideoPokerOptions
from croupier.house import Terms
from croupier.testing import cards_of as dealt
from tests.games.video_poker.test_odds import mean_boost
from tests.games.video_poker.test_vectors import PRICES, name_of

GAME = VideoPoker()
JACKS, DEUCES = VideoPokerOptions(), VideoPokerOptions("deuces_wild")
deals = st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True)


def mask(*numbers: int) -> int:
    return sum(1 << (number - 1) for number in numbers)


# Published values of single holds.


@pytest.mark.parametrize(
    ("options", "names", "held", "value"),
    [
        (JACKS, "AS KS QS JS 10S", (1, 2, 3, 4, 5), "800.0000"),
        (JACKS, "KS QS JS 10S 3D", (1, 2, 3, 4), "19.6809"),
        (JACKS, "5S 5H 5D 8C KC", (1, 2, 3), "4.3025"),
        (JACKS, "5S 5H 8D 8C KC", (1, 2, 3, 4), "2.5957"),
        (JACKS, "JS JH 7D 2C 9C", (1, 2), "1.5365"),
        (JACKS, "5S 5H 9D 2C KC", (1, 2), "0.8237"),
        (DEUCES, "2S JS JH 7D 9C", (1, 2, 3), "1.8881"),
        (DEUCES, "2S 2H 2D 2C 9C", (1, 2, 3, 4, 5), "200.0000"),
    ],
)
def test_the_best_hold_is_worth_what_is_published(options, names, held, value):
    best = hold_values(dealt(names), options)[0]

    assert (best.mask, f"{float(best.value):.4f}") == (mask(*held), value)


def test_with_two_deuces_and_nothing_else_they_are_worth_what_is_published():
    """3.034968 to 3.095035, by what was thrown away; the table 25/16/10/4/4/3/2."""
    values = {
        float(hold_values(dealt(names), DEUCES)[0].value)
        for names in ("2S 2H 3D 8C KS", "2S 2H 9D 5C KH", "2S 2D 4C 9H KS")
    }

    assert min(values) > 3.0349
    assert max(values) < 3.0951


# Every draw tried, with the hands, prices and chances of the second calculation.


def paid(cards: tuple[int, ...], options: VideoPokerOptions) -> int:
    """Return what a pay table returns for a chip."""
    return PRICES[options.pay_table].get(name_of(list(cards), options.is_wild), 0)


def draws(cards: list[int], held: int) -> list[tuple[int, ...]]:
    kept = [card for place, card in enumerate(cards) if held >> place & 1]
    rest = [card for card in range(52) if card not in cards]
    return [(*kept, *drawn) for drawn in combinations(rest, 5 - len(kept))]


@pytest.mark.parametrize("options", [JACKS, DEUCES], ids=["jacks", "deuces"])
@pytest.mark.parametrize("names", ["JS JH 7D 2C 9C", "AS KS QS JS 2S", "2S 2H 10D JD 4C"])
def test_values_and_chances_are_those_of_trying_every_draw(options, names):
    """Holds of three cards and more: 16 of the 32. `test_second_model` counts those of fewer."""
    cards = dealt(names)
    for worth in hold_values(cards, options):
        if worth.mask.bit_count() < 3:
            continue
        prices = [paid(hand, options) for hand in draws(cards, worth.mask)]
        assert worth.value == Fraction(sum(prices), len(prices))
        assert worth.win == Fraction(sum(price > 1 for price in prices), len(prices))
        assert worth.push == Fraction(prices.count(1), len(prices))


@pytest.mark.parametrize("options", [JACKS, DEUCES], ids=["jacks", "deuces"])
@pytest.mark.parametrize("names", ["10C JC QC KC 3H", "KC QC JC 4D 4H", "AS KS QS JS 2S"])
def test_values_in_super_mode_count_what_marked_cards_add_on_average(options, names):
    """The first two deals hold light cards, which are marked less often; the first may make a royal flush of them."""
    cards = dealt(names)
    for worth in hold_values(cards, options, super_mode=True):
        if worth.mask.bit_count() < 3:
            continue
        total, hands = Fraction(0), draws(cards, worth.mask)
        for hand in hands:
            price = paid(hand, options)
            boost = mean_boost(sum(card >= 48 for card in hand), price == 800)
            total += price + max(price - 1, 0) * boost
        assert worth.value == total / len(hands)


# The order of the advice, and the policies that follow it.


@settings(max_examples=60)
@given(cards=deals, name=st.sampled_from(PAY_TABLES), super_mode=st.booleans())
def test_all_holds_are_there_the_best_first(cards, name, super_mode):
    found = hold_values(cards, VideoPokerOptions(name), super_mode)

    assert sorted(worth.mask for worth in found) == list(range(32))
    assert [worth.value for worth in found] == sorted((worth.value for worth in found), reverse=True)
    keeps_all = next(worth for worth in found if worth.mask == 31)
    assert keeps_all.value.denominator == 1 or super_mode
    assert {worth.win + worth.push <= 1 for worth in found} == {True}


@settings(max_examples=100)
@given(cards=deals, name=st.sampled_from(PAY_TABLES), data=st.data())
def test_the_best_play_takes_the_first_advice_whatever_order_the_cards_came_in(cards, name, data):
    options = VideoPokerOptions(name)
    other = data.draw(st.permutations(cards))

    chosen, again = (best_mask(deal, options, options.pays) for deal in (cards, other))

    assert hold_values(cards, options)[0].mask == chosen
    kept = {card for place, card in enumerate(cards) if chosen >> place & 1}
    assert {card for place, card in enumerate(other) if again >> place & 1} == kept


def test_of_equal_holds_the_one_with_more_cards_comes_first():
    """Four of a kind are what they are with the nine or with any other card."""
    found = hold_values(dealt("5S 5H 5D 5C 9C"), JACKS)

    assert [worth.mask for worth in found[:2]] == [31, 15]
    assert found[0].value == found[1].value == 25


def test_the_hunter_gives_up_a_sure_return_for_a_chance_of_a_royal_flush():
    cards = tuple(dealt("AS KS QS JH JD"))

    assert {policy: cards_of(chosen_mask(policy, cards, JACKS)) for policy in POLICIES} == {
        "optimal": (4, 5),
        "hold_all": (1, 2, 3, 4, 5),
        "royal_hunter": (1, 2, 3),
    }


# At the table.


def opened(names: str = "JS JH 7D 2C 9C", **options: Any) -> Match[Any]:
    return GAME.situation(names, options or None)


def test_the_coach_values_every_legal_action_and_says_what_it_keeps():
    match = opened()
    legal = legal_actions(GAME, match)

    advice = GAME.advise(view_for(GAME, match, "you"), legal)

    assert advice[0].action == act("hold", cards=[1, 2])
    assert advice[0].value == Fraction(1661, 1081)
    assert advice[0].text == "keep J♠ J♥: wins 28.714%, pushes 71.286%"
    assert {tuple(row.action.payload["cards"]) for row in advice} == {tuple(a.payload["cards"]) for a in legal}
    assert len(advice) == len(legal) == 32
    nothing = next(row for row in advice if row.action.payload["cards"] == [])
    assert nothing.text.startswith("keep nothing: ")


def test_the_coach_counts_boosts_in_a_super_session():
    plain, boosted = (
        create_match(GAME, ["you"], seed=b"coach", session_id=3, host=Terms(10, super_mode))
        for super_mode in (False, True)
    )
    values = [
        GAME.advise(view_for(GAME, match, "you"), legal_actions(GAME, match))[0].value for match in (plain, boosted)
    ]

    assert plain.game.dealt == boosted.game.dealt
    assert values[0] < values[1]


def test_after_the_draw_there_is_nothing_left_to_advise():
    match = apply_action(GAME, opened(), act("hold", cards=[])).state

    assert GAME.advise(view_for(GAME, match, "you"), legal_actions(GAME, match)) == ()


def test_the_coach_aims_for_the_return_and_nothing_else():
    match = opened()
    view, legal = view_for(GAME, match, "you"), legal_actions(GAME, match)

    assert GAME.advise(view, legal, "return") == GAME.advise(view, legal)
    with pytest.raises(BadOptions):
        GAME.advise(view, legal, "royal")


def test_a_situation_is_five_cards_under_a_pay_table():
    match = opened("js, jh 7D 2c 9C", pay_table="deuces_wild")

    assert list(match.game.dealt) == list(match.game.cards) == dealt("JS JH 7D 2C 9C")
    assert match.options == DEUCES
    assert (match.status, match.turn.phase) == ("active", "draw")


@pytest.mark.parametrize("text", ["", "JS JH 7D 2C", "JS JH 7D 2C 9C 9D", "JS JS 7D 2C 9C", "JS JH 7D 2C XX"])
def test_a_situation_of_other_than_five_different_cards_is_refused(text):
    with pytest.raises(BadOptions, match="such as"):
        GAME.situation(text)
