"""A database that a server of scheme 1 left behind: it opens, nothing of scheme 1 begins, what was played is kept.

`scheme_1.sql` was written by such a server: Ann has finished session 1, session 2 with a client seed that was made to
know the seed, left session 3 before the spin and commitment 4 unused; one room is open, and one is being played in.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from croupier.engine import act, verify
from croupier.server.operations import actions, commitments, room_views, rooms, sessions
from croupier.server.operations.context import Caller
from croupier.server.problems import Problem
from croupier.server.running.background import _grant
from croupier.store.audit import audit
from croupier.store.export import export_account
from croupier.store.model import SeedRow
from tests.unit.server.conftest import ROULETTE, Office


@pytest.fixture
def old(tmp_path: Path, make_office: Callable[..., Office]) -> Office:
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript((Path(__file__).parent / "scheme_1.sql").read_text())
    return make_office(f"sqlite:///{path}")


@pytest.fixture
def ann(old: Office) -> Caller:
    return old.caller(seed_of(old, 4).account)


def seed_of(old: Office, number: int) -> SeedRow:
    row = old.store.read(lambda tx: tx.get_seed(number))
    assert row is not None
    return row


def test_unused_commitments_of_scheme_1_are_opened_and_those_of_sessions_stay(old: Office, ann: Caller) -> None:
    assert old.do(commitments.open_expired) == 4
    found = {row.session_id: row for row in old.do(commitments.list_commitments, ann, None, 10)}

    states = {number: row.state for number, row in found.items()}
    assert states == {1: "finished", 2: "finished", 3: "started", 4: "expired"}
    assert sha256(bytes.fromhex(found[4].server_seed)).hexdigest() == found[4].commitment
    assert found[3].server_seed is None
    assert old.refusal(sessions.start, ann, 4, ROULETTE, 0, "beef") == "commitment_expired"
    assert audit(old.store).ok


def test_no_session_is_started_by_scheme_1_not_even_before_the_clock_comes_by(old: Office, ann: Caller) -> None:
    with pytest.raises(Problem) as caught:
        old.do(sessions.start, ann, 4, ROULETTE, 0, "beef")

    assert caught.value.reason == "commitment_expired"
    assert len(caught.value.extra["opened"]["server_seed"]) == 64
    assert old.refusal(sessions.start, ann, 4, ROULETTE, 0, "beef") == "seed_used"
    assert old.do(sessions.list_sessions, ann, None, 10)[0].session_id == 3
    new = old.do(commitments.commit, ann)
    assert (new.n, new.session_id > 6) == (1, True)
    assert old.do(sessions.start, ann, new.session_id, ROULETTE, 0, "beef").table_digest


@pytest.mark.parametrize(
    ("number", "telling"),
    [(1, "this one does not look so"), (2, "this one begins with the bytes that such a seed begins with")],
)
def test_records_of_scheme_1_verify_with_a_warning(old: Office, ann: Caller, number: int, telling: str) -> None:
    found = verify(old.do(sessions.read_session_record, ann, number))

    assert found.ok
    (warning,) = [check for check in found.checks if check.name == "scheme"]
    assert warning.ok is None
    assert warning.text.startswith("scheme 1 can be attacked")
    assert warning.text.endswith(telling)


def test_a_session_that_was_begun_is_played_to_its_end(old: Office, ann: Caller) -> None:
    old.do(commitments.open_expired)
    ended = old.do(sessions.move, ann, 3, 1, act("spin"), None)

    assert ended.is_complete
    assert sha256(bytes.fromhex(ended.server_seed)).hexdigest() == ended.commitment
    found = verify(old.do(sessions.read_session_record, ann, 3))
    assert found.ok
    assert any(check.name == "scheme" for check in found.checks)
    assert audit(old.store).ok


def test_a_room_that_was_begun_goes_on_and_one_that_was_open_does_not_begin(old: Office, ann: Caller) -> None:
    active, waiting = sorted(old.store.read(lambda tx: tx.rooms_of(ann.id)), key=lambda room: room.status)
    assert (active.status, waiting.status) == ("active", "open")

    assert old.do(actions.act, ann, active.id, 0, act("roll")).version == 1
    assert old.refusal(rooms.set_ready, ann, waiting.id, True, "ab" * 32) == "finished"
    assert old.refusal(rooms.join_room, old.person("bob"), waiting.id) == "finished"
    assert audit(old.store).ok
    old.do(_grant)  # as a start does
    closed = old.do(room_views.find_room, ann, waiting.id)
    assert (closed.status, closed.server_seed) == ("closed", waiting.server_seed)
    assert sha256(bytes.fromhex(waiting.server_seed)).hexdigest() == closed.commitment


def test_an_account_exports_no_seed_that_is_not_opened(old: Office, ann: Caller) -> None:
    seeds = {number: seed_of(old, number).server_seed for number in (1, 3, 4)}
    before = b"".join(export_account(old.store, ann.id)).decode()
    old.do(commitments.open_expired)
    after = b"".join(export_account(old.store, ann.id)).decode()

    assert [seeds[number] in before for number in (1, 3, 4)] == [True, False, False]
    assert [seeds[number] in after for number in (1, 3, 4)] == [True, False, True]
