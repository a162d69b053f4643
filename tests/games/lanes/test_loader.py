"""Card files: everything a broken one may hold is refused with the card and the field named."""

from __future__ import annotations

import copy
import json
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games.lanes.cards.card_set import PAIRS
from croupier.games.lanes.compat import CardDataError, CardHydrator, load_cards
from croupier.games.lanes.rules import layout
from tests.games.lanes.conftest import ABILITIES

CARD = {"id": "A", "name": "Ant", "tier": "common", "cost": 1, "power": 1, "pattern": "B3P"}


def document(*cards: Any, **more: Any) -> dict[str, Any]:
    return {"format": 1, "set": {"id": "s", "version": "1"}, "cards": list(cards), **more}


def ability(when: str, do: str, **fields: Any) -> dict[str, Any]:
    return {"when": when, "do": do, **fields}


def with_ability(when: str, do: str, **fields: Any) -> dict[str, Any]:
    return {**CARD, "abilities": [ability(when, do, **fields)]}


GOOD_AURA = ability("while_in_play", "power", who="allies", amount=1)


def test_a_plain_set_loads_from_text_bytes_and_a_mapping():
    text = json.dumps(document(CARD))

    for source in (text, text.encode(), document(CARD)):
        cards = load_cards(source)
        assert [card.id for card in cards] == ["A"]
        assert (cards.info.id, len(cards), "A" in cards, "B" in cards) == ("s", 1, True, False)
        assert cards.get_card("A").raise_ == 1
        assert cards.get_card("A").abilities == ()


def test_a_set_without_cards_loads_and_so_does_one_that_names_its_schema():
    assert len(load_cards(document())) == 0
    assert len(load_cards(document(CARD, **{"$schema": "https://json-schema.org/draft/2020-12/schema"}))) == 1


def test_words_for_people_are_kept():
    faction = {"id": "f", "title": "F", "colour": "#00ff00", "text": "t"}
    cards = load_cards(document({**CARD, "faction": "f", "flavour": "x", "text": "y"}, factions=[faction], world="w"))

    card = cards.get_card("A")
    assert (card.faction, card.flavour, card.text, cards.world) == ("f", "x", "y", "w")
    assert cards.factions[0].title == "F"


