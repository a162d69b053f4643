"""Draws of a record: every value that a move took from its stream, with the bytes it cost and what it decided.

The moves are played again under `sys.setprofile`, which sees the draws of `croupier.draws` as they return. So a game
has nothing to declare, and what is listed is what was drawn.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from croupier import draws
from croupier.engine import Game, Match, MatchRecord, apply_action
from croupier.engine.records.record import begin_again
from croupier.house import HouseGame
from croupier.kit.cards import card_label, is_card
from croupier.rng import SUPER_MOVE, GameRng

__all__ = ["Draw", "draw_lines", "list_draws"]

METHODS = {
    "bounded": "next_bounded",
    "bounded_u32": "next_bounded_u32",
    "bounded_usize": "next_bounded_usize",
    "f32_numerator": "next_f32",
}
"""Names of draws as methods of `GameRng`; every other draw has its own name there."""
PRIMITIVES = ("bounded", "bounded_u32", "next_byte", "next_u32", "next_u64", "f32_numerator", "fill_bytes")
STREAMS = (draws.__name__, GameRng.__module__)
DECIDING = ("draw", "roll", "spin", "deal")
"""How a rule is named that takes one value, or one for each thing it returns."""


class Draw(Struct, frozen=True):
    """One value taken from the stream of a move."""

    method: str
    bound: int | None
    """How many values it could have had; None for plain bytes."""
    bytes: int
    """Bytes taken from the stream, those that were thrown away to stay fair included."""
    value: int | str
    """The number, or the bytes in hex."""
    decided: str
    """A card, a face, a place: what came of it; the value itself where nothing tells more."""

    @property
    def line(self) -> str:
        """The draw in a line.

        >>> Draw("roll_die", 6, 2, 3, "die shows 4").line
        'roll_die of 6, 2 bytes: 3, die shows 4'
        """
        taken = "1 byte" if self.bytes == 1 else f"{self.bytes} bytes"
        among = "" if self.bound is None else f" of {self.bound}"
        return f"{self.method}{among}, {taken}: {self.value}, {self.decided}"


class _Watch:
    """Recorder of the draws from one stream."""

    def __init__(self, rng: GameRng, card_name: Callable[[int], str]) -> None:
        self.rng = rng
        self._card_name = card_name
        self.found: list[Draw] = []
        self._inside = 0  # how deep in a primitive, which draws by smaller ones
        self._opened: list[tuple[int, int]] = []  # for every call in progress: draws found and bytes used before it

    def __call__(self, frame: FrameType, event: str, returned: Any) -> None:
        if event == "call":
            self._opened.append((len(self.found), self.rng.bytes_used))
            self._inside += _is_primitive(frame)
        elif event == "return" and self._opened:
            found, used = self._opened.pop()
            if _is_primitive(frame):
                self._inside -= 1
                if not self._inside and self.rng.bytes_used > used:
                    self._note(frame, returned, self.rng.bytes_used - used)
            elif len(self.found) > found:
                self._explain(frame, returned, found)

    def _note(self, frame: FrameType, value: Any, taken: int) -> None:
        if isinstance(value, bytes):
            self.found.append(Draw(_method(frame), None, taken, value.hex(), "a seed of its own"))
            return
        bound = frame.f_locals.get("m", 256**taken)
        decided = _exchange(frame, value) or (self._card_name(value) if bound == 52 else str(value))
        self.found.append(Draw(_method(frame), bound, taken, value, decided))

    def _explain(self, frame: FrameType, returned: Any, first: int) -> None:
        """Say what draws decided where a draw, or a rule that draws, returns one thing for each of them."""
        name = frame.f_code.co_name.lstrip("_")
        is_draw = frame.f_globals.get("__name__") in STREAMS
        if not is_draw and not name.startswith(DECIDING):
            return
        things = returned if isinstance(returned, (tuple, list)) else (returned,)
        if len(things) == len(self.found) - first and all(is_draw or type(thing) is int for thing in things):
            for place, thing in enumerate(things, first):
                self.found[place] = replace(self.found[place], decided=self._words(name, thing))

    def _words(self, name: str, thing: Any) -> str:
        if name.startswith(("draw", "deal")) and isinstance(thing, int) and is_card(thing):
            return self._card_name(thing)
        if name.startswith("roll"):
            return f"die shows {thing}"
        return f"pocket {thing}" if name.startswith("spin") else str(thing)


def _is_primitive(frame: FrameType) -> bool:
    return frame.f_code.co_name in PRIMITIVES and frame.f_globals.get("__name__") in STREAMS


def _method(frame: FrameType) -> str:
    """Return the name of the draw that the game asked for: the outermost one of those that lead here."""
    caller = frame
    while caller.f_back is not None and caller.f_back.f_globals.get("__name__") in STREAMS:
        caller = caller.f_back
    return METHODS.get(caller.f_code.co_name, caller.f_code.co_name)


def _exchange(frame: FrameType, value: int) -> str:
    """Return which places a step of a shuffle exchanges; nothing for any other draw."""
    for caller in (frame.f_back, frame.f_back and frame.f_back.f_back):
        if caller is not None and caller.f_code.co_name == "shuffle" and "i" in caller.f_locals:
            return f"places {caller.f_locals['i'] + 1} and {value + 1} change"
    return ""


def _watched(
    rng: GameRng, play: Callable[[], object], card_name: Callable[[int], str] = card_label
) -> tuple[Draw, ...]:
    """Return the draws that `play` makes from the stream."""
    watch, before = _Watch(rng, card_name), sys.getprofile()
    sys.setprofile(watch)
    try:
        play()
    finally:
        sys.setprofile(before)
    return tuple(watch.found)


def list_draws(
    game: Game[Any], record: MatchRecord, before: Match[Any] | None, after: Match[Any]
) -> tuple[tuple[Draw, ...], tuple[Draw, ...]]:
    """Return what was drawn from one state of a record to the next, and what super mode drew to light it.

    The first state has none before it: what is listed then was drawn by its set-up.
    """
    version = after.version
    seed = bytes.fromhex((record.seeds[version - 1] if version and record.seeds else "") or record.seed)
    rng = GameRng.new(seed, record.session_id, version)
    if before is None:
        return _watched(rng, lambda: begin_again(game, record, rng=rng)), ()
    action = record.actions[version - 1]
    drawn = _watched(rng, lambda: apply_action(game, before, action, seed=seed, rng=rng))
    if not isinstance(game, HouseGame) or before.game.lit or not after.game.lit:
        return drawn, ()
    lights = GameRng.new(seed, record.session_id, SUPER_MOVE)
    # What is lit may be a card, a rank, a suit or a number: the value says it as the state does.
    return drawn, _watched(lights, lambda: game.super_multipliers(lights), str)


def draw_lines(found: tuple[tuple[Draw, ...], tuple[Draw, ...]]) -> tuple[str, ...]:
    """Return what `list_draws` gives, a line a draw."""
    drawn, lit = found
    return *(draw.line for draw in drawn), *(f"super mode: {draw.line}" for draw in lit)
