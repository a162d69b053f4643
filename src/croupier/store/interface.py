"""What the server asks of a store. One implementation serves SQLite and PostgreSQL.

Everything happens in a transaction. A job that raises leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from croupier.errors import CroupierError
from croupier.house.ledger import Movement, State
from croupier.store.model import Account, Audit, Reply, Room, SeedRow, SessionRow, StoredEvent, Token, VersionRow

__all__ = ["Conflict", "Store", "StoreUnavailable", "Transaction", "Within"]

T = TypeVar("T")


class Within(Protocol):
    """Something that runs a function elsewhere and returns what it returned, or raises what it raised."""

    def __call__(self, work: Callable[[], T], /) -> T: ...


class Conflict(CroupierError):
    """Somebody else was faster: the version, code, key or id is taken."""

    code = "conflict"


class StoreUnavailable(CroupierError):
    """Nothing can be written now: disk full, database away. What was not acknowledged did not happen."""

    code = "store_unavailable"


class Transaction(Protocol):
    """One transaction. What it has put it also gets. `lock=True` keeps other processes off a row until the end."""

    # Accounts and tokens.
    def get_account(self, account_id: str, *, lock: bool = False) -> Account | None: ...
    def put_account(self, account: Account) -> None: ...
    def account_by_recovery(self, recovery_hash: str) -> Account | None: ...
    def find_token(self, token_hash: str) -> Token | None: ...
    def put_token(self, token: Token) -> None: ...
    def drop_token(self, token_hash: str) -> None: ...
    def tokens_of(self, account_id: str) -> Sequence[Token]: ...

    # Rooms.
    def add_room(self, room: Room) -> None:
        """Keep a new room, or raise `Conflict` if its id or code is taken. Codes of rooms that are over are free."""

    def put_room(self, room: Room) -> None: ...
    def get_room(self, room_id: str, *, lock: bool = False) -> Room | None: ...
    def room_by_code(self, code: str) -> Room | None:
        """Return the room with that code that is open or active."""

    def open_rooms(self, *, game_id: str | None = None, after: str = "", limit: int = 50) -> Sequence[Room]:
        """Return listed rooms that are open or active, newest first; `after` is the id of the last one seen."""

    def rooms_of(self, account_id: str, *, after: str = "", limit: int = 50) -> Sequence[Room]:
        """Return the rooms somebody has had a seat in, newest first."""

    def live_rooms_of(self, account_id: str, limit: int) -> Sequence[Room]:
        """Return those of them that are open or active, newest first."""

    def due_rooms(self, now: int, limit: int = 100) -> Sequence[Room]:
        """Return rooms whose deadline has come, the oldest first."""

    # What happened: append only.
    def append(self, match_id: str, events: Iterable[StoredEvent]) -> None:
        """Write events down, or raise `Conflict` if one of their versions is there already."""

    def events(self, match_id: str, *, since: int = 0, limit: int | None = None) -> Sequence[StoredEvent]:
        """Return the events with a version above `since`, in order."""

    def put_snapshot(self, match_id: str, version: int, data: bytes) -> None: ...
    def last_snapshot(self, match_id: str) -> tuple[int, bytes] | None: ...

    # The house.
    def house(self) -> State:
        """Return the state that `house.execute` works on."""

    def movements(
        self, account: str | None = None, *, before: int | None = None, limit: int = 50
    ) -> Sequence[Movement]:
        """Return movements of the ledger, newest first; `account` is one of the ledger's, such as `player/ID`.

        The last of an account's is what those that are kept no longer came to, if there were any.
        """

    def put_seed(self, row: SeedRow) -> None: ...
    def use_seed(self, mark: str) -> None:
        """Remember a server seed by a mark that tells nothing of it, or raise `Conflict` if it was used before."""

    def last_seed_number(self, account_id: str) -> int:
        """Return the number of the last commitment to an account; 0 if there was none."""

    def outstanding(self, account_id: str) -> int:
        """Return how many commitments to an account are neither started nor opened."""

    def seeds_of(self, account_id: str, *, before: int | None = None, limit: int = 50) -> Sequence[SeedRow]:
        """Return the commitments to an account, the newest (the highest session id) first."""

    def expired_seeds(self, now: int, limit: int = 100) -> Sequence[SeedRow]:
        """Return commitments that were not used in their time, the oldest first."""

    def get_seed(self, session_id: int, *, lock: bool = False) -> SeedRow | None: ...
    def put_session(self, row: SessionRow) -> None: ...
    def get_session(self, session_id: int) -> SessionRow | None: ...
    def sessions_of(self, account_id: str, *, before: int | None = None, limit: int = 50) -> Sequence[SessionRow]:
        """Return somebody's sessions, the newest (the highest id) first; `before` is the id of the last one seen."""

    def open_sessions(self, account_id: str, limit: int) -> Sequence[SessionRow]:
        """Return those of them that are not complete, the newest first."""

    def deleted_players(self) -> Sequence[str]:
        """Return accounts without a recovery key, as deleted ones are, that have sessions which are not complete."""

    def idle_sessions(self, since: int, limit: int = 100) -> Sequence[SessionRow]:
        """Return sessions that are not complete and have not been touched since a time."""

    def finished_sessions(self, before: int, limit: int) -> Sequence[SessionRow]:
        """Return sessions that are complete and ended before a time, the oldest first."""

    def opened_seeds(self, before: int, limit: int) -> Sequence[SeedRow]:
        """Return commitments that were opened unused and ran out before a time, the oldest first; no pruned ones."""

    def prune_seeds(self, rows: Iterable[SeedRow]) -> None:
        """Write commitments down anew that have become shorter, where they take the least room."""

    def event_count(self, match_id: str) -> int:
        """Return the version of the last event of a match."""

    def drop_session(self, session_id: int) -> int:
        """Take a session that is over out, with its moves, and return how many those were. Its seeds stay."""

    def carry_forward(self, limit: int) -> int:
        """Replace old movements, whose sessions are gone, by what they come to; return how many those were."""

    def next_session_id(self) -> int:
        """Return a session id that nobody has had; also for matches."""

    # The log of versions: append only.
    def add_version(self, row: VersionRow) -> None:
        """Append an entry, or raise `Conflict` if its number is taken."""

    def last_version(self, subject: str = "") -> VersionRow | None:
        """Return the newest entry, or the newest about a subject."""

    def versions(self, since: int, limit: int) -> Sequence[VersionRow]: ...

    # Requests with a key.
    def find_reply(self, account_id: str, key: str) -> Reply | None: ...
    def keep_reply(self, reply: Reply) -> None: ...
    def drop_reply(self, account_id: str, key: str) -> None: ...
    def forget_replies(self, before: int, limit: int) -> int:
        """Forget some of the replies from before a time, the oldest first, and return how many those were."""

    # Operators.
    def get_setting(self, name: str) -> bytes | None: ...
    def put_setting(self, name: str, value: bytes) -> None: ...
    def add_audit(self, at: int, actor: str, what: str, about: str = "", **details: object) -> None: ...
    def audits(self, *, before: int | None = None, limit: int = 50) -> Sequence[Audit]: ...

    # Parts of a transaction.
    def attempt(self) -> AbstractContextManager[None]:
        """Undo what is written within, if it raises; what was written before stands."""

    # Everybody else.
    def notify(self, topic: str) -> None:
        """Tell other processes, when the transaction has been committed, that something about `topic` has changed."""


class Store(Protocol):
    """A place that keeps things."""

    def run(
        self, jobs: Sequence[Callable[[Transaction], T]], *, within: Within | None = None
    ) -> Sequence[T | Exception]:
        """Run jobs one after the other in one transaction, and return when what they wrote is on disk.

        A job that raises is undone, and its exception is its answer; the others stand. If the whole cannot be
        committed, `StoreUnavailable` is raised, and nothing has happened. A job may be run again from its beginning,
        after a deadlock: it should change nothing but its transaction. `within` runs the jobs, all of them together, if
        another thread than the caller's is to do that; beginning and end of the transaction are the caller's.
        """

    def read(self, job: Callable[[Transaction], T]) -> T:
        """Run a job that only reads, and return its answer. May be called from any thread."""

    def close(self) -> None: ...
