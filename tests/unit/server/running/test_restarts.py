"""Start of a server: its work does not grow with history, the file is checked in the background, deletions go on."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from threading import Event
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from croupier.engine import Action
from croupier.engine.plain import canonical
from croupier.fairness.versions import VersionEntry
from croupier.server.operations import accounts, commitments, purses, rooms, sessions, versions
from croupier.server.problems import Problem
from croupier.server.process.serve import _open
from croupier.server.running import background
from croupier.server.running.background import BackgroundTasks
from croupier.server.running.service import Service
from croupier.server.settings import Settings
from croupier.store.audit import audit
from croupier.store.interface import StoreUnavailable
from croupier.wire.rooms import NewRoom

ROULETTE = 6
PLACE = Action("place", {"bet": "red", "stake": 1})
SETTINGS = Settings(sessions_each=100)


class Quiet:
    """Stands for the hub and the bots."""

    async def run(self) -> None:
        await asyncio.Event().wait()

    def hear(self, notices: Any) -> None: ...
    def mark_all(self) -> None: ...
    def close(self) -> None: ...


class Server:
    """A server on a file, without its network; `now` is set by hand."""

    def __init__(self, file: Path, now: int = 1_800_000_000_000) -> None:
        self.now = now
        self.store = _open(f"sqlite:///{file}")
        self.service = Service(self.store, SETTINGS, clock=lambda: self.now)
        quiet: Any = Quiet()
        self.tasks = BackgroundTasks(self.service, quiet, quiet)
        self.do: Any = self.service.change_now

    def guest(self) -> Any:
        return self.do(accounts.authenticate, self.do(accounts.register, "Ann").token)

    def begin(self, ann: Any) -> Any:
        issued = self.do(commitments.commit, ann)
        seen = self.do(sessions.start, ann, issued.session_id, ROULETTE, 0, "c0ffee")
        return self.do(sessions.move, ann, seen.session_id, 0, PLACE, None)

    def stop(self) -> None:
        self.service.stop()
        self.store.close()

    async def close(self) -> None:
        """End the background tasks, then stop."""
        await self.tasks.close()
        await asyncio.to_thread(self.stop)


@pytest.fixture
def server(tmp_path):
    made = Server(tmp_path / "c.db")
    yield made
    made.stop()


# Work, counted in steps of SQLite's machine and in statements.


class Counted:
    """Every connection that is made, with what it was made to do."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.steps = self.statements = 0
        usual = sqlite3.connect

        def connect(*args: Any, **named: Any) -> Any:
            made = usual(*args, **named)
            made.set_progress_handler(self._step, 1)
            made.set_trace_callback(self._said)
            return made

        monkeypatch.setattr(sqlite3, "connect", connect)

    def _step(self) -> int:
        self.steps += 1
        return 0

    def _said(self, text: str) -> None:
        self.statements += 1


def test_the_work_of_a_start_does_not_grow_with_history(tmp_path, monkeypatch):
    """The whole file is looked at, and prices are worked out, afterwards: that is left out here."""
    file = tmp_path / "c.db"
    found: list[tuple[int, int]] = []

    def play(count: int) -> None:
        server = Server(file)
        for _ in range(count):
            ann = server.guest()
            server.do(sessions.close_session, ann, server.begin(ann).session_id)
        asyncio.run(server.tasks.keep_head())
        server.stop()

    async def start() -> None:
        counted = Counted(monkeypatch)
        server = Server(file)
        monkeypatch.setattr(server.store.backend, "check_file", lambda: None)
        monkeypatch.setattr(server.tasks, "_announce", lambda: asyncio.sleep(0))
        await server.tasks.start()
        found.append((counted.statements, counted.steps))
        await server.close()
        monkeypatch.undo()

    play(1)
    asyncio.run(start())
    for count in (3, 30):
        play(count)
        asyncio.run(start())
    (_, _), few, many = found
    assert many[0] == few[0] > 10
    assert many[1] <= few[1] + 50


def test_counting_somebodys_rooms_does_not_grow_with_those_that_are_over(tmp_path, monkeypatch):
    """Twenty thousand of them took 37 ms of the loop whenever their player opened another."""
    counted, found = Counted(monkeypatch), list[int]()
    server = Server(tmp_path / "c.db")
    ann = server.guest()
    for count in (3, 30):
        for _ in range(count):
            server.do(rooms.leave_room, ann, server.do(rooms.create_room, ann, NewRoom("shut-the-box")).id)
        before = counted.steps
        assert server.service.look_now(lambda call: call.tx.live_rooms_of(ann.id, 200)) == []
        found.append(counted.steps - before)
    server.stop()
    assert 0 < found[1] <= found[0] + 10


async def test_a_start_does_not_wait_until_the_whole_file_was_looked_at(server, monkeypatch):
    looked, may_go_on = Event(), Event()

    def slow() -> None:
        looked.set()
        assert may_go_on.wait(60)

    monkeypatch.setattr(server.store.backend, "check_file", slow)
    monkeypatch.setattr(server.store.backend, "stop_check", may_go_on.set)
    await server.tasks.start()
    assert await asyncio.to_thread(looked.wait, 60)
    assert (await server.service.change(accounts.register, "Ann")).token
    await server.tasks.close()


