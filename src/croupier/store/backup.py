"""Copies of a store: made while it is in use, checked before they count, and put back.

For PostgreSQL its own programs do this better; what is said instead is the command.
"""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

from croupier.errors import BadDocument, WrongSchema
from croupier.store.backends import SQLiteBackend, sync
from croupier.store.database import DatabaseStore
from croupier.store.head import MARK, head_path
from croupier.store.interface import StoreUnavailable
from croupier.store.migrations import MIGRATIONS

PAGES_AT_ONCE = 256
POSTGRES = "a PostgreSQL database is copied by its own programs: pg_dump --format=custom --file=FILE {url}"


def backup(store: DatabaseStore, target: Path) -> int:
    """Copy a store into one new file, which only its owner reads, and return its size in bytes. It holds every secret.

    The copy is of one moment; others go on reading and writing meanwhile. It is under its name only when it is
    complete, checked and on disk. There must be nothing under that name yet.
    """
    backend = store.backend
    if not isinstance(backend, SQLiteBackend):
        raise BadDocument(POSTGRES.format(url=re.sub(r"(://[^:/@]*):[^@]*@", r"\1:***@", backend.url)))
    with backend.reading() as connection:
        return _copy(connection, target)


def restore(source: Path, target: Path) -> int:
    """Make a store's file from a backup and return its size. There must be nothing under that name yet.

    The server must not be running on the target. The next one to open it brings an older schema up to date.
    """
    if not source.is_file():
        raise BadDocument(f"there is no file {source}")
    for leftover in ("", "-wal", "-shm"):
        if (path := Path(f"{target}{leftover}")).exists():
            raise BadDocument(f"{path} is there already: move it away first")
    head_path(target).unlink(missing_ok=True)  # whoever restores knows that what came later is gone
    try:
        with closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True, isolation_level=None)) as connection:
            return _copy(connection, target)
    except sqlite3.DatabaseError as error:
        raise BadDocument(f"{source} is not a backup of a store: {error}") from None


def _copy(connection: sqlite3.Connection, target: Path) -> int:
    if target.exists():
        raise BadDocument(f"{target} is there already: move it away first")
    part = target.with_name(f"{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with closing(sqlite3.connect(part, isolation_level=None)) as copy:
            # Inside a transaction the copy is of its moment; else it would begin anew whenever somebody writes.
            connection.execute("BEGIN")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
            connection.backup(copy, pages=PAGES_AT_ONCE)
            connection.execute("ROLLBACK")
            # One file, no log and no head beside it: what is moved or sent away is whole.
            copy.execute(MARK.format(0))
            copy.execute("PRAGMA journal_mode = DELETE")
            _check(copy, part)
        sync(part)
        part.rename(target)
        sync(target.parent)
        return target.stat().st_size
    except (OSError, sqlite3.OperationalError) as error:
        raise StoreUnavailable(f"{target} cannot be written: {getattr(error, 'strerror', error)}") from error
    finally:
        part.unlink(missing_ok=True)


def _check(copy: sqlite3.Connection, path: Path) -> None:
    found = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise BadDocument(f"the copy is damaged, and so is what it was made from: {found}")
    if not copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'schema_version'").fetchone():
        raise BadDocument(f"{path.name.removesuffix('.part')} would be no store: what it was to be made from is none")
    version = copy.execute("SELECT max(version) FROM schema_version").fetchone()[0] or 0
    if version > len(MIGRATIONS):
        raise WrongSchema(f"the backup has schema {version}, newer than the {len(MIGRATIONS)} this croupier knows")
