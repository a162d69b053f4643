"""Cards as SVG: well-formed, no active content, readable by screen readers, and all of them on one page."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from croupier.games.lanes.cards.card_set import CardSet, own_cards
from croupier.games.lanes.cards.types import Card
from tools.lanes.card_svg import LIGHT, PLAIN, card_label, card_sheet, card_svg, pattern_svg

CARDS = own_cards()
IDS = [card.id for card in CARDS]
PREFIX = "{http://www.w3.org/2000/svg}"
ELEMENTS = {
    "svg", "title", "desc", "g", "rect", "circle", "path", "text", "tspan", "clipPath", "linearGradient", "stop",
}  # fmt: skip


def drawn(card_id: str) -> ElementTree.Element:
    return ElementTree.fromstring(card_svg(CARDS.get_card(card_id), CARDS))


def words(root: ElementTree.Element) -> str:
    """Return all that is written on a card, line after line."""
    lines = []
    for text in root.iter(f"{PREFIX}text"):
        lines += [text.text or "", *[span.text or "" for span in text]]
    return " ".join(filter(None, lines))


@pytest.mark.parametrize("card_id", IDS)
def test_a_card_is_drawn_with_shapes_and_text_alone(card_id):
    """No script, no handler, no link, no style sheet; a paint may refer to the picture itself and to nothing else."""
    for element in drawn(card_id).iter():
        assert element.tag.removeprefix(PREFIX) in ELEMENTS
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert "href" not in name
            assert "url(" not in value or value.startswith(f"url(#{card_id}-")
            assert "//" not in value


@pytest.mark.parametrize("card_id", IDS)
def test_a_card_tells_the_same_to_readers_and_to_screen_readers(card_id):
    card, root = CARDS.get_card(card_id), drawn(card_id)
    written = words(root)
    title, description = root[0], root[1]

    assert written.startswith(f"{card.name} {card.power} ")
    assert card.text in written
    assert card.flavour in written
    assert written.endswith(f"{card.tier} {card.id}")
    assert (title.tag, description.tag) == (f"{PREFIX}title", f"{PREFIX}desc")
    assert title.text == card.name
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert description.text is not None
    assert f"Power {card.power}." in description.text
    assert description.text.endswith(f"{card.text} {card.flavour}")


def test_a_card_is_told_in_words_from_its_pattern():
    spoken = card_label(CARDS.get_card("LW09"), CARDS.factions[0], "")

    assert spoken.startswith("Lampwrights, common. Cost: two pawns. Power 3. Pawns: 1 ahead; 1 up; 1 back, 1 down.")
    assert "Marked" not in spoken
    assert "Cost: replaces one of your cards." in card_label(CARDS.get_card("TK14"), CARDS.factions[2], "")
    assert "Marked: 2 ahead; 1 ahead." in card_label(CARDS.get_card("RFT3"), CARDS.factions[1], "")
    assert "Pawns: none." in card_label(CARDS.get_card("RFT7"), CARDS.factions[1], "")


@pytest.mark.parametrize("card_id", IDS)
def test_a_pattern_has_a_frame_for_each_mark_and_a_pawn_for_each_pawn(card_id):
    card = CARDS.get_card(card_id)
    root = ElementTree.fromstring(pattern_svg(card))
    kinds = [cell[2] for cell in card.pattern.split(",") if cell]

    assert len(root.findall(f"{PREFIX}rect")) == 25 + sum(1 for kind in kinds if kind != "P")
    assert len(root.findall(f"{PREFIX}g")) == card.raise_ * sum(1 for kind in kinds if kind != "E")


def test_forward_is_to_the_right_and_the_second_lane_is_above():
    """The frame of a mark stands one off its tile, and tiles are 20 apart: A3 is at (80, 40), C2 at (40, 20)."""
    root = ElementTree.fromstring(pattern_svg(Card("x", "X", "common", 1, 1, "A3E,C2E")))
    frames = [(rect.get("x"), rect.get("y")) for rect in root.iter(f"{PREFIX}rect") if rect.get("stroke")]

    assert frames == [("41", "21"), ("81", "41")]


def test_all_cards_fit_on_one_page_the_same_bytes_every_time_and_no_two_alike():
    page = card_sheet(CARDS)
    ids = re.findall(r'\bid="([^"]+)"', page)
    pictures = [card_svg(card, CARDS) for card in CARDS]

    assert page.startswith("<!doctype html>")
    assert re.findall(r'<title id="(\w+)-title">', page) == IDS
    assert len(ids) == 5 * len(CARDS)
    assert len(set(ids)) == len(ids)
    assert pictures == [card_svg(card, CARDS) for card in CARDS]
    assert len(set(pictures)) == len(CARDS)


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "A \"B\" & 'C'", "W" * 64, "灯"])
def test_a_name_is_only_ever_text(name):
    card = replace(CARDS.get_card("LW01"), name=name, flavour=name)
    root = ElementTree.fromstring(card_svg(card, CARDS))

    assert root[0].text == name
    assert {element.tag.removeprefix(PREFIX) for element in root.iter()} <= ELEMENTS
    assert ElementTree.fromstring(pattern_svg(card))[0].text == f"Pattern of {name}"


def test_a_card_of_no_faction_is_drawn_in_grey():
    card = Card("lone", "Lone", "token", "replace", 1, "")
    picture = card_svg(card, CardSet(CARDS.info, [card]))

    assert f'fill="{PLAIN.colour}"' in picture
    assert "Unaligned" in picture


@pytest.mark.parametrize("faction", [*CARDS.factions, PLAIN], ids=lambda faction: faction.id)
def test_white_letters_can_be_read_on_every_faction(faction):
    """The contrast that accessibility guidelines ask of small text is 4.5 to 1."""

    def luminance(colour: str) -> float:
        channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    assert (luminance(LIGHT) + 0.05) / (luminance(faction.colour) + 0.05) >= 4.5


@pytest.mark.parametrize("card_id", IDS)
def test_no_line_of_text_runs_off_the_card(card_id):
    """In the widest of the fonts named a letter is 0.55 as wide as the type is high, a bold one 0.68."""
    for text in drawn(card_id).iter(f"{PREFIX}text"):
        size = int(text.get("font-size", ""))
        wide = size * (0.68 if text.get("font-weight") else 0.55)
        anchor = text.get("text-anchor", "start")
        for line in text if len(text) else [text]:
            length = wide * len(line.text or "")
            x = int(line.get("x", ""))
            left = {"start": x, "middle": x - length / 2, "end": x - length}[anchor]
            assert left >= 10
            assert left + length <= 295
            assert 20 <= int(line.get("y", "")) <= 410
