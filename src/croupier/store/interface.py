"""Types that callers of the store share: a job with the rows it will read, who runs it, and the store's errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from msgspec import Struct

from croupier.errors import CroupierError

if TYPE_CHECKING:
    from croupier.store.transaction import Transaction

T = TypeVar("T")


class Within(Protocol):
    """Something that runs a function elsewhere and returns what it returned, or raises what it raised."""

    def __call__(self, work: Callable[[], T], /) -> T: ...


class Reads(Struct, frozen=True):
    """Reads of a job, as far as it is known before: where the database is far, it is read with others'.

    Rooms are locked, since a job that writes does so.
    """

    accounts: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    """Tokens by their hashes."""
    replies: tuple[tuple[str, str], ...] = ()
    """Accounts and keys of requests."""
    rooms: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()


class Job(Struct, Generic[T], eq=False):
    """A job with what it is going to read."""

    run: Callable[[Transaction], T]
    reads: Reads

    def __call__(self, transaction: Transaction) -> T:
        return self.run(transaction)


class Conflict(CroupierError):
    """Somebody else was faster: the version, code, key or id is taken."""

    code = "conflict"


class StoreUnavailable(CroupierError):
    """Nothing can be written now: disk full, database away. What was not acknowledged did not happen."""

    code = "store_unavailable"
