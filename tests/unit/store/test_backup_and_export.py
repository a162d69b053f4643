"""Backup and restore of one moment, export into either database, and what an account is told or has erased."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from hashlib import sha256
from typing import Any

import pytest

from croupier.errors import BadDocument, WrongSchema
from croupier.store import backup as backups
from croupier.store.audit import audit
from croupier.store.backup import backup, restore
from croupier.store.database import open_store
from croupier.store.export import erase_account, export_account, export_store, import_store
from croupier.store.model import Account
from croupier.store.scan import TABLES, every_row
from tests.unit.store.seeds import SECRET


def contents(store):
    return store.read(lambda transaction: {table: list(every_row(transaction, table)) for table in TABLES})


@pytest.fixture
def kind(request):
    """Copies of files are SQLite's; a test that asks for both says so."""
    return getattr(request, "param", "sqlite")


both = pytest.mark.parametrize("kind", ["sqlite", "postgres"], indirect=True)


def test_a_backup_restored_is_the_same_store_and_passes_the_audit(world, tmp_path):
    copy, again = tmp_path / "copies" / "copy.db", tmp_path / "again.db"

    size = backup(world.store, copy)
    assert size == copy.stat().st_size > 0
    assert restore(copy, again) == size

    with open_store(f"sqlite:///{again}") as restored:
        assert contents(restored) == contents(world.store)
        assert audit(restored).ok
    assert oct(copy.stat().st_mode & 0o777) == oct(again.stat().st_mode & 0o777) == "0o600"
    assert sorted(path.name for path in copy.parent.iterdir()) == ["copy.db"]


def test_a_backup_is_of_one_moment_while_others_write(store, tmp_path, monkeypatch):
    """Chips move between two settings all the time: in every copy they add up."""

    def move(transaction):
        numbers = [int(transaction.get_setting(name) or b"50") for name in ("left", "right")]
        transaction.put_setting("left", b"%d" % (numbers[0] - 1))
        transaction.put_setting("right", b"%d" % (numbers[1] + 1))

    store.run([lambda tx, name=f"{number}": tx.put_setting(name, bytes(2000)) for number in range(200)])
    store.run([move])
    monkeypatch.setattr(backups, "PAGES_AT_ONCE", 5)

    class Busy:
        """A connection that, while it is copied, sees somebody write."""

        def __init__(self, connection):
            self.connection = connection

        def execute(self, text):
            return self.connection.execute(text)

        def backup(self, target, **how):
            self.steps = 0

            def between(*_):
                self.steps += 1
                store.run([move])

            sqlite3.Connection.backup(self.connection, target, pages=how["pages"], progress=between)
            assert self.steps > 5

    with store.backend.reading() as connection:
        busy: Any = Busy(connection)
        backups._copy(busy, tmp_path / "copy.db")

    with open_store(f"sqlite:///{tmp_path / 'copy.db'}") as copied:
        left, right = copied.read(lambda tx: [int(tx.get_setting(name) or b"") for name in ("left", "right")])
    assert left + right == 100
    assert left < 50


def test_nothing_is_overwritten(world, tmp_path):
    taken = tmp_path / "taken"
    taken.write_bytes(b"precious")
    with pytest.raises(BadDocument, match="there already"):
        backup(world.store, taken)
    backup(world.store, tmp_path / "copy.db")
    with pytest.raises(BadDocument, match="there already"):
        restore(tmp_path / "copy.db", taken)
    (tmp_path / "new.db-wal").write_bytes(b"precious")
    with pytest.raises(BadDocument, match=r"new.db-wal is there already"):
        restore(tmp_path / "copy.db", tmp_path / "new.db")
    assert taken.read_bytes() == b"precious"


def test_no_backup_a_damaged_one_and_one_of_a_newer_schema_are_not_restored(world, tmp_path):
    (tmp_path / "text").write_bytes(b"hello, this is not a database" * 50)
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE cats (name)").connection.close()
    backup(world.store, tmp_path / "newer.db")
    data = bytearray((tmp_path / "newer.db").read_bytes())
    for place in range(4096 * 3, len(data), 4096):
        data[place : place + 64] = b"\xff" * 64
    (tmp_path / "damaged.db").write_bytes(data)
    for name in ("missing", "text", "other.db", "damaged.db"):
        with pytest.raises(BadDocument):
            restore(tmp_path / name, tmp_path / "new.db")
    with closing(sqlite3.connect(tmp_path / "newer.db")) as connection, connection:
        connection.execute("INSERT INTO schema_version VALUES (99)")
    with pytest.raises(WrongSchema, match="schema 99"):
        restore(tmp_path / "newer.db", tmp_path / "new.db")
    assert not list(tmp_path.glob("new.db*"))


@pytest.mark.parametrize("kind", ["postgres"], indirect=True)
def test_for_postgresql_the_command_is_said(store, tmp_path):
    with pytest.raises(BadDocument, match="pg_dump --format=custom"):
        backup(store, tmp_path / "copy")


# Exports.


