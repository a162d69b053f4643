"""Card numbers and their names, counted over the whole pack."""

from __future__ import annotations

import ast
import inspect
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from croupier.errors import CroupierError
from croupier.kit.cards import (
    HIDDEN,
    RANKS,
    SUITS,
    card_back_glyph,
    card_glyph,
    card_label,
    card_name,
    card_words,
    is_card,
    is_red,
    parse_card,
    rank0,
    rank1,
    rank_high,
    suit,
)
from croupier.kit.errors import KitError

PACK = [
    *("AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "10S", "JS", "QS", "KS"),
    *("AH", "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "10H", "JH", "QH", "KH"),
    *("AD", "2D", "3D", "4D", "5D", "6D", "7D", "8D", "9D", "10D", "JD", "QD", "KD"),
    *("AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "10C", "JC", "QC", "KC"),
]
NUMERIC = (is_card, rank0, rank1, rank_high, suit, is_red)
NAMING = (card_name, card_label, card_words, card_glyph)


def test_the_pack_runs_ace_to_king_through_spades_hearts_diamonds_clubs() -> None:
    assert [card_name(card) for card in range(52)] == PACK


def test_ranks_count_from_zero_from_one_and_with_the_ace_on_top() -> None:
    spades = range(13)

    assert [rank0(card) for card in spades] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    assert [rank1(card) for card in spades] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    assert [rank_high(card) for card in spades] == [14, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]


@given(st.integers(0, 38))
def test_the_same_place_in_the_next_suit_has_the_same_ranks(card: int) -> None:
    for rank in (rank0, rank1, rank_high):
        assert rank(card) == rank(card + 13)
    assert suit(card + 13) == suit(card) + 1


def test_suits_are_numbered_and_two_of_them_are_red() -> None:
    assert [suit(card) for card in (0, 12, 13, 25, 26, 38, 39, 51)] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert [is_red(card) for card in (0, 12, 13, 25, 26, 38, 39, 51)] == [False] * 2 + [True] * 4 + [False] * 2


def test_the_numbers_just_outside_the_pack_and_the_hidden_one_are_no_cards() -> None:
    assert [is_card(number) for number in (-1, 0, 51, 52, HIDDEN)] == [False, True, True, False, False]
    assert HIDDEN == 255


@pytest.mark.parametrize("function", NUMERIC)
def test_numeric_functions_keep_to_what_a_compiler_takes(function: object) -> None:
    """No text, no call, no exception, no default: the subset that kernels are written in."""
    body = ast.parse(inspect.getsource(function)).body[0]  # type: ignore[arg-type]
    assert isinstance(body, ast.FunctionDef)

    statements = [node for line in body.body[1:] for node in ast.walk(line)]

    assert body.args.defaults == []
    assert not any(isinstance(node, ast.Call | ast.Raise | ast.Try | ast.Dict | ast.Div) for node in statements)
    assert all(type(node.value) is int for node in statements if isinstance(node, ast.Constant))


@given(st.integers(0, 51))
def test_a_name_and_a_label_lead_back_to_their_card(card: int) -> None:
    for text in (card_name(card), card_name(card).lower(), card_label(card), card_label(card).lower()):
        assert parse_card(text) == card


def test_ten_may_be_a_t_and_either_case_will_do_and_a_phone_may_ask_for_colour() -> None:
    cards = {"10h": 22, "10H": 22, "TH": 22, "th": 22, "Th": 22, "A♠": 0, "a♠": 0, "T♦": 35, "kc": 51, "A♥\ufe0f": 13}

    assert {text: parse_card(text) for text in cards} == cards


NOT_CARDS = (
    *("", "A", "S", "SA", "1S", "0S", "11S", "14S", "AX", "ASS", "10", "T", "TT", "1OS"),
    *("A S", " AS", "AS ", "AS\n", "??", "?", "255", "0", "joker", "ace of spades"),
    *("A\u017f", "\uff11\uff10S", "Å♠", "♠A", "♠", "10♠♠", "🂡"),
)


@pytest.mark.parametrize("text", NOT_CARDS)
def test_anything_else_is_no_card_and_the_error_shows_what_came(text: str) -> None:
    with pytest.raises(KitError) as caught:
        parse_card(text)

    assert repr(text) in str(caught.value)
    assert "rank" in str(caught.value)


ACCEPTED = {
    rank + mark: 13 * index + place
    for index, (letter, symbol) in enumerate(zip("SHDC", "♠♥♦♣", strict=True))
    for mark in (letter, letter.lower(), symbol)
    for place, ranks in enumerate(["Aa", *"23456789", ["10", "T", "t"], "Jj", "Qq", "Kk"])
    for rank in ranks
}


@given(st.text(alphabet="AaTtJQK0123456789SshHdDcC♠♥♦♣? \u017f\u212a", max_size=4))
@example("\u212aS")  # the kelvin sign, whose lower case is a plain k
def test_parsing_accepts_the_listed_spellings_and_no_others(text: str) -> None:
    if text in ACCEPTED:
        assert parse_card(text) == ACCEPTED[text]
    else:
        with pytest.raises(KitError):
            parse_card(text)


def test_labels_carry_the_suit_as_a_symbol_and_words_read_aloud_well() -> None:
    told = {0: ("A♠", "ace of spades"), 22: ("10♥", "ten of hearts"), 37: ("Q♦", "queen of diamonds")}

    for card, (label, words) in {**told, 51: ("K♣", "king of clubs")}.items():
        assert (card_label(card), card_words(card)) == (label, words)


@pytest.mark.parametrize("card", range(52))
def test_the_glyph_is_the_character_that_unicode_names_after_the_card(card: int) -> None:
    """The Unicode database is the oracle; a knight between jack and queen would show here."""
    assert unicodedata.name(card_glyph(card)) == f"PLAYING CARD {card_words(card).upper()}"


def test_a_hidden_card_shows_its_back_and_is_named_without_a_rank_or_suit() -> None:
    assert unicodedata.name(card_back_glyph()) == "PLAYING CARD BACK"
    assert card_glyph(HIDDEN) == card_back_glyph()
    assert (card_name(HIDDEN), card_label(HIDDEN), card_words(HIDDEN)) == ("??", "??", "face-down card")


@pytest.mark.parametrize("name_of", NAMING)
@pytest.mark.parametrize("number", [-1, -13, 52, 254, 256])
def test_naming_a_number_that_is_no_card_is_an_error(name_of: object, number: int) -> None:
    with pytest.raises(KitError, match=f"^{number} is no card"):
        name_of(number)  # type: ignore[operator]


@pytest.mark.parametrize("name_of", NAMING)
def test_no_two_cards_share_a_name(name_of: object) -> None:
    names = {name_of(card) for card in (*range(52), HIDDEN)}  # type: ignore[operator]

    assert len(names) == 53


def test_suits_and_ranks_are_listed_in_pack_order() -> None:
    assert SUITS == ("S", "H", "D", "C")
    assert RANKS == ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def test_kit_errors_are_croupier_errors_with_a_stable_code() -> None:
    assert issubclass(KitError, CroupierError)
    assert issubclass(KitError, ValueError)
    assert KitError.code == "bad_kit_input"
