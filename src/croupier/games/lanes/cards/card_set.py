"""Card sets: read from JSON, checked to the last field, and turned into what the rules work with.

>>> cards = load_cards('{"format": 1, "set": {"id": "tiny", "version": "1"}, "cards": [{"id": "A", "name": "Ant",'
...                    ' "tier": "common", "cost": 1, "power": 1, "pattern": "B3P"}]}')
>>> cards.get_card("A").name
'Ant'
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import PurePath
from typing import Any

import msgspec
from msgspec import Struct

from croupier.engine.plain import UNREADABLE, misread, shown
from croupier.games.lanes.cards.row import compile_tables
from croupier.games.lanes.cards.types import Ability, Card, Faction, SetInfo
from croupier.games.lanes.errors import CardDataError, UnknownCard
from croupier.games.lanes.rules import layout

CARDS_MAX = 4096
_ABOUT_A_FIELD = re.compile(r"object (?:missing required|contains unknown) field (\S+)")
OFFSPRING_MAX = 255  # cards that one card can come to put into a hand: the room for a hand is set by it

# What may go together, and the fields that it needs (rules.md, Reading a card).
PAIRS: Mapping[tuple[str, str], frozenset[str]] = {
    pair: frozenset(fields)
    for pair, fields in {
        ("on_play", "power"): {"who", "amount"},
        ("on_play", "power_by_replaced"): {"who", "sign"},
        ("on_play", "destroy"): {"who"},
        ("on_play", "add_to_hand"): {"cards"},
        ("on_play", "spawn"): {"tokens"},
        ("while_in_play", "power"): {"who", "amount"},
        ("while_in_play", "power_per"): {"count", "of", "amount"},
        ("on_destroyed", "power"): {"who", "amount"},
        ("on_destroyed", "add_to_hand"): {"cards"},
        ("on_card_destroyed", "gain"): {"watch", "amount"},
        ("on_card_played", "gain"): {"watch", "amount"},
        ("on_first_enhanced", "power"): {"who", "amount"},
        ("on_first_enfeebled", "power"): {"who", "amount"},
        ("on_power_reaches", "power"): {"who", "amount", "threshold"},
        ("on_spawned", "power"): {"who", "by_rank"},
        ("on_lane_won", "score"): {"amount"},
        ("on_round_end", "score_transfer"): set[str](),
    }.items()
}


class CardSet:
    """Cards that can be played with: every one checked, numbered in the order of the file. It never changes."""

    __slots__ = ("_numbers", "cards", "factions", "info", "offspring", "tables", "world")

    def __init__(self, info: SetInfo, cards: Iterable[Card], factions: Iterable[Faction] = (), world: str = "") -> None:
        self.info = info
        self.cards = tuple(cards)
        self.factions = tuple(factions)
        self.world = world
        self._numbers = _check_set(self.cards, self.factions)
        self.offspring = _offspring(self.cards, self._numbers)
        """By number: how many cards a card can come to put into its side's hand, one way or another."""
        self.tables = compile_tables(self.cards)
        """The set as the rules read it."""

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __contains__(self, card_id: object) -> bool:
        return card_id in self._numbers

    def get_card(self, card_id: str) -> Card:
        """Return the card of that id, or raise `UnknownCard`, which is a `KeyError`."""
        return self.cards[self.number(card_id)]

    def number(self, card_id: str) -> int:
        """Return the number of a card in this set, by which the rules know it."""
        try:
            return self._numbers[card_id]
        except (KeyError, TypeError):
            raise UnknownCard(f"the card set {self.info.id!r} has no card {shown(card_id)}") from None

    def __repr__(self) -> str:
        return f"<CardSet {self.info.id!r}, {len(self.cards)} cards>"


class CardHydrator:
    """Turns ids into cards, for hands. Cards never change, so all hands share them."""

    def __init__(self, cards: CardSet | None = None) -> None:
        if cards is not None and not isinstance(cards, CardSet):
            raise CardDataError(
                f"a hydrator takes a card set, got {type(cards).__name__} {shown(cards)}: read the file and give its "
                "content to load_cards, as in CardHydrator(load_cards(Path(name).read_text()))"
            )
        self.cards = own_cards() if cards is None else cards

    def get_card(self, card_id: str) -> Card:
        """Return the card of that id; a `KeyError` if there is none."""
        return self.cards.get_card(card_id)


