"""Rooms: create, join, ready and open, play, undo by consent, time-outs, rematch; and everything that is refused."""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Any

import pytest

from croupier.bots import find_bot
from croupier.bots.choosing import pick_bot_action
from croupier.engine import Action, act, get_game, verify
from croupier.server.operations import accounts, actions, room_bots, room_views, rooms
from croupier.server.operations.context import CODE_CHARACTERS, Caller
from croupier.server.problems import Problem
from croupier.server.settings import Settings
from croupier.store.matches import player_id_of, start_of
from croupier.wire.rooms import NewRoom
from tests.unit.fairness.by_hand import lp
from tests.unit.server.starting import begin, make_ready, secret_of

BOX = NewRoom("shut-the-box", seats=2)


@pytest.fixture
def ann(office):
    return office.person("ann")


@pytest.fixture
def bob(office):
    return office.person("bob")


@pytest.fixture
def box_id(office, ann, bob):
    """The room in which Ann and Bob are in a match."""
    room = office.do(rooms.create_room, ann, BOX)
    room = office.do(rooms.join_room, bob, room.code.lower())
    return begin(office.do, room, (ann, bob)).id


def ready_at_a_box(office, *names: str, opened: tuple[int, ...] = ()) -> tuple[list[Caller], Any]:
    """Return people at one box who are all ready, and the room as it was made; some seats have opened."""
    people = [office.person(name) for name in names]
    made = room = office.do(rooms.create_room, people[0], NewRoom("shut-the-box", seats=len(people)))
    for who in people[1:]:
        room = office.do(rooms.join_room, who, room.id)
    for who in people:
        make_ready(office.do, room, who)
    for seat in opened:
        office.do(rooms.open_seat, people[seat], room.id, secret_of(seat))
    return people, made


# Making and joining.


def test_a_room_commits_to_its_seed_when_it_is_made_and_keeps_it_to_itself(office, ann):
    room = office.do(rooms.create_room, ann, BOX)

    assert (room.status, room.server_seed, len(room.commitment)) == ("open", None, 64)
    assert len(room.code) == 6
    assert set(room.code) <= set(CODE_CHARACTERS)
    assert [(seat.name, seat.ready, seat.commitment) for seat in room.seats] == [("ann", False, "")]
    assert room.view is None


def test_a_match_begins_when_everybody_is_ready_and_has_opened(office, ann, bob):
    room = office.do(rooms.create_room, ann, BOX)
    joined = office.do(rooms.join_room, bob, room.id)
    assert (joined.status, joined.seats_digest) == ("open", "")
    make_ready(office.do, joined, ann)
    ready = make_ready(office.do, joined, bob)
    assert (ready.status, ready.deadline, ready.view) == ("opening", office.now + 10_000, None)

    opened = office.do(rooms.open_seat, bob, room.id, secret_of(1))
    assert (opened.status, [seat.secret for seat in opened.seats]) == ("opening", ["", ""])
    begun = office.do(rooms.open_seat, ann, room.id, secret_of(0))

    assert (begun.status, begun.version, begun.seat) == ("active", 0, 0)
    assert [player.id for player in begun.view.players] == ["p_ann", "p_bob"]
    assert [seat.name for seat in begun.seats] == ["ann", "bob"]
    assert [seat.secret for seat in begun.seats] == [secret_of(0), secret_of(1)]


def test_the_seed_of_a_room_is_made_of_everybodys_secret_as_it_is_published(office, ann, box_id):
    room = office.do(room_views.find_room, ann, box_id)
    stored = office.store.read(lambda tx: tx.get_room(box_id))

    head = lp(b"croupier/seats/2", bytes.fromhex(room.commitment), bytes.fromhex(room.table_digest))
    seats = b"".join(lp(seat.player_id.encode(), bytes.fromhex(seat.commitment)) for seat in room.seats)
    fixed = sha256(head + room.session_id.to_bytes(8, "big") + seats).digest()
    assert room.seats_digest == fixed.hex()
    secrets = [bytes.fromhex(secret_of(seat)) for seat in (0, 1)]
    seed = hmac.digest(bytes.fromhex(stored.server_seed), lp(b"croupier/room/2", fixed, *secrets), "sha256")
    assert start_of(stored).rng_state.seed == seed.hex()


