"""A database and an export of schema 4, which an older server wrote: both open, and play goes on.

`schema_4.sql` and `schema_4.jsonl` are of one store. Ann has played roulette (1), roulette in super mode with a shield
(2) and stands in hi-lo with a double (3); Bob stands in blackjack (4), was refused (5), has played craps (6) and has
begun sic bo (7). Commitments 8 and 9 are unused, and a match of Ann's goes on. The digests were taken by that server.
"""

from __future__ import annotations

import json
import sqlite3
from base64 import b64decode
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import psycopg
import pytest

from croupier.engine import act, state_digest, verify
from croupier.errors import BadDocument, WrongSchema
from croupier.house import check_ledger
from croupier.server.operations import actions, commitments, purses, room_views, sessions
from croupier.server.operations.context import Caller
from croupier.store.audit import audit
from croupier.store.database import open_store
from croupier.store.export import import_store
from croupier.store.migrations import MIGRATIONS, migrate
from croupier.store.scan import TABLES, every_row
from tests.unit.server.conftest import Office

HERE = Path(__file__).parent
STATES = {
    1: "6460dcf3df15675ec808cf509d31c6f06ff9ee81369f824c05b14f1f8636cdfa",
    2: "d6bad18e39a85d21495be858ac8391fe69b10e868c3d68e53fe96c90983b4b8e",
    3: "8f76e10d1819aac2dfa718af7180f94e318d2ee22c48b1b5bcf96f68efc25af6",
    4: "c1694d09746d01a529288894c050dcf7edaf22bb7cea0ee05671fe322a34c22c",
    6: "8c596371ef57918bbebd9abbb7518d4a90ccc0b9bbfbca13d97768a737f7ee48",
    7: "aac86d870c17d177583e1cf7caf637d74a17bac6607dea75ebb32a924a3480db",
}
RECORDS = {
    1: "e1fb74036d0d019658ae2b820744757617910b1559fb209a5e70cfd1af2848d4",
    2: "46d7e72b8c8a0493583c391c9269ee2ce74a66fde2969b0acc5777d52b959830",
    6: "65f3fa0385665f5bc9dff89918a915062135a8fc172b978d5cdcb75bede1a540",
}


def fill_postgres(url: str) -> None:
    """Make a PostgreSQL of schema 4 that holds what the export does, with statements of its own."""
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.cursor()
        migrate(cursor, "postgresql", steps=MIGRATIONS[:4])
        for line in (HERE / "schema_4.jsonl").read_text().splitlines()[1:-1]:
            table, row = json.loads(line)["table"], json.loads(line)["row"]
            for name in {"body", "data", "value", "details"} & row.keys():
                is_text = name in ("body", "details") and table != "replies"
                row[name] = row[name].encode() if is_text else b64decode(row[name])
            marks = ", ".join(["%s"] * len(row))
            cursor.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", list(row.values()))
        for table, column in (("session_ids", "id"), ("audits", "number")):
            counter = f"pg_get_serial_sequence('{table}', '{column}')"
            cursor.execute(f"SELECT setval({counter}, (SELECT coalesce(max({column}), 0) + 1 FROM {table}))")


@pytest.fixture(params=["database", "export", "postgres"])
def old(request: pytest.FixtureRequest, tmp_path: Path, make_office: Callable[..., Office]) -> Office:
    url = f"sqlite:///{tmp_path / 'old.db'}"
    if request.param == "database":
        with closing(sqlite3.connect(tmp_path / "old.db")) as database:
            database.executescript((HERE / "schema_4.sql").read_text())
    elif request.param == "postgres":
        url = request.getfixturevalue("postgres").new_database()
        fill_postgres(url)
    made = make_office(url)
    made.now += 2000  # it was left a second into the story
    made.numbers = iter(range(10_000, 20_000))  # type: ignore[assignment]
    if request.param == "export":
        import_store(made.store, (HERE / "schema_4.jsonl").read_bytes().splitlines(keepends=True))
    return made


def caller(old: Office, number: int) -> Caller:
    """Return whose session it is."""
    return old.caller(old.do(lambda call: call.tx.get_seed(number).account))


