"""What a server tells a client, as values. Fields that a newer server adds are passed over."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from croupier.engine import Action, MatchView, get_game

__all__ = ["Account", "Room", "Seat", "Session", "read_view", "seed_of_all"]


class Account(Struct, frozen=True):
    """Somebody: the id is public, the token and the recovery key are not."""

    id: str
    name: str
    token: str = ""
    recovery_key: str = ""

    def __repr__(self) -> str:
        return f"<Account {self.id} {self.name!r}>"  # a log line must let nobody in


class Seat(Struct, frozen=True):
    """A seat as everybody sees it."""

    player_id: str
    name: str
    bot: str = ""
    ready: bool = False
    left: bool = False
    client_seed: str = ""


class Room(Struct, frozen=True):
    """A room as one may see it. `version` is what an action has to name."""

    id: str
    code: str
    game: str
    status: str
    version: int
    commitment: str
    session_id: int
    seats: tuple[Seat, ...]
    seats_max: int = 1
    seat: int | None = None
    client_seed: str = ""
    server_seed: str | None = None
    deadline: int = 0
    undo: tuple[str, ...] = ()
    next_id: str = ""
    has_shared_dice: bool = False
    view: dict[str, Any] | None = None
    legal: tuple[Action, ...] | None = None

    @property
    def player_id(self) -> str | None:
        """One's own id in the match."""
        return None if self.seat is None else self.seats[self.seat].player_id

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen here."""
        return self.status in ("finished", "closed")

    @property
    def is_my_turn(self) -> bool:
        """Whether the match waits for oneself in particular."""
        return self.status == "active" and self.view is not None and self.view["turn"]["current"] == self.player_id

    def match_view(self) -> MatchView[Any]:
        """Return the view as the game's own types, for a bot or the game's `render`."""
        return read_view(self.view)


class Session(Struct, frozen=True):
    """A session against the house."""

    session_id: int
    game: str
    version: int
    is_complete: bool
    commitment: str
    client_seed: str
    stake: int = 0
    server_seed: str | None = None
    view: dict[str, Any] | None = None
    legal: tuple[Action, ...] | None = None
    logs: tuple[str, ...] = ()
    ended: dict[str, Any] | None = None
    purse: dict[str, Any] = {}


def read_view(view: dict[str, Any] | None) -> MatchView[Any]:
    """Return a view as the types of its game."""
    if view is None:
        raise ValueError("the match has not begun")
    game = get_game(view["game_id"])
    options = game.read_options(view["options"])
    seen: MatchView[Any] = msgspec.convert({**view, "options": None}, MatchView[game.shape.type])  # type: ignore[name-defined]
    return msgspec.structs.replace(seen, options=options)


def seed_of_all(seats: tuple[Seat, ...]) -> str:
    """Return all client seeds as one, worked out here: SHA-256 over id and seed of each seat, lengths first."""
    parts = bytearray()
    for seat in seats:
        for part in (seat.player_id.encode(), bytes.fromhex(seat.client_seed)):
            parts += len(part).to_bytes(4, "big") + part
    return sha256(parts).hexdigest()