def test_ready_takes_the_hash_of_a_secret_and_nothing_else(office, ann):
    room = office.do(rooms.create_room, ann, BOX)

    for ready, commitment in ((True, ""), (True, "ab"), (False, "ab" * 32)):
        assert office.refusal(rooms.set_ready, ann, room.id, ready, commitment) == "bad_commitment"
    assert office.refusal(rooms.open_seat, ann, room.id, secret_of(0)) == "not_opening"


def test_a_secret_that_is_not_the_one_sent_opens_nothing(office):
    (ann, _), room = ready_at_a_box(office, "ann", "bob")

    assert office.refusal(rooms.open_seat, ann, room.id, secret_of(1)) == "wrong_secret"
    assert office.refusal(rooms.open_seat, office.person("eve"), room.id, secret_of(0)) == "not_seated"
    assert office.refusal(rooms.join_room, office.person("eve"), room.id) == "seats_opening"
    assert office.refusal(rooms.leave_room, ann, room.id) == "seats_opening"
    assert office.refusal(rooms.set_ready, ann, room.id, False) == "seats_opening"
    office.do(rooms.open_seat, ann, room.id, secret_of(0))
    assert office.do(rooms.open_seat, ann, room.id, secret_of(0)).status == "opening"  # sent again


def test_one_of_two_players_who_does_not_open_has_left_before_the_first_move(office):
    (ann, _), room = ready_at_a_box(office, "ann", "bob", opened=(0,))
    assert office.do(rooms.time_up, room.id) is None  # not yet
    office.now += 10_000

    begun = office.do(rooms.time_up, room.id)

    assert (begun.status, [seat.left for seat in begun.seats]) == ("active", [False, True])
    assert office.do(room_views.find_room, ann, room.id).view.turn.order == ("p_ann",)
    over = office.play_on(room.id)
    found = verify(office.do(room_views.read_record, ann, over.id))
    assert found.ok, found.problem
    assert [check.text for check in found.checks if check.name == "seats"] == [
        "seat 1 did not open; a host in league with it could choose between two seeds"
    ]


@pytest.mark.parametrize("opening", [(2,), (1, 2)])
def test_a_start_that_somebody_does_not_open_is_void_and_the_second_closes_the_room(office, opening):
    people, first = ready_at_a_box(office, "ann", "bob", "cat", opened=opening)
    office.now += 10_000

    void = office.do(rooms.time_up, first.id)

    here, gone = [people[seat] for seat in opening], [people[seat] for seat in range(3) if seat not in opening]
    assert void.status == "open"
    assert [(seat.account, seat.ready, seat.secret) for seat in void.seats] == [(who.id, False, "") for who in here]
    assert void.host == here[0].id
    assert void.commitment != first.commitment
    assert [(one.commitment, one.missing) for one in void.voids] == [(first.commitment, tuple(w.id for w in gone))]
    for who in gone:
        room = office.do(rooms.join_room, who, first.id)
    for who in (*here, *gone):
        room = make_ready(office.do, room, who)
    office.now += 10_000
    assert office.do(rooms.time_up, room.id).status == "closed"
    closed = office.do(room_views.find_room, people[0], room.id)
    assert len(closed.voids) == 2
    assert closed.server_seed is not None  # every commitment is opened in the end


def test_a_record_tells_of_the_start_that_was_void(office):
    (ann, bob, cat), room = ready_at_a_box(office, "ann", "bob", "cat", opened=(0, 1))
    office.now += 10_000
    office.do(rooms.time_up, room.id)
    room = begin(office.do, office.do(rooms.join_room, cat, room.id), (ann, bob, cat))
    over = office.play_on(room.id)

    found = verify(office.do(room_views.read_record, ann, over.id))

    assert found.ok, found.problem
    assert [check.text for check in found.checks if check.name == "void"] == [
        "a start was void because p_cat did not open; a host in league with them could choose between two seeds"
    ]


