"""Transactions of the store: isolation, undo, conflicts, and every list and look-up, on both databases."""

from __future__ import annotations

import gc

import pytest
from msgspec.structs import replace

from croupier.store.database import open_store
from croupier.store.interface import Conflict, StoreUnavailable
from croupier.store.model import Account, Limits, SeedRow, StoredEvent, Token

DIGEST = "d" * 64


class Oops(Exception):
    """A job fails on purpose."""


def event(version, match_id="m_1", **more):
    return StoredEvent(match_id, version, "action", 5, {"action": {"type": "roll"}, "version": version}, DIGEST, **more)


def do(store, job):
    """Run one job and return its answer, or raise what it raised."""
    (answer,) = store.run([job])
    if isinstance(answer, Exception):
        raise answer
    return answer


def conflict(store, job, why=None):
    """Check that a job conflicts with what there is."""
    with pytest.raises(Conflict, match=why):
        do(store, job)


def seed(id, who="a_ann", at=1, **more):
    return SeedRow("5e", "c0", session_id=id, account=who, created_at=at, **more)


# Transactions.


def test_a_job_reads_its_own_writes_and_later_readers_do(store, make):
    def job(transaction):
        transaction.put_account(make.account(limits=Limits(loss_day=5, later=(9, None, 3))))
        return transaction.get_account("a_ann")

    assert do(store, job) == make.account(limits=Limits(loss_day=5, later=(9, None, 3)))
    assert store.read(lambda tx: tx.get_account("a_ann")) == do(store, job)


ROWS = {
    "room": (
        lambda tx, at: tx.put_room(replace(tx.get_room("m_1"), version=at)),
        lambda tx: tx.get_room("m_1").version,
    ),
    "account": (lambda tx, at: tx.put_account(Account("a", "A", at)), lambda tx: tx.get_account("a").created_at),
    "setting": (lambda tx, at: tx.put_setting("motto", b"%d" % at), lambda tx: int(tx.get_setting("motto"))),
    "seed": (lambda tx, at: tx.put_seed(seed(7, at=at)), lambda tx: tx.get_seed(7).created_at),
    "token": (lambda tx, at: tx.put_token(Token("h", "a_ann", at, at)), lambda tx: tx.find_token("h").created_at),
    "balance": (lambda tx, at: tx.house().put("balance/bank", at), lambda tx: tx.house().get("balance/bank")),
}


@pytest.mark.parametrize("row", ROWS)
def test_a_cached_row_is_read_again_if_others_have_written(url, make, row, monkeypatch):
    """Neither another process, nor a commit that fails, nor a job that is undone leaves anything old behind."""
    put, seen = ROWS[row]
    with open_store(url) as mine, open_store(url) as others:
        do(mine, lambda tx: (tx.put_account(make.account()), tx.add_room(make.room())))

        def see():
            return do(mine, lambda tx: seen(tx))

        do(mine, lambda tx: put(tx, 1))
        assert (see(), see()) == (1, 1)
        do(others, lambda tx: put(tx, 2))
        assert (see(), see()) == (2, 2)

        def full(*_):
            raise StoreUnavailable("the disk is full")

        with monkeypatch.context() as patched:
            patched.setattr(mine.backend, "commit", full)
            with pytest.raises(StoreUnavailable):
                do(mine, lambda tx: put(tx, 3))
        assert (see(), see()) == (2, 2)

        with pytest.raises(ValueError, match="no"):
            do(mine, lambda tx: (put(tx, 4), int("no")))
        assert see() == 2


def test_a_row_that_is_written_beside_the_transactions_is_read_again(store):
    do(store, lambda tx: tx.put_setting("motto", b"1"))
    assert do(store, lambda tx: tx.get_setting("motto")) == b"1"
    with store.backend.writing() as connection:
        connection.cursor().execute("DELETE FROM settings WHERE name = 'motto'")
    assert do(store, lambda tx: tx.get_setting("motto")) is None


@pytest.mark.parametrize("value", [2**64, "\ud800"], ids=["too large", "no text"])
def test_a_value_that_no_column_holds_takes_no_other_job_with_it(store, make, value):
    """What the driver raises then is no error of its own; rows of others that waited with it were lost by that."""
    bad = make.room(**({"deadline": value} if isinstance(value, int) else {"code": value}))

    def looks_and_writes(transaction):
        transaction.open_rooms()
        transaction.put_setting("b", b"1")

    answers = store.run([lambda tx: tx.put_setting("a", b"1"), lambda tx: tx.add_room(bad), looks_and_writes])

    assert [isinstance(answer, Exception) for answer in answers] == [False, True, False]
    assert store.read(lambda tx: [tx.get_setting("a"), tx.get_room("m_1"), tx.get_setting("b")]) == [b"1", None, b"1"]


class Collecting(str):
    """A name that has cycles collected while SQLite's driver binds it."""

    def __conform__(self, protocol):
        gc.collect()
        return str(self)


