"""The frames of `croupier.v1`: JSON objects with a `type`, one a message.

client  subscribe, unsubscribe, ping, and those of operations: act, start, move, close, dice
server  view, told, presence, done, refused, gone, pong, bye
"""

from functools import reduce
from operator import or_
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from croupier.engine.plain import UNREADABLE
from croupier.server.operations.declaration.fields import Key, RoomId, Version
from croupier.server.operations.declaration.registry import FRAMES
from croupier.server.problems import existing
from croupier.server.transport.reading import read_json
from croupier.wire.rooms import RoomView

SUBPROTOCOL = "croupier.v1"


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


class Ping(_Frame, frozen=True):
    """Ask whether the server is there."""

    id: str = ""


Frame: Any = reduce(or_, FRAMES, Subscribe | Unsubscribe | Ping)
"""All frames that a client may send."""


# From the server.


class LogItem(Struct, frozen=True, omit_defaults=True):
    """Step to a version of the room: a log entry as the viewer may read it, or the match version after an undo."""

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
    """Broadcast to everybody at a dice table, in order. `room_version` is ahead where there is more to come."""

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
    """The action, or the frame, is refused, and nothing has happened. `extra` is what else a problem tells."""

    id: str | None
    code: str
    error: str
    version: int | None = None
    extra: dict[str, Any] = {}


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


def encode(frame: Any) -> bytes:
    """Return a frame, or a part of one, as text in UTF-8."""
    return _encoder.encode(frame)


def read_frame(text: str | None, depth_max: int) -> Any:
    """Return the frame in a message, None for a binary one. Raises `Problem` for what is none."""
    data = existing(text, "bad_request", "a message is text, and this one is binary").encode("utf-8", "surrogatepass")
    return read_json(data, _decode, depth_max, {})


class _Id(Struct, frozen=True):
    id: Key


_decode_id = msgspec.json.Decoder(_Id).decode


def id_in(text: str | None) -> str | None:
    """Return the id of a message that is no frame, so that whoever waits for it is answered; None if it has none."""
    try:
        return _decode_id(text or "").id
    except UNREADABLE:
        return None