def test_every_session_stands_where_it_stood(old: Office) -> None:
    found = {number: old.do(sessions.session_of, number) for number in STATES}

    assert {number: state_digest(session.match) for number, session in found.items()} == STATES
    assert [number for number, session in found.items() if session.is_complete] == [1, 2, 6]
    second, third = found[2], found[3]
    assert (second.super_mode, second.shield, second.double) == (True, True, False)
    assert (third.stake, third.super_mode, third.shield, third.double, third.reserved) == (50, False, False, True, True)
    assert [old.do(purses.purse, caller(old, number).id).chips for number in (3, 4)] == [1043, 990]
    assert audit(old.store).ok


def test_records_are_the_same_bytes_and_verify(old: Office) -> None:
    found = {number: old.do(sessions.read_session_record, caller(old, number), number) for number in RECORDS}

    assert {number: sha256(data).hexdigest() for number, data in found.items()} == RECORDS
    assert all(verify(data).ok for data in found.values())


def test_sessions_go_on_and_are_paid(old: Office) -> None:
    ann, bob = caller(old, 3), caller(old, 4)

    cashed = old.do(sessions.move, ann, 3, 1, act("cash_out"), None)
    assert (cashed.is_complete, cashed.version, cashed.has_double) == (True, 2, True)
    assert cashed.ended is not None
    stood = old.do(sessions.close_session, bob, 4)
    spun = old.do(sessions.move, bob, 7, 0, act("batch", bets=[{"bet": "small", "stake": 5}]), None)
    assert (stood.is_complete, spun.is_complete) == (True, True)
    for who, number in ((ann, 3), (bob, 4), (bob, 7)):
        assert verify(old.do(sessions.read_session_record, who, number)).ok
    old.store.read(lambda tx: check_ledger(tx.house(), thorough=True))
    assert audit(old.store).ok


def test_commitments_are_listed_as_they_were_and_the_unused_are_opened_in_their_time(old: Office) -> None:
    bob = caller(old, 4)
    states = [(one.session_id, one.state) for one in old.do(commitments.list_commitments, bob, None, 10)]
    assert states == [(9, "issued"), (7, "started"), (6, "finished"), (5, "refused"), (4, "started")]

    old.now += 86_400_000
    assert old.do(commitments.open_expired) == 2
    assert old.do(commitments.list_commitments, bob, None, 1)[0].state == "expired"


def test_the_match_goes_on(old: Office) -> None:
    ann = caller(old, 3)
    (room,) = old.store.read(lambda tx: tx.rooms_of(ann.id))
    assert (room.status, room.version) == ("active", 1)

    seen = old.do(room_views.find_room, ann, room.id, legal=True)
    assert old.do(actions.act, ann, room.id, 1, seen.legal[0]).version == 2
    assert audit(old.store).ok


@pytest.mark.parametrize(
    ("was", "now", "error", "match"),
    [
        (b'"schema":4', b'"schema":99', WrongSchema, "schema 99"),
        (b'"schema":4', b'"schema":0', WrongSchema, "schema 0"),
        (b'"table":"nonces"', b'"table":"nobodys"', BadDocument, "has no table 'nobodys'"),
        (b'"table":"nonces"', b'"table":"nonces; DROP TABLE nonces"', BadDocument, "has no table"),
        (b',"chips":-2000}', b"}", BadDocument, "a row of balances that cannot be"),
        (rb"\"rules_version\":", rb"\"rules\":", BadDocument, "session 1 cannot be read"),
    ],
)
def test_an_older_export_that_is_damaged_is_refused_and_leaves_the_store_empty(
    was: bytes, now: bytes, error: type[Exception], match: str
) -> None:
    data = (HERE / "schema_4.jsonl").read_bytes()
    assert was in data
    with open_store("sqlite://") as store:
        with pytest.raises(error, match=match):
            import_store(store, data.replace(was, now, 1).splitlines(keepends=True))
        assert store.read(lambda tx: [table for table in TABLES if next(every_row(tx, table), None)]) == []
