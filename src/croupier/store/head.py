"""The head of a store, kept outside its database file: a lost log (WAL) or an older file is noticed at the next start.

What is in the file is lost with it, and what is left adds up. So the number of the last movement and a digest of it
stand in a file beside the database. It is written after what it names is on disk, so it is never ahead.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from croupier.engine.plain import canonical
from croupier.errors import BadDocument
from croupier.house.ledger import CARRIED_KEY, Ledger
from croupier.store.interface import StoreUnavailable
from croupier.store.transaction import Transaction


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
    """Write a head down in place of the one before."""
    part = Path(f"{path}.part")
    part.write_bytes(msgspec.json.encode(head))
    os.replace(part, path)


def check_head(path: Path, transaction: Transaction) -> None:
    """Raise `StoreUnavailable` unless the movement that was the last one is there, as it was."""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=Head)
    except FileNotFoundError:
        return
    except (OSError, msgspec.MsgspecError) as error:
        raise BadDocument(f"{path} cannot be read ({error}): move it away if you are sure of the database") from None
    there = head_of(transaction).movements
    if there < kept.movements:
        text = f"the ledger had {kept.movements} movements and has {there}: its log was lost, or this is an older file"
        raise StoreUnavailable(f"{text}. Restore what is missing, or move {path} away to go on without it")
    is_kept = kept.movements > (transaction.house().get(CARRIED_KEY) or 0)
    if is_kept and head_of(transaction, kept.movements) != kept:
        text = f"movement {kept.movements} is not the one that was written: this is another database"
        raise StoreUnavailable(f"{text}. Move {path} away to go on with it")
