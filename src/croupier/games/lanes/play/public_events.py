"""Public events as plain dicts: front ends animate from them, coaches give reasons from them.

The rules note events as six numbers each; here they get their words. `n`, `turn` and `side` are in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from croupier.games.lanes.cards.card_set import CardSet
from croupier.games.lanes.play.position import SIDES, tile_name
from croupier.games.lanes.rules import layout
from croupier.games.lanes.rules.playouts import make_move

Noted = tuple[int, ...]
"""One event as the rules note it: the kind, and five numbers."""

Play = Callable[[list[int], list[int]], object]
"""A step of the rules that gets a row of cells and a log."""

ROOM = 64  # events at first; a play that has more is played again with more room

CAUSES = {
    "power": ("play", "aura", "destroyed", "one_shot", "spawned", "gain", "count"),
    "destroyed": ("lowered", "struck", "replaced"),
}
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


def move_step(cards: CardSet, move: int) -> Play:
    """Return the step that makes a move of `rules.playouts` for the side whose turn it is, and hands over."""
    return lambda cells, log: make_move(cells, cards.tables, log, move)


def read_event(noted: Noted, cards: CardSet) -> dict[str, Any]:
    """Return an event in words, without the fields that all have."""
    kind, *numbers = noted
    name, fields = _EVENTS[kind]
    found: dict[str, Any] = {"type": name}
    for field, place in fields:
        number = numbers[place]
        if field == "tile" or field == "source":
            found[field] = tile_name(number) if number >= 0 else None
        elif field == "card":
            found[field] = cards.cards[number].id
        elif field in _WORDS:
            found[field] = _WORDS[field][number]
        elif field == "before" or field == "after":
            found[field] = f"{SIDES[number // 4]}{number % 4}" if number % 4 else "N0"
        else:
            found[field] = CAUSES[name][number] if field == "cause" else number
    if name == "pawn" and numbers[3]:  # it was freed, and is told with the side that had it
        found["before"] = SIDES[numbers[1] // 4] + "0"
    return found


_WORDS: Mapping[str, Sequence[str]] = {"owner": SIDES, "reason": OVER_REASONS}
# The fields of an event in the order in which they are told, each with the place of its number.
_EVENTS: Mapping[int, tuple[str, tuple[tuple[str, int], ...]]] = {
    layout.EVENT_PLAY: ("play", (("tile", 0), ("card", 1), ("owner", 2), ("uid", 3), ("hand_index", 4))),
    layout.EVENT_PAWN: ("pawn", (("tile", 0), ("before", 1), ("after", 2))),
    layout.EVENT_POWER: ("power", (("tile", 0), ("amount", 1), ("cause", 2), ("source", 3))),
    layout.EVENT_ONE_SHOT: ("one_shot", (("tile", 0), ("card", 1), ("owner", 3), ("uid", 4), ("ability", 2))),
    layout.EVENT_DESTROYED: ("destroyed", (("tile", 0), ("card", 1), ("owner", 2), ("uid", 4), ("cause", 3))),
    layout.EVENT_SPAWNED: ("spawned", (("tile", 0), ("card", 1), ("owner", 2), ("uid", 3), ("rank", 4))),
    layout.EVENT_HAND_ADD: ("hand_add", (("card", 1), ("owner", 2), ("source", 0))),
    layout.EVENT_DRAW: ("draw", (("owner", 0), ("card", 1))),
    layout.EVENT_DRAW_EMPTY: ("draw_empty", (("owner", 0),)),
    layout.EVENT_PASS: ("pass", (("owner", 0),)),
    layout.EVENT_TURN_END: ("turn_end", (("owner", 0),)),
    layout.EVENT_OVER: ("over", (("reason", 0),)),
}
