"""`make bench` of server, floods and database: loads are counted as they should be, and promises have their goals."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks import database, floods, server
from benchmarks.load.flooding import KINDS
from benchmarks.load.playing import Load, Table


@pytest.fixture
def small(monkeypatch):
    for name, value in {"ROOMS": 2, "IDLE": 16, "SECONDS": 0.5, "WARM_SECONDS": 0.2, "RATE": 20}.items():
        monkeypatch.setattr(server, name, value)


def test_every_promise_about_one_process_has_a_row_with_its_goal(small):
    rows = {row.name: row for row in [*server._live(1), *server._idle()]}

    goals = {name: row.goal for name, row in rows.items() if row.goal}
    assert goals == {
        "durable actions": "at least 1000",
        "wait at 20 actions a second, 99 of 100": "at most 100",
        "refused or broken": "at most 0",
        "acknowledged and not stored, or stored twice": "at most 0",
    }
    assert rows["durable actions"].best > 0
    assert rows["refused or broken"].met
    assert rows["acknowledged and not stored, or stored twice"].met
    assert rows["durable actions"].note.startswith("capacity: 8 connections")
    assert rows["memory of an idle connection"].note.startswith("16 in one process")


def test_without_postgresql_the_report_says_so(monkeypatch):
    monkeypatch.setattr(server, "find_postgres", lambda: None)
    (row,) = server._shared(1)
    assert (row.met, row.note) == (None, "no PostgreSQL is installed here")


class Said:
    """A connection that keeps what is said over it."""

    def __init__(self, me):
        self.me, self.frames = me, []

    def write(self, code, text):
        self.frames.append(text)


def test_a_wait_counts_from_the_time_at_which_the_action_was_due(monkeypatch):
    """A server that answers late makes the next actions late, and cannot hide it."""
    now = [100.0]
    monkeypatch.setattr("benchmarks.load.playing.time.perf_counter", lambda: now[0])
    load = Load({"urls": []})
    load.rate, load.is_on = 1, True
    live: Any = Said("p_ann")
    table = Table(load, "m_1", {})
    for due in (100.0, 101.0):
        now[0] = due
        table.turn = table.turn or (live if not live.frames else None)
        load._fall_due(table, due)
    assert len(live.frames) == 1
    now[0] = 105.0
    table.done()
    table.turn, table.seen = live, 1
    table.play()
    now[0] = 105.5
    table.done()

    assert load.waits == [5.0, 4.5]
    load._fall_due(table, 105.5)
    assert table.under_way() == [105.5]
    assert live.frames[0].startswith(b'{"type":"act","match":"m_1"')


def test_an_action_that_is_said_to_two_processes_is_done_when_both_have_answered():
    load = Load({"urls": [], "doubled": True})
    load.is_on = True
    lives: list[Any] = [Said("p_ann"), Said("p_ann")]
    table = Table(load, "m_1", {"p_ann": lives})
    table.turn = lives[0]
    table.play()
    assert lives[0].frames == lives[1].frames
    table.done()
    assert load.done == 0
    table.done()
    assert load.done == 1


# Floods: every flood has a control beside it, and both promises have their goals.


def test_a_flood_and_its_control_take_turns_and_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"ROOMS": 1, "SECONDS": 0.5, "WARM_SECONDS": 0.2, "HEAD_SECONDS": 0.1}.items():
        monkeypatch.setattr(floods, name, value)
    # Four clients at one table play faster than a hundred at twenty-five do.
    monkeypatch.setattr(floods, "LIMITS", {**floods.LIMITS, "requests_refill_ms": "1"})
    got, waited, cost = floods._beside("pings", 1)
    assert (got.name, got.unit, got.goal) == ("pings: durable actions of 4 clients", "actions/s", "at least 0.8")
    assert (waited.name, waited.goal) == ("pings: wait, 99 of 100", "at most 3")
    assert got.against == waited.against == cost.against == "a control that takes as much processor time"
    assert got.ratio is not None
    assert got.ratio > 0
    assert "refused or broken" not in got.note


def test_the_suite_measures_every_flood(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def beside(kind: str, repeats: int) -> list[Any]:
        asked.append((kind, repeats))
        return []

    monkeypatch.setattr(floods, "_beside", beside)
    for name, value in {"SECONDS": 0.3, "FEW": 2, "CROWD": 20, "QUEUE": 2}.items():
        monkeypatch.setattr(floods, name, value)
    (retrying,) = floods.measure(repeats=1, peers=True)
    assert retrying.name == "20 clients that retry at once: written"
    assert (retrying.against, retrying.goal) == ("2 clients", "at least 0.8")
    assert retrying.best > 0
    assert asked == [(kind, 1) for kind in KINDS]


# Files: kept and pruned sessions are told apart, and a start has its goal.


def test_what_a_session_takes_and_a_start_have_rows(monkeypatch):
    for name, value in {"SESSIONS": 40, "ACCOUNTS": 20, "REPLIES": 40, "LARGE_BYTES": 2 * 2**20}.items():
        monkeypatch.setattr(database, name, value)
    rows = {row.name: row for row in database.measure(repeats=1, peers=False)}

    kept, pruned = rows["a session that is kept"].best, rows["a session that was pruned"].best
    assert 0 < 2 * pruned < kept
    assert rows["each move more"].best > 0
    assert rows["an answer that is kept"].best > 1_500
    assert rows["ready again"].goal == "at most 2"
    assert rows["ready again"].note.startswith("a file of 2 MiB")
    assert rows["processor time until then"].best > 0