BROKEN_FIELDS: dict[str, list[Any]] = {
    "name": [""],
    "tier": ["epic"],
    "cost": [0, 4, "1", True, 1.5],
    "power": [0, -1, "3", 2.5, True, 10_000, 10**100],
    # Spaces, commas at the end, off the grid, an unknown kind of cell, line breaks, the centre, a cell listed twice.
    "pattern": [None, "B3P, C2P", "B3P,", "F3P", "B6P", "B3W", "B3P\n", "B3P,C3X", "B3P,C2P,B3E"],
    "raise": [0, 4],
}
# Each row: what is wrong, the card that the error names, the field that it names.
BROKEN_CARDS: list[tuple[str, Any, str, str]] = [
    *((f"no {field}", {k: v for k, v in CARD.items() if k != field}, "A" if field != "id" else "number 1", field)
      for field in CARD),
    ("an unknown field", {**CARD, "colour": "red"}, "A", "colour"),
    ("not an object", ["A"], "number 1", ""),
    ("nothing", None, "number 1", ""),
    *((f"the id {value!r}"[:40], {**CARD, "id": value}, value if isinstance(value, str) else "number 1", "id")
      for value in ("a b", "", "x" * 25, "A\n", 7)),
    *((f"the {field} {value!r}"[:40], {**CARD, field: value}, "A", field) for field, values in BROKEN_FIELDS.items()
      for value in values),
    ("abilities that are no list", {**CARD, "abilities": GOOD_AURA}, "A", "abilities"),
    ("seventeen abilities", {**CARD, "abilities": [GOOD_AURA] * 17}, "A", "abilities"),
    ("an ability that is no object", {**CARD, "abilities": ["aura"]}, "A", "abilities[0]"),
    ("an ability without do", {**CARD, "abilities": [{"when": "on_play"}]}, "A", "abilities[0].do"),
    ("an ability with an unknown field", with_ability("on_play", "destroy", who="all", hue=1), "A", "abilities[0].hue"),
    ("an unknown moment", with_ability("on_monday", "power", who="all", amount=1), "A", "abilities[0].when"),
    ("an unknown deed", with_ability("on_play", "dance", who="all"), "A", "abilities[0].do"),
    ("an unknown who", with_ability("on_play", "destroy", who="friends"), "A", "abilities[0].who"),
    ("the second of two", {**CARD, "abilities": [GOOD_AURA, ability("on_play", "destroy")]}, "A", "abilities[1].who"),
    ("an amount as text", with_ability("on_play", "power", who="all", amount="2"), "A", "abilities[0].amount"),
    ("an amount of 1.5", with_ability("on_play", "power", who="all", amount=1.5), "A", "abilities[0].amount"),
    ("a huge amount", with_ability("on_play", "power", who="all", amount=-10_000), "A", "abilities[0].amount"),
    ("sign 2", {**with_ability("on_play", "power_by_replaced", who="all", sign=2), "cost": "replace"}, "A",
     "abilities[0].sign"),
    ("no amount", with_ability("on_play", "power", who="all"), "A", "abilities[0].amount"),
    ("no who", with_ability("on_play", "power", amount=1), "A", "abilities[0].who"),
    ("no threshold", with_ability("on_power_reaches", "power", who="all", amount=1), "A", "abilities[0].threshold"),
    ("no count", with_ability("while_in_play", "power_per", of="all", amount=1), "A", "abilities[0].count"),
    ("an unknown status", with_ability("while_in_play", "power_per", of="all", count="tall", amount=1), "A",
     "abilities[0].count"),
    ("no cards", with_ability("on_play", "add_to_hand"), "A", "abilities[0].cards"),
    ("an empty list of cards", with_ability("on_play", "add_to_hand", cards=[]), "A", "abilities[0].cards"),
    ("too many cards", with_ability("on_play", "add_to_hand", cards=["B"] * 33), "A", "abilities[0].cards"),
    ("a field that means nothing here", with_ability("on_play", "destroy", who="all", amount=3), "A",
     "abilities[0].amount"),
    ("a card that is not there", with_ability("on_play", "add_to_hand", cards=["Z"]), "A", "abilities[0].cards"),
    ("a token that is not there", with_ability("on_play", "spawn", tokens={"1": "A", "2": "A", "3": "Z"}), "A",
     "abilities[0].tokens"),
    ("two ranks", with_ability("on_play", "spawn", tokens={"1": "B", "2": "B"}), "A", "abilities[0].tokens.3"),
    ("tokens for four ranks", with_ability("on_play", "spawn", tokens={"1": "B", "2": "B", "3": "B", "4": "B"}), "A",
     "abilities[0].tokens.4"),
    ("amounts for two ranks", with_ability("on_spawned", "power", who="self", by_rank={"1": 0, "2": 2}), "A",
     "abilities[0].by_rank.3"),
    ("a spawned card that changes others", with_ability("on_spawned", "power", who="all",
     by_rank={"1": 0, "2": 1, "3": 2}), "A", "abilities[0].who"),
    ("a dead card that changes itself", with_ability("on_destroyed", "power", who="self", amount=1), "A",
     "abilities[0].who"),
    ("power_by_replaced without replacing", with_ability("on_play", "power_by_replaced", who="all", sign=1), "A",
     "abilities[0].do"),
    ("a card that adds itself", with_ability("on_play", "add_to_hand", cards=["A"]), "A", "cards"),
    ("a card that spawns itself", with_ability("on_play", "spawn", tokens={"1": "A", "2": "A", "3": "A"}), "A",
     "tokens"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("card", "named", "field"), [row[1:] for row in BROKEN_CARDS], ids=[row[0] for row in BROKEN_CARDS]
)
def test_a_broken_card_is_refused_by_name(card, named, field):
    with pytest.raises(CardDataError) as caught:
        load_cards(document(card, {**CARD, "id": "B"}))

    assert (caught.value.card, caught.value.field) == (named, field)
    assert caught.value.code == "bad_card_data"
    assert field in str(caught.value)
    assert named.strip() in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("when", "do"),
    list(product(*(dict.fromkeys(words) for words in zip(*PAIRS, strict=True)))),
)
def test_only_the_specified_pairs_load(when, do):
    """The table of the specification, column by column: 17 of 99 pairs."""
    all_fields: dict[str, dict[str, Any]] = {
        "power": {"who": "allies", "amount": 1},
        "power_by_replaced": {"who": "all", "sign": 1},
        "power_per": {"count": "either", "of": "all", "amount": 1},
        "gain": {"watch": "all", "amount": 1},
        "destroy": {"who": "all"},
        "add_to_hand": {"cards": ["B"]},
        "spawn": {"tokens": {"1": "B", "2": "B", "3": "B"}},
        "score": {"amount": 1},
        "score_transfer": {},
    }
    fields = all_fields[do]
    if when == "on_power_reaches":
        fields = {**fields, "threshold": 7}
    if when == "on_spawned":
        fields = {"who": "self", "by_rank": {"1": 0, "2": 1, "3": 2}}
    card = {**with_ability(when, do, **fields), "cost": "replace"}

    if do in ABILITIES[when].split():
        assert len(load_cards(document(card, {**CARD, "id": "B"}))) == 2
    else:
        with pytest.raises(CardDataError, match=r"card A, abilities\[0\]\.do"):
            load_cards(document(card, {**CARD, "id": "B"}))


