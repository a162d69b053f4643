"""Pictures: well-formed, told apart, counted pip by pip, and safe to stand side by side in one page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.kit.cards import HIDDEN
from croupier.kit.errors import KitError
from croupier.kit.faces import card_back_svg, card_svg, chip_svg, die_svg

SVG = "{http://www.w3.org/2000/svg}"
WORDS = ["ace", "two", "three", "four", "five", "six", "seven"]
WORDS += ["eight", "nine", "ten", "jack", "queen", "king"]
CHIPS = (1, 5, 25, 100, 500, 1_000, 5_000, 25_000, 100_000, 1_250_000, 2**63 - 1)

PICTURES = (
    *(card_svg(card, four_colour=four) for card in range(52) for four in (False, True)),
    card_back_svg(),
    *map(die_svg, range(1, 7)),
    *map(chip_svg, CHIPS),
)


def parts(text: str) -> Iterator[ElementTree.Element]:
    return ElementTree.fromstring(text).iter()


def title(text: str) -> str | None:
    return ElementTree.fromstring(text).findtext(f"{SVG}title")


def pips(text: str) -> list[ElementTree.Element]:
    return [part for part in parts(text) if part.get("data-part") == "pip"]


def pip_colour(card: int, four_colour: bool) -> str | None:
    return pips(card_svg(card, four_colour=four_colour))[0].get("fill")


def test_every_picture_is_an_svg_that_says_what_it_shows() -> None:
    for text in PICTURES:
        root = ElementTree.fromstring(text)
        assert root.tag == f"{SVG}svg"
        assert root.get("role") == "img"
        assert root[0].tag == f"{SVG}title"
        assert root[0].text


def test_a_picture_shares_nothing_with_the_page_around_it() -> None:
    """No id to collide, no style to leak, no reference to follow, no named font, nothing that runs."""
    for text in PICTURES:
        for part in parts(text):
            assert part.tag.removeprefix(SVG) in {"svg", "title", "g", "rect", "circle", "path", "text"}
            assert not {"id", "class", "style", "href"} & set(part.attrib)
            assert part.get("font-family", "serif") in {"serif", "sans-serif"}
        assert "url(" not in text
        assert text.count("http") == 1  # the name of the SVG language, which is not fetched


def test_coordinates_are_plain_numbers() -> None:
    """A float that went wrong would show as `nan`, `1e-16` or a long tail of digits."""
    for text in PICTURES:
        for part in parts(text):
            for path in (part.get("d", ""), part.get("transform", "")):
                assert re.fullmatch(r"[A-Za-z0-9 .()-]*", path)
                assert not re.search(r"\d{4}|\.\d{3}|nan|inf|\de", path)


@pytest.mark.parametrize("four_colour", [False, True])
def test_the_cards_and_their_back_all_differ(four_colour: bool) -> None:
    faces = {card_svg(card, four_colour=four_colour) for card in range(52)}

    assert len(faces | {card_back_svg()}) == 53


def test_each_card_is_titled_in_words() -> None:
    assert [title(card_svg(card)) for card in range(52)] == [
        f"{word} of {suit}" for suit in ("spades", "hearts", "diamonds", "clubs") for word in WORDS
    ]


@pytest.mark.parametrize("card", range(52))
def test_a_card_has_as_many_pips_as_its_rank_says_a_court_card_two_and_its_rank_in_two_corners(card: int) -> None:
    count = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 2, 2, 2][card % 13]
    rank = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"][card % 13]

    assert len(pips(card_svg(card))) == count
    assert [part.text for part in parts(card_svg(card)) if part.tag == f"{SVG}text"] == [rank, rank]


@pytest.mark.parametrize("card", [card for card in range(52) if card % 13 < 10])
def test_pips_stand_apart_within_the_card_and_even_from_side_to_side(card: int) -> None:
    """All but the sevens look the same upside down; courts are drawn twice by construction."""
    places = [
        tuple(map(int, re.findall(r"translate\((\d+) (\d+)\)", pip.get("transform", ""))[0]))
        for pip in pips(card_svg(card))
    ]

    assert len(set(places)) == len(places)
    assert all(60 <= x <= 190 and 40 <= y <= 310 for x, y in places)
    assert Counter(places) == Counter((250 - x, y) for x, y in places)
    for one, other in combinations(places, 2):
        assert max(abs(one[0] - other[0]), abs(one[1] - other[1])) >= 38
    if card % 13 != 6:
        assert sorted(y for _, y in places) == sorted(350 - y for _, y in places)


def test_each_suit_has_one_shape_of_its_own() -> None:
    shapes = [{pip.get("d") for card in range(13) for pip in pips(card_svg(13 * suit + card))} for suit in range(4)]

    assert [len(shape) for shape in shapes] == [1, 1, 1, 1]
    assert len(set.union(*shapes)) == 4


def test_two_colours_pair_the_suits_and_four_colours_part_them() -> None:
    for rank in range(13):
        spade, heart, diamond, club = (pip_colour(13 * suit + rank, False) for suit in range(4))
        assert spade == club != heart == diamond
        assert len({pip_colour(13 * suit + rank, True) for suit in range(4)}) == 4


def test_the_three_courts_of_a_suit_are_drawn_differently_not_just_lettered() -> None:
    drawings = {re.sub(r"<title>.*?</title>|<text.*?</text>", "", card_svg(card)) for card in (10, 11, 12)}

    assert len(drawings) == 3
    assert all(len(re.findall("<path|<circle|<rect", drawing)) > 30 for drawing in drawings)


def test_a_hidden_card_shows_the_back_and_the_back_names_no_card() -> None:
    assert card_svg(HIDDEN) == card_svg(HIDDEN, four_colour=True) == card_back_svg()
    assert title(card_back_svg()) == "face-down card"


def test_the_back_looks_the_same_upside_down() -> None:
    """A back that did not could mark cards."""
    lattice = next(part.get("d", "") for part in parts(card_back_svg()) if part.get("d", "").count("M") > 50)

    tips = [(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)", lattice)]

    # A lozenge is 18 high and starts at its upper tip: turned over, its lower tip comes there.
    assert set(tips) == {(250 - x, 350 - (y + 18)) for x, y in tips}
    turns = [part.get("transform") for part in parts(card_back_svg()) if part.get("transform")]
    assert turns == [f"rotate({angle} 125 175)" for angle in (0, 45, 90, 135, 180, 225, 270, 315)]


@pytest.mark.parametrize(
    ("draw", "number", "words"),
    [
        *((card_svg, number, f"^{number} is no card") for number in (-1, 52, 254)),
        *((die_svg, face, f"^{face} is no face") for face in (0, 7)),
        *((chip_svg, value, f"a chip of {value}") for value in (0, -5, 2**63)),
    ],
)
def test_a_picture_of_what_there_is_not_is_an_error(draw: Callable[[int], str], number: int, words: str) -> None:
    with pytest.raises(KitError, match=words):
        draw(number)


@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_a_die_has_as_many_pips_as_its_face_says(face: int) -> None:
    places = {(pip.get("cx"), pip.get("cy")) for pip in pips(die_svg(face))}

    assert len(places) == len(pips(die_svg(face))) == face
    assert title(die_svg(face)) == f"die showing {face}"


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (1, "1"),
        (25, "25"),
        (999, "999"),
        (1_000, "1K"),
        (1_500, "1500"),
        (9_999, "9999"),
        (10_000, "10K"),
        (12_345, "12.3K"),
        (99_999, "99.9K"),
        (100_500, "100K"),
        (999_999, "999K"),
        (1_000_000, "1M"),
        (1_050_000, "1M"),
        (1_250_000, "1.2M"),
        (3 * 10**9, "3B"),
        (7 * 10**12, "7T"),
        (2**63 - 1, "9223Q"),
    ],
)
def test_a_chip_prints_its_value_short_and_says_it_in_full(value: int, label: str) -> None:
    (text,) = (part.text for part in parts(chip_svg(value)) if part.tag == f"{SVG}text")

    assert text == label
    assert title(chip_svg(value)) == f"chip worth {value}"


@given(st.integers(1, 2**63 - 1))
def test_a_chip_never_prints_more_than_it_is_worth(value: int) -> None:
    (text,) = (part.text or "" for part in parts(chip_svg(value)) if part.tag == f"{SVG}text")
    scale = {"K": 3, "M": 6, "B": 9, "T": 12, "Q": 15}.get(text[-1], 0)
    tenths = int(text.rstrip("KMBTQ").replace(".", "")) * (1 if "." in text else 10)

    assert len(text) <= 5
    assert 0.9 * value < tenths * 10**scale / 10 <= value


def test_the_usual_chips_have_colours_of_their_own() -> None:
    bodies = {
        next(part for part in parts(chip_svg(value)) if part.tag == f"{SVG}circle").get("fill") for value in CHIPS[:9]
    }

    assert len(bodies) == 9
