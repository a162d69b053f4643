"""Decks, hands and piles of card objects, for games with a deck of their own.

A pile is a tuple, and its first item is the top. Every function takes a pile and returns new ones; nothing
is changed in place, so a pile can stand in a state as it is. Functions that do not look inside a card
(`shuffle`, `deal`, `draw_n`, `add_card`, `top_of`) serve piles of anything, `kit.cards` numbers too.

    deck = shuffle(turn.rng, standard52())
    hands, deck = deal(deck, ("ann", "bob"), 5)
    (card,), deck = draw_n(deck, 1)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, MutableSequence, Sequence
from typing import Annotated, Any, Protocol, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from croupier.kit.cards import RANKS, SUITS
from croupier.kit.errors import KitError

T = TypeVar("T")
Key = TypeVar("Key", bound=Hashable)
Fact = str | int | bool | None


class Shuffler(Protocol):
    """The one draw that piles need: put a list in a random order in place. `GameRng` has it."""

    def shuffle(self, items: MutableSequence[Any], /) -> object:
        """Put the items in a random order."""


class Card(Struct, frozen=True):
    """One card: which physical card it is (`id`), what is printed on it, and which way up it lies.

    Copies of a card share their `kind` and differ in `id`. Playing cards have a suit, a rank and a value;
    cards of other games keep what is printed on them in `data`, as pairs sorted by name (a dict would thaw).
    """

    id: str
    kind: str
    suit: str = ""
    rank: str = ""
    value: int = 0
    data: tuple[tuple[str, Fact], ...] = ()
    face_up: bool = False

    def fact(self, name: str) -> Fact:
        """Return what `data` says under a name; a name that is not there is an error."""
        for key, value in self.data:
            if key == name:
                return value
        raise KitError(f"card {self.id} has no {name!r}: it has {[key for key, _ in self.data]}")


def standard52() -> tuple[Card, ...]:
    """Return the 52 playing cards face down, in the order of `kit.cards`, aces worth 14.

    >>> top_of(standard52())
    Card(id='AS', kind='AS', suit='S', rank='A', value=14, data=(), face_up=False)
    """
    return tuple(
        Card(id=rank + suit, kind=rank + suit, suit=suit, rank=rank, value=rank_value(rank))
        for suit in SUITS
        for rank in RANKS
    )


def rank_value(rank: str, ace_high: bool = True) -> int:
    """Return a rank's number: 2 to 10 as printed, jack 11, queen 12, king 13, and the ace 14 or 1.

    >>> rank_value("A"), rank_value("A", ace_high=False), rank_value("Q")
    (14, 1, 12)
    """
    if rank not in RANKS:
        raise KitError(f"{rank!r} is no rank: ranks are {', '.join(RANKS)}")
    if rank == "A" and ace_high:
        return 14
    return RANKS.index(rank) + 1


class _SpecLine(Struct, frozen=True, forbid_unknown_fields=True):
    kind: Annotated[str, Meta(min_length=1)]
    count: Annotated[int, Meta(ge=0)] = 1
    data: dict[str, Fact] = {}


def deck_from_spec(spec: Sequence[Mapping[str, object]]) -> tuple[Card, ...]:
    """Return a face-down deck from lines of `kind`, `count` (1 if left out) and `data` (nothing if left out).

    Cards lie in the order of the lines; copies are numbered from 1. What `data` holds is text, whole numbers,
    yes or no, or None: nothing nested.

    >>> deck = deck_from_spec([{"kind": "knight", "count": 2, "data": {"power": 3}}, {"kind": "dragon"}])
    >>> [card.id for card in deck], deck[0].fact("power")
    (['knight-1', 'knight-2', 'dragon-1'], 3)
    """
    try:
        lines = msgspec.convert(spec, tuple[_SpecLine, ...])
    except msgspec.ValidationError as error:
        raise KitError(f"deck specification: {error}") from error
    kinds = [line.kind for line in lines]
    if len(set(kinds)) < len(kinds):
        raise KitError(f"deck specification: {kinds} names a kind twice; its cards would share ids")
    return tuple(
        Card(id=f"{line.kind}-{number}", kind=line.kind, data=tuple(sorted(line.data.items())))
        for line in lines
        for number in range(1, line.count + 1)
    )


def shuffle(rng: Shuffler, pile: Iterable[T]) -> tuple[T, ...]:
    """Return the pile in the order that the stream draws; the given pile stays as it was."""
    items = list(pile)
    rng.shuffle(items)
    return tuple(items)


def deal(deck: Sequence[T], ids: Sequence[Key], n: int) -> tuple[dict[Key, tuple[T, ...]], tuple[T, ...]]:
    """Return a hand of `n` cards for each id, dealt from the top one card at a time in turn, and the rest.

    >>> deal((1, 2, 3, 4, 5), ("ann", "bob"), 2)
    ({'ann': (1, 3), 'bob': (2, 4)}, (5,))
    """
    if len(set(ids)) < len(ids):
        raise KitError(f"{tuple(ids)} names a hand twice")
    dealt, rest = draw_n(deck, _require_count(n) * len(ids))
    hands = {key: dealt[index :: len(ids)] for index, key in enumerate(ids)}
    return hands, rest


def draw_n(pile: Sequence[T], n: int) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """Return the top `n` cards, the topmost first, and the rest; too few cards is an error.

    >>> draw_n((1, 2, 3), 2)
    ((1, 2), (3,))
    """
    if _require_count(n) > len(pile):
        raise KitError(f"{n} cards are wanted and {len(pile)} are there")
    return tuple(pile[:n]), tuple(pile[n:])


def remove_card(pile: Sequence[Card], card_id: str) -> tuple[Card, tuple[Card, ...]]:
    """Return the card with an id, and the pile without it; an id that is not there is an error."""
    for index, card in enumerate(pile):
        if card.id == card_id:
            return card, (*pile[:index], *pile[index + 1 :])
    raise KitError(f"no card {card_id!r} in a pile of {len(pile)}")


def add_card(pile: Sequence[T], card: T, *, to_bottom: bool = False) -> tuple[T, ...]:
    """Return the pile with one more card, on top unless it goes to the bottom.

    >>> add_card((1, 2), 3), add_card((1, 2), 3, to_bottom=True)
    ((3, 1, 2), (1, 2, 3))
    """
    return (*pile, card) if to_bottom else (card, *pile)


def top_of(pile: Sequence[T]) -> T | None:
    """Return the top card without taking it, or None from an empty pile."""
    return pile[0] if pile else None


def flip(card: Card) -> Card:
    """Return the card turned over."""
    return replace(card, face_up=not card.face_up)


def public_view(pile: Sequence[Card]) -> tuple[Card, ...]:
    """Return what anyone may see of a pile: face-up cards, and a blank stand-in for each face-down one.

    A stand-in is named after its place in the pile, so ids are unique within one pile, and two piles that
    differ only in their face-down cards look the same. A seat's own hand is the game's to show.

    >>> pile = deck_from_spec([{"kind": "knight"}, {"kind": "dragon"}])
    >>> [card.id for card in public_view((pile[0], flip(pile[1])))]
    ['??1', 'dragon-1']
    """
    return tuple(card if card.face_up else Card(id=f"??{place}", kind="??") for place, card in enumerate(pile, start=1))


def _require_count(n: int) -> int:
    if n < 0:
        raise KitError(f"{n} cards are wanted: a count is 0 or more")
    return n