def chain(length: int, back_to: int | None) -> list[dict[str, Any]]:
    """Return cards that each add the next one; the last leads back, or nowhere."""
    cards = []
    for number in range(length):
        following = number + 1 if number + 1 < length else back_to
        adds = [] if following is None else [ability("on_destroyed", "add_to_hand", cards=[f"C{following}"])]
        cards.append({**CARD, "id": f"C{number}", "abilities": adds})
    return cards


@pytest.mark.parametrize("back_to", [0, 3, 200])
def test_a_chain_that_leads_back_is_refused(back_to):
    with pytest.raises(CardDataError, match=f"C{back_to} to .*C{back_to}$") as caught:
        load_cards(document(*chain(201, back_to)))

    assert caught.value.card == "C200"


def test_a_chain_through_a_spawn_is_refused():
    cards = [
        {**CARD, "id": "A", "abilities": [ability("on_play", "spawn", tokens={"1": "B", "2": "C", "3": "B"})]},
        {**CARD, "id": "B"},
        {**CARD, "id": "C", "abilities": [ability("on_destroyed", "add_to_hand", cards=["B", "A"])]},
    ]

    with pytest.raises(CardDataError, match="leads from A to C to A"):
        load_cards(document(*cards))


def test_a_long_chain_that_ends_loads_and_one_that_floods_the_hand_does_not():
    assert load_cards(document(*chain(256, None))).offspring[0] == 255
    with pytest.raises(CardDataError, match="card C0, abilities: it can bring 256 cards") as caught:
        load_cards(document(*chain(257, None)))
    assert caught.value.card == "C0"


def test_a_tree_that_doubles_at_every_step_is_refused_quickly():
    cards: list[dict[str, Any]] = [{**CARD, "id": "C40"}]
    for number in range(39, -1, -1):
        adds = [ability("on_play", "add_to_hand", cards=[f"C{number + 1}"] * 32)]
        cards.append({**CARD, "id": f"C{number}", "abilities": adds})

    with pytest.raises(CardDataError, match="it can bring"):
        load_cards(document(*cards))


def test_the_offspring_of_a_spawn_is_counted_for_every_tile():
    egg = ability("on_destroyed", "add_to_hand", cards=["C"])
    cards = [
        {**CARD, "id": "A", "abilities": [ability("on_play", "spawn", tokens={"1": "B", "2": "C", "3": "C"})]},
        {**CARD, "id": "B", "abilities": [egg]},
        {**CARD, "id": "C"},
    ]

    assert load_cards(document(*cards)).offspring == (14, 1, 0)


