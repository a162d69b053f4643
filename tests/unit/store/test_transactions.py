"""Transactions of the store: isolation, undo, conflicts, and every list and look-up, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from croupier.store.database import open_store
from croupier.store.interface import Conflict, StoreUnavailable
from croupier.store.model import Account, Limits, Reply, SeedRow, SessionRow, StoredEvent, Token, VersionRow

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


def ids_of(store, question):
    """Return the ids of rooms, or the numbers of sessions, that a question finds."""
    return [getattr(row, "id", None) or row.session_id for row in store.read(question)]


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


def test_a_job_that_raises_is_undone_and_the_others_of_its_batch_stand(store):
    def bad(transaction):
        transaction.put_setting("bad", b"1")
        transaction.notify("bad")
        raise Oops

    first, last = (lambda tx, name=name: tx.put_setting(name, b"1") for name in ("first", "last"))
    answers = store.run([first, bad, lambda tx: tx.get_setting("bad"), last])

    assert [type(answer) for answer in answers] == [type(None), Oops, type(None), type(None)]
    found = store.read(lambda tx: [tx.get_setting(name) for name in ("first", "bad", "last")])
    assert found == [b"1", None, b"1"]


def test_a_conflict_undoes_its_own_job_only(store, make):
    do(store, lambda tx: tx.add_room(make.room("m_1")))

    def clash(transaction):
        transaction.put_setting("clash", b"1")
        transaction.add_room(make.room("m_1"))

    answers = store.run([clash, lambda tx: tx.add_room(make.room("m_2"))])

    assert isinstance(answers[0], Conflict)
    assert answers[1] is None
    assert store.read(lambda tx: tx.get_setting("clash")) is None
    assert store.read(lambda tx: tx.get_room("m_2")) is not None


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


def test_an_attempt_that_fails_undoes_its_own_part_only(store, make):
    """Also where the database refused a statement, after which PostgreSQL would take no other."""

    def attempt(transaction, error):
        with transaction.attempt():
            transaction.put_room(make.room("m_1", version=2))
            transaction.put_setting("before", b"2")
            transaction.put_setting("within", b"2")
            transaction.house().put("balance/a", 2)
            transaction.use_seed("mark")
            if error is Conflict:
                transaction.put_token(Token("h1", "nobody", 1, 9))
            raise Oops

    def job(transaction):
        transaction.add_room(make.room("m_1", version=1))
        transaction.put_setting("before", b"1")
        transaction.house().put("balance/a", 1)
        for error in (Oops, Conflict):
            with pytest.raises(error):
                attempt(transaction, error)
        transaction.put_setting("after", b"3")
        transaction.use_seed("mark")
        return transaction.get_room("m_1").version, transaction.house().get("balance/a")

    assert do(store, job) == (1, 1)
    found = store.read(lambda tx: [tx.get_setting(name) for name in ("before", "within", "after")])
    assert found == [b"1", None, b"3"]
    assert store.read(lambda tx: (tx.get_room("m_1").version, tx.house().get("balance/a"))) == (1, 1)


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


# Accounts and tokens.


def test_an_account_is_found_by_its_recovery_hash_and_no_account_by_an_empty_one(store, make):
    def job(transaction):
        transaction.put_account(make.account("a_ann", recovery_hash="abc"))
        transaction.put_account(make.account("a_bob"))
        transaction.put_account(make.account("a_cyd"))
        return [transaction.account_by_recovery(text) for text in ("abc", "", "abd")]

    found, *others = do(store, job)
    assert found is not None
    assert found.id == "a_ann"
    assert others == [None, None]
    conflict(store, lambda tx: tx.put_account(make.account("a_bob", recovery_hash="abc")))


def test_a_token_needs_an_account_and_works_until_it_is_dropped(store, make):
    conflict(store, lambda tx: tx.put_token(Token("h1", "nobody", 1, 9)))
    first, second = Token("h1", "a_ann", 1, 9), Token("h2", "a_ann", 2, 9, "phone")

    def job(transaction):
        transaction.put_account(make.account())
        transaction.put_token(second)
        transaction.put_token(first)
        return transaction.find_token("h2"), transaction.tokens_of("a_ann")

    assert do(store, job) == (second, [first, second])
    do(store, lambda tx: tx.drop_token("h1"))
    assert store.read(lambda tx: (tx.find_token("h1"), tx.tokens_of("a_ann"))) == (None, [second])


# Rooms.


@pytest.mark.parametrize("live", ["open", "opening", "active"])
def test_the_code_of_a_room_is_taken_while_it_is_live_and_free_when_it_is_over(store, make, live):
    old = make.room("m_1", code="AAA", status=live)
    conflict(store, lambda tx: tx.put_room(old), "there is no room m_1")
    do(store, lambda tx: tx.add_room(old))
    assert store.read(lambda tx: tx.room_by_code("AAA")).id == "m_1"
    conflict(store, lambda tx: tx.add_room(make.room("m_2", code="AAA")))

    do(store, lambda tx: tx.put_room(replace(old, status="finished")))
    assert store.read(lambda tx: tx.room_by_code("AAA")) is None
    do(store, lambda tx: tx.add_room(make.room("m_2", code="AAA")))

    assert store.read(lambda tx: tx.room_by_code("AAA")).id == "m_2"
    conflict(store, lambda tx: tx.put_room(old))


def test_open_rooms_are_listed_newest_first_page_by_page(store, make):
    def fill(transaction):
        for number in range(7):
            transaction.add_room(
                make.room(
                    f"m_{number}",
                    created_at=number // 2,  # pairs of one age: the id decides
                    game_id="lanes" if number % 2 else "craps-table",
                    is_listed=number != 3,
                    status="closed" if number == 5 else "open",
                )
            )

    do(store, fill)

    assert ids_of(store, lambda tx: tx.open_rooms()) == ["m_6", "m_4", "m_2", "m_1", "m_0"]
    assert ids_of(store, lambda tx: tx.open_rooms(limit=2)) == ["m_6", "m_4"]
    assert ids_of(store, lambda tx: tx.open_rooms(limit=2, after="m_4")) == ["m_2", "m_1"]
    assert ids_of(store, lambda tx: tx.open_rooms(game_id="lanes")) == ["m_1"]
    assert ids_of(store, lambda tx: tx.open_rooms(game_id="craps-table", after="m_4")) == ["m_2", "m_0"]
    assert ids_of(store, lambda tx: tx.open_rooms(after="nobody's")) == []


def test_somebodys_rooms_are_those_they_have_had_a_seat_in(store, make):
    one, two = make.room("m_1", "a_ann", "a_bob", created_at=1), make.room("m_2", "a_bob", created_at=2)

    def job(transaction):
        transaction.add_room(one)
        transaction.add_room(two)
        transaction.put_room(replace(two, seats=(*two.seats, one.seats[0])))
        transaction.put_room(replace(two, seats=()))

    do(store, job)

    for account in ("a_ann", "a_bob"):
        assert ids_of(store, lambda tx, account=account: tx.rooms_of(account)) == ["m_2", "m_1"]
    assert ids_of(store, lambda tx: tx.rooms_of("a_ann", limit=1)) == ["m_2"]
    assert ids_of(store, lambda tx: tx.rooms_of("a_ann", after="m_2")) == ["m_1"]
    assert ids_of(store, lambda tx: tx.rooms_of("a_cyd")) == []


def test_rooms_are_due_when_their_deadline_has_come_the_oldest_first(store, make):
    def fill(transaction):
        for number, deadline in enumerate((30, 0, 10, 20, 40)):
            transaction.add_room(make.room(f"m_{number}", deadline=deadline))

    do(store, fill)

    assert ids_of(store, lambda tx: tx.due_rooms(30)) == ["m_2", "m_3", "m_0"]
    assert ids_of(store, lambda tx: tx.due_rooms(30, limit=1)) == ["m_2"]
    assert ids_of(store, lambda tx: tx.due_rooms(9)) == []


# What happened.


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


def test_events_are_read_from_any_version_on(store):
    do(store, lambda tx: tx.append("m_1", map(event, range(1, 8))))

    def versions(**how):
        return [event.version for event in store.read(lambda tx: tx.events("m_1", **how))]

    assert versions() == [1, 2, 3, 4, 5, 6, 7]
    assert versions(since=5) == [6, 7]
    assert versions(since=2, limit=2) == [3, 4]
    assert versions(since=7) == []


def test_the_last_snapshot_is_that_of_the_highest_version(store):
    def job(transaction):
        transaction.put_snapshot("m_1", 64, b"\x00later")
        transaction.put_snapshot("m_1", 32, b"earlier")
        return transaction.last_snapshot("m_1"), transaction.last_snapshot("m_2")

    assert do(store, job) == ((64, b"\x00later"), None)


# Seeds and sessions.


def test_session_ids_are_never_given_out_twice(store):
    ids = [do(store, lambda tx: tx.next_session_id()) for _ in range(3)]
    ids += store.run([lambda tx: tx.next_session_id()] * 3)

    assert len(set(ids)) == 6
    assert min(ids) > 0


def test_a_seed_is_kept_and_completed(store):
    row = SeedRow("11" * 32, "22" * 32, session_id=7, account="a_ann", created_at=5)
    do(store, lambda tx: tx.put_seed(row))
    do(store, lambda tx: tx.put_seed(replace(row, client_seed="33")))

    assert do(store, lambda tx: tx.get_seed(7, lock=True)) == replace(row, client_seed="33")
    assert store.read(lambda tx: tx.get_seed(8)) is None


def test_a_server_seed_is_used_once(store):
    do(store, lambda tx: tx.use_seed("aa"))
    conflict(store, lambda tx: tx.use_seed("aa"), "has been used before")
    do(store, lambda tx: tx.use_seed("ab"))

    def fails(transaction):
        transaction.use_seed("ac")
        raise ValueError

    store.run([fails])
    do(store, lambda tx: tx.use_seed("ac"))  # nothing was committed to with it


def test_commitments_are_counted_and_listed_by_account(store):
    def fill(transaction):
        rows: list[tuple[Any, ...]] = [
            (3, "a_ann", 1, "expired"),
            (4, "a_bob", 1, "issued"),
            (6, "a_ann", 2, "issued"),
            (7, "a_ann", 3, "refused"),
            (9, "a_ann", 4, "started"),
            (11, "a_ann", 5, "issued"),
        ]
        for id, who, n, state in rows:
            transaction.put_seed(seed(id, who, scheme=2, n=n, state=state))

    do(store, fill)

    def asked(question):
        return [store.read(lambda tx, who=who: question(tx, who)) for who in ("a_ann", "a_bob", "a_cyd")]

    assert asked(lambda tx, who: tx.last_seed_number(who)) == [5, 1, 0]
    assert asked(lambda tx, who: [row.session_id for row in tx.issued_seeds(who, 9)]) == [[11, 6], [4], []]
    assert asked(lambda tx, who: [row.session_id for row in tx.seeds_of(who)]) == [[11, 9, 7, 6, 3], [4], []]
    page = store.read(lambda tx: tx.seeds_of("a_ann", before=9, limit=2))
    assert [(row.session_id, row.n, row.state) for row in page] == [(7, 3, "refused"), (6, 2, "issued")]


def test_open_commitments_and_sessions_are_listed_as_last_written(store):
    """Where one process writes alone, such a list is known from one transaction to the next."""

    def put(transaction, *rows):
        for id, state, is_complete in rows:
            transaction.put_seed(seed(id, state=state))
            transaction.put_session(SessionRow(id, "a_ann", "craps", 1, 1, is_complete=is_complete))
        lists = (transaction.issued_seeds("a_ann", 9), transaction.open_sessions("a_ann", 9))
        return tuple([row.session_id for row in rows] for rows in lists)

    assert do(store, put) == ([], [])
    assert do(store, lambda tx: put(tx, (1, "issued", False), (3, "issued", False))) == ([3, 1], [3, 1])
    assert do(store, lambda tx: put(tx, (2, "issued", True), (3, "started", False))) == ([2, 1], [3, 1])
    store.run([lambda tx: put(tx, (1, "expired", True))[2]])  # breaks, and is undone
    assert do(store, lambda tx: put(tx, (2, "issued", False))) == ([2, 1], [3, 2, 1])


def test_commitments_that_were_not_used_in_their_time_are_found_the_oldest_first(store):
    def fill(transaction):
        rows: list[Any] = [(1, 30, "issued"), (2, 10, "issued"), (3, 10, "started"), (4, 20, "issued")]
        for id, expires_at, state in rows:
            transaction.put_seed(seed(id, state=state, expires_at=expires_at))

    do(store, fill)

    assert ids_of(store, lambda tx: tx.expired_seeds(9)) == []
    assert ids_of(store, lambda tx: tx.expired_seeds(20)) == [2, 4]
    assert ids_of(store, lambda tx: tx.expired_seeds(30, limit=2)) == [2, 4]
    row = store.read(lambda tx: tx.get_seed(2))
    do(store, lambda tx: tx.put_seed(replace(row, state="expired")))
    assert ids_of(store, lambda tx: tx.expired_seeds(30)) == [4, 1]


def test_the_log_of_versions_only_grows(store):
    rows = [VersionRow(n, subject, b'{"n":%d}' % n, f"head {n}", "s") for n, subject in enumerate("abacb", 1)]
    assert store.read(lambda tx: (tx.last_version(), tx.last_version("a"), list(tx.versions(0, 9)))) == (None, None, [])

    for row in rows:
        do(store, lambda tx, row=row: tx.add_version(row))
    conflict(store, lambda tx: tx.add_version(replace(rows[2], body=b"{}")), "has an entry 3 already")

    assert store.read(lambda tx: tx.last_version()) == rows[4]
    assert store.read(lambda tx: [tx.last_version(subject) for subject in "abcd"]) == [rows[2], rows[4], rows[3], None]
    assert list(store.read(lambda tx: tx.versions(0, 2))) == rows[:2]
    assert list(store.read(lambda tx: tx.versions(2, 9))) == rows[2:]


def test_sessions_are_listed_by_account_and_found_when_idle(store):
    def fill(transaction):
        for number, (account, touched, is_over) in enumerate(
            [("a_ann", 50, True), ("a_ann", 40, False), ("a_bob", 30, False), ("a_ann", 20, False)], 1
        ):
            transaction.put_session(SessionRow(number, account, "roulette", 10, touched, is_over))

    do(store, fill)

    assert ids_of(store, lambda tx: tx.sessions_of("a_ann")) == [4, 2, 1]
    assert ids_of(store, lambda tx: tx.sessions_of("a_ann", before=4, limit=1)) == [2]
    assert ids_of(store, lambda tx: tx.idle_sessions(50)) == [4, 3, 2]
    assert ids_of(store, lambda tx: tx.idle_sessions(40, limit=1)) == [4]
    found = store.read(lambda tx: tx.get_session(2))
    assert found == SessionRow(2, "a_ann", "roulette", 10, 40)


# Requests with a key, operators.


def test_a_key_is_answered_once_and_forgotten_after_its_time(store):
    reply = Reply("a_ann", "k", DIGEST, 201, b"\x00{}", 50)
    do(store, lambda tx: tx.keep_reply(reply))
    conflict(store, lambda tx: tx.keep_reply(replace(reply, status=409)))
    do(store, lambda tx: tx.keep_reply(replace(reply, account="a_bob", at=51)))

    assert store.read(lambda tx: tx.find_reply("a_ann", "k")) == reply
    assert do(store, lambda tx: tx.forget_replies(51, 10)) == 1
    assert store.read(lambda tx: tx.find_reply("a_ann", "k")) is None
    assert store.read(lambda tx: tx.find_reply("a_bob", "k")) is not None


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
