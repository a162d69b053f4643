"""PostgreSQL alone: several processes, deadlocks, restarts, statements per batch, and notices to each other."""

from __future__ import annotations

import queue
import threading
from contextlib import closing
from functools import partial

import psycopg
import pytest

from croupier.house import Instruction, Register, check_ledger, execute
from croupier.store import export
from croupier.store.database import open_store
from croupier.store.interface import Conflict, Job, Reads, StoreUnavailable
from croupier.store.listener import notices
from croupier.store.model import Reply, StoredEvent

PLAYERS = 24


@pytest.fixture
def two(postgres):
    """Two stores on one database, as two processes have them."""
    url = postgres.new_database()
    with open_store(url) as one, open_store(url) as other:
        yield one, other


def in_threads(*functions):
    errors = []

    def guarded(function):
        try:
            function()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(function,)) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert errors == []


def test_two_processes_at_the_house_do_not_lose_a_chip(two):
    """Every registration reads and writes the deposits' balance and the count of movements."""

    def register(store, name):
        for number in range(PLAYERS):
            one = Instruction(f"{name}{number}", Register("Somebody"))
            register_one = partial(execute, instruction=one, seed=bytes(32), time=1, tables={}, board=False)
            job = lambda transaction, do=register_one: do(transaction.house())  # noqa: E731
            answers = store.run([job, job])
            assert [event.reason for event in answers[1]] == ["already_registered"]

    in_threads(lambda: register(two[0], "a"), lambda: register(two[1], "b"))

    two[0].read(lambda transaction: check_ledger(transaction.house(), thorough=True))
    house = two[1].read(lambda transaction: [transaction.house().get(f"balance/{name}") for name in ("deposits",)])
    assert house == [-1000 * 2 * PLAYERS]


def test_a_version_is_taken_by_one_of_two(two):
    won: tuple[list[int], list[int]] = ([], [])

    def append(which):
        for version in range(1, 41):
            event = StoredEvent("m_1", version, "action", which, {})
            (answer,) = two[which].run([lambda transaction, event=event: transaction.append("m_1", [event])])
            assert answer is None or isinstance(answer, Conflict)
            if answer is None:
                won[which].append(version)

    in_threads(lambda: append(0), lambda: append(1))

    assert sorted(won[0] + won[1]) == list(range(1, 41))
    kept = two[0].read(lambda transaction: transaction.events("m_1"))
    assert [event.version for event in kept if event.at == 0] == won[0]


def test_a_locked_room_is_read_as_the_other_left_it(two, make):
    two[0].run([lambda transaction: transaction.add_room(make.room("m_1", version=0))])

    def count_up(store):
        def job(transaction):
            room = transaction.get_room("m_1", lock=True)
            transaction.put_room(make.room("m_1", version=room.version + 1))

        for _ in range(30):
            assert store.run([job]) == [None]

    in_threads(lambda: count_up(two[0]), lambda: count_up(two[1]))

    assert two[0].read(lambda transaction: transaction.get_room("m_1")).version == 60


def test_a_deadlock_is_broken_and_both_batches_are_carried_out(two, make):
    """Each holds what the other wants: PostgreSQL undoes one of them, and it is run again from the beginning."""
    two[0].run([lambda transaction, name=name: transaction.add_room(make.room(name)) for name in ("m_1", "m_2")])
    both_hold = threading.Barrier(2, timeout=120)
    runs = []

    def batch(store, first, second):
        def take_first(transaction):
            runs.append(first)
            room = transaction.get_room(first, lock=True)
            transaction.put_room(make.room(first, version=room.version + 1))
            if runs.count(first) == 1:
                both_hold.wait()

        def take_second(transaction):
            room = transaction.get_room(second, lock=True)
            transaction.put_room(make.room(second, version=room.version + 1))

        assert store.run([take_first, take_second]) == [None, None]

    in_threads(lambda: batch(two[0], "m_1", "m_2"), lambda: batch(two[1], "m_2", "m_1"))

    assert len(runs) >= 3, "more where the second run met the other's batch again"
    versions = [two[0].read(lambda t, name=name: t.get_room(name)).version for name in ("m_1", "m_2")]
    assert versions == [2, 2]