async def test_a_start_does_not_wait_until_prices_are_worked_out_and_what_changed_is_announced(tmp_path, monkeypatch):
    """Most of a second of a core for all of them: it is done for what is not announced yet, and beside the work."""
    may_go_on, prepared = Event(), list[int]()

    def slow(terms: Any) -> None:
        prepared.append(terms["table"])
        assert may_go_on.wait(60)

    async def story(change_tables: bool) -> int:
        server = Server(tmp_path / "c.db")
        monkeypatch.setattr(background, "priced", slow)
        before = server.service.look_now(versions.read_versions, 0).n
        if change_tables:
            await server.service.change(lambda call: call.tx.put_setting("announced", b"by an older croupier"))
            await server.service.change(lambda call: call.tx.add_version(other(call.tx.last_version("table/6"))))
            before += 1
        await server.tasks.start()
        assert server.service.look_now(versions.read_versions, 0).n == (before or 24)
        may_go_on.set()
        while server.tasks._moves:
            await asyncio.gather(*server.tasks._moves)
        after: int = server.service.look_now(versions.read_versions, 0).n
        await server.close()
        may_go_on.clear()
        return after - before

    assert await story(False) == 24  # thirteen games, ten tables, and what holds everywhere
    assert await story(False) == 0
    assert await story(True) == 1
    assert prepared == [6], "of what is announced no prices are worked out again"


def other(row: Any) -> Any:
    """Return a later entry that says something else about a table."""
    entry = msgspec.json.decode(row.body, type=VersionEntry)
    body = canonical(replace(entry, n=25, body={**entry.body, "stake_max": 7}))
    return replace(row, n=25, body=body)


def test_a_check_that_takes_long_is_interrupted(server):
    for _ in range(20):
        server.guest()
    backend: Any = server.store.backend
    stopped: list[int] = []

    def stop() -> int:  # as another thread would
        stopped.append(1)
        backend.stop_check()
        return 0

    with backend.reading() as connection:
        driver = connection
        driver.set_progress_handler(stop, 1)
    backend.check_file()  # ends, and says nothing of damage
    driver.set_progress_handler(None, 0)
    assert 0 < len(stopped) < 10


async def test_nothing_more_is_written_into_a_file_that_was_found_to_be_damaged(server, monkeypatch):
    def damaged() -> None:
        raise StoreUnavailable("c.db is damaged: restore a backup")

    monkeypatch.setattr(server.store.backend, "check_file", damaged)
    await server.tasks.start()
    async with asyncio.timeout(120):
        while not server.service.is_damaged:
            await asyncio.sleep(0)
    with pytest.raises(Problem, match="store_unavailable"):
        await server.service.change(accounts.register, "Ann")
    await server.tasks.close()


async def test_no_room_on_the_disk_is_told_by_the_probe_though_the_log_could_be_written_over(
    server, tmp_path, monkeypatch
):
    assert await server.service.probe(lambda call: call.tx.get_setting("") is None)
    assert not (tmp_path / "c.db-probe").exists()

    def full(path: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(StoreUnavailable, match="No space left"):
        await server.service.probe(lambda call: call.tx.get_setting("") is None)
    monkeypatch.undo()


# Deleting an account.


@pytest.mark.parametrize("is_restarted", [False, True])
async def test_deletion_goes_on_in_pages_in_the_background_and_after_a_restart(tmp_path, monkeypatch, is_restarted):
    """The first page goes with the account; the server, or another one if it stops before the next, closes the rest."""
    file = tmp_path / "c.db"
    server = Server(file)
    ann = server.guest()
    server.do(purses.arm, ann, "shield")
    opened = [server.begin(ann).session_id for _ in range(45)]
    pages: list[int] = []
    usual = sessions.close_some

    def close_some(call: Any, account_id: str) -> int:
        pages.append(usual(call, account_id))
        return pages[-1]

    monkeypatch.setattr(sessions, "close_some", close_some)
    if is_restarted:
        server.do(accounts.delete_account, ann)
        server.stop()
        server = Server(file, server.now)
    await server.tasks.start()
    if not is_restarted:
        await server.service.change(accounts.delete_account, ann)
    async with asyncio.timeout(120):
        while len(pages) < 4:
            await asyncio.sleep(0.001)
    await server.tasks.close()
    assert pages == [20, 20, 5, 0]
    listed = server.service.look_now(lambda call: [call.tx.get_session(number) for number in opened])
    assert all(row is not None and row.is_complete for row in listed)
    player = server.service.look_now(lambda call: call.tx.house().get(f"player/{ann.id}"))
    assert player.sessions_played == 45
    first = listed[0]
    assert first is not None
    assert player.shields == (3 if first.returned > first.staked else 2)  # reserved by the first, and used if that lost
    assert not server.service.look_now(lambda call: call.tx.get_setting(f"day/{ann.id}"))
    assert audit(server.store).problem is None
    server.stop()
