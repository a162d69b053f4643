"""SQLite and PostgreSQL, and what differs between them: connections, how transactions begin and end, their errors."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any

from croupier.errors import BadDocument
from croupier.store.interface import Conflict, StoreUnavailable
from croupier.store.listener import Listener, PostgresListener, notices
from croupier.store.migrations import migrate

READERS = 8
LEND_SECONDS = 30.0
BUSY_MS = 5000
PROBE_BYTES = 65_536
STATUS_SECONDS = 20.0


class Again(StoreUnavailable):
    """The database undid this transaction to let another one through. All of it may be retried."""


class Pool:
    """Connections that are made when they are needed, lent to one at a time, and kept if they come back whole."""

    def __init__(self, connect: Callable[[], Any], kept_max: int) -> None:
        self._connect = connect
        self._kept_max = kept_max
        self._free = threading.BoundedSemaphore(2 * kept_max)
        self._kept: list[Any] = []

    @contextmanager
    def lend(self) -> Iterator[Any]:
        """Lend a connection; what is open on it at the end is undone."""
        if not self._free.acquire(timeout=LEND_SECONDS):
            raise StoreUnavailable("every connection to the database is in use")
        try:
            try:
                connection = self._kept.pop()
            except IndexError:
                connection = self._connect()
            try:
                yield connection
            finally:
                self._take_back(connection)
        finally:
            self._free.release()

    def _take_back(self, connection: Any) -> None:
        try:
            connection.rollback()
        except Exception:  # it is broken, and so are perhaps the others: new ones are made
            self.close()
            connection.close()
            return
        if len(self._kept) < self._kept_max:
            self._kept.append(connection)
        else:
            connection.close()

    def close(self) -> None:
        """Close the connections that nobody uses."""
        while self._kept:
            self._kept.pop().close()


class Backend(ABC):
    """One database, open."""

    begin_write: str
    begin_read: str
    is_remote = False
    """Whether a statement is a round trip, so that several had better go together."""
    writes_alone = False
    """Whether nobody else can write while a transaction that writes is open."""
    house_lock = ""
    """Statement that locks the house against other processes until the end of the transaction."""
    errors: type[Exception]
    """Base class of the driver's errors."""

    def __init__(self, url: str, pool: Pool) -> None:
        self.url = url
        self.pool = pool

    @abstractmethod
    def translate(self, error: Exception) -> tuple[Exception, bool]:
        """Return what an error of the driver means, and whether the whole transaction is lost by it."""

    def writing(self) -> AbstractContextManager[Any]:
        """Lend the connection to write on; what is open at the end is undone."""
        return self.pool.lend()

    def reading(self) -> AbstractContextManager[Any]:
        """Lend a connection to read on; what is open at the end is undone."""
        return self.pool.lend()

    def pipeline(self, connection: Any) -> AbstractContextManager[Any]:
        """Let statements within go out without waiting for the answers of those before them, where that saves time."""
        return nullcontext()

    def announce(self, connection: Any, topics: Sequence[str]) -> Any:
        """Tell others, as of the commit, and return a cursor that finds the number of the transaction, if it has one.

        Within a pipeline; here everybody who uses the database is in this process.
        """
        return None

    def mark(self, connection: Any) -> Any:
        """Return what is another one once anybody has written since, within a transaction; None if nobody can tell."""
        return None

    @abstractmethod
    def commit(self, connection: Any, number: str | None) -> None:
        """Bring everything since the beginning to disk, or raise `StoreUnavailable`: then none of it happened."""

    path: Path | None = None
    """The file, where it is one."""

    def claim(self) -> None:  # noqa: B027 (several servers may share a database, where nothing else is said)
        """Keep other servers off the database, where it is for one alone; raises `StoreUnavailable`."""

    def check_file(self, check: str = "quick_check") -> None:  # noqa: B027 (a database server checks its own files)
        """Read the whole file and raise `StoreUnavailable` if it is damaged; `stop_check` ends it early."""

    def stop_check(self) -> None:  # noqa: B027
        """End a check that is under way in another thread."""

    def check_room(self) -> None:  # noqa: B027 (a database server is asked by writing)
        """Raise `StoreUnavailable` if there is no room for more on the disk."""

    def listen(self, heard: Callable[[str], None]) -> Listener:
        """Call `heard` with the topics that other processes notify, from a thread of its own, until it is closed.

        It is called with no topic, `""`, when some may have been missed. With SQLite there are no other processes.
        """
        return Listener()

    def close(self) -> None:
        """Close all connections."""
        self.pool.close()

    def _migrate(self, kind: str, **more: Any) -> None:
        """Bring the tables up to date, or close again."""
        try:
            with self.writing() as connection:
                migrate(connection.cursor(), kind, **more)
        except BaseException as error:
            self.close()
            if isinstance(error, self.errors):
                raise self.translate(error)[0] from error
            raise

    def _reached(self, connect: Callable[..., Any], *options: str) -> Any:
        """Return a new connection, or raise `StoreUnavailable`."""
        try:
            return connect(*options)
        except self.errors as error:
            meant, _ = self.translate(error)
            if not isinstance(meant, StoreUnavailable):
                meant = StoreUnavailable(f"the database cannot be reached: {error}")
            raise meant from error


