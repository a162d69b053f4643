"""Accounts: sign-up by name, tokens, recovery keys, self-imposed limits, export, deletion."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor, wait
from hashlib import sha256
from itertools import count

import pytest
from msgspec.structs import replace

from croupier.engine import act
from croupier.house import check_ledger
from croupier.server.operations import accounts, commitments, purses, room_views, rooms, sessions
from croupier.server.operations.context import Caller
from croupier.server.operations.player_limits import limits_now
from croupier.server.problems import Problem
from croupier.server.settings import Settings
from croupier.store.model import Limits
from croupier.store.transaction import Transaction
from croupier.wire.rooms import NewRoom

DAY = 86_400_000
BASE64 = re.compile(r"[A-Za-z0-9_-]{43}")  # 43 characters of 6 bits: 256 bits and 2 to spare


def caller_of(office, made):
    return office.do(accounts.authenticate, made.token)


# Coming in.


def test_a_name_is_enough_and_the_secrets_have_256_bits(office):
    made = office.do(accounts.register, "Ann")

    assert made.account.name == "Ann"
    assert made.account.role == "player"
    assert re.fullmatch(r"p_[0-9a-hjkmnp-tv-z]{20}", made.account.id)
    assert BASE64.fullmatch(made.token)
    assert BASE64.fullmatch(made.recovery_key)
    assert made.token != made.recovery_key
    assert made.account.house.chips == 1000


def test_the_store_has_the_hash_of_a_token_and_not_the_token(office):
    made = office.do(accounts.register, "Ann")
    token_hash, name = sha256(made.token.encode()).hexdigest(), made.account.id

    assert office.store.read(lambda tx: tx.find_token(token_hash)).account == name
    kept = office.store.read(lambda tx: (tx.tokens_of(name), tx.get_account(name)))
    dump = (*kept, office.store.read(lambda tx: (tx.audits(), tx.find_reply(name, ""))))
    assert made.token not in repr(dump)
    assert made.recovery_key not in repr(dump)


def test_a_token_lets_its_account_in_until_it_runs_out(office):
    made = office.do(accounts.register, "Ann")

    office.now += 90 * DAY - 1
    assert caller_of(office, made).id == made.account.id
    office.now += 1
    assert office.refusal(accounts.authenticate, made.token) == "bad_token"


def test_other_texts_and_the_hash_of_a_token_let_nobody_in(office):
    made = office.do(accounts.register, "Ann")

    for token in ("", "x", "\ud800", "0" * 64, "ticket:0", sha256(made.token.encode()).hexdigest()):
        assert office.refusal(accounts.authenticate, token) == "bad_token"
    assert office.do(accounts.authenticate, None) == Caller()


@pytest.mark.parametrize("name", ["", " ", " Ann", "Ann ", "a\nb", "a\x00b", "x" * 33, "\u200b", "\ud800", "a\u202eb"])
def test_names_are_1_to_32_visible_characters(office, name):
    assert office.refusal(accounts.register, name) == "bad_name"


def test_names_may_be_in_any_script_and_are_normalized_but_not_unique(office):
    made = [office.do(accounts.register, name) for name in ("x", "x" * 32, "王小明", "O'Neill & Söhne", "🎲", "Zoë")]
    again = office.do(accounts.register, "Zoe\u0308")

    assert [one.account.name for one in made] == ["x", "x" * 32, "王小明", "O'Neill & Söhne", "🎲", "Zoë"]
    assert again.account.name == "Zoë"
    assert again.account.id != made[-1].account.id


# Getting back in.


def test_the_recovery_key_brings_a_new_token_again_and_again(office):
    made = office.do(accounts.register, "Ann")
    first = office.do(accounts.recover, made.recovery_key)
    second = office.do(accounts.recover, made.recovery_key)  # the answer to the first was lost

    assert len({made.token, first.token, second.token}) == 3
    assert office.do(accounts.authenticate, second.token).id == made.account.id
    for token in (made.token, first.token):  # one of them was lost
        assert office.refusal(accounts.authenticate, token) == "bad_token"


def test_a_new_recovery_key_takes_the_place_of_the_old_one(office):
    made = office.do(accounts.register, "Ann")
    ann, bob = caller_of(office, made), office.do(accounts.register, "Bob")
    for wrong in ("", "x", bob.recovery_key):  # a stolen token does not lock its owner out
        assert office.refusal(accounts.new_recovery_key, ann, wrong) == "bad_token"
    new = office.do(accounts.new_recovery_key, ann, made.recovery_key)

    for unknown in ("", "x", "0" * 43, made.recovery_key):
        assert office.refusal(accounts.recover, unknown) == "bad_token"
    assert office.do(accounts.recover, new.recovery_key).account_id == made.account.id


# Tokens.


def test_tokens_are_listed_without_what_they_are_and_dropped_by_their_id(office):
    made = office.do(accounts.register, "Ann", "laptop")
    ann = caller_of(office, made)
    office.now += 1
    phone = office.do(accounts.new_token, ann, "phone")
    listed = office.do(accounts.list_tokens, ann)

    assert {(token.label, token.is_this) for token in listed} == {("laptop", True), ("phone", False)}
    assert phone.token not in repr(listed)
    (phone_id,) = [token.id for token in listed if token.label == "phone"]
    left = office.do(accounts.drop_token, ann, phone_id)
    assert [token.label for token in left] == ["laptop"]
    assert office.refusal(accounts.authenticate, phone.token) == "bad_token"
    (anothers,) = office.do(accounts.list_tokens, office.guest("Bob"))
    assert office.refusal(accounts.drop_token, ann, anothers.id) == "not_found"


def test_of_more_than_twenty_tokens_the_oldest_goes(office):
    made = office.do(accounts.register, "Ann")
    ann = caller_of(office, made)
    tokens = []
    for _ in range(20):
        office.now += 1
        tokens.append(office.do(accounts.new_token, ann).token)

    assert office.refusal(accounts.authenticate, made.token) == "bad_token"
    assert all(office.do(accounts.authenticate, token).id == made.account.id for token in tokens)


# Limits of one's own.


def test_a_tighter_limit_holds_at_once_and_a_looser_one_a_day_later(office, ann):
    set_at_first = office.do(accounts.set_limits, ann, 500, 60, 0).limits
    assert (set_at_first.loss_day, set_at_first.minutes_day, set_at_first.later_at) == (500, 60, None)

    looser = office.do(accounts.set_limits, ann, 800, 30, 0).limits
    assert (looser.loss_day, looser.minutes_day) == (500, 30)
    assert (looser.later_at, looser.later_loss_day, looser.later_minutes_day) == (office.now + DAY, 800, 30)

    office.now += DAY - 1
    assert office.do(accounts.me, ann).limits.loss_day == 500
    office.now += 1
    later = office.do(accounts.me, ann).limits
    assert (later.loss_day, later.minutes_day, later.later_at) == (800, 30, None)


@pytest.mark.parametrize(
    ("limits", "days", "holds"),
    [([100, None], 0, 100), ([100, None], 1, None), ([100, 1000, 100], 2, 100)],
    ids=["taken away", "a day later", "thought better of"],
)
def test_a_tight_limit_holds_for_a_day_after_it_was_loosened(office, ann, limits, days, holds):
    for loss_day in limits:
        office.do(accounts.set_limits, ann, loss_day, None, 0)
    office.now += days * DAY

    assert office.do(accounts.me, ann).limits.loss_day == holds


def test_an_exclusion_can_be_made_longer_and_not_shorter(office, ann):
    until = office.now + 7 * DAY
    office.do(accounts.set_limits, ann, None, None, until)

    assert office.refusal(accounts.set_limits, ann, None, None, until - 1) == "bad_limits"
    with pytest.raises(Problem, match="until 22 January 2027, 08:00 UTC: that stands"):
        office.do(accounts.set_limits, ann, None, None, 0)
    assert office.do(accounts.set_limits, ann, 5, None).limits.excluded_until == until  # it can be left out
    assert office.do(accounts.set_limits, ann, None, None, until + 1).limits.excluded_until == until + 1
    office.now = until + 1
    assert office.do(accounts.set_limits, ann, None, None, 0).limits.excluded_until == 0


@pytest.mark.parametrize(
    ("name", "values", "text"),
    [
        ("loss_day", (-1, 2**63, 1.5), "from 0 to 2^63 - 1"),
        ("minutes_day", (-1, 1441, "1"), "from 0 to 1440"),
        ("excluded_until", (-1, 2**53, 2**53 + 1, "x"), "within ten years"),
    ],
)
def test_limits_out_of_range_are_refused_with_the_range(site, name, values, text):
    ann = site.person()
    for value in values:
        answer = ann.ask("PUT", "/me/limits", {name: value}).json()
        assert answer["code"] == "bad_limits"
        assert answer["detail"].startswith(f"{name} is ")
        assert text in answer["detail"]


def test_limits_now_follow_the_day_that_was_set():
    limits = Limits(100, 10, later=(1000, None, 20))

    assert limits_now(limits, 999) == (100, 10)
    assert limits_now(limits, 1000) == (None, 20)


# Everything about somebody, and nothing any more.


def played(office, ann):
    """Let somebody play a session and leave another open, and take two seats."""
    place, spin = act("place", bet="red", stake=50), act("spin")
    office.move(ann, office.start(ann), place, spin)
    office.move(ann, office.start(ann), place)
    waiting = office.do(rooms.create_room, ann, NewRoom("shut-the-box", seats=2))
    running = office.begin(ann, NewRoom("shut-the-box", bots=("random",)))
    return waiting, running


def test_an_export_holds_sessions_movements_rooms_and_tokens(office):
    ann = caller_of(office, office.do(accounts.register, "Ann", "laptop"))
    waiting, running = played(office, ann)
    found = office.do(accounts.export_account, ann)

    assert found.account.name == "Ann"
    assert [token.label for token in found.tokens] == ["laptop"]
    assert {room.id for room in found.rooms} == {waiting.id, running.id}
    assert [session.is_complete for session in found.sessions] == [False, True]
    reasons = [movement.reason for movement in found.ledger]
    assert reasons.count("stake") == 2
    assert reasons[-1] == "welcome"


def test_an_export_goes_on_past_one_page(make_office):
    office = make_office(settings=Settings(sessions_each=200))
    ann = caller_of(office, office.do(accounts.register, "Ann"))
    for _ in range(101):
        office.start(ann)

    assert len({session.session_id for session in office.do(accounts.export_account, ann).sessions}) == 101


def test_a_deleted_account_has_left_its_seats_closed_its_sessions_and_lost_its_name(office):
    made = office.do(accounts.register, "Ann")
    ann = caller_of(office, made)
    waiting, running = played(office, ann)
    chips_moved = len(office.do(accounts.export_account, ann).ledger)
    gone = office.do(accounts.delete_account, ann)

    assert gone.closed_at == office.now
    kept = office.store.read(lambda tx: tx.get_account(ann.id))
    assert (kept.name, kept.recovery_hash, kept.closed_at) == ("", "", office.now)
    assert office.refusal(accounts.authenticate, made.token) == "bad_token"
    assert office.refusal(accounts.recover, made.recovery_key) == "bad_token"
    rooms_left = [office.store.read(lambda tx, i=room.id: tx.get_room(i)) for room in (waiting, running)]
    assert all(room_views.seat_of(room, ann.id) is None for room in rooms_left)
    assert "Ann" not in repr(rooms_left)
    sessions = office.store.read(lambda tx: tx.sessions_of(ann.id))
    assert [row.is_complete for row in sessions] == [True, True]
    movements = office.store.read(lambda tx: tx.movements(f"player/{ann.id}", limit=100))
    assert len(movements) >= chips_moved
    office.store.read(lambda tx: check_ledger(tx.house(), thorough=True))


def test_a_deleted_account_that_sat_down_during_a_match_is_named_nowhere(office):
    ann, bob, zed = office.guest("Ann"), office.guest("Bob"), office.guest("Zedsecretname")
    room = office.begin(ann, NewRoom("craps-table", seats=2), bob)
    office.do(rooms.leave_room, bob, room.id)
    assert "Zedsecretname" in repr(office.do(rooms.join_room, zed, room.id).seats)
    office.do(accounts.delete_account, zed)

    for look in (room_views.find_room, room_views.read_log):
        seen = repr(office.do(look, ann, room.id))
        assert zed.id in seen
        assert "Zedsecretname" not in seen


def test_the_leaderboard_has_ten_accounts_none_of_them_deleted(office):
    first, *others = (office.guest(f"guest {number}") for number in range(11))
    office.do(purses.deposit, first, 5)
    assert office.do(purses.leaderboard)[0].account_id == first.id
    office.do(accounts.delete_account, first)

    assert {leader.account_id for leader in office.do(purses.leaderboard)} == {other.id for other in others}


def test_an_account_that_is_frozen_cannot_be_deleted_and_one_that_is_deleted_cannot_be_used(office, ann):
    stopped = Caller(replace(ann.account, frozen=True))
    assert office.refusal(accounts.delete_account, stopped) == "account_frozen"
    number = office.do(commitments.commit, ann).session_id
    office.do(accounts.delete_account, ann)

    for operation in (accounts.me, accounts.delete_account, accounts.export_account):
        assert office.refusal(operation, ann) == "account_closed"
    assert office.refusal(accounts.new_recovery_key, ann, "x") == "account_closed"
    assert office.refusal(sessions.start, ann, number, 6) == "account_closed", "it was deleted in another process"


def test_a_recovery_leaves_no_token_that_a_thief_asks_another_process_for(make_office, postgres, monkeypatch):
    url = postgres.new_database()
    here, there = make_office(url), make_office(url)
    made, usual = here.do(accounts.register, "Ann"), Transaction.tokens_of
    ann, there.numbers = caller_of(here, made), count(1_000)

    def listed(tx, account_id):
        found = usual(tx, account_id)
        monkeypatch.undo()
        wait([pool.submit(here.do, accounts.new_token, ann)], 0.5)
        return found

    with ThreadPoolExecutor(1) as pool:
        monkeypatch.setattr(Transaction, "tokens_of", listed)
        there.do(accounts.recover, made.recovery_key)
    assert len(here.store.read(lambda tx: tx.tokens_of(ann.id))) == 1


def test_an_account_is_deleted_while_another_process_closes_its_session(make_office, postgres, monkeypatch):
    url = postgres.new_database()
    here, there = make_office(url), make_office(url)
    ann, usual = here.guest("Ann"), Transaction.open_sessions
    session = here.start(ann)

    def listed(*asked):
        found = usual(*asked)
        monkeypatch.undo()
        here.do(sessions.close_session, ann, session.session_id)
        return found

    monkeypatch.setattr(Transaction, "open_sessions", listed)
    assert there.do(accounts.delete_account, ann).id == ann.id


def test_a_ticket_is_good_once_where_two_processes_are_shown_it(make_office, postgres, monkeypatch):
    url = postgres.new_database()
    here, there = make_office(url), make_office(url)
    ticket, usual = here.do(accounts.issue_ticket, here.guest()).ticket, Transaction.find_token

    def found(*asked):
        token = usual(*asked)
        monkeypatch.undo()
        here.do(accounts.redeem_ticket, ticket)
        return token

    monkeypatch.setattr(Transaction, "find_token", found)
    assert there.refusal(accounts.redeem_ticket, ticket) == "bad_token"


# Over HTTP.


def test_the_whole_life_of_an_account(site):
    ann = site.person("Ann")
    assert ann.get("/me")["name"] == "Ann"
    assert ann.good(ann.ask("PATCH", "/me", {"name": "Anna"}))["name"] == "Anna"
    phone = ann.post("/me/tokens", {"label": "phone"})
    assert len(ann.get("/me/tokens")) == 2

    lost = ann.token
    ann.token = site.nobody.post("/recoveries", {"recovery_key": ann.recovery_key})["token"]
    for token in ann.get("/me/tokens"):
        if not token["is_this"]:
            ann.good(ann.ask("DELETE", f"/me/tokens/{token['id']}"))
    for old in (lost, phone["token"]):
        site.nobody.token = old
        assert site.nobody.refused("GET", "/me") == (401, "bad_token")
    site.nobody.token = ""

    limits = {"loss_day": 100, "minutes_day": None, "excluded_until": 0}
    assert ann.good(ann.ask("PUT", "/me/limits", limits))["limits"]["loss_day"] == 100
    assert ann.post("/me/deposits", {"amount": 500})["chips"] == 1500
    assert ann.refused("POST", "/me/deposits", {"amount": 500}) == (422, "deposit_too_soon")
    assert ann.post("/me/modifiers", {"modifier": "shield"})["armed_shield"] is True
    session = site.session(ann, 6)
    assert session["has_shield"] is True
    session = site.move(ann, session, {"type": "place", "payload": {"bet": "red", "stake": 100}})
    session = site.move(ann, session, {"type": "spin"})
    assert session["is_complete"] is True
    assert [row["session_id"] for row in ann.get("/me/sessions")] == [session["session_id"]]
    reasons = [row["reason"] for row in ann.get("/me/ledger")]
    assert reasons[-3:] == ["stake", "deposit", "welcome"]
    assert [row["number"] for row in ann.get("/me/ledger?limit=1")] == [ann.get("/me/ledger")[0]["number"]]

    export = ann.get("/me/export")
    assert export["account"]["name"] == "Anna"
    assert len(export["sessions"]) == 1
    ann.good(ann.ask("DELETE", "/me"))
    assert ann.refused("GET", "/me") == (401, "bad_token")
    board = {row["account_id"]: row["name"] for row in site.nobody.get("/leaderboard")}
    assert board.get(ann.id, "") == ""
