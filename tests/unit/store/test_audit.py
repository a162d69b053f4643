"""The audit passes what was played, and names the first thing that somebody changed."""

from __future__ import annotations

import json

import pytest

from croupier.store.audit import audit
from croupier.store.scan import every_row
from tests.unit.store.seeds import issued, room_seats, seed_row, server_seed

ZEROS = "0" * 64
ROOM = issued(1, "m_0", 0)
SEATS = room_seats(ROOM["commitment"], 2)
OLD, NEW = (seed_row(number, who, 0) for number, who in ((100, "a_ann"), (200, "a_bob")))
HASHES_TO = {row.session_id: f"the server seed hashes to {row.commitment}" for row in (OLD, NEW)}


def tamper(store, statement):
    with store.backend.writing() as connection:
        cursor = connection.cursor()
        cursor.execute(statement)
        assert cursor.rowcount == 1, "this test would tamper with nothing"


def test_a_store_in_which_all_was_played_passes(world):
    report = audit(world.store)

    assert report.problem is None
    assert report.ok
    assert (report.rooms, report.other_rules) == (5, 0)
    assert report.sessions > 2
    assert report.events > 13 + report.sessions  # 13 of the rooms, and at least one a session
    assert report.movements > 10


def test_an_empty_store_passes(store):
    assert audit(store).ok


def edit(store, place, was, now):
    """Change the JSON of one row, as somebody would who has the file."""
    mark = "%s" if store.backend.is_remote else "?"
    with store.backend.writing() as connection:
        cursor = connection.cursor()
        cursor.execute(f"SELECT body FROM {place}")
        ((body,),) = cursor.fetchall()
        assert was.encode() in body, "this test would edit nothing"
        table, _, where = place.partition(" ")
        cursor.execute(f"UPDATE {table} SET body = {mark} {where}", [body.replace(was.encode(), now.encode(), 1)])


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE balances SET chips = chips + 1 WHERE account = 'house'", "the ledger: the accounts add up to 1"),
        ("UPDATE movements SET amount = amount + 1 WHERE number = 3", "the ledger: the movements make"),
        ("DELETE FROM movements WHERE number = 2", "the ledger: movement 2 is missing"),
        ("DELETE FROM events WHERE match_id = 'm_0' AND version = 2", "room m_0: version 2 is missing"),
        (
            "DELETE FROM events WHERE match_id = 'm_0' AND version = 9",
            "room m_0 stands at version 9, its events lead to 8",
        ),
        ("UPDATE events SET digest = 'x' WHERE match_id = 'm_0' AND version = 3", "room m_0, version 3: the state has"),
        (
            "UPDATE events SET match_id = 'm_7' WHERE match_id = 's_100' AND version = 1",
            "session 100 stands at version 1, its events lead to 0",
        ),
        ("UPDATE snapshots SET version = 1 WHERE match_id = 'm_0'", "room m_0: the snapshot of version 1"),
        (f"UPDATE versions SET head = '{ZEROS}' WHERE n = 3", "the log of versions: the head after entry 3 is another"),
        ("DELETE FROM versions WHERE n = 2", "the log of versions: entry 2 is missing"),
        ("DELETE FROM settings WHERE name = 'host_key'", "the log of versions: the head after entry 1 is another"),
    ],
)
def test_a_row_that_was_changed_is_found(world, statement, problem):
    tamper(world.store, statement)

    report = audit(world.store)

    assert report.problem is not None
    assert problem in report.problem