@both
def test_an_export_goes_into_either_database(world, kind, request):
    lines = list(export_store(world.store))
    other = "postgresql" if kind == "sqlite" else "sqlite"
    url = request.getfixturevalue("postgres").new_database() if other == "postgresql" else "sqlite://"

    with open_store(url) as store:
        assert import_store(store, lines) == len(lines) - 2
        assert contents(store) == contents(world.store)
        assert all(contents(store)[table] for table in ("seeds", "used_seeds", "versions"))
        assert audit(store).ok
        assert list(export_store(store)) == lines
        taken = {row["id"] for row in contents(store)["session_ids"]}
        (number,) = store.run([lambda transaction: transaction.next_session_id()])
        assert number not in taken
        (answer,) = store.run([lambda transaction: transaction.add_audit(9, "a_op", "import")])
        assert answer is None


def test_an_export_that_breaks_off_leaves_nothing(world):
    lines = list(export_store(world.store))
    with open_store("sqlite://") as store:
        for broken in ([], lines[:-1], lines[:-2] + lines[-1:], [*lines, lines[1]], lines[1:]):
            with pytest.raises(BadDocument):
                import_store(store, broken)
        assert not any(contents(store).values())
        import_store(store, lines)
        with pytest.raises(BadDocument, match="not empty"):
            import_store(store, lines)


@both
def test_an_account_is_told_all_that_is_kept_about_it_and_no_secret(world):
    lines = list(export_account(world.store, "a_bob"))
    told = [json.loads(line) for line in lines]

    kinds = {line["kind"] for line in told}
    assert kinds == {"account", "token", "player", "room", "event", "seed", "session", "movement"}
    assert told[0]["value"]["name"] == "Bob"
    text = b"".join(lines).decode()
    assert "Hello Ann" not in text
    for secret in ("recover-bob", "token-bob"):
        assert secret not in text
    rooms = {line["value"]["id"]: line["value"] for line in told if line["kind"] == "room"}
    assert rooms.keys() == {"m_0", "m_1", "m_2", "m_3", "m_4"}
    for row in contents(world.store)["rooms"]:
        room = json.loads(row["body"])
        is_over = room.get("status") in ("finished", "closed")
        assert (room["server_seed"] in text) == is_over
    for row in contents(world.store)["seeds"]:
        seed = json.loads(row["body"])
        session = world.store.read(lambda transaction, seed=seed: transaction.get_session(seed["session_id"]))
        is_opened = seed.get("state") in ("refused", "expired") or (session is not None and session.is_complete)
        assert (seed["server_seed"] in text) == (seed["account"] == "a_bob" and is_opened)
    assert "not_enough_chips" in text  # why a start was refused
    assert SECRET.hex() not in text  # the host's signing key
    ready, other = (sha256(name.encode()).hexdigest() for name in ("ann", "bob"))
    assert [seat.get("secret", "") for seat in rooms["m_0"]["seats"]] == [ready, other]
    assert [seat.get("secret", "") for seat in rooms["m_3"]["seats"]] == ["", ""]  # Ann has opened, Bob has not
    anns = [json.loads(line)["value"] for line in export_account(world.store, "a_ann")]
    (room,) = [value for value in anns if value.get("id") == "m_3"]
    assert room["seats"][0]["secret"] == ready  # to herself her own secret is told


@pytest.mark.parametrize("status", ["active", "finished", "closed"])
def test_the_seed_of_a_dice_room_is_told_to_nobody(store, make, status):
    """From it follow the key that the table signs with and the whole chain of its dice."""
    seed = sha256(b"dice").hexdigest()
    room = make.room("m_9", "a_ann", "a_bob", dice={"name": "m_9"}, status=status, server_seed=seed, seats_started=2)

    def fill(transaction):
        transaction.put_account(make.account("a_bob"))
        transaction.add_room(room)

    assert store.run([fill]) == [None]
    text = b"".join(export_account(store, "a_bob")).decode()
    assert '"id":"m_9"' in text
    assert seed not in text


@both
def test_erasing_an_account_removes_personal_data_and_keeps_the_books(world):
    before = contents(world.store)

    assert world.store.run([lambda transaction: erase_account(transaction, "a_ann", 77)]) == [None]

    text = b"".join(export_store(world.store)).decode()
    for personal in ("Ann", "A_ANN", "recover-ann", "token-ann"):
        assert personal not in text
    assert "Bob" in text
    after = contents(world.store)
    for table in ("movements", "balances", "events", "sessions", "snapshots"):
        assert after[table] == before[table]
    account = world.store.read(lambda transaction: transaction.get_account("a_ann"))
    assert account == Account("a_ann", "", 1, closed_at=77)
    report = audit(world.store)
    assert report.problem is None


def test_an_unknown_account_is_neither_exported_nor_erased(store):
    with pytest.raises(BadDocument, match="nobody has the id a_cyd"):
        list(export_account(store, "a_cyd"))
    (answer,) = store.run([lambda tx: erase_account(tx, "a_cyd", 77)])
    assert isinstance(answer, BadDocument)