BROKEN_FILES: list[tuple[str, Any, str]] = [
    ("not JSON", "{", "not JSON"),
    ("empty", "", "not JSON"),
    ("a list", "[]", "is an object"),
    ("a number", "7", "is an object"),
    ("null", "null", "is an object"),
    ("bytes that are no text", b"\xff\xfe{}", "not JSON"),
    ("a byte order mark", b"\xef\xbb\xbf{}", "not JSON"),
    ("not a source at all", 7, "not JSON"),
    ("nested without end", "[" * 100_000, "not JSON"),
    ("NaN", json.dumps(document({**CARD, "power": float("nan")})), "NaN"),
    ("infinity", json.dumps(document({**CARD, "power": float("inf")})), "Infinity"),
    ("a number with more digits than Python reads", '{"format": ' + "9" * 5000 + "}", "not JSON"),
    ("no format", json.dumps({k: v for k, v in document(CARD).items() if k != "format"}), "format"),
    ("format 2", json.dumps({**document(CARD), "format": 2}), "format 2"),
    ("format as text", json.dumps({**document(CARD), "format": "1"}), "format"),
    ("no set", json.dumps({k: v for k, v in document(CARD).items() if k != "set"}), "set"),
    ("a set without a version", json.dumps({**document(CARD), "set": {"id": "s"}}), "version"),
    ("a set with an empty id", json.dumps({**document(CARD), "set": {"id": "", "version": "1"}}), "set.id"),
    ("no cards", json.dumps({k: v for k, v in document(CARD).items() if k != "cards"}), "cards"),
    ("cards that are no list", json.dumps({**document(CARD), "cards": {"A": CARD}}), "cards"),
    ("an unknown field", json.dumps({**document(CARD), "colour": 1}), "colour"),
    ("a repeated id", json.dumps(document(CARD, CARD)), "card A, id"),
    ("a repeated faction", document(CARD, factions=[{"id": "f", "title": "F"}] * 2), "factions"),
    ("a faction nobody has", document({**CARD, "faction": "g"}, factions=[{"id": "f", "title": "F"}]), "A, faction"),
    ("a faction with a wrong colour", document(CARD, factions=[{"id": "f", "title": "F", "colour": "red"}]), "colour"),
    ("a world that is no text", document(CARD, world=7), "world"),
    ("a key twice in the file", '{"format": 1, "format": 1}', "'format' is there twice"),
    ("a key twice in a card", json.dumps(document(CARD)).replace('"power": 1', '"power": 1, "power": 9'), "card 'A'"),
    ("a key twice in an ability", '{"format":1,"cards":[{"abilities":[{"when":"x","when":"x"}]}]}', "twice"),
    ("more cards than a set may have", document(*[{**CARD, "id": f"C{n}"} for n in range(4097)]), "4097 cards"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "words"), [row[1:] for row in BROKEN_FILES], ids=[row[0] for row in BROKEN_FILES])
def test_a_broken_file_is_refused(source, words):
    with pytest.raises(CardDataError) as caught:
        load_cards(source)

    assert words in str(caught.value)
    assert len(str(caught.value)) < 600


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    if isinstance(value, dict):
        found += [place for key in value for place in places(value[key], (*path, key))]
    elif isinstance(value, list):
        found += [place for index, item in enumerate(value[:12]) for place in places(item, (*path, index))]
    return found


JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.just([]), st.just({}), st.just([[]])
)


@given(data=st.data())
def test_junk_in_any_field_loads_or_is_a_card_data_error(probe_file, data):
    """Junk put anywhere into the probe cards: it is taken, or refused in the one way."""
    raw = copy.deepcopy(probe_file)
    path = data.draw(st.sampled_from(places(raw)[1:]))
    inside = raw
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = data.draw(JUNK)

    for source in (raw, json.dumps(raw)):
        try:
            cards = load_cards(source)
        except CardDataError:
            continue
        assert cards.tables[layout.CARD_TOTAL] == len(cards)


@given(st.binary(max_size=200))
def test_any_bytes_load_or_are_a_card_data_error(data):
    with pytest.raises(CardDataError):
        load_cards(data)


def test_an_unknown_id_is_a_key_error_with_a_plain_sentence(probe):
    for card_id in ("nobody", None, 7, ["K01"]):
        with pytest.raises(KeyError) as caught:
            CardHydrator(probe).get_card(card_id)  # type: ignore[arg-type]
        assert str(caught.value).startswith("the card set 'probe' has no card")


def test_patterns_are_projected_as_specified(probe):
    """Every cell of every probe card from every tile, by a second reading: letters are columns, digits are lanes."""
    forward = {"E": -2, "D": -1, "C": 0, "B": 1, "A": 2}
    for number, card in enumerate(probe):
        place = layout.CARDS + number * layout.CARD_CELLS
        for (side, sign), lane, col in product(((0, 1), (1, -1)), range(3), range(5)):
            expected = {"pawn": 0, "hit": 0}
            for cell in filter(None, card.pattern.split(",")):
                to_lane, to_col = lane + int(cell[1]) - 3, col + sign * forward[cell[0]]
                if 0 <= to_lane <= 2 and 0 <= to_col <= 4:
                    bit = 1 << (5 * to_lane + to_col)
                    expected["pawn"] |= bit if cell[2] in "PX" else 0
                    expected["hit"] |= bit if cell[2] in "EX" else 0
            at = 15 * side + 5 * lane + col
            assert probe.tables[place + layout.PAWN_TILES + at] == expected["pawn"]
            assert probe.tables[place + layout.HIT_TILES + at] == expected["hit"]
