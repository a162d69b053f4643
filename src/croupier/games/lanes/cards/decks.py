"""`Deck` and `Hand`: ids in an order that follows from a seed, and cards in the order they came.

>>> deck = Deck([f"{number:03}" for number in range(1, 16)], seed=7)
>>> deck.draw_n(3), deck.cards_remaining()
(['015', '011', '006'], 12)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from croupier.engine.plain import shown
from croupier.errors import BadSeed
from croupier.fairness import derive
from croupier.games.lanes.cards.card_set import CardHydrator, CardSet
from croupier.games.lanes.cards.types import Card
from croupier.games.lanes.errors import DeckError, HandIndexError
from croupier.games.lanes.rules.layout import DECK_SIZE
from croupier.games.lanes.rules.turns import exchange
from croupier.rng import GameRng, draw_seed, seed_bytes

SEED_BITS = 1024
COMMONS_MAX, RARES_MAX = 2, 1
CHEAP_MIN = 6  # cards of cost 1 below which a deck may find nothing to play


def read_seed(seed: int | bytes | str | None) -> int:
    """Return a seed as a whole number: itself, or that of bytes or a text (`croupier.rng.seed_bytes`).

    Where none is given 64 bits are drawn from the system. A match never asks for that: it gives its decks their seeds.
    """
    if seed is None:
        return int.from_bytes(draw_seed()[:8], "big")
    if isinstance(seed, (bytes, str)) and len(seed) < SEED_BITS // 8:
        return int.from_bytes(b"\x01" + seed_bytes(seed), "big")  # the 1 keeps zeros at the beginning apart
    if type(seed) is not int or seed.bit_length() > SEED_BITS:
        raise BadSeed(f"a seed is bytes, text or a whole number of at most {SEED_BITS} bits, got {type(seed).__name__}")
    return seed


def stream_of(seed: int, label: str) -> GameRng:
    """Return the stream that a seed opens for one purpose."""
    return GameRng.new(derive(str(seed).encode(), label), 0, 0)


class DeckValue(Struct, frozen=True):
    """All there is to a deck: its list, its seed, and what is left of it, the next card first."""

    card_ids: tuple[str, ...]
    seed: int
    left: tuple[str, ...]


class Deck:
    """Fifteen ids in an order that its seed decides. It never looks at what the cards are."""

    is_seeded = True
    """Whether its seed was given, and not drawn."""

    def __init__(self, card_ids: Sequence[str], seed: int | bytes | str | None = None) -> None:
        ids = read_ids(card_ids)
        if len(ids) != DECK_SIZE:
            raise DeckError(f"a deck is {DECK_SIZE} cards, got {len(ids)}")
        self.is_seeded = seed is not None
        self._value = DeckValue(ids, read_seed(seed), ())  # that of a game's deck is kept in the game
        self.shuffle()

    @property
    def value(self) -> DeckValue:
        """The whole deck as a value that cannot change."""
        return self._value

    @property
    def card_ids(self) -> list[str]:
        """The list the deck was made from, in its order."""
        return list(self._value.card_ids)

    @property
    def seed(self) -> int:
        """Seed that its order follows from."""
        return self._value.seed

    @property
    def rng(self) -> GameRng:
        """The stream of its own that it is shuffled by, from its beginning."""
        return stream_of(self.seed, "deck")

    def shuffle(self) -> None:
        """Put all fifteen back in the order that follows from the seed: always the same one."""
        self._value = replace(self._value, left=tuple(self.rng.shuffle(self.card_ids)))

    def draw(self) -> str | None:
        """Take the next card; None when there is none."""
        return next(iter(self.draw_n(1)), None)

    def draw_n(self, n: int) -> list[str]:
        """Take the next n cards in order; fewer when the deck runs out."""
        if type(n) is not int or n < 0:
            raise DeckError(f"a number of cards is 0 or more, got {shown(n)}")
        left = self._value.left
        self._value = replace(self._value, left=left[n:])
        return list(left[:n])

    def cards_remaining(self) -> int:
        """Return how many cards are left."""
        return len(self._value.left)

    def __len__(self) -> int:
        return self.cards_remaining()

    def return_card(self, card_id: str) -> None:
        """Put a card under the deck. A deck has never more than fifteen."""
        ids = read_ids([card_id])
        if len(self) >= DECK_SIZE:
            raise DeckError(f"the deck is full: none of its {DECK_SIZE} cards has been drawn")
        self._value = replace(self._value, left=self._value.left + ids)

    def mulligan(self, opening_hand_ids: Sequence[str], indices_to_replace: Sequence[int]) -> list[str]:
        """Return the hand with the cards at these places replaced; the others stay where they are.

        They go back under the deck, it is shuffled by a seed of its own, and the first cards fill the places from the
        lowest on. A card that was put back may come again. Without a place the deck stays as it is.
        """
        hand: list[Any] = list(read_ids(opening_hand_ids))
        slots = read_slots(indices_to_replace, len(hand))
        left: list[Any] = list(self._value.left)
        gone = self.card_ids
        for card_id in (*left, *hand):
            if card_id not in gone:
                raise DeckError(f"{shown(card_id)} is not among the cards drawn from this deck")
            gone.remove(card_id)
        pool: list[Any] = [None] * DECK_SIZE
        exchange(stream_of(self.seed, "mulligan"), hand, 0, len(hand), slots, left, 0, len(left), pool)
        self._value = replace(self._value, left=tuple(left))
        return hand

    def clone(self) -> Deck:
        """Return a deck of its own with the same cards left in the same order."""
        twin = Deck.__new__(Deck)
        twin.is_seeded, twin._value = self.is_seeded, self._value
        return twin

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> Deck:
        return self.clone()

    def __repr__(self) -> str:
        return f"<Deck with {self.cards_remaining()} cards left>"


def read_ids(card_ids: object) -> tuple[str, ...]:
    """Return a list of ids, or raise `DeckError` if it is something else."""
    if isinstance(card_ids, (str, bytes)) or not isinstance(card_ids, Iterable):
        raise DeckError(f"cards are given as a list of ids, got {type(card_ids).__name__}")
    ids = tuple(card_ids)
    for card_id in ids:
        if not isinstance(card_id, str):
            raise DeckError(f"an id is text, got {shown(card_id)}")
    return ids


def read_slots(indices: Sequence[int], hand_count: int) -> int:
    """Return places in a hand as a mask, or raise for one that is not there or is named twice."""
    if isinstance(indices, (str, bytes)) or not isinstance(indices, Iterable):
        raise DeckError(f"places in the hand are given as a list, got {type(indices).__name__}")
    slots = 0
    for index in indices:
        if type(index) is not int or not 0 <= index < hand_count:
            raise HandIndexError(f"the hand has no card at place {shown(index)}; it has {hand_count}, counted from 0")
        if slots >> index & 1:
            raise DeckError(f"place {index} is named twice")
        slots |= 1 << index
    return slots


class Hand:
    """Cards in the order they came. Ids become cards by the hydrator that it is given."""

    def __init__(self, hydrator: CardHydrator | None = None) -> None:
        self.hydrator = CardHydrator() if hydrator is None else hydrator
        self._ids: tuple[str, ...] = ()  # those of a game's hand are kept in the game

    def from_card_ids(self, ids: Sequence[str]) -> None:
        """Hold exactly these cards."""
        checked = read_ids(ids)
        for card_id in checked:
            self.hydrator.get_card(card_id)
        self._ids = checked

    sync_from_ids = from_card_ids

    def add_card(self, card_id: str) -> None:
        """Take a card at the end."""
        self.hydrator.get_card(card_id)
        self._ids = (*self._ids, card_id)

    def remove_index(self, idx: int) -> Card:
        """Take the card at a place out, and no other; a place that is not there is an `IndexError`."""
        ids = self._ids
        if type(idx) is not int or not 0 <= idx < len(ids):
            raise HandIndexError(f"the hand has no card at place {shown(idx)}; it has {len(ids)}, counted from 0")
        self._ids = (*ids[:idx], *ids[idx + 1 :])
        return self.hydrator.get_card(ids[idx])

    def as_card_ids(self) -> list[str]:
        """Return the ids in order."""
        return list(self._ids)

    @property
    def cards(self) -> list[Card]:
        """The cards in order."""
        return [self.hydrator.get_card(card_id) for card_id in self._ids]

    def clone(self) -> Hand:
        """Return a hand of its own with the same cards."""
        twin = Hand(self.hydrator)
        twin._ids = self._ids
        return twin

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> Hand:
        return self.clone()

    def __len__(self) -> int:
        return len(self._ids)

    def __getitem__(self, idx: int) -> Card:
        """Return the card at a place; one that is not there is an `IndexError`."""
        return self.cards[idx]

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __repr__(self) -> str:
        return f"<Hand {', '.join(self._ids)}>"


class DeckReport(Struct, frozen=True):
    """Report on a deck: `errors` forbid it, `warnings` do not."""

    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the deck may be played."""
        return not self.errors


