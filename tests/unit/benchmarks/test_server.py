"""`make bench ARGS=server`: the load is counted as it should be, and every promise has a row with its goal."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks import server
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
