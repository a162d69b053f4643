"""Types of what the store keeps: accounts and their tokens, rooms with their seats, events, seeds, sessions.

They go to the database as columns to look things up by, and as JSON for the rest.
"""

from typing import Any, Literal

from msgspec import Struct

from croupier.fairness import SeedPair
from croupier.fairness.seeds import VoidStart

Role = Literal["player", "operator"]
RoomStatus = Literal["open", "opening", "active", "finished", "closed"]
SeedState = Literal["issued", "started", "refused", "expired"]


class Limits(Struct, frozen=True, omit_defaults=True):
    """Limits that a player has set for themselves. A limit that is loosened holds for a day longer: see `later`."""

    loss_day: int | None = None
    """Chips that may be lost in a day."""
    minutes_day: int | None = None
    """Minutes that may be played in a day."""
    excluded_until: int = 0
    """No play before this time, in milliseconds."""
    later: tuple[int, int | None, int | None] | None = None
    """From when on, and which loss and minutes, looser limits will hold."""


class Account(Struct, frozen=True, omit_defaults=True):
    """Somebody. The id is public, the name is what others read; a closed account keeps its id and nothing else."""

    id: str
    name: str
    created_at: int
    role: Role = "player"
    recovery_hash: str = ""
    limits: Limits = Limits()
    closed_at: int = 0
    frozen: bool = False
    """An operator has stopped this account: it may look, and not act."""


class Token(Struct, frozen=True, omit_defaults=True):
    """A way in. Only the SHA-256 of the token is kept."""

    hash: str
    account: str
    created_at: int
    expires_at: int
    label: str = ""


class RoomSeat(Struct, frozen=True, omit_defaults=True):
    """Seat of a room and who sits, or will sit, there; a bot has a bot's name, and nobody's account."""

    account: str
    name: str
    bot: str = ""
    ready: bool = False
    client_seed: str = ""
    """The seat's part of the seed in a room of scheme 1."""
    left: bool = False
    commitment: str = ""
    """The hash of a secret, which the player sent when ready."""
    secret: str = ""
    """The secret, once it is opened. It is shown when the match has begun."""
    key: str = ""
    """The public key that is the player's id where everybody makes the dice."""


class Issued(Struct, frozen=True, omit_defaults=True):
    """A server seed, which is a secret until it is opened, the commitment to it, and the host's receipt; all in hex."""

    server_seed: str
    commitment: str
    scheme: int = 1
    host_key: str = ""
    log_n: int = 0
    log_head: str = ""
    receipt: str = ""

    def pair_with(self, **more: Any) -> SeedPair:
        """Return the parts of a seed that a session and a room have under the same names, with those they have not."""
        return SeedPair(**{name: getattr(self, name) for name in Issued.__struct_fields__}, **more)


class Room(Issued, frozen=True, omit_defaults=True, kw_only=True):
    """A match and everything around it. `version` counts what happened to the match: actions, and actions undone.

    `server_seed` is a secret until the match is over.
    """

    id: str
    code: str
    game_id: str
    rules_version: int
    options: dict[str, Any]
    host: str
    session_id: int
    created_at: int
    seats: tuple[RoomSeat, ...] = ()
    seats_max: int = 1
    seats_started: int = 0
    """How many of the seats the match began with; those after them sat down later."""
    status: RoomStatus = "open"
    version: int = 0
    is_listed: bool = True
    allows_spectators: bool = True
    turn_ms: int = 0
    """How long a turn may take; 0 for as long as the operator's limit for abandoned matches."""
    client_seed: str = ""
    """All client seeds together, in a room of scheme 1."""
    table_digest: str = ""
    seats_digest: str = ""
    """K, over everything that is fixed before the first seat opens."""
    voids: tuple[VoidStart, ...] = ()
    """Starts that came to nothing because seats did not open."""
    updated_at: int = 0
    finished_at: int = 0
    deadline: int = 0
    """When somebody's time is up; 0 while nobody's runs."""
    undo: tuple[str, ...] = ()
    """Accounts that asked for, or agreed to, an undo of the last action; empty if nobody asked."""
    next_id: str = ""
    """The room of the rematch."""
    frozen: bool = False
    dice: dict[str, Any] = {}
    """For dice that everybody makes: the terms of the table."""


class StoredEvent(Struct, frozen=True, omit_defaults=True):
    """One thing that happened to a match or session: an action, or the undoing of the last one.

    `body` is a log entry for an action, and what the kind says for others; `digest` is that of the state after it.
    """

    match_id: str
    version: int
    kind: Literal["action", "undo", "dice"]
    at: int
    body: Any
    digest: str = ""


class SeedRow(Issued, frozen=True, omit_defaults=True, kw_only=True):
    """A server seed that was committed to for a session. It is stored before the client seed is known."""

    session_id: int
    account: str
    created_at: int
    client_seed: str | None = None
    """The first one that was named is final, whether the start was refused or not."""
    state: SeedState = "issued"
    """Issued, then started, or opened at once because the start was refused or a day has passed."""
    n: int = 0
    expires_at: int = 0
    table_digest: str = ""
    reason: str = ""
    """The code with which a start was refused."""
    pruned: bool = False
    """Only this is left of it, with what the host can add: its key, the head of its log, and the receipt."""

    @property
    def has_begun(self) -> bool:
        """Whether a session was begun with it."""
        is_named = self.client_seed is not None or (self.pruned and self.state == "started")
        return is_named and self.state != "refused"

    def pair(self) -> SeedPair:
        """Return both parts of the seed, with the commitment. The server's is a secret until it is opened."""
        account = self.account if self.scheme > 1 else ""
        own = {"account": account, "n": self.n, "table_digest": self.table_digest}
        return self.pair_with(client_seed=self.client_seed or "", **own)


class Host(Struct, frozen=True):
    """The host's key pair for Ed25519, in hex: what receipts and the log of versions are signed with.

    It belongs to the database, where the secret stays.
    """

    key: str
    secret: str

    def __repr__(self) -> str:
        return f"<Host {self.key[:16]}…>"  # a log line must not sign for it


class VersionRow(Struct, frozen=True):
    """An entry of the log of versions, as it was hashed, with the head it led to and the host's signature."""

    n: int
    subject: str
    """Subject of the entry, such as table/6; a newer entry replaces an older one of the same subject."""
    body: bytes
    head: str
    signature: str


class SessionRow(Struct, frozen=True, omit_defaults=True):
    """A session at the house, as lists show it."""

    session_id: int
    account: str
    game_id: str
    started_at: int
    updated_at: int
    is_complete: bool = False
    staked: int = 0
    returned: int = 0
    fees: int = 0


class StoredSession(SessionRow, frozen=True, omit_defaults=True):
    """A session with the terms it was begun on, from which its match follows with its seeds and its events."""

    table: int = 0
    rules_version: int = 1
    options: Any = None
    stake: int = 0
    super_mode: bool = False
    shield: bool = False
    double: bool = False
    reserved: bool = False
    version: int = 0
    open: int = 0
    """The chips that lie on bets."""


class Reply(Struct, frozen=True):
    """Stored answer to a request with an idempotency key, so that the same request is answered the same way."""

    account: str
    key: str
    request_digest: str
    status: int
    body: bytes
    at: int


class Audit(Struct, frozen=True, omit_defaults=True):
    """Audit entry of what an operator did, or the server on its own: never changed, never deleted."""

    number: int
    at: int
    actor: str
    what: str
    about: str = ""
    details: dict[str, Any] = {}
