"""The store: runs functions on a database in one transaction, with a retry where another process got in its way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from croupier.store.backends import Again, Backend, open_backend
from croupier.store.execution import Spoiled
from croupier.store.interface import Job, StoreUnavailable, Within
from croupier.store.transaction import Transaction

T = TypeVar("T")

ATTEMPTS = 5
KNOWN_MAX = 10_000


class DatabaseStore:
    """A store in SQLite or PostgreSQL. Its methods may be called from any thread.

    PostgreSQL breaks a deadlock by undoing one of the transactions; its jobs are then run again from the beginning, and
    so are jobs beside one that fails when it has written something. A job should therefore change nothing but what its
    transaction keeps.
    """

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self._known: dict[Any, Any] = {}
        self._mark: Any = None

    def run(
        self, jobs: Sequence[Callable[[Transaction], T]], *, within: Within | None = None
    ) -> Sequence[T | Exception]:
        """Run jobs one after the other in one transaction, and return when what they wrote is on disk.

        A job that raises is undone, and its exception is its answer; the others stand. If the whole cannot be
        committed, `StoreUnavailable` is raised, and nothing has happened. `within` runs the jobs, all of them together,
        if another thread than the caller's is to do that; beginning and end of the transaction are the caller's.
        """
        if not jobs:
            return []
        guarded, where = False, within or (lambda work: work())
        for _ in range(ATTEMPTS - 1):
            try:
                return self._run(jobs, where, guarded=guarded)
            except Spoiled:
                guarded = True
            except Again:
                continue
        return self._run(jobs, where, guarded=True)

    def _run(
        self, jobs: Sequence[Callable[[Transaction], T]], within: Within, *, guarded: bool
    ) -> Sequence[T | Exception]:
        with self.backend.writing() as connection:
            transaction = Transaction(self.backend, connection, writes=True, guarded=guarded)
            transaction.begin(self.backend.begin_write, *(["SAVEPOINT job"] if guarded else []))
            if self._mark is not None and self._mark == self.backend.mark(connection) and len(self._known) < KNOWN_MAX:
                transaction.known = self._known
            self._mark = None
            transaction.prefetch([job.reads for job in jobs if isinstance(job, Job)])
            answers = within(lambda: self._try_all(transaction, jobs, guarded))
            number, mark = transaction.finish(tuple(transaction.topics)), self.backend.mark(connection)
            self.backend.commit(connection, number)
            self._known, self._mark = transaction.known, mark
            return answers

    def _try_all(
        self, transaction: Transaction, jobs: Sequence[Callable[[Transaction], T]], guarded: bool
    ) -> Sequence[T | Exception]:
        answers = [self._try(transaction, job, guarded) for job in jobs]
        if not self.backend.is_remote:  # here, and not where the disk is waited for: two threads would take turns
            transaction.say()
        return answers

    def _try(self, transaction: Transaction, job: Callable[[Transaction], T], guarded: bool) -> T | Exception:
        """Run a job, and return its answer or what it raised.

        A job that raises has mostly written nothing yet. Where it has, and no savepoint was set before it, everything
        is begun anew, with savepoints this time: they cost as much as the rest of a job.
        """
        topics = len(transaction.topics)
        transaction.has_touched = False
        answer: T | Exception
        undo = False
        try:
            answer = job(transaction)
        except Exception as error:
            answer, undo = error, True
        if transaction.doomed is not None:  # also where the job has swallowed it
            raise transaction.doomed
        if undo:
            if transaction.has_touched and not guarded:
                raise Spoiled
            if transaction.has_touched:
                transaction.say("ROLLBACK TO SAVEPOINT job")
                transaction.forget()
            while len(transaction.topics) > topics:
                transaction.topics.popitem()
        elif guarded:
            transaction.say("RELEASE SAVEPOINT job", "SAVEPOINT job")
        return answer

    def read(self, job: Callable[[Transaction], T]) -> T:
        """Run a job that only reads, on a connection of its own, over the state at one moment."""
        try:
            return self._read(job)
        except StoreUnavailable:
            return self._read(job)  # a connection that was idle while the database restarted

    def _read(self, job: Callable[[Transaction], T]) -> T:
        with self.backend.reading() as connection:
            transaction = Transaction(self.backend, connection, writes=False)
            transaction.begin(self.backend.begin_read)
            answer = job(transaction)
            transaction.say("ROLLBACK")
            return answer

    def stream(self, job: Callable[[Transaction], Iterator[T]]) -> Iterator[T]:
        """Yield what a job that only reads yields, over the state at one moment. Close it if you stop early."""
        with self.backend.reading() as connection:
            transaction = Transaction(self.backend, connection, writes=False)
            transaction.begin(self.backend.begin_read)
            yield from job(transaction)
            transaction.say("ROLLBACK")

    def close(self) -> None:
        """Let go of the database."""
        self.backend.close()

    def __enter__(self) -> DatabaseStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_store(url: str, **options: Any) -> DatabaseStore:
    """Open the database at an address, brought up to date: `sqlite:///FILE`, `sqlite://`, or `postgresql://…`.

    >>> with open_store("sqlite://") as store:
    ...     store.run([lambda transaction: transaction.put_setting("motto", b"fair")])
    ...     store.read(lambda transaction: transaction.get_setting("motto"))
    [None]
    b'fair'
    """
    return DatabaseStore(open_backend(url, **options))