class SQLiteBackend(Backend):
    """A file, or memory. One connection writes, others read what was committed when they began."""

    begin_write = "BEGIN IMMEDIATE"  # waits for its turn now: a transaction that began by reading could not
    begin_read = "BEGIN"
    writes_alone = True
    errors = sqlite3.Error

    def __init__(self, url: str, *, synchronous: str = "FULL") -> None:
        name = url.partition(":///")[2].partition("?")[0]
        if name in ("", ":memory:") and url != "sqlite://":
            raise BadDocument(f"{url!r} names no file: sqlite:///FILE, or sqlite:// for memory")
        self.path = Path(name) if name else None
        self._synchronous = synchronous
        self._claim: Any = None
        self._checked: Any = None
        self._turn = threading.RLock()
        if self.path is not None:
            _make_private(self.path)
        super().__init__(url, Pool(partial(self._reached, self._connect), 1))
        self._readers = Pool(partial(self._reached, self._connect, "query_only = ON"), READERS)
        self._migrate("sqlite", begin=self.begin_write)
        if self.path is not None:
            # A new file was given the mode WAL under a journal that has been deleted. Were the journal there again
            # after a power cut, SQLite would take the file back to before that, and ignore the log.
            sync(self.path.parent)

    def _connect(self, *pragmas: str) -> sqlite3.Connection:
        how: Any = {"isolation_level": None, "check_same_thread": False, "cached_statements": 256}
        made: sqlite3.Connection = sqlite3.connect(self.path or ":memory:", timeout=BUSY_MS / 1000, **how)
        # FULL syncs the log at every commit; in the mode WAL, NORMAL would lose the last ones in a power cut.
        for pragma in ("journal_mode = WAL", f"synchronous = {self._synchronous}", "foreign_keys = ON", *pragmas):
            made.execute(f"PRAGMA {pragma}")
        return made

    def check_file(self, check: str = "quick_check") -> None:
        """Look at every page: it takes a second or two for a gigabyte. An `integrity_check` looks at indexes, too."""
        if self.path is None:
            return
        with self.reading() as connection:
            self._checked = connection
            try:
                found = connection.cursor().execute(f"PRAGMA {check}(1)").fetchone()[0]
            except sqlite3.Error as error:
                if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT:
                    return
                raise self.translate(error)[0] from error
            finally:
                self._checked = None
        if found != "ok":
            raise StoreUnavailable(f"{self.path} is damaged ({found}): restore a backup")

    def stop_check(self) -> None:
        """Interrupt the connection that looks."""
        if (connection := self._checked) is not None:
            connection.interrupt()

    def check_room(self) -> None:
        """Write a small file beside ours: a log that is written over again needs no room, and tells nothing of it."""
        if self.path is None:
            return
        probe = Path(f"{self.path}-probe")
        try:
            probe.write_bytes(bytes(PROBE_BYTES))
        except OSError as error:
            raise StoreUnavailable(f"nothing can be written beside {self.path}: {error.strerror}") from error
        finally:
            probe.unlink(missing_ok=True)

    @contextmanager
    def writing(self) -> Iterator[Any]:
        """Lend the one connection that writes; other threads wait for their turn."""
        with self._turn, self.pool.lend() as connection:
            yield connection

    def reading(self) -> AbstractContextManager[Any]:
        """Lend a connection that cannot write. In memory there is only one."""
        return self.writing() if self.path is None else self._readers.lend()

    def mark(self, connection: Any) -> Any:
        """Ask SQLite whether another connection has written, and the connection whether it has itself."""
        return connection, connection.execute("PRAGMA data_version").fetchone(), connection.total_changes

    def commit(self, connection: Any, number: str | None) -> None:
        """Write the log to disk."""
        try:
            connection.cursor().execute("COMMIT")
        except sqlite3.Error as error:
            raise self.translate(error)[0] from error

    def translate(self, error: Exception) -> tuple[Exception, bool]:
        """Tell a taken key from a full disk, and both from a mistake in a statement."""
        if isinstance(error, sqlite3.IntegrityError):
            return Conflict(str(error)), False
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if isinstance(error, (sqlite3.ProgrammingError, sqlite3.InterfaceError)) or code == sqlite3.SQLITE_ERROR:
            return error, False
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return StoreUnavailable(f"{self.path} is damaged ({error}): restore a backup"), True
        return StoreUnavailable(f"the database cannot be written or read now: {error}"), True

    def claim(self) -> None:
        """Keep other servers off the file until it is closed: each would go on from what it has in memory."""
        if self.path is None or self._claim is not None:
            return
        self._claim = open(f"{self.path}-lock", "ab")  # noqa: SIM115 (held as long as the database is)
        try:
            import fcntl

            fcntl.flock(self._claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # not on Windows
            return
        except OSError:
            self._claim.close()
            self._claim = None
            text = f"another server is running on {self.path}: stop it first, or use PostgreSQL for several processes"
            raise StoreUnavailable(text) from None

    def close(self) -> None:
        """Close all connections; the last one writes the log back into the file."""
        self._readers.close()
        self.pool.close()
        if self._claim is not None:
            self._claim.close()


class PostgresBackend(Backend):
    """A PostgreSQL server that several processes may share."""

    begin_write = "BEGIN ISOLATION LEVEL READ COMMITTED"  # what was locked is read as it is now, not as it was
    begin_read = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    is_remote = True
    house_lock = "SELECT pg_advisory_xact_lock(hashtext('croupier house'))"
    channel = "croupier"

    def __init__(self, url: str, *, pool_size: int = 10) -> None:
        import psycopg

        self.errors = psycopg.Error
        super().__init__(
            f"postgresql://{url.partition('://')[2]}", Pool(partial(self._reached, self._connect), pool_size)
        )
        self.instance = os.urandom(8).hex()
        self._migrate("postgresql")

    def _connect(self) -> Any:
        import psycopg

        options = "-c lock_timeout=5000 -c statement_timeout=60000 -c idle_in_transaction_session_timeout=60000"
        more: Any = {"connect_timeout": 5, "application_name": "croupier", "options": options}
        made = psycopg.connect(self.url, autocommit=True, **more)
        # Some servers are set not to wait for the disk at a commit.
        made.execute(
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
        )
        return made

    def pipeline(self, connection: Any) -> AbstractContextManager[Any]:
        """Wait for all answers in the end."""
        pipeline: AbstractContextManager[Any] = connection.pipeline()
        return pipeline

    def announce(self, connection: Any, topics: Sequence[str]) -> Any:
        """Notify the other processes of as many topics as a notice holds."""
        cursor = connection.cursor()
        cursor.execute(
            "SELECT pg_current_xact_id_if_assigned()::text,"
            " (SELECT count(pg_notify(%s, notice)) FROM unnest(%s::text[]) AS notice)",
            (self.channel, notices(self.instance, topics)),
        )
        return cursor

    def commit(self, connection: Any, number: str | None) -> None:
        """Commit. If the server goes away meanwhile, ask it, when it is back, whether it did."""
        try:
            connection.cursor().execute("COMMIT")
        except self.errors as error:
            meant, is_lost = self.translate(error)
            if number is None or not is_lost or not self._was_committed(number):
                raise (meant if is_lost else StoreUnavailable(str(error))) from error
            connection.close()

    def _was_committed(self, number: str) -> bool:
        """Return whether a transaction that we lost sight of was committed."""
        end = time.monotonic() + STATUS_SECONDS
        while time.monotonic() < end:
            with suppress(self.errors, StoreUnavailable), self.pool.lend() as connection:
                cursor = connection.cursor()
                cursor.execute("SELECT pg_xact_status(%s::xid8)", (number,))
                status = cursor.fetchone()[0]
                if status != "in progress":
                    return bool(status == "committed")
            time.sleep(0.05)
        raise StoreUnavailable("the database went away at a commit, and nobody can tell whether it was made")

    def listen(self, heard: Callable[[str], None]) -> Listener:
        """Listen on a connection of its own."""
        return PostgresListener(self.url, self.channel, self.instance, heard)

    def set_counters(self) -> None:
        """Let counters go on after the numbers that were brought in by hand."""
        with self.writing() as connection:
            for table, column in (("audits", "number"), ("session_ids", "id")):
                connection.cursor().execute(
                    f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'), max({column})) FROM {table}"
                )

    def translate(self, error: Exception) -> tuple[Exception, bool]:
        """Tell a taken key from a deadlock, and both from a server that is gone."""
        import psycopg
        from psycopg import errors

        if isinstance(error, psycopg.IntegrityError):
            return Conflict(str(error)), False
        if isinstance(error, (errors.DeadlockDetected, errors.SerializationFailure, errors.LockNotAvailable)):
            return Again(f"another transaction was in the way: {error}"), True
        if isinstance(error, (psycopg.ProgrammingError, psycopg.DataError, errors.InFailedSqlTransaction)):
            return error, False
        return StoreUnavailable(f"the database cannot be reached or written now: {error}"), True


def open_backend(url: str, **options: Any) -> Backend:
    """Open the database at an address: `sqlite:///FILE`, `sqlite://` for memory, or `postgresql://…`."""
    kind, separator, _ = url.partition("://")
    kind = kind.partition("+")[0]
    if not separator:
        raise BadDocument(f"{url!r} is not the address of a database: sqlite:///FILE or postgresql://USER@HOST/NAME")
    if kind == "sqlite":
        return SQLiteBackend(url, **options)
    if kind in ("postgresql", "postgres"):
        return PostgresBackend(url, **options)
    raise BadDocument(f"{kind} is no database croupier knows: sqlite:///FILE or postgresql://USER@HOST/NAME")


def sync(path: Path) -> None:
    """Return when a file, or the names in a folder, are on disk: what was made is there, what was deleted is gone."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _make_private(path: Path) -> None:
    """Make a new file that only its owner reads: it holds seeds that are still secret."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be opened: {error.strerror}") from error
