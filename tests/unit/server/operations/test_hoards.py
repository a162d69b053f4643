"""Limits on what one account may pile up: sessions, moves, long records. All are counted, and nothing is timed."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from croupier.engine import Action, verify
from croupier.server.operations import commitments, replays, room_views, sessions
from croupier.server.operations import context as contexts
from croupier.server.operations.context import AnswerCache
from croupier.server.problems import Problem
from croupier.server.settings import Settings
from croupier.store import matches
from croupier.store.transaction import Transaction
from croupier.wire.rooms import NewRoom
from tests.unit.server.conftest import ROULETTE

PLACE, CLEAR, SPIN = Action("place", {"bet": "red", "stake": 1}), Action("clear"), Action("spin")


@pytest.fixture
def ann(small):
    return small.guest()


@pytest.fixture
def small(make_office):
    return make_office(settings=Settings(sessions_each=3, moves_max=120))


def test_open_sessions_are_limited_and_a_refused_start_opens_its_commitment(small, ann):
    """The client seed was named: a host that could refuse it unopened could choose the rounds it plays."""
    opened = [small.start(ann) for _ in range(3)]
    issued = small.do(commitments.commit, ann)
    with pytest.raises(Problem, match=r"too_many_sessions.*finish or close one") as caught:
        small.do(sessions.start, ann, issued.session_id, ROULETTE, 0, "c0ffee")
    assert caught.value.extra["opened"]["client_seed"] == "c0ffee"
    small.do(sessions.close_session, ann, opened[1].session_id)

    assert small.start(ann).version == 0


def test_a_session_has_only_so_many_moves_and_can_still_be_closed(small, ann):
    session = small.move(ann, small.start(ann), *([PLACE, CLEAR] * 59), PLACE, SPIN)
    assert (session.version, session.is_complete) == (120, True)
    session = small.move(ann, small.start(ann), *([PLACE, CLEAR] * 59), PLACE, PLACE)
    with pytest.raises(Problem, match=r"too_many_moves.*close it"):
        small.move(ann, session, SPIN)

    assert small.do(sessions.close_session, ann, session.session_id).is_complete


def test_the_record_and_the_recall_of_finished_play_are_worked_out_once(small, ann, monkeypatch):
    session = small.move(ann, small.start(ann), *([PLACE, CLEAR] * 59), PLACE, SPIN)
    whole = small.do(sessions.recall, ann, session.session_id, -1, 500)
    replays: list[int] = []
    usual = matches.apply_entry

    def apply(*args: Any) -> Any:
        replays.append(1)
        return usual(*args)

    monkeypatch.setattr(contexts, "apply_entry", apply)

    for _ in range(20):
        assert small.do(sessions.recall, ann, session.session_id, 118, 2) == whole[119:121]
    # Once from the beginning; then from the state kept last before it, at move 100.
    assert len(replays) == 120 + 20 * 20
    records = [small.do(sessions.read_session_record, ann, session.session_id) for _ in range(20)]
    assert all(record is records[0] for record in records)
    assert verify(records[0]).ok
    assert [step.version for step in whole] == list(range(121))


class Counting:
    """Counts what is asked of a store, and how many rows come back."""

    def __init__(self, monkeypatch: Any) -> None:
        self.statements = self.rows = self.replayed = 0
        one, all_of_them, apply = Transaction.one, Transaction.all, matches.apply_entry

        def asked_one(transaction: Any, *args: Any, **values: Any) -> Any:
            self.statements, self.rows = self.statements + 1, self.rows + 1
            return one(transaction, *args, **values)

        def asked_all(transaction: Any, *args: Any, **values: Any) -> Any:
            found = all_of_them(transaction, *args, **values)
            self.statements, self.rows = self.statements + 1, self.rows + len(found)
            return found

        def applied(*args: Any) -> Any:
            self.replayed += 1
            return apply(*args)

        monkeypatch.setattr(Transaction, "one", asked_one)
        monkeypatch.setattr(Transaction, "all", asked_all)
        monkeypatch.setattr(contexts, "apply_entry", applied)

    def of(self, work: Any) -> tuple[int, int, int]:
        before = (self.statements, self.rows, self.replayed)
        work()
        now = (self.statements, self.rows, self.replayed)
        return now[0] - before[0], now[1] - before[1], now[2] - before[2]


def test_a_long_record_and_recall_cost_no_more_than_short_ones(small, ann, monkeypatch):
    """Ten moves and a hundred and twenty: the same two steps, and the record, after somebody has asked once."""
    long, short = (
        small.move(ann, small.start(ann), *([PLACE, CLEAR] * half), PLACE, SPIN).session_id for half in (59, 4)
    )
    counting = Counting(monkeypatch)
    found = {}
    for number, after in ((short, 8), (long, 108)):
        ask = [
            partial(small.do, sessions.recall, ann, number, after, 2),
            partial(small.do, sessions.recall, ann, number, 0, 2),
            partial(small.do, sessions.read_session_record, ann, number),
        ]
        for work in ask:
            work()
        found[number] = [counting.of(work) for work in ask]
    assert found[long] == found[short] == [(0, 0, 10), (0, 0, 2), (0, 0, 0)]


def test_a_long_match_of_a_room_is_read_and_worked_out_once(office, monkeypatch):
    """Its record, and what happened step by step: after that its length makes no difference."""
    people = [office.guest() for _ in range(4)]
    costs, lengths = [], []
    counting = Counting(monkeypatch)
    for count in (1, 4):
        room = office.begin(people[0], NewRoom("shut-the-box", seats=count), *people[1:count])
        room = office.play_on(room.id)
        asks = [
            partial(office.do, replays.recall_room, people[0], room.id, -1, 2),
            partial(office.do, room_views.read_record, people[0], room.id),
        ]
        for work in asks:
            work()
        costs.append([counting.of(work) for work in asks])
        lengths.append(room.version)
    assert lengths[1] > lengths[0] + 5
    assert costs[0] == costs[1] == [(0, 0, 1), (0, 0, 0)]


def test_kept_answers_are_bounded_in_bytes():
    kept, made = AnswerCache(1_000), list[int]()

    def make(number: int) -> bytes:
        made.append(number)
        return bytes(400)

    for number in (1, 2, 1, 3, 1, 2):
        kept.get(number, partial(make, number), len)
    assert made == [1, 2, 3, 2]  # 2 was the one not asked for in the longest time