def statements_of(store, monkeypatch, jobs):
    """Return how many statements a batch of jobs takes, and its answers."""
    usual, said = psycopg.Cursor.execute, []

    def noted(cursor, query, *args, **how):
        said.append(query)
        return usual(cursor, query, *args, **how)

    with monkeypatch.context() as patched:
        patched.setattr(psycopg.Cursor, "execute", noted)
        answers = store.run(jobs)
    return len(said), answers


def test_a_batch_takes_as_many_statements_however_many_jobs_are_in_it(two, make, monkeypatch):
    """Rows that jobs say they will read are read together, and rows that they write are written together."""
    names = [f"m_{number}" for number in range(40)]
    two[0].run([lambda transaction, name=name: transaction.add_room(make.room(name)) for name in names])

    def job(name, version):
        def run(transaction):
            room = transaction.get_room(name, lock=True)
            assert transaction.find_reply("p_1", f"{name}-{version}") is None
            assert transaction.get_account("p_1") is None
            assert transaction.get_setting("frozen") is None
            transaction.append(name, [StoredEvent(name, version, "action", 1, {"name": name})])
            transaction.put_room(make.room(name, version=room.version + 1))
            transaction.keep_reply(Reply("p_1", f"{name}-{version}", "d", 200, b"{}", 1))
            return room.version

        return Job(run, Reads(("p_1",), (), (("p_1", f"{name}-{version}"),), (name,), ("frozen",)))

    few = statements_of(two[0], monkeypatch, [job(names[0], 1)])
    many = statements_of(two[0], monkeypatch, [job(name, 1) for name in names[1:]])

    assert few[1] == [0]
    assert many[1] == [0] * 39
    assert two[1].read(lambda transaction: [transaction.get_room(name).version for name in names]) == [1] * 40
    assert two[1].read(lambda transaction: [len(transaction.events(name)) for name in names]) == [1] * 40
    assert few[0] == many[0] == 10


def test_a_row_that_was_kept_back_and_cannot_stand_is_found_out_and_costs_its_job_alone(two, make):
    """Another process was faster: at the end of the batch, where nobody can tell whose row it was."""
    two[0].run([lambda transaction: transaction.add_room(make.room("m_1"))])
    two[1].run([lambda transaction: transaction.append("m_1", [StoredEvent("m_1", 1, "action", 1, {})])])

    def append(transaction, version):
        transaction.append("m_1", [StoredEvent("m_1", version, "action", 2, {})])
        return version

    answers = two[0].run([lambda t: append(t, 2), lambda t: append(t, 1), lambda t: append(t, 3)])

    assert (answers[0], type(answers[1]), answers[2]) == (2, Conflict, 3)
    kept = two[1].read(lambda transaction: transaction.events("m_1"))
    assert [(event.version, event.at) for event in kept] == [(1, 1), (2, 2), (3, 2)]


def test_a_notice_holds_many_topics_and_none_is_too_long():
    topics = [f"m_{number:030d}" for number in range(1000)]
    texts = notices("me", topics)
    assert [text.split("\n")[0] for text in texts] == ["me"] * len(texts)
    assert [topic for text in texts for topic in text.split("\n")[1:]] == topics
    assert max(len(text.encode()) for text in texts) < 8000
    assert len(texts) == 5
    assert notices("me", []) == []
    assert notices("me", [f"m_1 {'é' * 4000}", "m_2"]) == ["me\nm_1\nm_2"]