def test_a_cursor_of_a_batch_that_failed_does_not_reset_a_statement_that_is_executed(make):
    """With Python 3.11 a neighbour of the job that failed was told of an API misuse by the driver."""

    def fails(transaction):
        transaction.put_setting("motto", b"1")
        transaction.put_room(make.room())

    def writes(transaction):
        for name in ("a", Collecting("b"), "c"):
            transaction.put_setting(name, b"2")

    with open_store("sqlite://") as store:
        assert store.run([fails, writes])[1] is None
        assert store.read(lambda tx: [tx.get_setting(name) for name in ("motto", *"abc")]) == [None, b"2", b"2", b"2"]


def test_a_batch_is_run_again_only_if_a_job_that_raises_has_written(store, make):
    runs = []

    def counted(transaction):
        runs.append("counted")
        transaction.put_setting("counted", b"1")

    def refuses(transaction):
        transaction.get_setting("counted")
        raise ValueError("refused")

    def breaks(transaction):
        transaction.add_room(make.room())
        assert transaction.get_room(make.room().id) is not None
        raise ValueError("broke")

    store.run([counted, refuses])
    assert len(runs) == 1
    runs.clear()
    answers = store.run([counted, breaks, lambda tx: tx.get_room(make.room().id)])
    assert len(runs) == 2
    assert isinstance(answers[1], ValueError)
    assert answers[2] is None
    assert store.read(lambda tx: tx.get_room(make.room().id)) is None
    assert store.read(lambda tx: tx.get_setting("counted")) == b"1"


def test_a_job_may_meet_a_conflict_and_try_something_else(store, make):
    """A code is taken: the next one may be free. PostgreSQL would refuse every statement after an error."""
    do(store, lambda tx: tx.add_room(make.room("m_1", code="AAA")))

    def try_codes(transaction):
        for code in ("AAA", "BBB"):
            try:
                transaction.add_room(make.room("m_2", code=code))
            except Conflict:
                continue
            return code

    assert do(store, try_codes) == "BBB"


def test_an_attempt_that_succeeds_stands_with_its_job(store):
    def fails(transaction):
        with transaction.attempt():
            transaction.put_setting("inner", b"1")
            raise Oops

    def good(transaction):
        with transaction.attempt():
            transaction.put_setting("good", b"1")
            with pytest.raises(Oops):
                fails(transaction)
            transaction.put_setting("later", b"1")

    def bad(transaction):
        with transaction.attempt():
            transaction.put_setting("bad", b"1")
        raise Oops

    answers = store.run([good, bad])
    assert [type(answer) for answer in answers] == [type(None), Oops]
    found = store.read(lambda tx: [tx.get_setting(name) for name in ("good", "inner", "later", "bad")])
    assert found == [b"1", None, b"1", None]


def test_a_reader_sees_one_moment_while_others_write_and_cannot_write(store):
    assert list(store.run([])) == []
    do(store, lambda tx: tx.put_setting("a", b"1"))

    def look_twice(transaction):
        before = transaction.get_setting("a")
        do(store, lambda other: other.put_setting("a", b"2"))
        return before, transaction.get_setting("a")

    assert store.read(look_twice) == (b"1", b"1")
    with pytest.raises(AssertionError, match="a job of `read` writes"):
        store.read(lambda tx: tx.put_setting("a", b"3"))
    assert store.read(lambda tx: tx.get_setting("a")) == b"2"


# What is kept.


def test_a_version_is_written_once_and_several_events_together_or_not_at_all(store):
    do(store, lambda tx: tx.append("m_1", [event(3)]))
    conflict(store, lambda tx: tx.append("m_1", [event(3)]), "m_1 has a version 3 already")
    do(store, lambda tx: tx.append("m_2", [event(3, "m_2")]))
    assert store.read(lambda tx: tx.events("m_1")) == [event(3)]

    def job(transaction):
        with pytest.raises(Conflict):
            transaction.append("m_1", [event(1), event(2), event(3)])
        transaction.append("m_1", [event(4), event(5)])

    do(store, job)
    assert [event.version for event in store.read(lambda tx: tx.events("m_1"))] == [3, 4, 5]


def test_session_ids_are_never_given_out_twice(store):
    ids = [do(store, lambda tx: tx.next_session_id()) for _ in range(3)]
    ids += store.run([lambda tx: tx.next_session_id()] * 3)

    assert len(set(ids)) == 6
    assert min(ids) > 0


def test_audits_are_numbered_and_listed_newest_first(store):
    def job(transaction):
        for at in (5, 6, 7):
            transaction.add_audit(at, "a_op", "freeze", "a_ann", why="said so", times=at)

    do(store, job)

    listed = store.read(lambda tx: tx.audits())
    assert [audit.at for audit in listed] == [7, 6, 5]
    assert listed[0].details == {"why": "said so", "times": 7}
    older = store.read(lambda tx: tx.audits(before=listed[0].number, limit=1))
    assert [audit.at for audit in older] == [6]