# --- Reading ----------------------------------------------------------------------------------------------------------


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """The outermost object of a card file, its cards not looked at yet."""

    format: int
    set: SetInfo
    cards: list[Any]
    factions: tuple[Faction, ...] = ()
    world: str = ""


def load_cards(source: bytes | str | Mapping[str, Any]) -> CardSet:
    """Return the card set of a JSON document, or of one already decoded.

    Whatever is wrong with it is a `CardDataError` whose sentence names the card and the field. It reads no files.
    """
    if isinstance(source, PurePath) or (isinstance(source, str) and source.endswith(".json")):
        raise CardDataError(
            f"{source} is the name of a file: give its content, as in load_cards(Path({str(source)!r}).read_text())"
        )
    document = source if isinstance(source, Mapping) else _read_json(source)
    if type(document) is not dict and not isinstance(document, Mapping):
        raise CardDataError(f"a card set is an object, got {type(document).__name__}")
    unknown = [key for key in document if key not in ("$schema", *_File.__struct_fields__)]
    if unknown:
        raise CardDataError(f"a card set has no field {shown(unknown[0])}", field=str(unknown[0])[:64])
    try:
        file = msgspec.convert({key: value for key, value in document.items() if key != "$schema"}, _File)
    except UNREADABLE as error:
        text, path = misread(error)
        raise CardDataError(f"the card set: {text} at {path}", field=_field(text, path)) from None
    if file.format != 1:
        raise CardDataError(
            f"the card set: format {file.format} is not one this version reads; it reads 1", "", "format"
        )
    if len(file.cards) > CARDS_MAX:
        raise CardDataError(f"the card set: {len(file.cards)} cards are more than {CARDS_MAX}", "", "cards")
    return CardSet(file.set, [_card(raw, index) for index, raw in enumerate(file.cards)], file.factions, file.world)


