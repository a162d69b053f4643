"""Exports of a store, as lines of JSON: all of it for another store, or what concerns one account, for them.

An export of everything goes into an empty store of either kind, so it is also the way from SQLite to PostgreSQL. One of
an older schema is first made a database of that schema, which is then brought up to date.
"""

from __future__ import annotations

import sqlite3
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from msgspec.structs import replace

from croupier.engine.plain import canonical
from croupier.engine.records.documents import read_json
from croupier.errors import BadDocument, WrongSchema
from croupier.house.ledger import player_account
from croupier.store.backends import PostgresBackend
from croupier.store.database import DatabaseStore, open_store
from croupier.store.matches import session_match_id
from croupier.store.migrations import MIGRATIONS, migrate
from croupier.store.model import Account, Room, SeedRow, StoredEvent
from croupier.store.scan import PAGE, TABLES, every_item, every_row
from croupier.store.statements import TABLES as KINDS
from croupier.store.statements import insert
from croupier.store.transaction import Transaction

FORM = "croupier store"


class _Line(msgspec.Struct, frozen=True):
    table: str
    row: dict[str, Any]


# All of it.


def export_store(store: DatabaseStore) -> Iterator[bytes]:
    """Yield everything as lines of JSON, of one moment, every secret included; the last line tells how many there were.

    The bytes of a store are the same on every machine: two stores with the same contents have the same export.
    """
    yield canonical({"form": FORM, "schema": len(MIGRATIONS)}) + b"\n"

    def all_rows(transaction: Transaction) -> Iterator[bytes]:
        count = 0
        for table in TABLES:
            blobs = _blobs(table)
            for row in every_row(transaction, table):
                for name, is_text in blobs:
                    row[name] = row[name].decode() if is_text else b64encode(row[name]).decode()
                yield canonical({"table": table, "row": row}) + b"\n"
                count += 1
        yield canonical({"rows": count}) + b"\n"

    yield from store.stream(all_rows)


def import_store(store: DatabaseStore, lines: Iterable[bytes]) -> int:
    """Fill an empty store from an export and return how many rows it had. All of it is written, or nothing."""

    def fill(transaction: Transaction) -> int:
        if any(next(every_row(transaction, table), None) is not None for table in TABLES):
            raise BadDocument("the store is not empty: import into a new one")
        given = iter(lines)
        head: dict[str, Any] = read_json(next(given, b""), dict[str, Any], "export")
        if head.get("form") != FORM:
            raise BadDocument("this is not the export of a store")
        schema = head.get("schema")
        if type(schema) is not int or not 1 <= schema <= len(MIGRATIONS):
            raise WrongSchema(f"the export has schema {schema}, this croupier reads 1 to {len(MIGRATIONS)}")
        if schema < len(MIGRATIONS):
            with TemporaryDirectory(prefix="croupier-import-") as folder:
                _fill_older(Path(folder) / "older.db", schema, given)
                with open_store(f"sqlite:///{folder}/older.db") as older:
                    newer = export_store(older)
                    next(newer)
                    return _fill(transaction, newer)
        return _fill(transaction, given)

    answer = store.run([fill])[0]
    if isinstance(answer, Exception):
        raise answer
    if isinstance(store.backend, PostgresBackend):
        store.backend.set_counters()
    return answer


def _lines(given: Iterator[bytes]) -> Iterator[_Line]:
    """Yield the rows of an export, and raise `BadDocument` at the end unless all were there."""
    count = 0
    for line in given:
        plain: dict[str, Any] = read_json(line, dict[str, Any], "export")
        if "rows" in plain:
            if plain["rows"] != count or next(given, None) is not None:
                raise BadDocument(f"the export should have {plain['rows']} rows, it has {count} or more")
            return
        yield msgspec.convert(plain, _Line)
        count += 1
    raise BadDocument(f"the export breaks off after {count} rows")


def _fill(transaction: Transaction, given: Iterator[bytes]) -> int:
    count = 0
    for count, line in enumerate(_lines(given), 1):  # noqa: B007 (how many there were)
        if line.table not in TABLES:
            raise BadDocument(f"a store has no table {line.table!r}")
        row = _read_blobs(line, [name for name, _ in _blobs(line.table)])
        transaction.do(insert(line.table).here, **row)  # at once: all of an export is too much to keep back
    transaction.forget()  # rows came in by a way of their own: what was not there may be now
    return count


