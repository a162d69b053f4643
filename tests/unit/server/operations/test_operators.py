"""Operators: freezing accounts, rooms and everything; the settings of tables; the audit log; counts."""

from __future__ import annotations

import pytest

from croupier.engine import act
from croupier.house import check_ledger
from croupier.server.operations import accounts, actions, commitments, operators, purses, room_views, rooms, sessions
from croupier.server.operations.catalogue import list_tables
from croupier.server.operations.context import Caller, Context
from croupier.server.operations.table_settings import TableTerms
from croupier.server.problems import Problem
from croupier.store.transaction import Transaction
from croupier.wire.rooms import NewRoom
from tests.unit.server.conftest import ROULETTE
from tests.unit.server.starting import make_ready, secret_of


def test_an_operator_is_made_by_who_has_the_database(office, olga):
    assert olga.account.role == "operator"
    (written,) = office.do(operators.audit_page, olga, None, 10)
    assert (written.actor, written.what, written.about) == ("command line", "operator made", olga.id)


def test_players_are_refused_every_operation_of_operators(office, ann):
    terms = TableTerms("roulette")
    for operation, *rest in (
        (operators.freeze_everything, True, ""),
        (operators.freeze_account, ann.id, True, ""),
        (operators.freeze_room, "m_x", True, ""),
        (operators.look_at_account, ann.id),
        (operators.set_table, ROULETTE, terms),
        (operators.reset_table, ROULETTE),
        (operators.audit_page, None, 10),
        (operators.counts,),
    ):
        assert office.refusal(operation, ann, *rest) == "forbidden"
        assert office.refusal(operation, Caller(), *rest) == "forbidden"
    assert not office.do(operators.is_frozen)


def test_a_stopped_account_may_look_and_not_act(office, olga, ann):
    session = office.start(ann)
    assert office.do(operators.freeze_account, olga, ann.id, True, "asked for").is_frozen
    ann = office.caller(ann.id)

    assert office.do(accounts.me, ann).is_frozen
    assert office.do(sessions.find_session, ann, session.session_id).version == 0
    assert office.refusal(commitments.commit, ann) == "account_frozen"
    place = act("place", bet="red", stake=1)
    assert office.refusal(sessions.move, ann, session.session_id, 0, place, None) == "account_frozen"
    assert office.refusal(purses.deposit, ann, 1) == "account_frozen"
    assert office.refusal(rooms.create_room, ann, NewRoom("shut-the-box")) == "account_frozen"
    office.do(operators.freeze_account, olga, ann.id, False, "")
    assert office.move(office.caller(ann.id), session, place).version == 1


def test_a_stopped_room_waits_and_nobody_loses_the_time(office, olga, ann):
    room = office.begin(ann, NewRoom("shut-the-box", seats=1, turn_ms=60_000))
    office.now += 59_000
    assert office.do(operators.freeze_room, olga, room.id, True, "a dispute").is_frozen
    assert office.refusal(actions.act, ann, room.id, 0, act("roll")) == "frozen"
    office.now += 3_600_000
    assert office.do(rooms.time_up, room.id) is None

    office.do(operators.freeze_room, olga, room.id, False, "")
    assert office.do(room_views.find_room, ann, room.id).deadline == office.now + 60_000
    assert office.do(actions.act, ann, room.id, 0, act("roll")).version == 1


def test_seats_that_were_being_opened_have_ten_seconds_again_after_a_stop(office, olga, ann):
    room = office.do(rooms.create_room, ann, NewRoom("shut-the-box", seats=1, turn_ms=3_600_000))
    waiting = office.now + office.cache.settings.abandoned_ms
    for ready, deadline in ((False, waiting), (True, office.now + 10_000)):
        if ready:
            make_ready(office.do, room, ann)
        office.do(operators.freeze_room, olga, room.id, True, "a dispute")
        office.do(operators.freeze_room, olga, room.id, False, "")
        assert office.do(room_views.find_room, ann, room.id).deadline == deadline

    begun = office.do(rooms.open_seat, ann, room.id, secret_of(0))
    assert begun.deadline == office.now + 3_600_000


