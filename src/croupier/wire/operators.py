"""Types of answers to operators: accounts, rooms, and the state of the server."""

from __future__ import annotations

from msgspec import Struct

from croupier.wire.accounts import Purse


class AccountState(Struct, frozen=True):
    """An account as operators see it: no name of a secret in it, and none of its limits."""

    id: str
    name: str
    role: str
    created_at: int
    closed_at: int
    is_frozen: bool
    purse: Purse


class RoomState(Struct, frozen=True):
    """A room as operators see it. They look at its match as anybody does."""

    id: str
    game: str
    status: str
    version: int
    is_frozen: bool


class ServerState(Struct, frozen=True):
    """Whether everything is stopped."""

    is_frozen: bool


class Counts(Struct, frozen=True):
    """Counts of the house: chips add up to nothing with those handed out."""

    is_frozen: bool
    chips_handed_out: int
    chips_of_the_house: int
    chips_open: int
    chips_of_players: int
    movements: int
    tables: int
