"""The frames of `croupier.v1`: JSON objects with a `type`, one a message.

client  subscribe, unsubscribe, act, move, dice, ping
server  view, told, presence, done, refused, gone, pong, bye
"""

import json
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct, field

from croupier.engine import Action
from croupier.server.operations.room_views import RoomView

__all__ = [
    "SUBPROTOCOL",
    "Act",
    "Bye",
    "Dice",
    "Done",
    "Frame",
    "Gone",
    "LogItem",
    "Move",
    "Ping",
    "Pong",
    "Presence",
    "Refused",
    "Subscribe",
    "Told",
    "Unsubscribe",
    "View",
    "check_keys",
    "encode",
    "read_frame",
]

SUBPROTOCOL = "croupier.v1"

RoomId = Annotated[str, Meta(min_length=1, max_length=64)]
Id = Annotated[str, Meta(pattern="^[!-~]{1,64}$")]
Version = Annotated[int, Meta(ge=0, le=2**53)]


class _Frame(Struct, frozen=True, tag_field="type", tag=str.lower, forbid_unknown_fields=True):
    pass


# From clients.


class Subscribe(_Frame, frozen=True):
    """Follow a room. Who was here before names the last version seen, and gets the log since then."""

    match: RoomId
    version: Version = 0
    legal: bool = False
    """Whether views come with what can be done."""
    told: bool = False
    """At a table with shared dice: what is told, item by item, in place of views."""


class Unsubscribe(_Frame, frozen=True):
    """Follow a room no longer."""

    match: RoomId


class Act(_Frame, frozen=True):
    """Take an action, once: the same id with the same action is answered the same way for a day."""

    match: RoomId
    id: Id
    expected_version: Version
    action: Action


class Move(_Frame, frozen=True):
    """Take an action in a session against the house."""

    session: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    id: Id
    expected_version: Version
    action: Action


class Dice(_Frame, frozen=True):
    """Send a signed message to a table with shared dice, in the very bytes that were signed."""

    match: RoomId
    message: Raw
    id: Id | None = None


class Ping(_Frame, frozen=True):
    """Ask whether the server is there."""

    id: str = ""


Frame = Subscribe | Unsubscribe | Act | Move | Dice | Ping


# From the server.


class LogItem(Struct, frozen=True, omit_defaults=True):
    """What led to a version of the room: a log entry as the viewer may read it, or the match version after an undo."""

    version: int
    entry: Any = None
    undone_to: int | None = None


class View(_Frame, frozen=True):
    """A room as the receiver may see it, and the log since the version named in `since`."""

    match: str
    version: int
    room: RoomView
    since: int
    log: tuple[LogItem, ...]


class Told(_Frame, frozen=True):
    """What everybody at a dice table is told, in order. `room_version` is ahead where there is more to come."""

    match: str
    version: int
    items: tuple[Any, ...]
    room_version: int


class Presence(_Frame, frozen=True):
    """Which of those who have a seat are here, and how many watch."""

    match: str
    here: tuple[str, ...]
    spectators: int


class Done(_Frame, frozen=True):
    """The action is on disk."""

    id: str | None
    version: int
    result: Any = None


class Refused(_Frame, frozen=True):
    """The action, or the frame, is refused, and nothing has happened."""

    id: str | None
    code: str
    error: str
    version: int | None = None


class Gone(_Frame, frozen=True):
    """There is no such room, or it is not for the receiver to see."""

    match: str
    code: str = field(default="no_such_room")


class Pong(_Frame, frozen=True):
    """The server is there, and this is its time."""

    id: str
    now: int


class Bye(_Frame, frozen=True):
    """The server hangs up. Come back after as long, which is not the same for everybody."""

    code: Literal["shutting_down", "too_slow", "too_many_requests"]
    reconnect_ms: int = 0


_encoder = msgspec.json.Encoder()
_decode = msgspec.json.Decoder(Frame).decode


def encode(frame: Struct) -> bytes:
    """Return a frame as text in UTF-8."""
    return _encoder.encode(frame)


def read_frame(text: str, depth_max: int) -> Frame:
    """Return the frame in a message. Raises `ValueError` or `RecursionError` for what is none."""
    frame: Frame = _decode(text)
    check_keys(text)
    if isinstance(frame, (Act, Move)) and not _is_flat(frame.action.payload, depth_max):
        raise ValueError(f"JSON nested deeper than {depth_max}")
    return frame


def check_keys(text: str | bytes) -> None:
    """Raise `ValueError` if an object in JSON names a key twice: readers differ about which of the two counts.

    >>> check_keys('{"a": 1, "b": {"a": 2}}')
    >>> check_keys('{"stake": 1, "stake": 1000}')
    Traceback (most recent call last):
    ...
    ValueError: the key 'stake' is there twice
    """
    _pairs.decode(text if isinstance(text, str) else text.decode())


def _once(pairs: list[tuple[str, Any]]) -> None:
    seen = set[str]()
    for key, _ in pairs:
        if key in seen:
            raise ValueError(f"the key {key!r:.40} is there twice")
        seen.add(key)


_pairs = json.JSONDecoder(object_pairs_hook=_once, parse_int=str, parse_float=str)


def _is_flat(value: Any, depth_left: int) -> bool:
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return True
    return depth_left > 0 and all(_is_flat(each, depth_left - 1) for each in value)