def _fill_older(path: Path, schema: int, given: Iterator[bytes]) -> None:
    """Make a database as a croupier of that schema made it: opened, it is brought up to date like any other."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        migrate(database.cursor(), "sqlite", steps=MIGRATIONS[:schema])
        database.execute("BEGIN")
        for line in _lines(given):
            columns = database.execute("SELECT name, type FROM pragma_table_info(?)", [line.table])
            kinds: dict[str, str] = dict(columns.fetchall())
            if not kinds or not line.row.keys() <= kinds.keys():
                raise BadDocument(f"a store of schema {schema} has no table {line.table!r} like that")
            try:
                row = _read_blobs(line, [name for name, kind in kinds.items() if kind == "BLOB"])
                names, marks = ", ".join(row), ", ".join("?" * len(row))
                database.execute(f"INSERT INTO {line.table} ({names}) VALUES ({marks})", list(row.values()))
            except (sqlite3.Error, KeyError, AttributeError, TypeError, ValueError) as error:
                raise BadDocument(f"the export has a row of {line.table} that cannot be: {error}") from None
        database.execute("COMMIT")


def _read_blobs(line: _Line, names: Iterable[str]) -> dict[str, Any]:
    row = dict(line.row)
    for name in names:
        row[name] = row[name].encode() if _is_text(line.table, name) else b64decode(row[name])
    return row


def _blobs(table: str) -> list[tuple[str, bool]]:
    """Return the columns that hold bytes, and whether those are JSON, which reads well as it is."""
    return [(name, _is_text(table, name)) for name, kind in KINDS[table].columns.items() if kind == "data"]


def _is_text(table: str, name: str) -> bool:
    return name in ("body", "details") and table != "replies"


# One account.


def export_account(store: DatabaseStore, account_id: str) -> Iterator[bytes]:
    """Yield what a store holds about an account, as lines of JSON that say what they are.

    Nobody's secrets are among it: no hashes of tokens, no server seed that is not opened, no hidden action of a match
    that goes on, and never the seed of a dice room, from which follows the key that its table signs with.
    """
    for kind, value in store.stream(lambda transaction: _about(transaction, account_id)):
        yield canonical({"kind": kind, "value": value}) + b"\n"


def _about(transaction: Transaction, account_id: str) -> Iterator[tuple[str, Any]]:
    account = transaction.get_account(account_id)
    if account is None:
        raise BadDocument(f"nobody has the id {account_id}")
    yield "account", replace(account, recovery_hash="")
    for token in transaction.tokens_of(account_id):
        yield "token", replace(token, hash="")
    house = transaction.house()
    if (player := house.get(f"player/{account_id}")) is not None:
        chips = house.get(f"balance/{player_account(account_id)}") or 0
        yield "player", replace(player, chips=chips)
    yield from _rooms_about(transaction, account_id)
    yield from _sessions_about(transaction, account_id)
    name = player_account(account_id)
    for movement in every_item(lambda last: transaction.movements(name, before=last, limit=PAGE), "number"):
        yield "movement", movement
    for row in every_row(transaction, "audits"):
        if account_id in (row["actor"], row["about"]):
            yield "audit", {**row, "details": msgspec.json.decode(row["details"])}


def _rooms_about(transaction: Transaction, account_id: str) -> Iterator[tuple[str, Any]]:
    for room in rooms_of(transaction, account_id):
        is_over = room.status in ("finished", "closed")
        yield "room", _without_secrets(room, account_id, is_over=is_over)
        for event in transaction.events(room.id):
            if is_over or _is_by(event, account_id):
                yield "event", event if is_over else _without_seed(event)


def _sessions_about(transaction: Transaction, account_id: str) -> Iterator[tuple[str, Any]]:
    for row in every_row(transaction, "seeds"):
        if row["account"] == account_id:
            seed = msgspec.json.decode(row["body"], type=SeedRow)
            session = transaction.get_session(seed.session_id)
            is_opened = seed.state in ("refused", "expired") or (session is not None and session.is_complete)
            yield "seed", seed if is_opened else replace(seed, server_seed="")
    for listed in every_item(lambda last: transaction.sessions_of(account_id, before=last, limit=PAGE), "session_id"):
        yield "session", listed
        for event in transaction.events(session_match_id(listed.session_id)):
            # The host's seed of a move opens its stream; it is shown when nothing is drawn from it any more.
            yield "event", event if listed.is_complete else _without_seed(event)


def rooms_of(transaction: Transaction, account_id: str) -> Iterator[Room]:
    """Yield all rooms that somebody has had a seat in, newest first."""
    return every_item(lambda last: transaction.rooms_of(account_id, after=last, limit=PAGE), "id", "")


def _without_secrets(room: Room, account_id: str, *, is_over: bool) -> Room:
    """Return a room without a server seed that is not opened, and without what others have opened before the match."""
    seats = room.seats
    if not room.seats_started:
        seats = tuple(who if who.account == account_id else replace(who, secret="") for who in seats)
    server_seed = room.server_seed if is_over and not room.dice else ""
    return replace(room, server_seed=server_seed, seats=seats)


def _is_by(event: StoredEvent, account_id: str) -> bool:
    action = event.body.get("action")
    return isinstance(action, dict) and action.get("player_id") == account_id


def _without_seed(event: StoredEvent) -> StoredEvent:
    return replace(event, body={name: part for name, part in event.body.items() if name != "seed"})


def erase_account(transaction: Transaction, account_id: str, at: int) -> None:
    """Take everything personal about an account out: name, recovery key, tokens, kept replies, limits.

    What others rely on stays under the bare id: movements of the ledger, matches, and that there was an account. Their
    records still verify. Whoever sits in a match or session that goes on should have left it before.
    """
    account = transaction.get_account(account_id, lock=True)
    if account is None:
        raise BadDocument(f"nobody has the id {account_id}")
    transaction.put_account(Account(account_id, "", account.created_at, role=account.role, closed_at=at))
    for token in transaction.tokens_of(account_id):
        transaction.drop_token(token.hash)
    transaction.drop_replies(account_id)
    house = transaction.house()
    if (player := house.get(f"player/{account_id}")) is not None:
        house.put(f"player/{account_id}", replace(player, name=""))
    for listed in list(rooms_of(transaction, account_id)):
        room = transaction.get_room(listed.id, lock=True) or listed  # others may play on, in another process
        seats = tuple(replace(seat, name="") if seat.account == account_id else seat for seat in room.seats)
        if seats != room.seats:
            transaction.put_room(replace(room, seats=seats))
