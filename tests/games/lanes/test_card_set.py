"""Our own cards and decks: the numbers and categories that are specified, no copies of other sets, legal decks."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from importlib import resources
from itertools import product
from typing import Any

import pytest
from msgspec.structs import asdict, replace

from croupier.games.lanes.cards.card_set import CardSet, own_cards, own_decks
from croupier.games.lanes.cards.decks import validate_deck
from croupier.games.lanes.cards.types import Ability, Card
from croupier.games.lanes.compat import CardHydrator, load_cards
from tests.games.lanes.conftest import ABILITIES

CARDS = own_cards()
COLLECTIBLE = [card for card in CARDS if card.tier != "token"]
TOKENS = [card for card in CARDS if card.tier == "token"]
DECKS = {deck.id: deck for deck in own_decks()}
STARTERS = [deck for deck in own_decks() if deck.starter]


def with_cost(cost: int | str) -> list[Card]:
    return [card for card in COLLECTIBLE if card.cost == cost]


def mean(numbers: list[int]) -> Fraction:
    return Fraction(sum(numbers), len(numbers))


def pawn_cells(card: Card) -> int:
    return sum(1 for cell in card.cells if cell[2] in "PX")


def having(when: str, do: str, test: Callable[[Ability], bool] = lambda ability: True, **fields: Any) -> list[str]:
    """Return the collectible cards with an ability that has these fields and passes the test."""
    wanted = {"when": when, "do": do, **fields}.items()
    return [
        card.id for card in COLLECTIBLE if any(wanted <= asdict(each).items() and test(each) for each in card.abilities)
    ]


def spawned_by(cards: Iterable[Card]) -> set[str]:
    return {made for card in cards for each in card.abilities if each.do == "spawn" for made in each.made}


# --- The set ----------------------------------------------------------------------------------------------------------


def test_the_set_has_72_cards_and_what_they_make():
    assert len(COLLECTIBLE) == 72
    assert Counter(card.tier for card in CARDS) == {"common": 47, "rare": 25, "token": 12}
    assert Counter(card.cost for card in COLLECTIBLE) == {1: 28, 2: 21, 3: 16, "replace": 7}


@pytest.mark.parametrize(
    ("cost", "least", "most", "mean_least", "mean_most"),
    [(1, 1, 4, "1.6", "2.0"), (2, 1, 6, "2.6", "3.1"), (3, 1, 8, "3.7", "4.2"), ("replace", 1, 3, "1", "3")],
)
def test_powers_are_those_asked_for(cost, least, most, mean_least, mean_most):
    powers = [card.power for card in with_cost(cost)]

    assert least <= min(powers) <= max(powers) <= most
    assert Fraction(mean_least) <= mean(powers) <= Fraction(mean_most)


@pytest.mark.parametrize(("cost", "least", "most"), [(1, "2.2", "2.6"), (2, "2.7", "3.2"), (3, "3.6", "4.2")])
def test_pawn_cells_are_as_many_as_asked_for(cost, least, most):
    assert Fraction(least) <= mean([pawn_cells(card) for card in with_cost(cost)]) <= Fraction(most)


def test_every_pair_of_when_and_do_occurs():
    found = {f"{ability.when} {ability.do}" for card in CARDS for ability in card.abilities}

    assert found == {f"{when} {do}" for when, deeds in ABILITIES.items() for do in deeds.split()}
    assert len(found) == 17


LEAST_POWERS = [
    *(("on_play", "enemies", -1, 3), ("on_play", "all", -1, 4), ("on_play", "allies", -1, 1), ("on_play", "all", 1, 1)),
    *(("while_in_play", who, sign, least) for who, sign, least in (("allies", 1, 5), ("all", 1, 1), ("all", -1, 1))),
    ("while_in_play", "enemies", -1, 1),
    *(("on_destroyed", who, sign, 1) for who, sign in (("allies", 1), ("enemies", -1), ("all", -1), ("all", 1))),
]
LEAST_CARDS: list[tuple[str, str, dict[str, Any], int]] = [
    *(("on_play", "destroy", {"who": "enemies"}, 2), ("on_play", "destroy", {"who": "all"}, 1)),
    *(("on_play", "add_to_hand", {}, 3), ("on_play", "spawn", {}, 2), ("on_destroyed", "add_to_hand", {}, 1)),
    *(("on_play", "power_by_replaced", {"sign": sign}, 1) for sign in (1, -1)),
    *(("on_card_destroyed", "gain", {"watch": watch}, 1) for watch in ("allies", "enemies", "all")),
    *(("on_card_played", "gain", {"watch": watch}, 1) for watch in ("allies", "enemies")),
    *(("on_power_reaches", "power", {}, 1), ("on_lane_won", "score", {}, 2), ("on_round_end", "score_transfer", {}, 1)),
]


def test_every_category_has_its_least_number_of_cards():
    """The table of the specification, row by row."""

    def power(when: str, who: str, sign: int) -> int:
        return len(having(when, "power", lambda each: each.who == who and (each.amount or 0) * sign > 0))

    def first(when: str) -> set[str]:
        return set(having(when, "power"))

    raises = Counter(card.raise_ for card in COLLECTIBLE)
    replacing = with_cost("replace")
    chains = [
        card.id
        for card in COLLECTIBLE
        for each in card.abilities
        if each.when == "on_play"
        for made in each.cards or ()
        if any(other.do == "add_to_hand" for other in CARDS.get_card(made).abilities)
    ]
    per = [each for card in COLLECTIBLE for each in card.abilities if each.do == "power_per"]

    assert sum(1 for card in COLLECTIBLE if not card.abilities and card.raise_ == 1) >= 8
    assert raises[2] >= 2
    assert raises[3] >= 1
    for when, who, sign, least in LEAST_POWERS:
        assert power(when, who, sign) >= least, (when, who, sign)
    assert chains
    for when, do, fields, least in LEAST_CARDS:
        assert len(having(when, do, **fields)) >= least, (when, do, fields)
    assert having("on_play", "spawn", lambda each: len(set(each.made)) == 3)
    assert any(
        each.when == "on_spawned" for token in spawned_by(COLLECTIBLE) for each in CARDS.get_card(token).abilities
    )
    assert len(per) >= 4
    assert {each.count for each in per} == {"enhanced", "enfeebled", "either"}
    assert {each.of for each in per} == {"allies", "enemies", "all"}
    assert len(first("on_first_enhanced") - first("on_first_enfeebled")) >= 2
    assert len(first("on_first_enfeebled") - first("on_first_enhanced")) >= 2
    assert len(first("on_first_enhanced") & first("on_first_enfeebled")) >= 1
    assert sum(1 for card in replacing if not card.abilities) >= 1


def test_every_token_is_made_by_a_card_and_nothing_else_is():
    made = {card_id for card in CARDS for each in card.abilities for card_id in each.made}

    assert made == {card.id for card in TOKENS}


# --- The world --------------------------------------------------------------------------------------------------------


def test_there_are_five_factions_with_cards_of_every_cost():
    assert CARDS.world
    assert 4 <= len(CARDS.factions) <= 6
    for faction in CARDS.factions:
        own = [card for card in COLLECTIBLE if card.faction == faction.id]
        assert 14 <= len(own) <= 15
        assert {card.cost for card in own} == {1, 2, 3, "replace"}
        assert sum(1 for card in own if card.tier == "rare") == 5
        assert faction.text.endswith(".")
    assert all(card.faction for card in CARDS)


def test_names_are_plain_words_short_and_unlike_each_other():
    names = [card.name for card in CARDS]

    assert len({name.casefold() for name in names}) == len(names)
    assert max(map(len, names)) <= 22
    assert all(re.fullmatch(r"[A-Z][a-z]+(?: (?:of|the|[A-Z][a-z]+))*", name) for name in names)


def test_every_card_has_a_line_of_flavour_of_its_own():
    lines = [card.flavour for card in CARDS]

    assert len(set(lines)) == len(lines)
    assert all(re.fullmatch(r"[A-Z][\x20-\x7e]{2,79}[.?!]", line) for line in lines)


# --- Nobody else's ----------------------------------------------------------------------------------------------------


def flipped(pattern: frozenset[str]) -> frozenset[str]:
    """Return a pattern with its lanes turned upside down."""
    return frozenset(f"{cell[0]}{6 - int(cell[1])}{cell[2]}" for cell in pattern)


def shape(card: Card) -> frozenset[str]:
    return frozenset(card.pattern.split(",")) if card.pattern else frozenset()


def is_copy(card: Card, other: Card) -> bool:
    """Tell whether a card costs, counts and reaches as another does, upright or upside down.

    That is stricter than the specification: abilities may well differ. Where there is no pattern there is nothing to
    copy but the numbers, so there the abilities have to be the same, too.
    """
    if (card.cost, card.power) != (other.cost, other.power):
        return False
    if not card.pattern:
        return not other.pattern and card.abilities == other.abilities
    return shape(card) in (shape(other), flipped(shape(other)))


def copies_of(others: CardSet) -> list[str]:
    return [f"{card.id} and {other.id}" for card, other in product(CARDS, others) if is_copy(card, other)]


@pytest.mark.parametrize("others", ["probe", "compatibility"])
def test_no_card_copies_one_of_another_set(request, others):
    assert copies_of(request.getfixturevalue(others)) == []


def test_a_copy_would_be_found(probe):
    """K03 in another order, K26 upside down and K35 are seen for what they are; another power is another card."""
    reordered = Card("X1", "X", "common", 1, 3, "D2P,D4P,B3X")

    assert is_copy(reordered, probe.get_card("K03"))
    assert is_copy(Card("X2", "X", "common", 1, 3, "B5E,B4E,B3P,C4P"), probe.get_card("K26"))
    assert is_copy(replace(probe.get_card("K35"), id="X3"), probe.get_card("K35"))
    assert not is_copy(replace(reordered, power=2), probe.get_card("K03"))


@pytest.mark.parametrize("file", ["probe_file", "compatibility_file"])
def test_no_name_is_one_of_another_set(request, file):
    """A failure tells our ids alone: the names of the compatibility file are never shown."""
    found = request.getfixturevalue(file)
    others = found["cards"] if file == "probe_file" else found[1:]
    taken = {card["name"].strip().casefold() for card in others} - {""}
    alike = [card.id for card in CARDS if card.name.casefold() in taken]
    del found, others, taken

    assert alike == []


# --- Decks ------------------------------------------------------------------------------------------------------------


def pairs_of(deck: Any) -> set[str]:
    return {f"{each.when} {each.do}" for card_id in deck.cards for each in CARDS.get_card(card_id).abilities}


def test_there_are_two_starters_and_four_themed_decks():
    assert [deck.id for deck in STARTERS] == ["first-light", "ebb-and-ruin"] == list(DECKS)[:2]
    assert list(DECKS)[2:] == ["green-water", "toll-and-tally", "false-lights", "long-fog"]
    assert all(deck.title and deck.plan.endswith(".") for deck in own_decks())


@pytest.mark.parametrize("deck_id", list(DECKS))
def test_a_deck_is_legal_and_nothing_about_it_is_unwise(deck_id):
    deck = DECKS[deck_id]
    copies = Counter(deck.cards)

    assert len(deck.cards) == 15
    assert all(copies[card.id] <= {"common": 2, "rare": 1, "token": 0}[card.tier] for card in CARDS)
    report = validate_deck(deck.cards, CARDS)
    assert (report.errors, report.warnings) == ((), ())


def test_every_card_is_in_a_deck():
    assert {card_id for deck in own_decks() for card_id in deck.cards} == {card.id for card in COLLECTIBLE}


def test_the_starters_are_cheap_and_varied_and_show_twelve_kinds_of_ability():
    for deck in STARTERS:
        costs = Counter(CARDS.get_card(card_id).cost for card_id in deck.cards)
        assert costs[1] >= 8
        assert costs[3] <= 3
        assert len(pairs_of(deck)) >= 6
    assert len(pairs_of(STARTERS[0]) | pairs_of(STARTERS[1])) >= 12


def makes_rank_2(card: Card, lane: int) -> bool:
    """Tell whether a card in column 1 of the start board leaves an empty tile with two pawns (sections 3.1, 3.2)."""
    pawns = [(lane + down, forward) for forward, down, kind in card.cells if kind in "PX"]
    own = [tile for tile in pawns if tile in ((0, 0), (1, 0), (2, 0))]  # where there is one pawn already
    return card.cost == 1 and (bool(own) or (card.raise_ > 1 and any(0 <= tile[0] < 3 for tile in pawns)))


@pytest.mark.parametrize("deck", STARTERS, ids=lambda deck: deck.id)
def test_a_starter_has_two_cards_that_make_a_tile_of_rank_2_at_once(deck):
    """The specification asks for two ways by a side's third turn; each of these does it in the first, in every lane."""
    cards = {CARDS.get_card(card_id) for card_id in deck.cards}
    ways = [{card.id for card in cards if makes_rank_2(card, lane)} for lane in range(3)]

    assert len(set.union(*ways)) >= 2
    assert all(ways)


