"""Types of requests and answers about tables of shared dice."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct, field

from croupier.engine import LogEntry, Player
from croupier.fairness.dice import Event, Terms

ROUNDS_MAX = 10_000

Chips = Annotated[int, Meta(ge=0, le=10**9)]
PhaseMs = Annotated[int, Meta(ge=1_000, le=600_000)]
Key = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]


class NewDiceRoom(Struct, frozen=True, forbid_unknown_fields=True):
    """Request for a dice table. Its terms, the key and the end of its chain among them, are fixed when it opens."""

    key: Key
    """The public key of whoever opens it, who sits first."""
    options: dict[str, Any] = {}
    seats: Annotated[int, Meta(ge=1, le=16)] = 16
    rounds_max: Annotated[int, Meta(ge=1, le=ROUNDS_MAX)] = 1000
    commit_ms: PhaseMs = 10_000
    object_ms: Annotated[int, Meta(ge=100, le=600_000)] = 2_000
    """How long the table waits for a seat to say that it objects to nothing."""
    reveal_ms: PhaseMs = 10_000
    table_bond: Chips = 100_000
    """The table's bond, lost if the table is at fault; all bets together cannot win more on one roll."""
    fee: Chips = 5
    """Chips that a player loses who commits and does not open."""
    bond_min: Chips = 0
    is_listed: bool = True
    allows_spectators: bool = True
    turn_ms: int = 0
    """How long the table waits for somebody; 0 for as long as the operator's limit for abandoned matches."""


class Item(Struct, frozen=True, omit_defaults=True):
    """One thing that everybody at the table is told: an action of the match, or a message about the dice."""

    version: int
    action: LogEntry | None = None
    dice: Event | None = None


class DicePage(Struct, frozen=True):
    """Page of what was told since a version, and all that is needed to follow the table from its beginning."""

    terms: Terms
    players: tuple[Player, ...]
    """The players who sat there when the table opened."""
    options: dict[str, Any]
    items: tuple[Item, ...]
    version: int
    """Where the page ends."""
    room_version: int


class DiceAnswer(Struct, frozen=True):
    """Answer to a message. A no may come after something else was told, such as a deadline that had passed."""

    ok: bool
    version: int
    code: str = field(default="")
    error: str = ""
