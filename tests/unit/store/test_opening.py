"""Opening a store: schemas old and new, addresses, files that are no database, two at once."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from croupier.errors import BadDocument, WrongSchema
from croupier.server.operations.commitments import open_expired
from croupier.server.operations.context import Context, MatchCache
from croupier.server.settings import Settings
from croupier.store import migrations
from croupier.store.database import open_store
from croupier.store.interface import StoreUnavailable
from croupier.store.migrations import MIGRATIONS, migrate
from croupier.store.statements import TABLES

NAMES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
    "postgres": "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
}
COLUMNS = {
    "sqlite": "SELECT name, type, pk FROM pragma_table_info('{}') ORDER BY pk",
    "postgres": """
        SELECT attname, format_type(atttypid, NULL), coalesce(array_position(indkey::int2[], attnum) + 1, 0)
        FROM pg_attribute LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary
        WHERE attrelid = '{}'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY 3""",
}
TYPES = {"text": ("TEXT", "text"), "number": ("INTEGER", "bigint"), "data": ("BLOB", "bytea")}


def asked(store, text):
    with store.backend.reading() as connection:
        cursor = connection.cursor()
        cursor.execute(text)
        return cursor.fetchall()


def test_the_migrations_make_the_tables_that_statements_speak_of(store, kind):
    assert {name for (name,) in asked(store, NAMES[kind])} - {"schema_version"} == set(TABLES)
    for name, table in TABLES.items():
        found = asked(store, COLUMNS[kind].format(name))
        assert {column for column, _, _ in found} == set(table.columns), name
        assert all(type_ in TYPES[table.columns[column]] for column, type_, _ in found), name
        assert [column for column, _, place in found if place] == list(table.keys), name


def migrated(store, word, **steps):
    with store.backend.writing() as connection:
        return migrate(connection.cursor(), word, **steps)


def test_a_database_made_by_the_first_migration_is_brought_up_to_date(url, kind, monkeypatch):
    """Rows stay; the step that is new is taken; opening again changes nothing."""
    word = "sqlite" if kind == "sqlite" else "postgresql"
    monkeypatch.setattr(migrations, "MIGRATIONS", MIGRATIONS[:1])
    with open_store(url) as store:
        store.run([lambda transaction: transaction.put_setting("motto", b"fair")])

    newer = (
        *MIGRATIONS,
        "ALTER TABLE settings ADD COLUMN told_at {int} NOT NULL DEFAULT 7; CREATE TABLE cats (id {int})",
    )
    monkeypatch.setattr(migrations, "MIGRATIONS", newer)
    for _ in range(2):
        with open_store(url) as store:
            assert store.read(lambda transaction: transaction.get_setting("motto")) == b"fair"
            assert asked(store, "SELECT told_at FROM settings") == [(7,)]
            versions = asked(store, "SELECT version FROM schema_version ORDER BY version")
            assert [version for (version,) in versions] == list(range(1, len(newer) + 1))
            assert migrated(store, word, steps=newer) == (len(newer), len(newer))

    monkeypatch.undo()
    with pytest.raises(WrongSchema, match=f"schema {len(newer)}, newer than the {len(MIGRATIONS)}"):
        open_store(url)


OLD_ROOM = (
    b'{"code":"AAAA","commitment":"66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925","created_at":1,'
    b'"game_id":"shut-the-box","host":"a_ann","id":"m_1","options":{},"rules_version":1,"seats":[{"account":"a_ann",'
    b'"client_seed":"ab","name":"Ann","ready":true}],"seats_max":2,"server_seed":"%s","session_id":1}' % (b"0" * 64)
)
OLD_SEED = (
    b'{"account":"a_ann","commitment":"66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925","created_at":5'
    b'%s,"server_seed":"0000000000000000000000000000000000000000000000000000000000000000","session_id":%d}'
)


def seeds(store):
    return store.read(lambda transaction: [transaction.get_seed(id) for id in (7, 8)])


def test_a_database_from_before_commitments_were_counted_is_opened(url, kind, monkeypatch):
    """Nobody starts by its unused commitments any more: they are due to be opened. What was played stays as it was."""
    word, mark = ("sqlite", "?") if kind == "sqlite" else ("postgresql", "%s")
    monkeypatch.setattr(migrations, "MIGRATIONS", MIGRATIONS[:2])
    with open_store(url) as store, store.backend.writing() as connection:
        cursor = connection.cursor()
        for number, named in ((7, b""), (8, b',"client_seed":"cd"')):
            cursor.execute(
                f"INSERT INTO seeds (session_id, account, body) VALUES ({mark}, {mark}, {mark})",
                (number, "a_ann", OLD_SEED % (named, number)),
            )
        values = ("m_1", "AAAA", "shut-the-box", 1, 1, 1, 0, OLD_ROOM)
        columns = "id, code, game_id, created_at, is_live, is_listed, deadline, body"
        cursor.execute(f"INSERT INTO rooms ({columns}) VALUES ({', '.join([mark] * 8)})", values)
        cursor.execute("INSERT INTO seated (account, room_id, created_at) VALUES ('a_ann', 'm_1', 1)")
    monkeypatch.undo()

    with open_store(url) as store:
        assert migrated(store, word) == (len(MIGRATIONS), len(MIGRATIONS))
        unused, played = seeds(store)
        assert (unused.scheme, unused.state, unused.client_seed) == (1, "issued", None)
        assert (played.scheme, played.n, played.client_seed) == (1, 0, "cd")
        assert store.read(lambda t: t.last_seed_number("a_ann")) == 0
        assert [room.id for room in store.read(lambda t: t.live_rooms_of("a_ann", 10))] == ["m_1"]
        assert [row.session_id for row in store.read(lambda t: t.expired_seeds(1))] == [7, 8]
        room = store.read(lambda t: t.get_room("m_1"))
        assert room is not None
        assert (room.scheme, room.host_key, room.voids, room.seats[0].client_seed) == (1, "", (), "ab")
        assert store.read(lambda t: (t.last_version(), list(t.versions(0, 9)))) == (None, [])

        (opened,) = store.run([lambda t: open_expired(Context(MatchCache(Settings(), bytes), t, 9))])
        assert opened == 2
        assert [row.state for row in seeds(store)] == ["expired", "started"]
        assert store.read(lambda t: list(t.expired_seeds(10))) == []


def test_a_migration_that_fails_leaves_the_schema_as_it_was(url, kind, monkeypatch):
    with open_store(url) as store:
        store.run([lambda transaction: transaction.put_setting("motto", b"fair")])
    broken = (*MIGRATIONS, "CREATE TABLE cats (id {int}); CREATE TABLE settings (id {int})")
    monkeypatch.setattr(migrations, "MIGRATIONS", broken)
    with pytest.raises(Exception, match="settings"):
        open_store(url)
    monkeypatch.undo()
    with open_store(url) as store:
        assert ("cats",) not in asked(store, NAMES[kind])
        assert store.read(lambda transaction: transaction.get_setting("motto")) == b"fair"


def test_two_may_open_a_new_database_at_once(url):
    with ThreadPoolExecutor(4) as pool:
        opened: list[Any] = list(pool.map(open_store, [url] * 4))
    for number, store in enumerate(opened):
        store.run([lambda transaction, number=number: transaction.put_setting(f"{number}", b"1")])
    assert [opened[0].read(lambda t, n=n: t.get_setting(f"{n}")) for n in range(4)] == [b"1"] * 4
    for store in opened:
        store.close()


@pytest.mark.parametrize("url", ["mysql://localhost/x", "nonsense", "", "sqlite3.db", "sqlite:///", "sqlite://x.db"])
def test_an_invalid_database_address_is_refused_with_valid_ones(url):
    with pytest.raises(BadDocument, match=r"address of a database|sqlite:///FILE"):
        open_store(url)


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_bytes(b"Dear reader, " * 1000)
    with pytest.raises(StoreUnavailable, match="restore a backup"):
        open_store(f"sqlite:///{path}")
    assert path.read_bytes() == b"Dear reader, " * 1000


def test_a_damaged_file_is_found_by_looking_at_all_of_it(tmp_path):
    path = tmp_path / "store.db"
    store: Any
    with open_store(f"sqlite:///{path}") as store:
        store.run([lambda t, n=n: t.put_setting(f"{n}", bytes(500)) for n in range(300)])
    data = bytearray(path.read_bytes())
    for place in range(4096 * 60, len(data) - 4096, 4096):
        data[place : place + 16] = b"\xff" * 16
    path.write_bytes(data)
    with open_store(f"sqlite:///{path}") as store, pytest.raises(StoreUnavailable, match="restore a backup"):
        store.backend.check_file()


def test_an_unusable_folder_and_a_server_that_is_not_there_are_unavailable(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        open_store(f"sqlite:///{tmp_path / 'file' / 'store.db'}")
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        open_store(f"postgresql://croupier@/x?host={tmp_path}")


def test_sqlite_waits_for_the_disk_at_every_commit(tmp_path):
    with open_store(f"sqlite:///{tmp_path / 'store.db'}") as store:
        for lend in (store.backend.writing, store.backend.reading):
            with lend() as connection:
                cursor = connection.cursor()
                asked = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
                found = [cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in asked]
                assert found == ["wal", 2, 1, 5000]  # 2 is FULL
        with store.backend.reading() as connection, pytest.raises(sqlite3.OperationalError, match="readonly"):
            connection.cursor().execute("DELETE FROM settings")
    assert oct((tmp_path / "store.db").stat().st_mode & 0o777) == "0o600"


@pytest.mark.parametrize("kind", ["postgres"])
def test_postgresql_waits_for_the_disk_even_if_its_settings_do_not(store):
    """The server of the tests is set not to: a connection of ours asks for it."""
    name = "'synchronous_commit'"
    with store.backend.writing() as connection:
        cursor = connection.cursor()
        cursor.execute(f"SELECT current_setting({name}), reset_val FROM pg_settings WHERE name = {name}")
        assert cursor.fetchone() == ("on", "off")