def test_codes_have_no_characters_that_look_alike():
    alike = [set("0OQD"), set("1IL"), set("5S"), set("2Z"), set("8B"), set("UV"), set("6G")]

    assert all(len(group & set(CODE_CHARACTERS)) <= 2 for group in alike)
    assert not set("0O1IL5S2Z8BUV") & set(CODE_CHARACTERS)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (NewRoom("chess"), "no_such_game"),
        (NewRoom("roulette"), "bad_request"),
        (NewRoom("shut-the-box", options={"tile_count": 99}), "bad_request"),
        (NewRoom("shut-the-box", options={"colour": "red"}), "bad_request"),
        (NewRoom("shut-the-box", seats=9), "bad_request"),
        (NewRoom("lanes", seats=1), "bad_request"),
        (NewRoom("lanes", bots=("nobody",)), "no_bots"),
        (NewRoom("lanes", turn_ms=5), "bad_request"),
    ],
)
def test_an_impossible_room_is_refused(office, ann, body, code):
    assert office.refusal(rooms.create_room, ann, body) == code


def test_nobody_sits_twice_or_where_there_is_no_seat(office, ann, bob, box_id):
    assert office.refusal(rooms.join_room, bob, box_id) == "already_seated"
    assert office.refusal(rooms.join_room, office.person("cat"), box_id) == "room_full"
    assert office.refusal(rooms.join_room, ann, "m_nowhere") == "no_such_room"


def test_leaving_before_the_match_frees_the_seat_makes_others_ready_anew_and_at_last_closes_the_room(office, ann, bob):
    """Seats have numbers, which the hash of a secret is made with: whoever was ready is ready no longer."""
    room = office.do(rooms.join_room, bob, office.do(rooms.create_room, ann, NewRoom("shut-the-box", seats=3)).id)
    make_ready(office.do, room, bob)

    left = office.do(rooms.leave_room, ann, room.id)
    assert (left.host, [seat.name for seat in left.seats]) == ("p_bob", ["bob"])
    assert [(seat.player_id, seat.ready, seat.commitment) for seat in left.seats] == [("p_bob", False, "")]
    assert office.do(rooms.leave_room, bob, room.id).status == "closed"
    assert office.refusal(rooms.join_room, ann, room.id) == "finished"


def test_rooms_are_counted_whatever_was_opened_or_left_between(office, ann, bob):
    """A closed room among the newest hid all the others: 362 were open at a time."""
    for _ in range(60):
        try:
            last = office.do(rooms.create_room, ann, BOX).id
        except Problem:
            office.do(rooms.leave_room, ann, last)
        office.now += 1
    mine = office.do(lambda call: call.tx.live_rooms_of("p_ann", 1_000))
    assert office.cache.settings.rooms_each - 1 <= len(mine) <= office.cache.settings.rooms_each
    for _ in range(office.cache.settings.rooms_each - len(mine)):
        office.do(rooms.create_room, ann, BOX)
    assert office.refusal(rooms.create_room, ann, BOX) == "too_many_rooms"
    others = office.do(rooms.create_room, bob, BOX)
    assert office.refusal(rooms.join_room, ann, others.id) == "too_many_rooms"
    office.do(rooms.leave_room, ann, mine[0].id)
    assert office.do(rooms.join_room, ann, others.id).seat == 1


def test_rooms_are_listed_newest_first_unless_they_are_not_to_be(office, ann):
    made = []
    for index in range(5):
        office.now += 1
        made.append(office.do(rooms.create_room, ann, NewRoom("shut-the-box", seats=2, is_listed=index != 2)).id)

    first = office.do(room_views.list_rooms, "shut-the-box", "", 2)
    second = office.do(room_views.list_rooms, "shut-the-box", first[-1].id, 10)
    assert [room.id for room in (*first, *second)] == [made[4], made[3], made[1], made[0]]
    assert office.do(room_views.list_rooms, "lanes", "", 10) == ()
    assert [room.id for room in office.do(room_views.my_rooms, ann, "", 10)] == made[::-1]


# Playing.


def test_an_action_is_taken_from_whom_it_concerns_at_the_version_they_saw(office, ann, bob, box_id):
    assert office.refusal(actions.act, bob, box_id, 0, act("roll")) == "not_your_turn"
    assert office.refusal(actions.act, ann, box_id, 1, act("roll")) == "stale_version"
    assert office.refusal(actions.act, office.person("cat"), box_id, 0, act("roll")) == "not_seated"
    assert office.refusal(actions.act, ann, box_id, 0, Action("roll", {}, "p_bob")) == "forbidden"
    assert office.refusal(actions.act, ann, box_id, 0, act("time_out")) == "forbidden"
    assert office.refusal(actions.act, ann, box_id, 0, act("roll", dice=(6, 6))) == "bad_payload"
    assert office.refusal(actions.act, Caller(), box_id, 0, act("roll")) == "no_token"

    office.do(actions.act, ann, box_id, 0, act("roll"))
    assert office.notices == {box_id: 1}
    rolled = office.do(room_views.find_room, ann, box_id)
    assert (rolled.version, rolled.view.turn.phase) == (1, "shut")


