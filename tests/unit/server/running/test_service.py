"""The service: answers after the commit, caches of what was committed, listeners, and an orderly end."""

from __future__ import annotations

import asyncio
import threading

import pytest

from croupier.engine import create_match, get_game
from croupier.server.operations import accounts, room_views
from croupier.server.operations.context import CachedMatch, Context
from croupier.server.problems import Problem
from croupier.server.running.service import Service, as_problem
from croupier.server.settings import Settings
from croupier.store.database import open_store
from croupier.store.interface import Conflict, StoreUnavailable
from croupier.wire.rooms import NewRoom
from tests.unit.server.starting import create

STATE = create_match(get_game("shut-the-box"), ["ann"], seed=bytes(32))


@pytest.fixture
def make_service():
    """Make services, which are stopped in the end."""
    made = []

    def make(url="sqlite://", settings=None, **more):
        made.append(Service(open_store(url), settings or Settings(), **more))
        return made[-1]

    yield make
    for one in made:
        if not one.is_stopping:
            one.stop()
        one.store.close()


@pytest.fixture
def service(make_service):
    return make_service()


@pytest.fixture
def heard(service):
    """Notices that a listener of the service was given."""
    notices = []
    service.listeners.append(lambda told: notices.append(dict(told)))
    return notices


def keep(call: Context, name: str, value: bytes) -> bytes:
    call.tx.put_setting(name, value)
    call.notices[name] = 1
    return value


def read(call: Context, name: str) -> bytes | None:
    return call.tx.get_setting(name)


def hold_writer(service):
    """Return a way to let the writer go on, which waits in an operation of its own until then."""
    entered, go_on = threading.Event(), threading.Event()

    def wait(call):
        entered.set()
        assert go_on.wait(120)

    thread = threading.Thread(target=service.change_now, args=(wait,))
    thread.start()
    assert entered.wait(120)

    def let_go():
        go_on.set()
        thread.join(120)

    return let_go


async def test_an_answer_comes_when_it_can_be_read_by_others(service):
    assert await service.change(keep, "a", b"1") == b"1"
    assert await service.look(read, "a") == b"1"


def test_an_operation_that_refuses_leaves_nothing_and_tells_nobody(service, heard):
    def refuses(call):
        keep(call, "a", b"1")
        raise Problem("forbidden")

    with pytest.raises(Problem, match="forbidden"):
        asyncio.run(service.change(refuses))
    assert service.look_now(read, "a") is None
    assert heard == []
    assert asyncio.run(service.change(keep, "b", b"2")) == b"2"
    assert heard == [{"b": 1}]


async def test_operations_that_wait_are_written_together_and_see_what_came_before(service):
    """Ten operations wait while one is being written; then they take one transaction, in the order they came."""
    let_go = hold_writer(service)

    def count(call):
        number = int(call.tx.get_setting("count") or b"0") + 1
        call.tx.put_setting("count", str(number).encode())
        return number

    waiting = [asyncio.ensure_future(service.change(count)) for _ in range(10)]
    await asyncio.sleep(0)
    assert service.waiting == 10
    let_go()
    assert await asyncio.gather(*waiting) == list(range(1, 11))
    assert service.written == (11, 2)


async def test_states_of_an_operation_are_seen_by_the_next_of_the_batch_and_remembered_after_the_commit(service):
    let_go = hold_writer(service)
    seen = []

    def moves(call, version):
        seen.append([live.version for live in call.kept("m_1")])
        call.fresh["m_1"] = CachedMatch(version, STATE)

    def breaks(call):
        call.fresh["m_1"] = CachedMatch(99, STATE)
        raise RuntimeError("broken")

    waiting = [service.change(moves, 1), service.change(breaks), service.change(moves, 2), service.change(moves, 3)]
    tasks = [asyncio.ensure_future(one) for one in waiting]
    await asyncio.sleep(0)
    let_go()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert seen == [[], [1], [2]]
    assert isinstance(answers[1], Problem)
    assert service.cache.look_up("m_1").version == 3