@pytest.mark.parametrize("deck", STARTERS, ids=lambda deck: deck.id)
@pytest.mark.parametrize("lane", range(3))
def test_a_starter_can_leave_every_lane(deck, lane):
    cards = {CARDS.get_card(card_id) for card_id in deck.cards}
    leaving = [
        card for card in cards if any(kind in "PX" and down and 0 <= lane + down < 3 for _, down, kind in card.cells)
    ]

    assert len(leaving) >= 2


def test_the_files_hold_what_is_loaded():
    """Whoever reads the JSON without us finds 84 cards. No field has another name than those specified: none loads."""
    folder = resources.files("croupier.games.lanes.cards")
    cards, decks = (json.loads((folder / f"{name}.json").read_text()) for name in ("cards", "decks"))

    assert (cards["format"], cards["set"]["id"], decks["set"], len(cards["cards"])) == (1, "causeways", "causeways", 84)
    assert CardHydrator().cards is CARDS


# --- Deck rules -------------------------------------------------------------------------------------------------------


def test_a_deck_is_told_everything_that_is_wrong_with_it(probe):
    report = validate_deck(["K01"] * 3 + ["K15", "nobody"], probe)

    assert not report.ok
    assert len(report.errors) == 4
    assert [part for part in ("15 cards", "K01 is there 3 times", "K15 is a token", "'nobody'")
            if not any(part in error for error in report.errors)] == []  # fmt: skip


def test_warnings_do_not_forbid_a_deck(probe):
    ids = ["K08", "K08", "K09", "K09", "K48", "K48", "K18", "K18", "K30", "K30", "K32", "K32", "K34", "K34", "K07"]

    report = validate_deck(ids, probe)

    assert report.ok
    assert len(report.warnings) == 2
    assert validate_deck(["K01", "K01", "K02", "K02", "K03", "K03", *ids[:9]], probe).warnings == ()


def test_a_rare_may_be_there_once(probe_file):
    raw = json.loads(json.dumps(probe_file))
    raw["cards"][0]["tier"] = "rare"
    ids = ["K01", "K01", "K02", "K02", "K03", "K03", "K04", "K04", "K05", "K05", "K06", "K06", "K07", "K07", "K08"]

    assert validate_deck(ids, load_cards(probe_file)).ok
    assert validate_deck(ids, load_cards(raw)).errors == ("K01 is there 2 times: at most one of a rare",)