def test_others_hear_what_was_committed_and_nothing_else(two):
    heard: queue.Queue[str] = queue.Queue()

    def undone(transaction):
        transaction.notify("undone")
        raise KeyError

    own = two[0].backend.listen(lambda topic: heard.put(f"own {topic}"))
    with closing(own), closing(two[1].backend.listen(heard.put)):
        two[0].run([lambda t: t.notify("room m_1"), undone, lambda t: t.notify("room m_1"), lambda t: t.notify("é 2")])
        assert [heard.get(timeout=120), heard.get(timeout=120)] == ["room m_1", "é 2"]
        two[0].run([lambda transaction: transaction.notify("last")])
        assert heard.get(timeout=120) == "last"
    assert heard.empty()


def test_a_restart_is_survived_by_writers_readers_and_listeners(postgres_to_restart):
    server = postgres_to_restart
    heard: queue.Queue[str] = queue.Queue()
    url = server.new_database()
    with open_store(url) as store, open_store(url) as other, closing(store.backend.listen(heard.put)):
        store.run([lambda transaction: transaction.put_setting("motto", b"fair")])
        assert store.read(lambda transaction: transaction.get_setting("motto")) == b"fair"

        server.stop("immediate")
        with pytest.raises(StoreUnavailable):
            store.run([lambda transaction: transaction.put_setting("motto", b"lost")])
        with pytest.raises(StoreUnavailable):
            store.read(lambda transaction: transaction.get_setting("motto"))
        server.start()

        assert store.read(lambda transaction: transaction.get_setting("motto")) == b"fair"
        assert store.run([lambda transaction: transaction.put_setting("motto", b"found")]) == [None]
        assert heard.get(timeout=120) == ""  # something may have been missed
        # The other's connection broke while it was idle: its first batch finds out, and none is half done.
        first = attempt(other, b"other")
        assert first in (None, StoreUnavailable)
        assert attempt(other, b"other") is None
        other.run([lambda transaction: transaction.notify("again")])
        assert heard.get(timeout=120) == "again"


def attempt(store, value):
    try:
        (answer,) = store.run([lambda transaction: transaction.put_setting("motto", value)])
    except StoreUnavailable:
        return StoreUnavailable
    return answer


@pytest.mark.parametrize(("done", "stands"), [("COMMIT", True), ("ROLLBACK", False)])
def test_a_commit_whose_answer_is_lost_is_asked_for(postgres, monkeypatch, done, stands):
    """The connection breaks at the commit: when the server can be asked again, it knows whether it was made."""
    usual = psycopg.Cursor.execute

    def break_at_commit(cursor, query, *args, **how):
        if query == "COMMIT":
            usual(cursor, done)
            cursor.connection.close()
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        return usual(cursor, query, *args, **how)

    with open_store(postgres.new_database()) as store:
        monkeypatch.setattr(psycopg.Cursor, "execute", break_at_commit)
        if stands:
            assert attempt(store, b"fair") is None
        else:
            assert attempt(store, b"fair") is StoreUnavailable
        monkeypatch.undo()
        assert store.read(lambda transaction: transaction.get_setting("motto")) == (b"fair" if stands else None)


@pytest.fixture
def postgres_to_restart(request):
    """A server of its own: others would not like it to restart."""
    server = request.getfixturevalue("new_postgres")()
    yield server
    server.remove()


def test_erasing_a_name_leaves_a_room_as_the_other_has_left_it_meanwhile(two, make, monkeypatch):
    """The one who is gone had left a match that others play on, in another process."""
    two[0].run([lambda t: t.put_account(make.account("a_ann")), lambda t: t.add_room(make.room("m_1", "a_ann"))])
    usual = export.rooms_of

    def listed(transaction, account_id):
        yield from usual(transaction, account_id)
        two[1].run([lambda other: other.put_room(make.room("m_1", "a_ann", version=1))])

    monkeypatch.setattr(export, "rooms_of", listed)
    assert two[0].run([lambda transaction: export.erase_account(transaction, "a_ann", 77)]) == [None]

    room = two[0].read(lambda transaction: transaction.get_room("m_1"))
    assert (room.version, [seat.name for seat in room.seats]) == (1, [""])
