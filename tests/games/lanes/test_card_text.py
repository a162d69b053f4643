"""Card texts: made from the abilities, and the same as the text in the file of cards."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.games.lanes.cards.card_set import own_cards
from croupier.games.lanes.cards.text import ability_text, card_text, pattern_rows
from croupier.games.lanes.cards.types import Ability, Amounts, Card, Tokens

CARDS = own_cards()
IDS = [card.id for card in CARDS]


@pytest.mark.parametrize("card_id", IDS)
def test_the_text_in_the_file_names_every_number_and_card_of_the_abilities(card_id):
    """The text is the one made from the abilities; and read back: each amount, each threshold, each card made."""
    card = CARDS.get_card(card_id)
    assert card.text == card_text(card, CARDS)
    for ability in card.abilities:
        if ability.amount is not None:
            assert f"{ability.amount:+d}" in card.text
        if ability.threshold is not None:
            assert f"reaches {ability.threshold}" in card.text
        for made in ability.made:
            assert CARDS.get_card(made).name in card.text
    assert (card.raise_ > 1) == (f"Puts {card.raise_} pawns" in card.text)
    assert (card.cost == "replace") == card.text.startswith("Played on top of one of your cards.")
    assert card.text.endswith(".")
    assert "\n" not in card.text


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"when": "on_play", "do": "power", "who": "enemies", "amount": -2},
         "When played: enemies on its marked tiles get -2."),
        ({"when": "on_play", "do": "power", "who": "self", "amount": 3}, "When played: gets +3 itself."),
        ({"when": "while_in_play", "do": "power", "who": "all", "amount": -1},
         "While in play: all cards on its marked tiles have -1."),
        ({"when": "while_in_play", "do": "power", "who": "self", "amount": 1}, "While in play: has +1 itself."),
        ({"when": "while_in_play", "do": "power_per", "count": "enhanced", "of": "enemies", "amount": 3},
         "While in play: +3 for each enhanced enemy."),
        ({"when": "while_in_play", "do": "power_per", "count": "either", "of": "all", "amount": -1},
         "While in play: -1 for each other enhanced or enfeebled card."),
        ({"when": "on_card_destroyed", "do": "gain", "watch": "allies", "amount": 2},
         "Whenever another ally is destroyed: gets +2."),
        ({"when": "on_card_played", "do": "gain", "watch": "all", "amount": 1},
         "Whenever another card is played: gets +1."),
        ({"when": "on_play", "do": "power_by_replaced", "who": "self", "sign": -1},
         "When played: loses the power of the card it replaced."),
        ({"when": "on_play", "do": "power_by_replaced", "who": "all", "sign": 1},
         "When played: all cards on its marked tiles gain the power of the card it replaced."),
        ({"when": "on_play", "do": "destroy", "who": "enemies"},
         "When played: destroys enemies on its marked tiles."),
        ({"when": "on_destroyed", "do": "add_to_hand", "cards": ("RF01", "LW01", "TK02")},
         "When destroyed: adds Reed Cutter, Wick Apprentice and Gate Youth to your hand."),
        ({"when": "on_play", "do": "spawn", "tokens": Tokens("RF01", "RF01", "LW01")},
         "When played: puts Reed Cutter on each of your empty tiles with 1 pawn, Reed Cutter with 2, "
         "Wick Apprentice with 3."),
        ({"when": "on_power_reaches", "do": "power", "who": "allies", "amount": 2, "threshold": 9},
         "When its power first reaches 9: allies on its marked tiles get +2."),
        ({"when": "on_spawned", "do": "power", "who": "self", "by_rank": Amounts(-1, 0, 4)},
         "When spawned: gets -1 on a tile with 1 pawn, +0 with 2, +4 with 3."),
        ({"when": "on_lane_won", "do": "score", "amount": 10}, "If you win its lane: +10 points."),
    ],
)  # fmt: skip
def test_an_ability_is_told_in_a_sentence(fields: dict[str, Any], expected):
    assert ability_text(Ability(**fields), CARDS) == expected


def test_the_text_of_a_transfer_depends_on_the_rules():
    """Only the winner's own copies in that lane, or every lane for whoever wins it."""
    treasurer = CARDS.get_card("TK12")

    assert card_text(treasurer, CARDS) == "If you win its lane: also score the enemy's power there."
    elsewhere = card_text(treasurer, CARDS, "all_lanes")
    assert elsewhere == "At the end: whoever wins a lane also scores the loser's power there."


def test_a_pattern_is_drawn_with_forward_to_the_right_and_lanes_downwards():
    card = Card("x", "X", "common", 1, 1, "A1E,B3P,C2X,D4P,E5E")

    assert pattern_rows(card) == ("· · · · x", "· · # · ·", "· · @ o ·", "· o · · ·", "x · · · ·")


@pytest.mark.parametrize("card_id", IDS)
def test_a_picture_shows_as_many_cells_as_the_pattern_has(card_id):
    card = CARDS.get_card(card_id)
    picture = " ".join(pattern_rows(card)).split()

    assert len(picture) == 25
    assert picture[12] == "@"
    assert picture.count("o") + picture.count("#") == card.pattern.count("P") + card.pattern.count("X")
    assert picture.count("x") + picture.count("#") == len([c for c in card.pattern.split(",") if c[2:] in ("E", "X")])