def validate_deck(ids: Sequence[str], cards: CardSet) -> DeckReport:
    """Return everything that is wrong with a deck, and what may be unwise about it."""
    errors = []
    warnings = []
    checked = read_ids(ids)
    if len(checked) != DECK_SIZE:
        errors.append(f"a deck is {DECK_SIZE} cards, this one has {len(checked)}")
    known: list[Card] = []
    for card_id in dict.fromkeys(checked):
        count = checked.count(card_id)
        if card_id not in cards:
            errors.append(f"the card set has no card {shown(card_id)}")
            continue
        card = cards.get_card(card_id)
        known += [card] * count
        if card.tier == "token":
            errors.append(f"{card_id} is a token: it is never put in a deck")
        elif count > (COMMONS_MAX if card.tier == "common" else RARES_MAX):
            allowed = "two of a common" if card.tier == "common" else "one of a rare"
            errors.append(f"{card_id} is there {count} times: at most {allowed}")
    cheap = sum(1 for card in known if card.cost == 1)
    if cheap < CHEAP_MIN:
        warnings.append(f"only {cheap} cards of cost 1: below {CHEAP_MIN} the first turns may find nothing to play")
    if not any(cell[:2] == (1, 0) and cell[2] in "PX" for card in known for cell in card.cells):
        warnings.append("no card puts a pawn straight ahead (B3): lanes will be hard to enter")
    return DeckReport(tuple(errors), tuple(warnings))
