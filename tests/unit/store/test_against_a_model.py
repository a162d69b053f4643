"""Random sequences of operations give the same answers as dictionaries and lists do.

The model knows nothing of databases: every question is answered by looking at everything there is.
"""

from __future__ import annotations

import copy
from contextlib import suppress
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple, replace

from croupier.house.ledger import LedgerBroken, Movement
from croupier.store.database import open_store
from croupier.store.interface import Conflict
from croupier.store.model import (
    Account,
    Reply,
    Room,
    RoomSeat,
    SeedRow,
    SessionRow,
    StoredEvent,
    StoredSession,
    Token,
    VersionRow,
)
from croupier.store.transaction import Transaction
from tests.unit.store.conftest import Make, empty

LIVE = ("open", "opening", "active")
CHIPS_MAX = 2**63 - 1


def kept_in(name):
    """Return a method that looks a key up in one of the model's dictionaries."""
    return lambda model, key: getattr(model, name).get(key)


def newest(rows, limit, before=None):
    """Return a page of rows of sessions, the newest first."""
    rows = [row for row in rows if before is None or row.session_id < before]
    return sorted(rows, key=lambda row: -row.session_id)[:limit]


class Model:
    """A store of one process, one thread and no disk."""

    get_account, find_token, get_room = kept_in("accounts"), kept_in("tokens"), kept_in("rooms")
    get_seed, get_session, last_snapshot = kept_in("seeds"), kept_in("sessions"), kept_in("snapshots")
    get_setting = kept_in("settings")

    def __init__(self):
        self.accounts, self.tokens, self.rooms, self.had_seat = {}, {}, {}, set()
        self.log, self.snapshots, self.seeds, self.sessions = {}, {}, {}, {}
        self.replies, self.settings, self.ids = {}, {}, 0
        self.ledger, self.balances = [], {}
        self.used, self.announced = set(), {}

    def _of(self, account, rows):
        return [row for row in rows.values() if row.account == account]

    def put_account(self, account):
        others = [other for other in self.accounts.values() if other.id != account.id]
        if account.recovery_hash and any(other.recovery_hash == account.recovery_hash for other in others):
            raise Conflict
        self.accounts[account.id] = account

    def account_by_recovery(self, text):
        return next((a for a in self.accounts.values() if text and a.recovery_hash == text), None)

    def put_token(self, token):
        if token.account not in self.accounts:
            raise Conflict
        self.tokens[token.hash] = token

    def drop_token(self, text):
        return self.tokens.pop(text, None) is not None

    def tokens_of(self, account):
        return sorted(self._of(account, self.tokens), key=lambda token: (token.created_at, token.hash))

    def _clashes(self, room):
        others = [other for other in self.rooms.values() if other.id != room.id]
        return room.status in LIVE and any(other.code == room.code and other.status in LIVE for other in others)

    def add_room(self, room):
        if room.id in self.rooms or self._clashes(room):
            raise Conflict
        self._keep(room)

    def put_room(self, room):
        if room.id not in self.rooms or self._clashes(room):
            raise Conflict
        self._keep(room)

    def _keep(self, room):
        self.rooms[room.id] = room
        self.had_seat |= {(seat.account, room.id) for seat in room.seats if not seat.bot}

    def room_by_code(self, code):
        return next((room for room in self.rooms.values() if room.code == code and room.status in LIVE), None)

    def _newest(self, rooms, after, limit):
        rooms = sorted(rooms, key=lambda room: (room.created_at, room.id), reverse=True)
        if after:
            last = self.rooms.get(after)
            rooms = [r for r in rooms if last and (r.created_at, r.id) < (last.created_at, last.id)]
        return rooms[:limit]

    def open_rooms(self, game_id, after, limit):
        listed = [room for room in self.rooms.values() if room.status in LIVE and room.is_listed]
        return self._newest([room for room in listed if game_id in (None, room.game_id)], after, limit)

    def rooms_of(self, account, after, limit):
        return self._newest([room for room in self.rooms.values() if (account, room.id) in self.had_seat], after, limit)

    def live_rooms_of(self, account, limit):
        return [room for room in self.rooms_of(account, "", 10**6) if room.status in LIVE][:limit]

    def due_rooms(self, now, limit):
        due = [room for room in self.rooms.values() if 0 < room.deadline <= now]
        return sorted(due, key=lambda room: (room.deadline, room.id))[:limit]

    def append(self, match_id, events):
        there = {event.version for event in self.log.get(match_id, [])}
        new = [event.version for event in events]
        if there & set(new) or len(set(new)) < len(new):
            raise Conflict
        self.log[match_id] = sorted([*self.log.get(match_id, []), *events], key=lambda event: event.version)

    def events(self, match_id, since, limit):
        return [event for event in self.log.get(match_id, []) if event.version > since][:limit]

    def put_snapshot(self, match_id, version, data):
        if version >= self.snapshots.get(match_id, (0,))[0]:
            self.snapshots[match_id] = (version, data)

    def put_seed(self, row):
        self.seeds[row.session_id] = row

    def use_seed(self, mark):
        if mark in self.used:
            raise Conflict
        self.used.add(mark)

    def last_seed_number(self, account):
        return max((row.n for row in self._of(account, self.seeds)), default=0)

    def issued_seeds(self, account, limit):
        return newest([row for row in self._of(account, self.seeds) if row.state == "issued"], limit)

    def seeds_of(self, account, before, limit):
        return newest(self._of(account, self.seeds), limit, before)

    def expired_seeds(self, now, limit):
        old = [row for row in self.seeds.values() if row.state == "issued" and row.expires_at <= now]
        return sorted(old, key=lambda row: (row.expires_at, row.session_id))[:limit]

    def add_version(self, row):
        if row.n in self.announced:
            raise Conflict
        self.announced[row.n] = row

    def last_version(self, subject):
        found = [row for row in self.announced.values() if subject in ("", row.subject)]
        return max(found, key=lambda row: row.n, default=None)

    def versions(self, since, limit):
        return sorted((row for row in self.announced.values() if row.n > since), key=lambda row: row.n)[:limit]

    def undone(self, operations):
        """Do some things and take them back."""
        before = copy.deepcopy(self.__dict__)
        with suppress(Conflict, LedgerBroken):
            for name, args in operations:
                getattr(self, name)(*args)
        self.__dict__ = before

    def put_session(self, row):
        self.sessions[row.session_id] = row

    def sessions_of(self, account, before, limit):
        return newest(self._of(account, self.sessions), limit, before)

    def open_sessions(self, account, limit):
        return newest([row for row in self._of(account, self.sessions) if not row.is_complete], limit)

    def idle_sessions(self, until, after, limit):
        idle = [row for row in self.sessions.values() if not row.is_complete and row.updated_at <= until]
        rest = [StoredSession(*astuple(row)) for row in idle if (row.updated_at, row.session_id) > after]
        return sorted(rest, key=lambda row: (row.updated_at, row.session_id))[:limit]

    def find_reply(self, account, key):
        return self.replies.get((account, key))

    def keep_reply(self, reply):
        if (reply.account, reply.key) in self.replies:
            raise Conflict
        self.replies[reply.account, reply.key] = reply

    def finished_sessions(self, before, limit):
        over = [row for row in self.sessions.values() if row.is_complete and row.updated_at < before]
        return sorted(over, key=lambda row: (row.updated_at, row.session_id))[:limit]

    def drop_reply(self, account, key):
        self.replies.pop((account, key), None)

    def forget_replies(self, before, limit):
        oldest = sorted((reply.at, key) for key, reply in self.replies.items() if reply.at < before)
        old = [key for _, key in oldest[:limit]]
        for key in old:
            del self.replies[key]
        return len(old)

    def put_setting(self, name, value):
        self.settings[name] = value

    def move(self, source, target, amount):
        self.ledger.append(Movement(len(self.ledger) + 1, source, target, amount, "because"))
        self.balances[source] = self.balances.get(source, 0) - amount
        self.balances[target] = self.balances.get(target, 0) + amount
        if max(-self.balances[source], self.balances[target]) > CHIPS_MAX:
            raise LedgerBroken("outside 64 bits")

    def movements(self, account, before, limit):
        mine = [
            m for m in self.ledger if account in (None, m.source, m.target) and (before is None or m.number < before)
        ]
        return mine[::-1][:limit]

    def facts(self):
        return sorted(self.balances), len(self.ledger) or None, [self.balances.get(name) for name in "abc"]