def _read_json(source: bytes | str) -> Any:
    try:
        text = source.decode() if isinstance(source, bytes) else source
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except CardDataError:
        raise
    except (*UNREADABLE, AttributeError) as error:
        raise CardDataError(f"the card set is not JSON: {str(error)[:100] or 'nested too deeply'}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        card = found.get("id")
        where = f"card {shown(card)}" if isinstance(card, str) else "the card set"
        raise CardDataError(f"{where}: the field {shown(twice)} is there twice", str(card or "")[:64], twice[:64])
    return found


def _no_number(text: str) -> Any:
    raise CardDataError(f"the card set: {text} is not a number that JSON knows")


def _card(raw: Any, index: int) -> Card:
    card_id = raw.get("id") if isinstance(raw, Mapping) else None
    name = card_id[:64] if isinstance(card_id, str) else f"number {index + 1}"
    try:
        return msgspec.convert(raw, Card)
    except UNREADABLE as error:
        text, path = misread(error)
        field = _field(text, path)
        raise CardDataError(f"card {name}, {field or 'the card'}: {text}", name, field) from None


def _field(text: str, path: str) -> str:
    """Return where something is wrong, as in `abilities[0].amount`; a field that is missing or unknown is named."""
    found = _ABOUT_A_FIELD.fullmatch(text)
    return ".".join(filter(None, [path.removeprefix("$").removeprefix("."), found and found[1]]))


# --- Checking ---------------------------------------------------------------------------------------------------------


def _check_set(cards: tuple[Card, ...], factions: tuple[Faction, ...]) -> dict[str, int]:
    """Return the number of each card, or say what types alone cannot see is wrong."""
    numbers: dict[str, int] = {}
    for card in cards:
        if card.id in numbers:
            raise CardDataError(f"card {card.id}, id: two cards have it", card.id, "id")
        numbers[card.id] = len(numbers)
    faction_ids = [faction.id for faction in factions]
    for faction_id in faction_ids:
        if faction_ids.count(faction_id) > 1:
            raise CardDataError(f"the card set, factions: two have the id {faction_id!r}", field="factions")
    for card in cards:
        _check_pattern(card)
        for index, ability in enumerate(card.abilities):
            _check_ability(card, f"abilities[{index}]", ability)
            for card_id in ability.made:
                if card_id not in numbers:
                    _wrong(card, f"abilities[{index}].{_maker(ability)}", f"the set has no card {card_id!r}")
        if factions and card.faction and card.faction not in faction_ids:
            _wrong(card, "faction", f"{card.faction!r} is none of {', '.join(faction_ids)}")
    return numbers


def _check_pattern(card: Card) -> None:
    places = [cell[:2] for cell in card.pattern.split(",")]
    for place in places:
        if place == "C3":
            _wrong(card, "pattern", "C3 is the card itself")
        if places.count(place) > 1:
            _wrong(card, "pattern", f"the cell {place} is there twice")


def _check_ability(card: Card, where: str, ability: Ability) -> None:
    pair = (ability.when, ability.do)
    if pair not in PAIRS:
        fitting = ", ".join(do for when, do in PAIRS if when == ability.when)
        _wrong(card, f"{where}.do", f"{ability.do} does not go with {ability.when}, which takes {fitting}")
    for field in ability.__struct_fields__[2:]:
        if getattr(ability, field) is None:
            if field in PAIRS[pair]:
                _wrong(card, f"{where}.{field}", f"{ability.do} with {ability.when} needs it")
        elif field not in PAIRS[pair]:
            _wrong(card, f"{where}.{field}", f"{ability.do} with {ability.when} does not take it")
    if ability.when == "on_spawned" and ability.who != "self":
        _wrong(card, f"{where}.who", "a spawned card changes its own power: self")
    if ability.when == "on_destroyed" and ability.who == "self":
        _wrong(card, f"{where}.who", "a destroyed card is gone: allies, enemies or all")
    if ability.do == "power_by_replaced" and card.cost != "replace":
        _wrong(card, f"{where}.do", "power_by_replaced is for replace cards")


def _maker(ability: Ability) -> str:
    """Return the field that names the cards which an ability makes."""
    return "cards" if ability.tokens is None else "tokens"


def _offspring(cards: tuple[Card, ...], numbers: dict[str, int]) -> tuple[int, ...]:
    """Return how many cards each can come to put into a hand, or refuse a chain that leads back to its beginning."""
    known: dict[str, int] = {}
    for card in cards:
        waiting = [card]  # a stack rather than recursion: a chain may be as long as the set
        path: list[str] = []
        while waiting:
            top = waiting[-1]
            if top.id in known:
                waiting.pop()
                continue
            if not path or path[-1] != top.id:
                path.append(top.id)
            links = [(_maker(ability), made) for ability in top.abilities for made in ability.made]
            for field, made in links:
                if made in path:
                    chain = " to ".join([*path[path.index(made) :], made])
                    _wrong(top, field, f"a chain of cards leads from {chain}")
            unknown = [made for _, made in links if made not in known]
            if unknown:
                waiting.append(cards[numbers[unknown[0]]])
                continue
            known[top.id] = sum(_brings(ability, known) for ability in top.abilities)
            if known[top.id] > OFFSPRING_MAX:
                _wrong(top, "abilities", f"it can bring {known[top.id]} cards to a hand, more than {OFFSPRING_MAX}")
            waiting.pop()
            path.pop()
    return tuple(known[card.id] for card in cards)


def _brings(ability: Ability, known: dict[str, int]) -> int:
    if ability.tokens is not None:
        return (layout.TILE_COUNT - 1) * max(known[card_id] for card_id in ability.made)
    return sum(1 + known[card_id] for card_id in ability.made)


def _wrong(card: Card, field: str, problem: str) -> None:
    raise CardDataError(f"card {card.id}, {field}: {problem}", card.id, field)


# --- Our own ----------------------------------------------------------------------------------------------------------


class DeckList(Struct, frozen=True, forbid_unknown_fields=True):
    """A deck that comes with a card set: fifteen ids, and the plan behind them."""

    id: str
    title: str
    cards: tuple[str, ...]
    plan: str = ""
    starter: bool = False


class _DeckFile(Struct, frozen=True, forbid_unknown_fields=True):
    format: int
    set: str
    decks: tuple[DeckList, ...]


@cache
def own_cards() -> CardSet:
    """Return the cards that come with croupier."""
    return load_cards(resources.files(__package__).joinpath("cards.json").read_bytes())


@cache
def own_decks() -> tuple[DeckList, ...]:
    """Return the decks that come with croupier, the starters first."""
    data = resources.files(__package__).joinpath("decks.json").read_bytes()
    decks = msgspec.json.decode(data, type=_DeckFile).decks
    return tuple(sorted(decks, key=lambda deck: not deck.starter))