def test_an_unknown_account_or_room_cannot_be_frozen(office, olga):
    assert office.refusal(operators.freeze_account, olga, "p_nobody", True, "") == "no_such_account"
    assert office.refusal(operators.look_at_account, olga, "p_nobody") == "no_such_account"
    assert office.refusal(operators.freeze_room, olga, "m_nowhere", True, "") == "no_such_room"


def test_everything_done_is_written_down_in_order_and_by_whom(office, olga, ann):
    office.do(operators.freeze_everything, olga, True, "moving")
    office.do(operators.freeze_account, olga, ann.id, True, "")
    office.do(operators.set_table, olga, ROULETTE, TableTerms("roulette", stake_max=50))
    found = office.do(operators.audit_page, olga, None, 3)

    assert [(entry.actor, entry.what, entry.about) for entry in found] == [
        (olga.id, "set table", "6"),
        (olga.id, "froze account", ann.id),
        (olga.id, "froze everything", ""),
    ]
    assert found[2].details == {"why": "moving"}
    assert found[0].details["terms"]["stake_max"] == 50
    assert [entry.what for entry in office.do(operators.audit_page, olga, found[1].number, 1)] == ["froze everything"]


def test_a_reason_is_short_and_printable(office, olga):
    for why in ("x" * 201, "a\nb", "\x00"):
        assert office.refusal(operators.freeze_everything, olga, True, why) == "bad_request"
    assert not office.do(operators.is_frozen)


# Tables.


def test_limits_of_a_table_hold_for_the_next_bet(office, olga, ann):
    office.do(operators.set_table, olga, ROULETTE, TableTerms("roulette", stake_min=5, stake_max=50))
    session = office.start(ann)

    for stake in (4, 51):
        place = act("place", bet="red", stake=stake)
        with pytest.raises(Problem, match="limit"):
            office.do(sessions.move, ann, session.session_id, 0, place, None)
    assert office.move(ann, session, act("place", bet="red", stake=50)).version == 1


def test_of_two_operators_at_once_neither_undoes_what_the_other_set(make_office, postgres, monkeypatch):
    url = postgres.new_database()
    here, there = make_office(url), make_office(url)
    made, usual = here.do(operators.make_operator, "Olga"), Transaction.house
    olga = here.do(accounts.authenticate, made.token)

    def locked(tx):
        monkeypatch.undo()
        here.do(operators.set_table, olga, 5, TableTerms("craps", is_open=False))
        return usual(tx)

    monkeypatch.setattr(Transaction, "house", locked)
    tables = there.do(operators.set_table, olga, ROULETTE, TableTerms("roulette", is_open=False))
    assert not {5, ROULETTE} & {table.id for table in tables}


def test_an_operator_undoes_nothing_that_was_set_after_others_in_the_batch_saw_the_tables(make_office, postgres):
    url = postgres.new_database()
    here, there = make_office(url), make_office(url)
    olga = here.do(accounts.authenticate, here.do(operators.make_operator, "Olga").token)

    def at(tx, operation, *arguments):
        return operation(Context(there.cache, tx, there.now), *arguments)

    def look(tx):
        at(tx, list_tables)
        here.do(operators.set_table, olga, 5, TableTerms("craps", is_open=False))

    closed = TableTerms("roulette", is_open=False)
    _, tables = there.store.run([look, lambda tx: at(tx, operators.set_table, olga, ROULETTE, closed)])
    assert not {5, ROULETTE} & {table.id for table in tables}


def test_a_table_of_its_own_options_is_played_by_them(office, olga, ann):
    terms = TableTerms("roulette", {"zero_rule": "la_partage"})
    operators.check_table(100, terms)
    tables = office.do(operators.set_table, olga, 100, terms)
    assert [table.id for table in tables if table.game == "roulette"] == [6, 100]
    session = office.start(ann, 100)

    assert session.options.zero_rule == "la_partage"