def test_a_match_is_played_to_its_end_and_its_record_verifies(office, ann, box_id):
    assert office.refusal(room_views.read_record, ann, box_id) == "not_finished"

    room = office.play_on(box_id)

    assert room.status == "finished"
    assert room.server_seed is not None
    verdict = verify(office.do(room_views.read_record, Caller(), box_id))
    assert verdict.ok, verdict.problem
    names = ["form", "rules", "commitment", "seed", "receipt", "moves", "seal"]
    assert [check.name for check in verdict.checks] == names
    assert office.refusal(actions.act, ann, box_id, room.version, act("roll")) == "finished"


@pytest.mark.parametrize("every", [1, 7])
def test_a_server_that_restarts_goes_on_where_it_was(office, ann, box_id, every):
    """A twin that never restarts comes to the same record, but for the id of the room and what follows from it."""
    for number in range(400):
        if number % every == 0:
            office.restart()
        if office.play_on(box_id, 1).status != "active":
            break

    assert verify(office.do(room_views.read_record, ann, box_id)).ok


def test_a_match_longer_than_a_snapshot_is_read_back(office, ann, bob, monkeypatch):
    monkeypatch.setattr("croupier.server.operations.context.SNAPSHOT_EVERY", 4)
    room_id = office.begin(ann, NewRoom("shut-the-box", {"rounds": 3}, seats=2), bob).id
    office.play_on(room_id, 11)
    before = office.do(room_views.find_room, Caller(), room_id)
    assert before.version == 11
    office.restart()

    after = office.do(room_views.find_room, Caller(), room_id)

    assert after == before


def test_the_log_is_read_from_a_version_on_and_hides_what_others_may_not_read(office, bob, box_id):
    office.play_on(box_id, 5)

    page = office.do(room_views.read_log, bob, box_id, 3)

    assert [entry.version for entry in page.entries] == [4, 5]
    assert page.version == 5
    assert all(entry.seed is None for entry in page.entries)


def test_a_spectator_sees_no_room_that_allows_none(office, ann, bob):
    room = office.begin(ann, NewRoom("lanes", allows_spectators=False), bob)

    assert office.do(room_views.find_room, ann, room.id).view.viewer == "p_ann"
    for nobody in (Caller(), office.person("cat")):
        for operation in (room_views.find_room, room_views.read_record):
            assert office.refusal(operation, nobody, room.id) == "no_such_room"
        assert office.refusal(room_views.read_log, nobody, room.id, 0) == "no_such_room"


def test_hands_are_seen_by_their_owners_alone(office, ann, bob):
    room = office.begin(ann, NewRoom("lanes"), bob)
    views = [office.do(room_views.find_room, who, room.id).view for who in (ann, bob, Caller())]

    assert [view.viewer for view in views] == ["p_ann", "p_bob", None]
    assert len({str(view.game) for view in views}) == 3


def test_a_frozen_account_may_look_and_not_act(office, box_id):
    cold = office.person("ann", frozen=True)

    assert office.refusal(actions.act, cold, box_id, 0, act("roll")) == "account_frozen"
    assert office.do(room_views.find_room, cold, box_id).seat == 0


# Leaving, clocks, bots.


def test_a_player_who_leaves_a_match_cannot_come_back_to_the_seat(office, ann, bob):
    room = office.begin(ann, NewRoom("shut-the-box", seats=2), bob)

    left = office.do(rooms.leave_room, bob, room.id)

    assert left.seats[1].left
    assert left.view.turn.order == ("p_ann",)
    assert office.refusal(actions.act, bob, room.id, left.version, act("roll")) == "not_seated"