def test_a_commit_that_fails_is_told_as_such_and_nothing_is_remembered(service, heard, monkeypatch):
    real = service.store.run
    ran: list[object] = []

    def fails(jobs, *, within=None):
        def all_of_it(tx):
            ran.extend(job(tx) for job in jobs)
            raise RuntimeError("undo it")

        real([all_of_it])
        raise StoreUnavailable("disk full")

    monkeypatch.setattr(service.store, "run", fails)

    def moves(call):
        call.fresh["m_1"] = CachedMatch(1, STATE)
        call.notices["m_1"] = 1

    with pytest.raises(Problem, match="store_unavailable"):
        asyncio.run(service.change(moves))
    assert len(ran) == 1
    assert service.cache.look_up("m_1") is None
    assert heard == []


async def test_on_a_loop_operations_run_in_its_thread_and_the_disk_is_waited_for_in_another(
    tmp_path, make_service, monkeypatch
):
    """Where the operations ran, what they came to, and that the loop goes on while a commit takes its time."""
    service = make_service(f"sqlite:///{tmp_path / 'a.db'}", loop=asyncio.get_running_loop())
    backend = service.store.backend
    ran, heard, commit = [], [], backend.commit
    committing, go_on = threading.Event(), threading.Event()
    service.listeners.append(lambda notices: heard.append(dict(notices)))

    def slow(connection, topics):
        assert threading.current_thread() is not threading.main_thread()
        committing.set()
        assert go_on.wait(120)
        commit(connection, topics)

    def noted(call, name):
        ran.append(threading.current_thread() is threading.main_thread())
        return keep(call, name, name.encode())

    def refuses(call):
        call.tx.put_setting("refused", b"1")
        raise Problem("frozen")

    monkeypatch.setattr(backend, "commit", slow)
    first = asyncio.ensure_future(service.change(noted, "a"))
    while not committing.is_set():
        await asyncio.sleep(0)
    assert not first.done()
    others = [asyncio.ensure_future(service.change(noted, name)) for name in ("b", "c")]
    refused = asyncio.ensure_future(service.change(refuses))
    await asyncio.sleep(0)
    go_on.set()
    answers = await asyncio.gather(first, *others, refused, return_exceptions=True)
    assert answers[:3] == [b"a", b"b", b"c"]
    assert isinstance(answers[3], Problem)
    assert await service.look(read, "refused") is None
    assert await asyncio.to_thread(service.change_now, noted, "d") == b"d"
    await asyncio.to_thread(service.stop)
    assert ran
    assert all(ran)
    assert [list(each) for each in heard] == [["a"], ["b"], ["c"], ["d"]]


async def test_a_cancelled_caller_does_not_cancel_the_operation(service, heard):
    let_go = hold_writer(service)
    task = asyncio.ensure_future(service.change(keep, "a", b"1"))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    let_go()
    assert await service.change(keep, "b", b"2") == b"2"
    assert service.look_now(read, "a") == b"1"
    while len(heard) < 2:  # listeners are told after the answer
        await asyncio.sleep(0)
    assert heard == [{"a": 1}, {"b": 1}]


def test_a_listener_that_breaks_takes_no_answer_away(service):
    def breaks(notices):
        raise RuntimeError("deaf")

    service.listeners.append(breaks)

    assert asyncio.run(service.change(keep, "a", b"1")) == b"1"
    assert service.change_now(keep, "b", b"2") == b"2"


async def test_a_queue_that_is_full_refuses_at_once(make_service):
    service = make_service(settings=Settings(queue_max=2))
    let_go = hold_writer(service)
    tasks = [asyncio.ensure_future(service.change(keep, str(n), b"")) for n in range(3)]
    await asyncio.sleep(0)
    let_go()
    first, second, third = await asyncio.gather(*tasks, return_exceptions=True)
    assert (first, second) == (b"", b"")
    assert isinstance(third, Problem)
    assert third.reason == "overloaded"


