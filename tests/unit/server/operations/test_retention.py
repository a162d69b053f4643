"""Retention: pruning of old sessions, answers and movements, what stays of them, and a database that stops growing."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from itertools import count
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from croupier.client.notes import Opened
from croupier.engine import Action
from croupier.fairness.seeds import Binding, receipt_message
from croupier.fairness.signing import Ed25519Verifier
from croupier.house.ledger import check_ledger
from croupier.server.operations import commitments, purses, replays, retention, sessions
from croupier.server.problems import Problem
from croupier.server.running.background import BackgroundTasks
from croupier.server.running.requests import run_once
from croupier.server.settings import Settings
from croupier.store.audit import audit
from croupier.store.database import open_store
from tests.unit.server.conftest import ROULETTE, Office
from tests.unit.server.running.test_restarts import Quiet

DAY = 86_400_000
PLACE, CLEAR, SPIN = Action("place", {"bet": "red", "stake": 1}), Action("clear"), Action("spin")
MONTH = Settings(keep_sessions_days=30, keep_commitments_days=7)


@pytest.fixture(params=["sqlite", "postgres"])
def office(request: pytest.FixtureRequest, tmp_path: Path, make_office: Any) -> Any:
    url = f"sqlite:///{tmp_path}/c.db"
    return make_office(url if request.param == "sqlite" else request.getfixturevalue("postgres").new_database(), MONTH)


def played(office: Any, ann: Any, *before: Action) -> Any:
    return office.move(ann, office.start(ann), *before, PLACE, SPIN)


def prune(office: Any) -> Counter[str]:
    """Do what the background task does, and return what was taken out."""
    pruned: Counter[str] = Counter()
    for step in retention.PRUNERS:
        while (found := office.do(step)).total():
            pruned.update(found)
    return +pruned


def ledger(office: Any, ann: Any, limit: int = 2) -> list[Any]:
    found: list[Any] = []
    while page := office.do(purses.ledger_page, ann, found[-1].number if found else None, limit):
        found += page
    return found


def come_to(movements: list[Any], ann: Any) -> int:
    name = f"player/{ann.id}"
    return sum(one.amount * ((one.target == name) - (one.source == name)) for one in movements)


def test_an_old_session_is_reduced_to_its_commitment_and_everything_still_adds_up(office, ann):
    old = [played(office, ann) for _ in range(3)]
    unused = office.do(commitments.commit, ann)
    office.now += 2 * DAY
    office.do(commitments.open_expired)
    office.now += 28 * DAY + 1
    open_still, young = office.start(ann), played(office, ann)
    before, chips = office.do(commitments.list_commitments, ann, None, 50), office.do(purses.purse, ann.id).chips
    record = office.do(sessions.read_session_record, ann, young.session_id)

    assert prune(office) == Counter(sessions=3, moves=6, commitments=1, movements=1 + 3 * 2 + come_back(old))
    assert prune(office) == Counter()

    assert [row.session_id for row in office.do(sessions.list_sessions, ann, None, 50)] == [
        young.session_id,
        open_still.session_id,
    ]
    assert office.do(sessions.read_session_record, ann, young.session_id) == record
    assert office.do(sessions.find_session, ann, open_still.session_id).version == 0
    after = office.do(commitments.list_commitments, ann, None, 50)
    assert [one.is_pruned for one in after] == [False, False, True, True, True, True]
    assert [one.state for one in after] == ["finished", "started", "expired", "finished", "finished", "finished"]
    assert after[2].session_id == unused.session_id
    for one, was in zip(after, before, strict=True):
        binding = Binding(one.session_id, bytes.fromhex(one.host_key), one.account, one.n, bytes.fromhex(one.log_head))
        message = receipt_message(bytes.fromhex(one.commitment), binding)
        assert Ed25519Verifier().verify(bytes.fromhex(one.host_key), message, bytes.fromhex(one.receipt))
        assert (one.receipt, one.n, one.server_seed, one.expires_at) == (
            was.receipt,
            was.n,
            was.server_seed,
            was.expires_at,
        )
        facts = {name: getattr(one, name) for name in Opened.__struct_fields__}
        assert Opened(**facts).problem() is None

    assert office.do(purses.purse, ann.id).chips == chips
    movements = ledger(office, ann)
    assert come_to(movements, ann) == chips
    assert (movements[-1].source, movements[-1].reason) == ("carried", "carried forward")
    assert audit(office.store).problem is None


def come_back(old: list[Any]) -> int:
    """Return how many movements of returns there were: one for each session that won."""
    return sum(session.ended.returned > 0 for session in old)


def test_a_pruned_session_is_refused_with_a_code_of_its_own(office, ann, bob):
    old = played(office, ann)
    token = replays.share_token(old.server_seed, old.session_id)
    office.now += 31 * DAY
    assert office.do(replays.read_shared, old.session_id, token).session_id == old.session_id
    assert prune(office)["sessions"] == 1

    number = old.session_id
    for ask in (
        lambda: office.do(sessions.find_session, ann, number),
        lambda: office.do(sessions.read_session_record, ann, number),
        lambda: office.do(sessions.recall, ann, number, -1, 10),
        lambda: office.do(sessions.move, ann, number, 2, SPIN, None),
        lambda: office.do(sessions.close_session, ann, number),
        lambda: office.do(sessions.start, ann, number, ROULETTE, 0, "c0ffee"),
        lambda: office.do(replays.read_shared, number, token),
        lambda: office.do(replays.shared_record, number, token),
    ):
        with pytest.raises(Problem) as caught:
            ask()
        assert (caught.value.reason, caught.value.status) == ("no_longer_kept", 410)
        assert "number, commitment and seed" in caught.value.detail
    for operation in (sessions.find_session, sessions.read_session_record):
        with pytest.raises(Problem, match="no_such_session"):
            office.do(operation, bob, number)
    with pytest.raises(Problem, match="no_such_session"):
        office.do(replays.read_shared, number, "00" * 32)


def test_without_retention_settings_no_record_is_pruned(make_office):
    office = make_office()
    ann = office.guest()
    session = played(office, ann)
    office.do(commitments.commit, ann)
    office.now += 36_500 * DAY
    office.do(commitments.open_expired)
    assert prune(office) == Counter()
    assert office.do(sessions.read_session_record, ann, session.session_id)


def test_answers_are_given_again_as_long_as_the_operator_says_and_then_forgotten(office):
    office.cache.settings = Settings(keep_replies_hours=2)
    numbers = count(1)

    def ask(key: str) -> Any:
        return office.do(lambda call: run_once(call, "a", key, "digest", 200, lambda: {"n": next(numbers)}))

    for number in range(450):
        ask(f"k{number}")
    assert ask("k0").body == b'{"n":1}'
    office.now += 2 * 3_600_000 + 1
    assert ask("k1").body == b'{"n":451}'  # its key is good no longer: it is a new request
    pages = [office.do(retention.prune_replies).total() for _ in range(4)]
    assert pages == [200, 200, 49, 0]
    assert ask("k1").body == b'{"n":451}'


def test_one_page_is_bounded_in_sessions_and_in_moves(office, ann):
    for moves in ([], [], [PLACE, CLEAR] * 260, []):
        played(office, ann, *moves)
    for _ in range(25):
        office.do(sessions.close_session, ann, office.start(ann).session_id)
    office.now += 31 * DAY
    pages = [office.do(retention.prune_sessions) for _ in range(5)]
    # Two short ones; the long one, alone; then up to 20.
    assert [(page["sessions"], page["moves"]) for page in pages] == [(2, 4), (1, 522), (20, 21), (6, 6), (0, 0)]


def test_movements_stay_in_order_behind_a_session_that_is_kept(office, ann):
    """Only what is older than a session that is gone goes: a deposit of yesterday is still listed."""
    blocking = office.start(ann)
    office.move(ann, blocking, PLACE)
    played(office, ann)
    office.now += 31 * DAY
    for _ in range(450):  # people who came and never played
        office.guest()
    assert prune(office)["sessions"] == 1
    carried = office.store.read(lambda tx: tx.house().get("ledger/carried"))
    assert carried is None  # the stake of the open session comes before all that could go
    office.do(sessions.close_session, ann, blocking.session_id)
    office.now += 31 * DAY
    office.guest()
    assert prune(office)["sessions"] == 1
    rest = office.store.read(lambda tx: tx.movements(limit=1000))
    assert [one.reason for one in rest] == ["welcome"]  # the newest of all
    office.store.read(lambda tx: check_ledger(tx.house(), thorough=True))
    assert audit(office.store).problem is None


@hypothesis_settings(max_examples=15)
@given(
    steps=st.lists(st.sampled_from(["play", "open", "move", "close", "wait", "guest", "prune", "page"]), max_size=25)
)
def test_chips_and_sums_hold_whatever_the_order(steps):
    office = Office(settings=Settings(keep_sessions_days=1, keep_commitments_days=1, sessions_each=50))
    ann = office.guest()
    opened: list[Any] = []
    chips = {ann.id: 1000}
    for step in steps:
        if step == "play":
            chips[ann.id] = played(office, ann).purse.chips
        elif step == "open":
            opened.append(office.start(ann))
        elif step == "move" and opened:
            opened.append(office.move(ann, opened.pop(0), PLACE))
            chips[ann.id] = opened[-1].purse.chips
        elif step == "close" and opened:
            chips[ann.id] = office.do(sessions.close_session, ann, opened.pop().session_id).purse.chips
        elif step == "wait":
            office.now += DAY
        elif step == "guest":
            chips[office.guest().id] = 1000
        elif step == "prune":
            prune(office)
        elif step == "page":
            for one in retention.PRUNERS:
                office.do(one)
        assert {name: office.do(purses.purse, name).chips for name in chips} == chips
        assert come_to(ledger(office, ann, 3), ann) == chips[ann.id]
        office.store.read(lambda tx: check_ledger(tx.house(), thorough=True))
    assert audit(office.store).problem is None
    office.store.close()


def test_two_processes_prune_one_database_at_once(postgres, make_office):
    """Each page is taken once, and the sums are right, whoever was faster."""
    url = postgres.new_database()
    office = make_office(url, MONTH)
    ann = office.guest()
    for _ in range(45):
        played(office, ann)
    chips = office.do(purses.purse, ann.id).chips
    other = make_office(url, MONTH)
    office.now = other.now = office.now + 31 * DAY
    counts: list[Counter[str]] = []
    ready = Barrier(2)

    def run(each: Office) -> None:
        ready.wait()
        counts.append(prune(each))

    threads = [Thread(target=run, args=[each]) for each in (office, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(count["moves"] for count in counts) == 90
    assert sum(count["movements"] for count in counts) == office.store.read(lambda tx: tx.house().get("ledger/carried"))
    assert come_to(ledger(office, ann), ann) == chips
    assert audit(office.store).problem is None


async def test_the_task_counts_what_it_took_out_and_goes_on_after_it_was_stopped(make_site):
    site = make_site(keep_sessions_days=30)
    ann = site.person()
    for _ in range(45):
        session = site.session(ann, ROULETTE)
        ann.post(f"/sessions/{session['session_id']}/close")
    site.now += 31 * DAY
    quiet: Any = Quiet()
    tasks = BackgroundTasks(site.service, quiet, quiet)
    first = asyncio.create_task(tasks.prune())
    while not site.service.pruned["sessions"]:
        await asyncio.sleep(0)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert site.service.pruned["sessions"] < 45
    await tasks.prune()
    assert site.service.pruned["sessions"] == 45
    assert ann.get("/me/sessions") == []
    assert ann.refused("GET", f"/sessions/{session['session_id']}/record") == (410, "no_longer_kept")


KEPT_SMALL = ("seeds", "used_seeds", "session_ids")
"""Tables that hold what stays of a pruned session."""


def pages_of_play(file: Path) -> int:
    """Return how many pages of a file hold anything but what stays of pruned sessions."""
    connection = sqlite3.connect(file)
    try:
        stays = connection.execute("SELECT name FROM sqlite_master WHERE tbl_name IN (?, ?, ?)", KEPT_SMALL).fetchall()
        try:
            rows: list[tuple[str, int]] = connection.execute(
                "SELECT name, count(*) FROM dbstat GROUP BY name"
            ).fetchall()
        except sqlite3.OperationalError:
            pytest.skip("this SQLite cannot tell what its pages hold")
        free: int = connection.execute("PRAGMA freelist_count").fetchone()[0]
        return free + sum(pages for name, pages in rows if (name,) not in stays)
    finally:
        connection.close()


def test_a_database_under_constant_play_stops_growing(tmp_path):
    """Thirty days are played, ten sessions a day, kept for five: pages are used again, and what stays is small."""
    office = Office(f"sqlite:///{tmp_path}/c.db", Settings(keep_sessions_days=5))
    ann = office.guest()
    pages: list[int] = []
    for _ in range(30):
        for number in range(10):
            office.do(
                lambda call, number=number: run_once(
                    call, ann.id, f"{call.now}.{number}", "d", 200, lambda: b"x" * 2000
                )
            )
            played(office, ann)
        office.now += DAY
        prune(office)
        office.store.backend.pool.close()
        pages.append(pages_of_play(tmp_path / "c.db"))
    assert max(pages[20:]) <= max(pages[:12]) + 3, pages  # how full a page is varies a little
    assert audit(office.store).problem is None
    office.store.close()
    with open_store(f"sqlite:///{tmp_path}/c.db") as store:
        assert audit(store).sessions == 50
