"""The head of a store, kept outside its database file: a lost log (WAL) or an older file is noticed at the next start.

What is in the file is lost with it, and what is left adds up. So the number of the last movement and a digest of it
stand in a file beside the database. It is written after what it names is on disk, so it is never ahead. The database
file is marked as one that has a head: where that is gone too, nobody can tell what is missing.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from croupier.engine.plain import canonical
from croupier.errors import BadDocument
from croupier.house.ledger import CARRIED_KEY, Ledger
from croupier.store.backends import sync
from croupier.store.interface import StoreUnavailable
from croupier.store.transaction import Transaction

if TYPE_CHECKING:
    from croupier.store.database import DatabaseStore

MARK = "PRAGMA user_version = {}"


class WrongHead(StoreUnavailable):
    """A database file is not the one that its head was written for, or the head is missing."""

    code = "wrong_head"


class Head(Struct, frozen=True):
    """The last movement of a ledger, by its number, and its digest."""

    movements: int
    digest: str


def head_path(database: Path) -> Path:
    """Return where the head of a database file stands."""
    return Path(f"{database}-head")


def head_of(transaction: Transaction, number: int | None = None) -> Head:
    """Return the head as it was at a movement, or as it is."""
    state = transaction.house()
    number = Ledger(state).count() if number is None else number
    movement = state.get(f"movement/{number}")
    return Head(number, sha256(canonical(movement)).hexdigest() if number else "")


def keep_head(path: Path, head: Head) -> None:
    """Write a head down in place of the one before, and return when it is on disk."""
    part = Path(f"{path}.part")
    part.write_bytes(msgspec.json.encode(head))
    sync(part)
    os.replace(part, path)
    sync(path.parent)


def accept_head(store: DatabaseStore) -> Head:
    """Take a database file as it is from now on: keep its head, and mark it as one that has a head."""
    if store.backend.path is None:
        raise BadDocument("only an SQLite file has a head")
    head = store.read(head_of)
    keep_head(head_path(store.backend.path), head)
    store.run([lambda transaction: transaction.say(MARK.format(1))])
    with store.backend.writing() as connection, suppress(store.backend.errors):
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # a mark in the log would be lost with it
    return head


def check_head(store: DatabaseStore) -> bool:
    """Return whether a database is marked as one that has a head; only a file can be.

    Raises `WrongHead` unless the movement that was the last one is there, as it was, or there never was a head.
    """
    database = store.backend.path
    return database is not None and store.read(lambda transaction: _check(head_path(database), transaction))


def _check(path: Path, transaction: Transaction) -> bool:
    is_marked, there = bool(transaction.all("PRAGMA user_version")[0][0]), head_of(transaction).movements
    wrong = ""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=Head)
        is_carried = kept.movements <= (transaction.house().get(CARRIED_KEY) or 0)
        if there < kept.movements:
            wrong = f"the ledger had {kept.movements} movements and has {there}: its log was lost, or the file is older"
        elif not is_carried and head_of(transaction, kept.movements) != kept:
            wrong = f"movement {kept.movements} is not the one that was written: this is another database"
    except FileNotFoundError:
        if is_marked:
            wrong = f"{path} is missing, so nobody can tell whether what was played last is in the database"
    except (OSError, msgspec.MsgspecError) as error:
        wrong = f"{path} cannot be read ({error})"
    if wrong:
        raise WrongHead(f"{wrong}. Put it right, or `croupier server accept` goes on with the {there} movements in it")
    return is_marked
