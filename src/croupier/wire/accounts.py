"""Types of answers about accounts: limits, chips, commitments, and tokens and recovery keys, which are shown once."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from croupier.fairness.seeds import Receipt


class Purse(Struct, frozen=True):
    """Purse of a player at the house, and what is armed for their next session."""

    chips: int
    shields: int
    doubles: int
    armed_shield: bool
    armed_double: bool
    armed_super: bool
    deposited_at: int | None
    sessions_played: int


class Leader(Struct, frozen=True):
    """One of those with the most chips."""

    account_id: str
    name: str
    chips: int


class AccountView(Struct, frozen=True):
    """An account as its owner sees it, with what it has at the house."""

    id: str
    name: str
    role: str
    created_at: int
    is_frozen: bool
    limits: LimitsView
    house: Purse


class LimitsView(Struct, frozen=True):
    """The limits that hold now, and the looser ones that will; None is no limit."""

    loss_day: int | None
    minutes_day: int | None
    excluded_until: int
    later_at: int | None
    """When the looser ones begin to hold; None if nothing is going to change."""
    later_loss_day: int | None
    later_minutes_day: int | None
    lost_today: int
    """Chips that count against `loss_day`: lost since midnight (UTC), those that are at stake among them."""
    played_today_ms: int


class Commitment(Receipt, frozen=True):
    """The server's part of a session's seed, committed to, with the host's receipt. Keep all of it.

    The session id belongs to it and to nothing else; `n` counts the commitments made to the account, without a gap.
    """

    expires_at: int


class CommitmentView(Commitment, frozen=True):
    """A commitment and what became of it. `server_seed` is there when it is opened."""

    created_at: int
    state: Literal["issued", "started", "finished", "refused", "expired"]
    client_seed: str | None
    server_seed: str | None
    table_digest: str
    reason: str
    is_pruned: bool = False
    """Whether it was over so long ago that only number, commitment and opening are kept."""


class NewAccount(Struct, frozen=True):
    """An account that was opened, with the two secrets that are shown this once."""

    account: AccountView
    token: str
    token_expires_at: int
    recovery_key: str
    next: Commitment | None = None
    """The commitment for the first session at the house, if that was asked for."""


class NewToken(Struct, frozen=True):
    """A token, shown this once."""

    account_id: str
    token: str
    expires_at: int


class NewRecoveryKey(Struct, frozen=True):
    """A recovery key, shown this once; the one before it is good no longer."""

    recovery_key: str


class TokenView(Struct, frozen=True):
    """A token as its owner sees it later: never the token itself."""

    id: str
    """Names the token when it is to be dropped; it lets nobody in."""
    label: str
    created_at: int
    expires_at: int
    is_this: bool
    """Whether it is the one that the request came with."""


class Deleted(Struct, frozen=True):
    """An account is gone; what was played and booked stays under its id, without a name."""

    id: str
    closed_at: int


class Ticket(Struct, frozen=True):
    """A ticket, and until when it is good."""

    ticket: str
    expires_at: int