def test_a_turn_that_takes_too_long_is_made_and_the_third_time_the_seat_is_given_up(office, ann, bob):
    """Of some matches: the dice follow from the rules' digest, and a match may be over before anybody is out of it."""
    given_up = 0
    for _ in range(20):
        room = office.begin(ann, NewRoom("shut-the-box", seats=2, turn_ms=1_000), bob)
        assert room.deadline == office.now + 1_000

        assert office.do(rooms.time_up, room.id) is None  # not yet
        after, acted = room, []
        while after.status == "active" and not any(seat.left for seat in after.seats):
            office.now += 1_000
            assert [due.id for due in office.do(lambda call: call.tx.due_rooms(call.now))] == [room.id]
            after = office.do(rooms.time_up, room.id)
            acted = [event.body["action"] for event in office.store.read(lambda tx, room=room: tx.events(room.id))]
            assert after.version == len(acted) <= 8  # two turns of three, at the most, and two that leave
        if any(seat.left for seat in after.seats):
            given_up += 1
            gone = acted[-1]["player_id"]
            assert [action["type"] for action in acted if action["player_id"] == gone] == ["time_out"] * 3 + ["leave"]
        else:
            assert all(action["type"] == "time_out" for action in acted)
        for number, person in enumerate((ann, bob)):  # so that the next can begin
            seen = office.do(room_views.find_room, person, room.id)
            if seen.status == "active" and not seen.seats[number].left:
                office.do(rooms.leave_room, person, room.id)
    assert given_up > 0


def test_who_is_away_from_bets_that_stay_up_is_played_out(office, ann):
    """The game does not let the last player go before the hand is over: it is rolled out for them."""
    room = office.begin(ann, NewRoom("craps-table", seats=1, turn_ms=1_000))
    for version, action in enumerate((act("buy_in", chips=500), act("place", bet="fire", stake=5))):
        office.do(actions.act, ann, room.id, version, action)
    for _ in range(200):  # rolls of one hand: more come once in 10^9
        office.now += 1_000
        after = office.do(rooms.time_up, room.id)
        if after.status != "active":
            break
    assert after.status == "finished"


def test_a_bot_sits_down_and_plays(office, ann):
    room = office.begin(ann, NewRoom("shut-the-box", seats=2, bots=("random",)))
    assert [seat.bot for seat in room.seats] == ["", "random"]
    assert room.status == "active"

    for _ in range(200):
        turn = office.do(room_bots.bot_turn, room.id)
        if turn is None:
            room = office.play_on(room.id, 1)
        else:
            game = get_game(turn.game_id)
            action = pick_bot_action(game, turn.match, find_bot(game, turn.bot), turn.player_id, turn.seed)
            assert office.do(room_bots.bot_acts, room.id, turn.version - 1, action) is None  # it has moved on
            office.do(room_bots.bot_acts, room.id, turn.version, action)
        room = office.do(room_views.find_room, ann, room.id)
        if room.status == "finished":
            break

    assert room.status == "finished"
    assert verify(office.do(room_views.read_record, ann, room.id)).ok


def test_only_the_host_seats_bots_and_only_before_the_match(office, ann, bob):
    room = office.do(rooms.create_room, ann, NewRoom("shut-the-box", seats=4))
    office.do(rooms.join_room, bob, room.id)

    assert office.refusal(rooms.add_bot, bob, room.id, "random") == "forbidden"
    office.do(rooms.add_bot, ann, room.id, "random")
    assert office.refusal(rooms.remove_bot, ann, room.id, 1) == "not_seated"
    assert len(office.do(rooms.remove_bot, ann, room.id, 2).seats) == 2


# Undo and rematch.


def test_an_action_is_undone_when_everybody_agrees_and_the_version_goes_up(office, ann, bob, box_id):
    office.do(actions.act, ann, box_id, 0, act("roll"))
    rolled = office.do(room_views.find_room, ann, box_id)
    assert office.refusal(rooms.ask_undo, ann, box_id) == "no_undo"  # the dice are known
    seen = office.do(room_views.find_room, ann, box_id, legal=True)
    shut = office.do(actions.act, ann, box_id, 1, seen.legal[0])

    asked = office.do(rooms.ask_undo, ann, box_id)
    assert (asked.undo, asked.version) == (("p_ann",), shut.version)
    undone = office.do(rooms.answer_undo, bob, box_id, True)

    assert (undone.version, undone.undo) == (3, ())
    assert undone.view.game == rolled.view.game
    office.restart()
    assert office.do(room_views.find_room, bob, box_id) == undone
    final = office.play_on(box_id)
    assert final.status == "finished"
    assert verify(office.do(room_views.read_record, ann, box_id)).ok