@pytest.mark.parametrize(
    ("place", "was", "now", "problem"),
    [
        ("events WHERE match_id = 'm_0' AND version = 1", '"a_ann"', '"a_bob"', "room m_0, version 1: "),
        ("rooms WHERE id = 'm_1'", '"active"', '"finished"', "room m_1 is finished, its match active"),
        ("rooms WHERE id = 'm_1'", '"client_seed":"', '"client_seed":"00', "room m_1, version 1: the state has"),
        ("rooms WHERE id = 'm_0'", ROOM["commitment"], ZEROS, f"the commitment was {ZEROS}"),
        ("rooms WHERE id = 'm_0'", ROOM["server_seed"], ZEROS, "room m_0: the server seed hashes to"),
        ("rooms WHERE id = 'm_0'", ROOM["host_key"], ZEROS, "room m_0: the server seed hashes to"),
        ("rooms WHERE id = 'm_0'", ROOM["log_head"], ZEROS, "room m_0: the server seed hashes to"),
        ("rooms WHERE id = 'm_0'", SEATS[0].secret, ZEROS, "room m_0: the secret of seat 0 hashes to"),
        ("rooms WHERE id = 'm_0'", SEATS[1].commitment, ZEROS, f"not to {ZEROS}"),
        ("rooms WHERE id = 'm_0'", f',"secret":"{SEATS[1].secret}"', "", "room m_0, version 1: the state has"),
        ("rooms WHERE id = 'm_0'", '"table_digest":"', '"table_digest":"00', "room m_0, version 1: the state has"),
        (
            "rooms WHERE id = 'm_4'",
            server_seed(77).hex(),
            ZEROS,
            "the void start of session 77 is not opened",
        ),
        ("rooms WHERE id = 'm_4'", '["a_bob"]', "[]", "the void start of session 77 is not opened"),
        ("seeds WHERE session_id = 100", OLD.commitment, ZEROS, f"the seed of session 100: {HASHES_TO[100]}, but"),
        (
            "seeds WHERE session_id = 100",
            '"client_seed":"cd"',
            '"client_seed":"ce"',
            "session 100, version 1: the state has",
        ),
        ("seeds WHERE session_id = 200", NEW.commitment, ZEROS, f"the seed of session 200: {HASHES_TO[200]}, but"),
        ("seeds WHERE session_id = 200", '"n":1', '"n":2', "the seed of session 200: the server seed hashes to"),
        ("seeds WHERE session_id = 200", "a_bob", "a_ann", "the seed of session 200: the server seed hashes to"),
        ("seeds WHERE session_id = 200", NEW.log_head, ZEROS, "the seed of session 200: the server seed hashes to"),
        ("seeds WHERE session_id = 200", NEW.table_digest, ZEROS, "session 200, version 1: the state has"),
        ("seeds WHERE session_id = 200", "cd" * 32, "ce" * 32, "session 200, version 1: the state has"),
        ("seeds WHERE session_id = 902", '"server_seed":"', '"server_seed":"00', "the server seed has 33 bytes"),
        ("versions WHERE n = 2", '"number":2', '"number":3', "the log of versions: the head after entry 2 is another"),
        ("sessions WHERE session_id = 100", '"staked":', '"staked":1', "session 100 is listed with other chips"),
    ],
)
def test_a_document_that_was_changed_is_found(world, place, was, now, problem):
    edit(world.store, place, was, now)

    report = audit(world.store)

    assert report.problem is not None
    assert problem in report.problem


def test_chips_on_bets_are_those_of_the_sessions(world):
    """The ledger adds up, and yet somebody's stake is missing from their session."""
    found = next(row for row in rows(world.store, "sessions") if b'"open":' in row["body"])
    lying = json.loads(found["body"])["open"]
    edit(world.store, f"sessions WHERE session_id = {found['session_id']}", f'"open":{lying}', f'"open":{lying - 1}')

    assert "is listed with other chips" in (audit(world.store).problem or "")


def rows(store, table):
    return store.read(lambda transaction: list(every_row(transaction, table)))


def test_events_of_no_room_and_no_session_are_found(world):
    with world.store.backend.writing() as connection:
        connection.cursor().execute(
            "INSERT INTO events (match_id, version, kind, at, digest, body) SELECT 'm_9', 1, kind, at, digest, body"
            " FROM events WHERE match_id = 'm_0' AND version = 1"
        )
    assert audit(world.store).problem == "there are events of m_9, which is no room and no session"


def test_matches_of_other_rules_are_counted_and_not_re_executed(world):
    edit(world.store, "rooms WHERE id = 'm_1'", '"rules_version":', '"rules_version":9')

    report = audit(world.store)

    assert (report.problem, report.other_rules) == (None, 1)


def test_progress_is_told(world, monkeypatch):
    monkeypatch.setattr("croupier.store.audit.PAGE", 5)
    heard: list[int] = []

    report = audit(world.store, progress=heard.append)

    assert heard == list(range(5, report.events + 1, 5))