def ask(transaction, name, args):
    """Ask a real transaction what the model was asked."""
    house = transaction.house()
    match name, args:
        case ("open_rooms", (game_id, after, limit)):
            return list(transaction.open_rooms(game_id=game_id, after=after, limit=limit))
        case ("rooms_of", (account, after, limit)):
            return list(transaction.rooms_of(account, after=after, limit=limit))
        case ("events", (match_id, since, limit)):
            return list(transaction.events(match_id, since=since, limit=limit))
        case ("sessions_of" | "seeds_of" | "movements", (account, before, limit)):
            return list(getattr(transaction, name)(account, before=before, limit=limit))
        case ("undone", (several,)):
            with suppress(Conflict, LedgerBroken, KeyError), transaction.attempt():
                for other, given in several:
                    ask(transaction, other, given)
                raise KeyError("on purpose")
            return None
        case ("move", (source, target, amount)):
            number = (house.get("ledger/count") or 0) + 1
            house.put(f"movement/{number}", Movement(number, source, target, amount, "because"))
            for account, change in ((source, -amount), (target, amount)):
                house.put(f"balance/{account}", (house.get(f"balance/{account}") or 0) + change)
            house.put("ledger/count", number)
            return None
        case ("facts", ()):
            names = house.get("ledger/accounts") or ()
            return sorted(names), house.get("ledger/count"), [house.get(f"balance/{name}") for name in "abc"]
    return getattr(transaction, name)(*args)


