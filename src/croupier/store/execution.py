"""Statements on one connection: sent one by one, or kept back and sent together.

Rows to be written wait until somebody asks for them or the transaction ends, and then go out by tables: a row that was
written several times goes out once. SQLite is in this process, and takes the rows of a table one after the other.
PostgreSQL takes many rows to a statement, and all statements in one pipeline. What was kept back is taken to succeed.
If it does not, all jobs are run again, with savepoints and one statement at a time: `Spoiled` says so.

begin ─┬─ what the jobs will read     ─► one round trip
       └─ jobs: from memory; other reads are round trips of their own
rows to write, notices, number        ─► one round trip
COMMIT                                ─► one round trip
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import Any

from msgspec.json import Encoder

from croupier.store.backends import Backend
from croupier.store.interface import StoreUnavailable
from croupier.store.statements import TABLES, Statement, prepared

_encode = Encoder().encode
Row = dict[str, Any]
_order = {name: place for place, name in enumerate(TABLES)}


class Spoiled(Exception):
    """Something was written that cannot stand, and nothing was there to go back to: all jobs are run again."""


class Execution:
    """One connection within a transaction. `doomed` says that all of it is lost.

    It is `guarded` by savepoints, with one statement at a time, or rows to be written are kept back.
    `has_touched` says whether something was written, or the database refused a statement, since it was last set to
    False.
    """

    def __init__(self, backend: Backend, connection: Any, *, writes: bool, guarded: bool = True) -> None:
        self.backend = backend
        self._is_far = backend.is_remote
        self._connection = connection
        self._cursor = connection.cursor()
        self._writes = writes
        self._is_guarded = guarded
        self._ahead: list[str] = []
        self._waiting: dict[str, tuple[Statement, dict[Any, Row]]] = {}
        self.doomed: Exception | None = None
        self.has_touched = False

    def begin(self, *texts: str) -> None:
        """Begin; where the database is far, together with the first statement."""
        if self.backend.is_remote:
            self._ahead += texts
        else:
            self.say(*texts)

    def do(self, statement: Statement | str, **values: Any) -> int:
        """Execute a statement that writes, now or later, and return how many rows it touched."""
        assert self._writes, "a job of `read` writes"
        self.has_touched = True
        if not self._is_guarded and not isinstance(statement, str) and statement.many:
            self._keep_back(statement, values)
            return 1
        self._execute(statement, values)
        count: int = self._cursor.rowcount
        return count

    def one(self, statement: Statement | str, **values: Any) -> Any:
        """Return the first row found, or None."""
        self._execute(statement, values)
        row = self._cursor.fetchone()
        if row is not None:  # SQLite ends a statement, such as INSERT … RETURNING, when its last row is asked for
            self._cursor.fetchone()
        return row

    def all(self, statement: Statement | str, **values: Any) -> list[Any]:
        """Return all rows found."""
        self._execute(statement, values)
        try:
            rows: list[Any] = self._cursor.fetchall()
        except self.backend.errors as error:
            raise self._failed(error) from error
        return rows

    def several(self, questions: Sequence[tuple[str, Row]]) -> list[list[Any]]:
        """Return all rows found by each of several statements that read, in one round trip.

        Their parameters are lists; where those are empty, so is what is found.
        """
        asked = [(prepared(text), values) for text, values in questions]
        for statement, values in asked:
            self._settle(statement, values)
        try:
            cursors = [self._connection.cursor() if all(values.values()) else None for _, values in asked]
            with self.backend.pipeline(self._connection):
                self._send_ahead()
                for cursor, (statement, values) in zip(cursors, asked, strict=True):
                    if cursor is not None:
                        self._send(cursor, statement, values)
            return [[] if cursor is None else cursor.fetchall() for cursor in cursors]
        except self.backend.errors as error:
            raise self._failed(error) from error

    def say(self, *texts: str) -> None:
        """Execute what was kept back, and then statements that have no parameters and no answers, such as SAVEPOINT."""
        if not (self._waiting or self._ahead) and len(texts) == 1:
            self._execute(texts[0], {})
        else:
            self._send_all(lambda: [self._connection.cursor().execute(text) for text in texts])

    def finish(self, topics: Sequence[str]) -> str | None:
        """Send what was kept back and what others are to hear, and return what `Backend.commit` wants to know."""
        try:
            cursor = self._send_all(lambda: self.backend.announce(self._connection, topics))
        except self.backend.errors as error:
            raise StoreUnavailable(str(error)) from error
        return None if cursor is None else cursor.fetchone()[0]

    def _send_all(self, last: Callable[[], Any]) -> Any:
        """Send what was kept back and do one thing more, in a pipeline. Raises `Spoiled` if a row is not there then."""
        waiting, self._waiting = self._waiting, {}
        with ExitStack() as cursors:
            # Closed, not left to the collector of cycles: with Python 3.11 a cursor that executed many rows shares the
            # connection's statement, and would reset it whenever it ends, under another cursor that executes it then.
            sent = [
                (cursors.enter_context(closing(self._connection.cursor())), *waiting[name])
                for name in sorted(waiting, key=_order.__getitem__)
            ]
            try:
                with self.backend.pipeline(self._connection):
                    self._send_ahead()
                    for cursor, statement, rows in sent:
                        if self._is_far:
                            cursor.execute(statement.many, {"rows": _encode(list(rows.values())).decode()})
                        else:
                            cursor.executemany(statement.here, rows.values())
                    found = last()
            except Exception as error:  # also the driver's no to a value that no column holds
                meant = self._failed(error) if isinstance(error, self.backend.errors) else error
                if waiting and self.doomed is None:  # whose row it was, nobody can tell
                    self.doomed = meant = Spoiled(str(error))
                raise meant from error
            for cursor, statement, rows in sent:
                if statement.is_exact and cursor.rowcount != len(rows):
                    self.doomed = Spoiled(f"{statement.here}: {cursor.rowcount} rows of {len(rows)}")
                    raise self.doomed
            return found

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Undo what is written within, if it raises; what was written before stands.

        What raises has mostly written nothing, and a savepoint would have been for nothing: `Spoiled` asks for one.
        """
        had_touched, self.has_touched = self.has_touched, False
        if self._is_guarded:
            self.say("SAVEPOINT attempt")
        try:
            yield
        except Exception:
            if self.has_touched and self.doomed is None:
                if not self._is_guarded:
                    self.doomed = Spoiled("what was refused has written something")
                    raise self.doomed from None
                self.say("ROLLBACK TO SAVEPOINT attempt")
                self.forget()
            raise
        finally:
            self.has_touched = self.has_touched or had_touched
        if self._is_guarded:
            self.say("RELEASE SAVEPOINT attempt")

    def forget(self) -> None:
        """Drop what was read since the part that is undone began: it may be wrong."""

    def _keep_back(self, statement: Statement, row: Row) -> None:
        """Let a row wait to be written, after whatever waits that it might collide with."""
        assert statement.key_of is not None, statement.here
        key = statement.key_of(row)
        other, rows = self._waiting.get(statement.table, (statement, {}))
        if other is not statement or (key in rows and not statement.replaces):
            self.say()
            rows = {}
        rows[key] = row
        self._waiting[statement.table] = statement, rows

    def _settle(self, statement: Statement, values: Row) -> None:
        """Execute what was kept back, if a statement would see the difference."""
        for name in self._waiting.keys() & statement.tables:
            rows = self._waiting[name][1]
            if statement.key_of is None or statement.key_of(values) in rows:
                self.say()
                return

    def _send_ahead(self) -> None:
        ahead, self._ahead = self._ahead, []
        for text in ahead:
            self._connection.cursor().execute(text)

    def _send(self, cursor: Any, statement: Statement, values: Row) -> None:
        cursor.execute(statement.far if self._is_far else statement.here, values)

    def _execute(self, asked: Statement | str, values: Row) -> None:
        statement = prepared(asked) if isinstance(asked, str) else asked
        if self._waiting:
            self._settle(statement, values)
        try:
            if self._ahead:
                with self.backend.pipeline(self._connection):
                    self._send_ahead()
                    self._send(self._cursor, statement, values)
            else:
                self._send(self._cursor, statement, values)
        except self.backend.errors as error:
            raise self._failed(error) from error

    def _failed(self, error: Exception) -> Exception:
        meant, is_lost = self.backend.translate(error)
        self.has_touched = True
        if is_lost:
            self.doomed = meant
        return meant