def test_files_of_the_page_come_a_hundred_a_second_however_fast_accounts_may_ask(make_service):
    service = make_service(settings=Settings(requests_burst=1, requests_refill_ms=1), monotonic=lambda: 0)

    told = [service.refusal("GET", "/", "192.0.2.7", 0) for _ in range(1_012)]

    assert told[:1_010] == [("", 0)] * 10 + [("", 10 * place) for place in range(1, 1_001)]
    assert told[1_010:] == [("too_many_requests", 10_010)] * 2
    assert service.refusal("GET", "/", "192.0.2.8", 0) == ("", 0)


def test_an_address_may_ask_so_often_and_then_a_little_later_whatever_it_asks_for(make_service):
    now = 0
    service = make_service(settings=Settings(requests_burst=3, requests_refill_ms=1500), monotonic=lambda: now)

    def ask(path, address="192.0.2.7"):
        return service.refusal("GET", path, address, 0)

    told = [ask(path) for path in ("/api/v1/games", "/api/v1/live", "/api/nowhere", "/api/v1/live", "/api/nowhere")]
    assert told == [("", 0)] * 3 + [("too_many_requests", 1500)] * 2
    assert ask("/api/v1/games", "192.0.2.8") == ("", 0), "another address has its own"
    now = 1500
    assert [ask("/api/v1/games"), ask("/api/v1/games")] == [("", 0), ("too_many_requests", 1500)]
    assert service.refusals == {"too_many_requests": 3}


async def test_a_probe_waits_for_nobody_who_reads(tmp_path, make_service):
    service = make_service(f"sqlite:///{tmp_path}/server.db")
    go_on = threading.Event()
    reading = [asyncio.create_task(service.look(lambda call: go_on.wait(300))) for _ in range(20)]
    await asyncio.sleep(0)
    try:
        assert await asyncio.wait_for(service.probe(lambda call: "there"), 120) == "there"
        assert not any(task.done() for task in reading)
    finally:
        go_on.set()
    await asyncio.gather(*reading)


async def test_what_one_account_has_worked_out_leaves_a_worker_for_others(service):
    """A guest who asked the coach fifty-five times kept everybody else's question waiting."""
    go_on = threading.Event()
    asked = [asyncio.create_task(service.work("eve", go_on.wait, 300)) for _ in range(9)]
    await asyncio.sleep(0)
    try:
        assert await asyncio.wait_for(service.work("ann", lambda: "well"), 120) == "well"
        with pytest.raises(Problem, match="too_many_requests"):
            await asyncio.wait_for(service.work("eve", lambda: "never"), 120)
    finally:
        go_on.set()
    assert await asyncio.gather(*asked) == [True] * 9


async def test_stopping_writes_what_was_taken_on_and_takes_nothing_more(service):
    let_go = hold_writer(service)
    task = asyncio.ensure_future(service.change(keep, "a", b"1"))
    await asyncio.sleep(0)
    stopping = asyncio.get_running_loop().run_in_executor(None, service.stop)
    while not service.is_stopping:
        await asyncio.sleep(0)
    with pytest.raises(Problem, match="shutting_down"):
        await service.change(keep, "b", b"2")
    let_go()
    await stopping
    assert await task == b"1"
    assert service.look_now(read, "a") == b"1"
    assert service.look_now(read, "b") is None


def test_matches_read_by_those_who_look_are_remembered(service):
    made = service.change_now(accounts.register, "Ann")
    ann = service.look_now(accounts.authenticate, made.token)
    room = create(service.change_now, ann, NewRoom("shut-the-box", seats=1))
    service.cache.forget(room.id)
    assert service.cache.look_up(room.id) is None

    service.look_now(room_views.find_room, ann, room.id)
    assert service.cache.look_up(room.id).version == 0


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (Problem("no_seed"), "no_seed"),
        (Conflict("taken"), "conflict"),
        (StoreUnavailable("gone"), "store_unavailable"),
        (RuntimeError("x"), "internal"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_error_has_a_code(error, reason):
    assert as_problem(error).reason == reason