def run_on_model(model, batch):
    answers: list[Any] = []
    for operations, fails in batch:
        before = copy.deepcopy(model.__dict__)
        try:
            done = [getattr(model, name)(*args) for name, args in operations]
            if fails:
                raise KeyError("on purpose")
        except (Conflict, KeyError, LedgerBroken) as error:
            model.__dict__ = before
            answers.append(type(error))
        else:
            answers.append(done)
    return answers


def run_on_store(store, batch):
    def job_of(operations, fails):
        def job(transaction):
            done = [ask(transaction, name, args) for name, args in operations]
            if fails:
                raise KeyError("on purpose")
            return done

        return job

    answers = store.run([job_of(*one) for one in batch])
    for answer in answers:
        if isinstance(answer, store.backend.errors):
            raise answer  # the driver's own: no caller expects one
    return [type(answer) if isinstance(answer, Exception) else answer for answer in answers]


NAMES = ("a", "b", "c", "é")
HASHES = ("h1", "h2")
ROOM_IDS = ("m_6", "m_4", "m_2")
PAGES = (1, 50)
QUESTIONS: dict[str, list[Any]] = {
    "get_account": [NAMES],
    "account_by_recovery": [("", "abc", "abd")],
    "find_token": [HASHES],
    "tokens_of": [NAMES],
    "get_room": [ROOM_IDS],
    "room_by_code": [("AAA", "M_1", "M_5")],
    "open_rooms": [(None, "lanes", "craps-table"), ("", *ROOM_IDS, "nobody's"), (2, 50)],
    "rooms_of": [NAMES, ("", *ROOM_IDS), PAGES],
    "live_rooms_of": ["ab", PAGES],
    "due_rooms": [(9, 10, 30), PAGES],
    "events": [("m_1", "m_2"), (0, 3, 5, 7), (None, 2)],
    "last_snapshot": [("m_1", "m_2")],
    "get_seed": [(1, 2, 99)],
    "last_seed_number": ["abc"],
    "issued_seeds": ["abc", PAGES],
    "seeds_of": ["ab", (None, 3), PAGES],
    "expired_seeds": [(21, 28, 30), PAGES],
    "get_session": [(1, 2, 99)],
    "sessions_of": ["ab", (None, 4), PAGES],
    "open_sessions": ["ab", PAGES],
    "idle_sessions": [(40, 45, 51), ((0, 0), (40, 2), (45, 1)), PAGES],
    "finished_sessions": [(50, 51), PAGES],
    "last_version": [("", *"abcd")],
    "versions": [(0, 2), (2, 9)],
    "find_reply": ["ab", "kl"],
}
"""Questions, with the values that each of their arguments takes."""

