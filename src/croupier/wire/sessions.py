"""Sessions as they are shown, in play and when they are over, and what the host announces: types for both sides."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from croupier.engine import Action, Range
from croupier.fairness.versions import VersionEntry
from croupier.house import Line
from croupier.wire.accounts import Commitment, Purse


class Ended(Struct, frozen=True):
    """End of a session; `net` is the profit or loss after modifiers, fees aside."""

    staked: int
    returned: int
    fees: int
    net: int
    was_shielded: bool
    was_doubled: bool


class SessionView(Struct, frozen=True):
    """A session as its player sees it. `version` counts its moves; the next move names the one it is meant for."""

    session_id: int
    game: str
    table: int
    options: Any
    stake: int
    is_super: bool
    has_shield: bool
    has_double: bool
    commitment: str
    host_key: str
    account: str
    n: int
    log_n: int
    log_head: str
    table_digest: str
    receipt: str
    client_seed: str
    server_seed: str | None
    """The server's part of the seed, when the session is over."""
    committed_at: int
    """When the server fixed its part of the seed; yours came with the start."""
    started_at: int
    updated_at: int
    is_complete: bool
    version: int
    view: Any
    purse: Purse
    lines: tuple[Line, ...] = ()
    """The bets that the move has settled."""
    logs: tuple[str, ...] = ()
    """Sentences that say what the move did."""
    ended: Ended | None = None
    """How it ended, with the move that ended it."""
    legal: tuple[Action, ...] | None = None
    """The legal actions, if the request asked for them."""
    ranges: dict[str, dict[str, Range]] | None = None
    next: Commitment | None = None
    """The commitment for the next session, once this one is over, if that was asked for."""


class SharedView(Struct, frozen=True):
    """A session that is over, as whoever has its link may see it."""

    session_id: int
    game: str
    options: Any
    is_super: bool
    commitment: str
    client_seed: str
    server_seed: str
    committed_at: int
    started_at: int
    finished_at: int


class Step(Struct, frozen=True, omit_defaults=True):
    """One step of play that is looked at again: what was done, and what the player saw after it."""

    version: int
    action: Action | None
    """None for the deal that began it."""
    text: str
    at: int
    view: Any
    draws: tuple[str, ...] = ()
    """Draws of the move, as `croupier replay --draws` lists them, if the request asked for them and play is over."""


class VersionsPage(Struct, frozen=True):
    """Entries of the log after a number, and where the log stands, signed by the host."""

    host_key: str
    n: int
    head: str
    signature: str
    entries: tuple[VersionEntry, ...]