def test_a_closed_table_is_not_listed_takes_nobody_new_and_lets_those_at_it_finish(office, olga, ann):
    session, before = office.start(ann), office.do(list_tables)
    office.do(operators.set_table, olga, ROULETTE, TableTerms("roulette", is_open=False))
    assert {table.id for table in before} - {table.id for table in office.do(list_tables)} == {ROULETTE}
    number = office.do(commitments.commit, ann).session_id

    assert office.refusal(sessions.start, ann, number, ROULETTE, 0, "") == "no_such_table"
    office.move(ann, session, act("place", bet="red", stake=1))
    assert office.do(sessions.close_session, ann, session.session_id).is_complete
    office.do(operators.reset_table, olga, ROULETTE)
    assert office.start(ann).table == ROULETTE
    assert office.refusal(operators.reset_table, olga, ROULETTE) == "not_found"


@pytest.mark.parametrize(
    ("number", "terms", "code"),
    [
        (65_536, TableTerms("roulette"), "not_found"),
        (1, TableTerms("whist"), "no_such_game"),
        (1, TableTerms("lanes"), "bad_request"),
        (1, TableTerms("roulette", {"zero_rule": "triple"}), "bad_limits"),
        (1, TableTerms("roulette", {"wheel": 1}), "bad_limits"),
        (1, TableTerms("roulette", stake_min=0), "bad_limits"),
        (1, TableTerms("roulette", stake_min=10, stake_max=9), "bad_limits"),
        (1, TableTerms("roulette", exposure_max=2**70), "bad_limits"),
        (1, TableTerms("roulette", abandoned_ms=-1), "bad_limits"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_invalid_settings_of_a_table_are_refused(number, terms, code):
    with pytest.raises(Problem) as caught:
        operators.check_table(number, terms)

    assert caught.value.reason == code


# How things stand.


def test_counts_add_up_to_the_chips_handed_out(office, olga, ann):
    session = office.start(ann)
    office.move(ann, session, act("place", bet="red", stake=70))
    found = office.do(operators.counts, olga)

    assert (found.chips_handed_out, found.chips_open, found.chips_of_the_house) == (2000, 70, 0)
    assert found.chips_of_players == 1930
    assert found.movements == 3
    office.store.read(lambda tx: check_ledger(tx.house(), thorough=True))


def test_looking_at_an_account_shows_no_secret_and_no_limit(office, olga, ann):
    office.do(accounts.set_limits, ann, 77, None, 0)
    found = office.do(operators.look_at_account, olga, ann.id)

    assert (found.name, found.purse.chips) == ("Ann", 1000)
    assert "77" not in repr(found)
    assert ann.account.recovery_hash not in repr(found)


# Over HTTP: everything stops for everybody but operators.


def test_while_everything_is_stopped_people_may_look_and_operators_go_on(site):
    ann, olga = site.person(), site.operator()
    session = site.session(ann, ROULETTE)
    olga.post("/operator/freeze", {"frozen": True, "why": "moving"})

    assert ann.get("/me")["name"] == "Ann"
    assert ann.refused("POST", "/commitments") == (423, "frozen")
    assert ann.refused("PATCH", "/me", {"name": "X"}) == (423, "frozen")
    assert site.nobody.refused("POST", "/accounts", {"name": "Bob"}) == (423, "frozen")
    body = {"id": "1", "expected_version": 0, "action": {"type": "place", "payload": {"bet": "red", "stake": 1}}}
    assert ann.refused("POST", f"/sessions/{session['session_id']}/moves", body) == (423, "frozen")
    assert olga.get("/operator/counts")["is_frozen"] is True
    olga.post("/operator/freeze", {"frozen": False})
    assert ann.post(f"/sessions/{session['session_id']}/moves", body)["version"] == 1


def test_a_table_is_checked_before_it_is_set(site):
    olga = site.operator()
    good = {"game": "roulette", "stake_min": 5, "stake_max": 50}

    assert olga.refused("PUT", "/operator/tables/6", {**good, "stake_min": 51}) == (400, "bad_limits")
    assert olga.refused("PUT", "/operator/tables/x", good) == (404, "not_found")
    tables = olga.good(olga.ask("PUT", "/operator/tables/6", good))
    assert [table["stake_max"] for table in tables if table["id"] == 6] == [50]
    assert [entry["what"] for entry in olga.get("/operator/audit")] == ["set table", "operator made"]
    olga.good(olga.ask("DELETE", "/operator/tables/6"))
    assert [table["stake_max"] for table in site.nobody.get("/tables") if table["id"] == 6] == [10_000]