names = st.sampled_from(NAMES)
few = st.integers(0, 4)
limits = st.integers(1, 3)
blobs = st.sampled_from([b"", b"\x00\xff", b"{}"])
seats = st.builds(RoomSeat, names, names, bot=st.sampled_from(["", "", "bot"]))
rooms = st.builds(
    Room,
    id=st.sampled_from(ROOM_IDS),
    code=st.sampled_from(["AAA", "M_1"]),
    game_id=st.sampled_from(["lanes", "craps-table"]),
    rules_version=st.just(1),
    options=st.just({"x": [1]}),
    host=st.just("a"),
    session_id=st.just(1),
    server_seed=st.just(""),
    commitment=st.just(""),
    created_at=st.just(0),
    seats=st.lists(seats, max_size=2, unique=True).map(tuple),
    status=st.sampled_from(["open", "opening", "active", "finished", "closed"]),
    is_listed=st.booleans(),
    deadline=st.sampled_from([0, 9, 10, 30]),
).map(lambda room: replace(room, created_at=ROOM_IDS.index(room.id) // 2))  # a room's never changes
accounts = st.builds(
    lambda id, text: Account(id, "N", 1, recovery_hash=text), names, st.sampled_from(["", "", "abc", "abd"])
)
events = st.builds(
    lambda version, text: StoredEvent("m_1", version, "action", 1, {"t": text}, text), st.integers(1, 5), names
)


def op(name, *args):
    return st.tuples(st.just(name), st.tuples(*args))


before = st.one_of(st.none(), few)
states = st.sampled_from(["issued", "issued", "started", "refused", "expired"])
expiry = st.sampled_from([21, 25, 28, 30])
own = {"session_id": few, "account": names, "n": few, "state": states, "expires_at": expiry}
touched = st.sampled_from([39, 40, 45, 50])
simple = st.one_of(
    *(op(name, *map(st.sampled_from, values)) for name, values in QUESTIONS.items()),
    op("put_account", accounts),
    op("put_token", st.builds(lambda text, who, at: Token(text, who, at, 9), st.sampled_from(HASHES), names, few)),
    op("drop_token", st.sampled_from(HASHES)),
    op("add_room", rooms),
    op("put_room", rooms),
    op("append", st.just("m_1"), st.lists(events, max_size=3)),
    op("put_snapshot", st.sampled_from(["m_1", "m_2"]), few, blobs),
    op("put_seed", st.builds(lambda **more: SeedRow("s", "c", created_at=1, **more), **own)),
    op("use_seed", names),
    op("add_version", st.builds(lambda n, who: VersionRow(n, who, b"{}", "h", "s"), st.integers(1, 4), names)),
    op(
        "put_session",
        st.builds(lambda id, who, at, over: SessionRow(id, who, "g", 1, at, over), few, names, touched, st.booleans()),
    ),
    op(
        "keep_reply",
        st.builds(
            lambda who, key, body, at: Reply(who, key, "d", 200, body, at), names, st.sampled_from("kl"), blobs, few
        ),
    ),
    op("forget_replies", few, limits),
    op("drop_reply", names, st.sampled_from("kl")),
    op("put_setting", names, blobs),
    op("get_setting", names),
    op("move", st.sampled_from("ab"), st.just("c"), st.integers(1, CHIPS_MAX)),
    op("movements", st.one_of(st.none(), names), before, limits),
    op("facts"),
)
operations = st.one_of(simple, simple, simple, op("undone", st.lists(simple, max_size=3)))
jobs = st.tuples(st.lists(operations, min_size=1, max_size=5), st.sampled_from([False, False, False, True]))
batches = st.lists(st.lists(jobs, min_size=1, max_size=4), min_size=1, max_size=6)


def check(store, given_batches):
    model = Model()
    for batch in given_batches:
        expected = run_on_model(model, batch)
        assert run_on_store(store, batch) == expected


# What would stand at the end of a transaction is a conflict where it is put.
ann, bob = (("put_account", (Account(who, "N", 1, recovery_hash="abc"),)) for who in "ab")
TOKEN_FIRST = [[([("put_token", (Token("h1", "a", 0, 9),)), ann], False)]]
KEY_TAKEN = [[([ann, bob, ("put_account", (Account("b", "N", 1),))], False)]]


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@example(TOKEN_FIRST)
@example(KEY_TAKEN)
@given(batches)
def test_sqlite_answers_as_the_model_does(given_batches):
    with open_store("sqlite://") as store:
        check(store, given_batches)


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@example(TOKEN_FIRST)
@example(KEY_TAKEN)
@given(batches)
def test_postgresql_answers_as_the_model_does(shared_postgres, given_batches):
    empty(shared_postgres)
    check(shared_postgres, given_batches)


@pytest.mark.soak  # ten thousand sequences take minutes
@settings(max_examples=10_000, suppress_health_check=list(HealthCheck))
@given(batches)
def test_sqlite_answers_as_the_model_does_for_long(given_batches):
    with open_store("sqlite://") as store:
        check(store, given_batches)


ROOMS = [
    Make.room(
        f"m_{number}",
        *("ab"[: number % 3]),
        created_at=number // 2,  # pairs of one age: the id decides
        game_id="lanes" if number % 2 else "craps-table",
        is_listed=number != 3,
        status="closed" if number == 5 else "open",
        deadline=(30, 0, 10, 20, 40, 10, 30)[number],
    )
    for number in range(7)
]
CODES = [Make.room(f"c_{status}", code="AAA", status=status) for status in LIVE]
VERSIONS = [VersionRow(n, subject, b'{"n":%d}' % n, f"head {n}", "s") for n, subject in enumerate("abacb", 1)]
STATES = ("expired", "issued", "issued", "refused", "started", "issued")
REPLY = Reply("a", "k", "d", 201, b"\x00{}", 50)


def seed(n, state, who="a", **more):
    return SeedRow("5e", "c0", session_id=n, account=who, created_at=1, n=n, state=state, expires_at=30 - n, **more)


def session(id, who, at, is_complete=False):
    return SessionRow(id, who, "craps", 1, at, is_complete)


def event(version):
    return StoredEvent("m_1", version, "action", 5, {"action": {"type": "roll"}, "version": version}, "d" * 64)


CHANGES: list[tuple[str, list[Any]]] = [
    ("put_token", [Token("h1", "a", 1, 9)]),  # of nobody yet
    ("put_account", [*map(Make.account, "abc"), *(Make.account(name, recovery_hash="abc") for name in "ab")]),
    ("put_token", [Token("h2", "a", 2, 9, "phone"), Token("h1", "a", 1, 9)]),
    ("drop_token", ["h1"]),
    ("put_room", [ROOMS[1]]),  # which there is not yet
    ("add_room", [*ROOMS, ROOMS[1], *CODES]),
    ("put_room", [replace(ROOMS[4], seats=seats) for seats in (ROOMS[2].seats, ())]),  # who has left has had a seat
    ("put_room", [replace(CODES[0], status="finished")]),
    ("add_room", [CODES[1], CODES[2]]),
    ("put_room", [CODES[0], replace(CODES[1], status="closed")]),
    ("add_room", [CODES[2]]),
    ("put_room", [CODES[0]]),
    ("append", [("m_1", [event(3)]), ("m_1", [event(1), event(2), event(3)]), ("m_1", [*map(event, (4, 5, 6, 7))])]),
    ("put_snapshot", [("m_1", 64, b"\x00later"), ("m_1", 32, b"earlier")]),
    ("put_seed", [*map(seed, range(6), STATES), seed(9, "issued", "b"), seed(1, "issued", client_seed="33")]),
    ("undone", [[("put_seed", (seed(2, "expired"),)), ("put_session", (session(8, "a", 9),)), ("use_seed", ("ac",))]]),
    ("put_seed", [seed(2, "expired")]),
    ("use_seed", ["aa", "aa", "ab", "ac"]),
    ("put_session", [session(1, "a", 50, True), session(2, "a", 40), session(3, "b", 30), session(4, "a", 20)]),
    ("put_session", [session(2, "a", 45, True)]),
    ("add_version", VERSIONS),
    ("add_version", [replace(VERSIONS[2], body=b"{}")]),
    ("keep_reply", [REPLY, replace(REPLY, status=409), replace(REPLY, account="b", at=51)]),
    ("forget_replies", [(51, 10)]),
]
"""What is written, one thing after the other; some of it too early, or twice."""


def test_every_question_is_answered_as_the_model_does_after_each_kind_of_change(store):
    """To who writes and may know the answer, and to who only reads, on a connection that knows nothing."""
    model = Model()
    questions = [(name, args) for name, values in QUESTIONS.items() for args in product(*values)]
    for name, values in CHANGES:
        changes = [([(name, args if isinstance(args, tuple) else (args,))], False) for args in values]
        assert run_on_store(store, changes) == run_on_model(model, changes), changes
        (expected,) = run_on_model(model, [(questions, False)])
        (to_writer,) = run_on_store(store, [(questions, False)])
        to_reader = store.read(lambda tx: [ask(tx, *question) for question in questions])
        for question, *answers in zip(questions, expected, to_writer, to_reader, strict=True):
            assert answers[0] == answers[1] == answers[2], (changes, question)


@pytest.mark.parametrize(
    ("name", "args", "why"),
    [
        ("add_room", (ROOMS[1],), "room m_1: its id or its code M_1 is taken"),
        ("append", ("m_1", [event(3)]), "m_1 has a version 3 already"),
        ("use_seed", ("aa",), "has been used before"),
        ("add_version", (VERSIONS[2],), "has an entry 3 already"),
        ("keep_reply", (REPLY,), "a has used the key k already"),
        ("put_room", (ROOMS[2],), "there is no room m_2"),
    ],
)
def test_a_conflict_says_what_is_taken(store, name, args, why):
    *_, answer = store.run([lambda tx: ask(tx, name, args)] * 2)
    assert isinstance(answer, Conflict)
    assert why in str(answer)


def job(*operations, fails=False):
    return list(operations), fails


CLASH = ("add_room", (ROOMS[1],))
BAD = ("put_setting", ("bad", b"1"))
LEFT = [*(("get_setting", (name,)) for name in ("first", "bad", "last")), ("get_room", ("m_1",)), ("facts", ())]
WITHIN = [
    ("put_room", (replace(ROOMS[1], version=2),)),
    ("put_setting", ("first", b"2")),
    BAD,
    ("move", ("a", "c", 2)),
    ("use_seed", ("mark",)),
]
BATCHES = {
    "a job that raises": [
        job(("put_setting", ("first", b"1"))),
        job(BAD, fails=True),
        job(("put_setting", ("last", b"1"))),
    ],
    "a conflict": [job(CLASH), job(BAD, CLASH), job(("add_room", (ROOMS[2],)), ("put_setting", ("last", b"1")))],
    "attempts": [
        job(CLASH, ("put_setting", ("first", b"1")), ("move", ("a", "c", 1))),
        job(("undone", (WITHIN,)), ("use_seed", ("mark",)), *LEFT),
        job(("undone", ([*WITHIN, ("put_token", (Token("h1", "nobody", 1, 9),))],)), ("put_setting", ("last", b"3"))),
    ],
}


@pytest.mark.parametrize("batch", BATCHES)
def test_what_fails_undoes_its_own_part_and_the_rest_of_its_batch_stands(store, batch):
    """Also where the database refused a statement, after which PostgreSQL would take no other."""
    model = Model()
    assert run_on_store(store, BATCHES[batch]) == run_on_model(model, BATCHES[batch])
    (expected,) = run_on_model(model, [job(*LEFT)])
    assert expected[1] is None, "what failed is gone"
    assert run_on_store(store, [job(*LEFT)]) == [expected]
    assert store.read(lambda tx: [ask(tx, *question) for question in LEFT]) == expected


def test_a_store_that_forgets_to_forget_is_caught(monkeypatch):
    """Chips of a job that was undone would be there still: else the tests above could not fail."""
    batch = [job(("move", ("a", "c", 5)), fails=True), job(("facts", ()))]
    with open_store("sqlite://") as store:
        assert run_on_store(store, batch) == run_on_model(Model(), batch)
        monkeypatch.setattr(Transaction, "forget", lambda self: None)
        assert run_on_store(store, batch) != run_on_model(Model(), batch)
