"""Types of requests and answers about rooms."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from croupier.engine import Action, LogEntry, Range
from croupier.fairness.seeds import VoidStart


class NewRoom(Struct, frozen=True, forbid_unknown_fields=True):
    """Request for a room."""

    game: str
    options: dict[str, Any] = {}
    seats: int | None = None
    """How many seats there are; if it does not say, as many as are taken at once, or the game needs at least."""
    bots: tuple[str, ...] = ()
    """Bots that sit down at once, by name."""
    is_listed: bool = True
    allows_spectators: bool = True
    turn_ms: int = 0
    """How long a turn may take; 0 for no clock."""


class SeatView(Struct, frozen=True):
    """A seat as everybody sees it."""

    player_id: str
    name: str
    bot: str
    ready: bool
    left: bool
    commitment: str
    """The hash of the seat's secret, which is sent with being ready."""
    secret: str
    """The seat's part of the seed, once the match has begun; empty if it did not open."""


class RoomView(Struct, frozen=True):
    """A room as one caller may see it: never with a secret."""

    id: str
    code: str
    game: str
    rules_version: int
    options: dict[str, Any]
    status: str
    host: str
    seats: tuple[SeatView, ...]
    seats_max: int
    version: int
    """Counts what happened to the match; actions name the one they are meant for."""
    session_id: int
    commitment: str
    host_key: str
    log_n: int
    log_head: str
    receipt: str
    table_digest: str
    seats_digest: str
    """Over everything that the seed is made of, fixed when everybody is ready and before the first seat opens."""
    voids: tuple[VoidStart, ...]
    """Starts that came to nothing because seats did not open."""
    server_seed: str | None
    """The server's part of the seed, when the match is over."""
    is_listed: bool
    allows_spectators: bool
    turn_ms: int
    created_at: int
    """When the room was opened, and the server's part of the seed committed to."""
    finished_at: int
    """When the match was over; 0 while it is not."""
    deadline: int
    undo: tuple[str, ...]
    next_id: str
    is_frozen: bool
    has_shared_dice: bool
    seat: int | None = None
    """The caller's own."""
    view: Any = None
    """The match as the caller may see it, once it has begun."""
    legal: tuple[Action, ...] | None = None
    """The caller's legal actions, if the request asked for them."""
    ranges: dict[str, dict[str, Range]] | None = None


class LogPage(Struct, frozen=True):
    """Page of the log since a version, as one caller may read it. `version` is where the page ends."""

    entries: tuple[LogEntry, ...]
    version: int
