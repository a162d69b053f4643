"""What happened, as plain dicts: front ends animate from them, coaches give reasons from them.

The rules note events as six numbers each; here they get their words. `n`, `turn` and `side` are in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from croupier.games.lanes.cards.card_set import CardSet
from croupier.games.lanes.play.position import SIDES, tile_name
from croupier.games.lanes.rules import layout

__all__ = ["Noted", "Play", "read_event", "recorded"]

Noted = tuple[int, ...]
"""One event as the rules note it: the kind, and five numbers."""

Play = Callable[[list[int], list[int]], object]
"""A step of the rules that gets a row of cells and a log."""

ROOM = 64  # events at first; a play that has more is played again with more room

POWER_CAUSES = ("play", "aura", "destroyed", "one_shot", "spawned", "gain", "count")
DEATH_CAUSES = ("lowered", "struck", "replaced")
OVER_REASONS = ("", "two_passes", "board_full")


def recorded(cells: Sequence[int], step: Play) -> tuple[list[int], list[Noted]]:
    """Return the cells after a step and the events it noted; the cells given are left alone."""
    room = ROOM
    while True:
        after = list(cells)
        log = [1, *[0] * (room * layout.EVENT_CELLS)]
        step(after, log)
        if log[0] <= len(log):
            return after, [tuple(log[at : at + layout.EVENT_CELLS]) for at in range(1, log[0], layout.EVENT_CELLS)]
        room *= 4


def read_event(noted: Noted, cards: CardSet) -> dict[str, Any]:
    """Return an event in words, without the fields that all have."""
    kind, *numbers = noted
    name, fields = _EVENTS[kind]
    return {"type": name, **dict(fields(numbers, cards))}


Fields = Iterator[tuple[str, Any]]


def _play(numbers: list[int], cards: CardSet) -> Fields:
    tile, card, side, uid, index = numbers
    yield "tile", tile_name(tile)
    yield "card", cards.cards[card].id
    yield "owner", SIDES[side]
    yield "uid", uid
    yield "hand_index", index


def _pawn(numbers: list[int], cards: CardSet) -> Fields:
    tile, before, after, is_freed, _ = numbers
    yield "tile", tile_name(tile)
    yield "before", SIDES[before // 4] + "0" if is_freed else _pawns(before)
    yield "after", _pawns(after)


def _pawns(code: int) -> str:
    return f"{SIDES[code // 4]}{code % 4}" if code % 4 else "N0"


def _power(numbers: list[int], cards: CardSet) -> Fields:
    tile, amount, cause, source, _ = numbers
    yield "tile", tile_name(tile)
    yield "amount", amount
    yield "cause", POWER_CAUSES[cause]
    yield "source", tile_name(source) if source >= 0 else None


def _one_shot(numbers: list[int], cards: CardSet) -> Fields:
    tile, card, index, side, uid = numbers
    yield "tile", tile_name(tile)
    yield "card", cards.cards[card].id
    yield "owner", SIDES[side]
    yield "uid", uid
    yield "ability", index


def _destroyed(numbers: list[int], cards: CardSet) -> Fields:
    tile, card, side, cause, uid = numbers
    yield "tile", tile_name(tile)
    yield "card", cards.cards[card].id
    yield "owner", SIDES[side]
    yield "uid", uid
    yield "cause", DEATH_CAUSES[cause]


def _spawned(numbers: list[int], cards: CardSet) -> Fields:
    tile, card, side, uid, rank = numbers
    yield "tile", tile_name(tile)
    yield "card", cards.cards[card].id
    yield "owner", SIDES[side]
    yield "uid", uid
    yield "rank", rank


def _hand_add(numbers: list[int], cards: CardSet) -> Fields:
    source, card, side, _, _ = numbers
    yield "card", cards.cards[card].id
    yield "owner", SIDES[side]
    yield "source", tile_name(source)


def _draw(numbers: list[int], cards: CardSet) -> Fields:
    yield "owner", SIDES[numbers[0]]
    yield "card", cards.cards[numbers[1]].id


def _owner(numbers: list[int], cards: CardSet) -> Fields:
    yield "owner", SIDES[numbers[0]]


def _over(numbers: list[int], cards: CardSet) -> Fields:
    yield "reason", OVER_REASONS[numbers[0]]


_EVENTS: Mapping[int, tuple[str, Callable[[list[int], CardSet], Fields]]] = {
    layout.EVENT_PLAY: ("play", _play),
    layout.EVENT_PAWN: ("pawn", _pawn),
    layout.EVENT_POWER: ("power", _power),
    layout.EVENT_ONE_SHOT: ("one_shot", _one_shot),
    layout.EVENT_DESTROYED: ("destroyed", _destroyed),
    layout.EVENT_SPAWNED: ("spawned", _spawned),
    layout.EVENT_HAND_ADD: ("hand_add", _hand_add),
    layout.EVENT_DRAW: ("draw", _draw),
    layout.EVENT_DRAW_EMPTY: ("draw_empty", _owner),
    layout.EVENT_PASS: ("pass", _owner),
    layout.EVENT_TURN_END: ("turn_end", _owner),
    layout.EVENT_OVER: ("over", _over),
}
