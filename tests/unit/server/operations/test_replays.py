"""Replays: matches that are over step by step, and sessions by their shared link."""

from __future__ import annotations

import hmac

import msgspec

from croupier import GameRng
from croupier.engine import act, read_record, verify
from croupier.server.operations import accounts, replays, room_views, rooms, sessions
from croupier.wire.rooms import NewRoom

BLACKJACK = 1
SPIN = [act("place", bet="red", stake=10), act("spin")]


def session(office, ann, actions=SPIN):
    return office.move(ann, office.start(ann), *actions)


def token_of(seen):
    """Worked out as the page does it: from the seed that the record shows."""
    message = b"\x00\x00\x00\x10croupier/share/2" + seen.session_id.to_bytes(8, "big")
    return hmac.digest(bytes.fromhex(seen.server_seed), message, "sha256").hex()


# Links.


def test_a_shared_link_shows_what_the_player_sees(office, ann):
    seen = session(office, ann)
    link = (seen.session_id, token_of(seen))
    shared = office.do(replays.read_shared, *link)

    assert (shared.game, shared.commitment, shared.client_seed) == ("roulette", seen.commitment, seen.client_seed)
    assert shared.committed_at <= shared.started_at <= shared.finished_at
    assert office.do(replays.shared_record, *link) == office.do(sessions.read_session_record, ann, seen.session_id)
    assert office.do(replays.recall_shared, *link, -1, 50) == office.do(sessions.recall, ann, seen.session_id, -1, 50)
    assert [step.version for step in office.do(replays.recall_shared, *link, 0, 1)] == [1]


def test_draws_are_told_when_a_session_is_over_and_to_nobody_before(office, ann):
    """The dealer's second card of blackjack is drawn at the deal: a list of draws would give it away."""
    seen = session(office, ann)
    rng = GameRng.new(bytes.fromhex(seen_seed(office, ann, seen)), seen.session_id, 2)
    pocket = rng.next_bounded(37)
    steps = office.do(sessions.recall, ann, seen.session_id, -1, 50, draws=True)
    line = f"next_bounded of 37, {rng.bytes_used} byte{'s' * (rng.bytes_used > 1)}: {pocket}, pocket {pocket}"

    assert [step.draws for step in steps] == [(), (), (line,)]
    assert steps[-1].view.game.pockets == (pocket,)
    assert office.do(replays.recall_shared, seen.session_id, token_of(seen), -1, 50, draws=True) == steps
    assert not any(step.draws for step in office.do(sessions.recall, ann, seen.session_id, -1, 50))

    dealt = office.move(ann, office.start(ann, BLACKJACK, 10), act("deal"))
    assert not dealt.is_complete
    assert [step.draws for step in office.do(sessions.recall, ann, dealt.session_id, -1, 50, draws=True)] == [(), ()]


def seen_seed(office, ann, seen):
    return read_record(office.do(sessions.read_session_record, ann, seen.session_id)).seed


def test_a_wrong_link_is_refused(office, ann):
    seen, other = session(office, ann), session(office, ann)
    for number, token in (
        (seen.session_id, token_of(other)),
        (seen.session_id, token_of(seen).upper()),
        (seen.session_id, token_of(seen)[:-1]),
        (seen.session_id, ""),
        (seen.session_id, "é\udc80"),
        (other.session_id, token_of(seen)),
        (10**9, token_of(seen)),
    ):
        for look in (replays.read_shared, replays.shared_record):
            assert office.refusal(look, number, token) == "no_such_session"
        assert office.refusal(replays.recall_shared, number, token, -1, 50) == "no_such_session"


def test_a_session_that_is_on_has_no_link(office, ann):
    """Not even for somebody who would know the seed, as only the server does."""
    seen = session(office, ann, SPIN[:1])
    row = office.do(lambda call: call.tx.get_seed(seen.session_id))
    token = replays.share_token(row.server_seed, seen.session_id)

    assert office.refusal(replays.read_shared, seen.session_id, token) == "no_such_session"
    assert office.refusal(replays.recall_shared, seen.session_id, token, -1, 50) == "no_such_session"
    office.move(ann, seen, SPIN[1])
    assert office.do(replays.read_shared, seen.session_id, token).game == "roulette"


def test_links_end_with_the_account(office, ann):
    seen = session(office, ann)
    office.do(accounts.delete_account, ann)

    assert office.refusal(replays.read_shared, seen.session_id, token_of(seen)) == "no_such_session"


# Matches.


def match(office, ann, **more):
    """Return a room whose match is over: one box, shut or not."""
    return office.play_on(office.begin(ann, NewRoom("shut-the-box", seats=1, **more)).id, viewer=ann).id


def test_a_match_that_is_over_is_seen_again_step_by_step(office, ann, bob):
    """Every state that is shown is the one whose digest the record has."""
    room_id = match(office, ann)
    record = read_record(office.do(room_views.read_record, ann, room_id))
    for viewer in (ann, bob):
        steps = office.do(replays.recall_room, viewer, room_id, -1, 100)
        assert [step.version for step in steps] == list(range(len(record.actions) + 1))
        assert [step.action for step in steps[1:]] == list(record.actions)
        assert steps[-1].view.result is not None
    pages = [office.do(replays.recall_room, bob, room_id, after, 2) for after in (-1, 1)]
    assert [step.version for page in pages for step in page] == [0, 1, 2, 3]
    assert verify(msgspec.json.encode(record, order="sorted")).ok


def test_a_match_is_shown_to_those_who_may_watch_and_when_it_is_over(office, ann, bob):
    private = match(office, ann, allows_spectators=False)
    running = office.begin(ann, NewRoom("shut-the-box", seats=1))

    assert office.refusal(replays.recall_room, bob, private, -1, 50) == "no_such_room"
    assert office.do(replays.recall_room, ann, private, -1, 50)
    assert office.refusal(replays.recall_room, ann, running.id, -1, 50) == "not_finished"
    assert office.refusal(replays.recall_room, ann, "m_none", -1, 50) == "no_such_room"


def test_hands_stay_hidden_from_the_other_side(office, ann, bob):
    """Lanes: each sees their own cards again, and a spectator nobody's, until the end shows them."""
    room = office.begin(ann, NewRoom("lanes", seats=2), bob)
    office.do(rooms.leave_room, bob, room.id)
    eve = office.guest("Eve")
    mine, theirs, nobody = (office.do(replays.recall_room, one, room.id, -1, 1)[0].view for one in (ann, bob, eve))

    assert (mine.viewer, theirs.viewer, nobody.viewer) == (ann.id, bob.id, None)
    assert "" not in mine.game.hands[0]
    assert set(nobody.game.hands[0]) == set(theirs.game.hands[0]) == {""}


def test_a_match_that_is_too_long_to_recall_is_refused(office, ann, monkeypatch):
    room_id = match(office, ann)
    monkeypatch.setattr(replays, "STEPS_MAX", 1)

    assert office.refusal(replays.recall_room, ann, room_id, -1, 50) == "too_large"
