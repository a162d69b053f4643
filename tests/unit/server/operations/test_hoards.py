"""What one account may pile up: sessions, moves, long records. Everything here is counted, in sessions and in moves."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from croupier.engine import Action, verify
from croupier.server.operations import accounts, commitments, sessions
from croupier.server.operations import context as contexts
from croupier.server.operations.context import AnswerCache
from croupier.server.problems import Problem
from croupier.server.settings import Settings
from croupier.store import matches
from tests.unit.server.conftest import Office

ROULETTE = 6
PLACE, CLEAR, SPIN = Action("place", {"bet": "red", "stake": 1}), Action("clear"), Action("spin")


@pytest.fixture
def small():
    made = Office(settings=Settings(sessions_each=3, moves_max=120))
    yield made
    made.store.close()


def guest(office: Any) -> Any:
    return office.do(accounts.authenticate, office.do(accounts.register, "Ann").token)


def begin(office: Any, ann: Any) -> Any:
    issued = office.do(commitments.commit, ann)
    return office.do(sessions.start, ann, issued.session_id, ROULETTE, 0, "c0ffee")


def moved(office: Any, ann: Any, session: Any, *actions: Action) -> Any:
    for action in actions:
        session = office.do(sessions.move, ann, session.session_id, session.version, action, None)
    return session


def test_open_sessions_are_limited_and_a_refused_start_opens_its_commitment(small):
    """The client seed was named: a host that could refuse it unopened could choose the rounds it plays."""
    ann = guest(small)
    opened = [begin(small, ann) for _ in range(3)]
    issued = small.do(commitments.commit, ann)
    with pytest.raises(Problem, match=r"too_many_sessions.*finish or close one") as caught:
        small.do(sessions.start, ann, issued.session_id, ROULETTE, 0, "c0ffee")
    assert caught.value.extra["opened"]["client_seed"] == "c0ffee"
    small.do(sessions.close_session, ann, opened[1].session_id)

    assert begin(small, ann).version == 0


def test_a_session_has_only_so_many_moves_and_can_still_be_closed(small):
    ann = guest(small)
    session = moved(small, ann, begin(small, ann), *([PLACE, CLEAR] * 59), PLACE, SPIN)
    assert (session.version, session.is_complete) == (120, True)
    session = moved(small, ann, begin(small, ann), *([PLACE, CLEAR] * 59), PLACE, PLACE)
    with pytest.raises(Problem, match=r"too_many_moves.*close it"):
        moved(small, ann, session, SPIN)

    assert small.do(sessions.close_session, ann, session.session_id).is_complete


def test_deleting_an_account_closes_a_page_of_its_sessions_at_a_time(monkeypatch):
    office = Office(settings=Settings(sessions_each=50))
    ann = guest(office)
    opened = [moved(office, ann, begin(office, ann), PLACE).session_id for _ in range(45)]
    closed: list[int] = []
    usual = sessions._close

    def close(call: Any, session_id: int, row: Any) -> Any:
        closed.append(session_id)
        return usual(call, session_id, row)

    monkeypatch.setattr(sessions, "_close", close)

    office.do(accounts.delete_account, ann)
    assert len(closed) == 20
    assert [office.do(sessions.close_some, ann.id) for _ in range(3)] == [20, 5, 0]
    assert sorted(closed) == opened
    office.store.close()


def test_the_record_and_the_recall_of_finished_play_are_worked_out_once(small, monkeypatch):
    ann = guest(small)
    session = moved(small, ann, begin(small, ann), *([PLACE, CLEAR] * 59), PLACE, SPIN)
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


def test_kept_answers_are_bounded_in_bytes():
    kept, made = AnswerCache(1_000), list[int]()

    def make(number: int) -> bytes:
        made.append(number)
        return bytes(400)

    for number in (1, 2, 1, 3, 1, 2):
        kept.get(number, partial(make, number), len)
    assert made == [1, 2, 3, 2]  # 2 was the one not asked for in the longest time