def test_undo_shows_nobody_the_hidden_cards_of_a_bot(office, ann):
    """Play, let the bot show a card, take both back: that was possible every time."""
    room = office.begin(ann, NewRoom("lanes", bots=("greedy",)))
    shown = 0
    while room.status == "active" and shown < 12:
        if (action := office.bot_moves(room.id)) is not None:
            if action.type == "play":
                is_over = office.do(room_views.find_room, ann, room.id).status == "finished"
                assert office.refusal(rooms.ask_undo, ann, room.id) == ("finished" if is_over else "no_undo")
                shown += not is_over
        else:
            legal = office.do(room_views.find_room, ann, room.id, legal=True).legal
            action = next((each for each in legal if each.type == "play"), legal[0])
            office.do(actions.act, ann, room.id, office.do(room_views.find_room, ann, room.id).version, action)
        room = office.do(room_views.find_room, ann, room.id)
    assert shown >= 3


def test_undo_against_a_bot_goes_back_over_its_answer_to_ones_own_action(office, ann):
    room = office.begin(ann, NewRoom("craps-table", bots=("random",)))
    bot = office.do(lambda call: call.room(room.id)).seats[1]
    office.do(actions.act, ann, room.id, 0, act("buy_in", chips=20))
    before = office.do(room_views.find_room, ann, room.id).view.game
    office.do(actions.act, ann, room.id, 1, act("buy_in", chips=40))
    office.do(room_bots.bot_acts, room.id, 2, Action("buy_in", {"chips": 30}, player_id_of(1, bot)))

    undone = office.do(rooms.ask_undo, ann, room.id)

    assert (undone.version, undone.view.version) == (5, 1)  # one undo each, and both are on record
    assert undone.view.game == before
    office.restart()
    assert office.do(room_views.find_room, ann, room.id) == undone
    assert [entry.action.player_id for entry in office.do(lambda call: call.line(call.room(room.id)))] == ["p_ann"]


def test_one_player_who_refuses_ends_the_request_for_an_undo(office, ann, bob, box_id):
    office.do(actions.act, ann, box_id, 0, act("roll"))
    seen = office.do(room_views.find_room, ann, box_id, legal=True)
    office.do(actions.act, ann, box_id, 1, seen.legal[0])
    assert office.refusal(rooms.answer_undo, bob, box_id, True) == "undo_not_asked"
    office.do(rooms.ask_undo, ann, box_id)

    assert office.do(rooms.answer_undo, bob, box_id, False).undo == ()
    assert office.refusal(rooms.answer_undo, bob, box_id, True) == "undo_not_asked"


def test_a_rematch_has_the_same_seats_and_another_seed(office, ann, bob, box_id):
    assert office.refusal(rooms.rematch, ann, box_id) == "not_finished"
    played = office.play_on(box_id)
    assert office.refusal(rooms.rematch, office.person("cat"), box_id) == "not_seated"

    again = office.do(rooms.rematch, bob, box_id)

    assert office.do(rooms.rematch, ann, box_id).id == again.id
    assert [seat.name for seat in again.seats] == ["ann", "bob"]
    assert again.commitment != played.commitment
    assert not any(seat.ready for seat in again.seats)


def test_a_rematch_leaves_the_seats_free_of_who_is_gone_or_has_enough_rooms(make_office):
    office = make_office(settings=Settings(rooms_each=2))
    ann, bob, cat = map(office.guest, ("Ann", "Bob", "Cat"))
    room = office.begin(ann, NewRoom("shut-the-box", seats=3), bob, cat)
    office.play_on(room.id)
    own = [office.do(rooms.create_room, bob, BOX) for _ in range(2)]
    office.do(accounts.delete_account, cat)

    again = office.do(rooms.rematch, ann, room.id)
    assert [seat.player_id for seat in again.seats] == [ann.id]
    office.do(rooms.leave_room, bob, own[0].id)
    assert office.do(rooms.join_room, bob, again.id).seat == 1
