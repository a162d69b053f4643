"""Information leaks: hidden parts of a match change no byte that a viewer is sent.

The hidden part of a match is dealt anew in ways that the viewer could not tell from the real one (`imagine`), and put
in its place below the server: frames of live connections, answers over HTTP, what is legal, and the log. Equal bytes
have equal lengths, so a length tells nothing either.
"""

from __future__ import annotations

import msgspec
import pytest

from croupier.engine import get_game, legal_actions, list_games, view_for
from croupier.engine.views import imagine
from croupier.house import HouseGame
from croupier.rng import GameRng
from croupier.server.operations import sessions
from croupier.server.operations.context import Context
from croupier.server.transport.hub import Wanted, render

HOUSES = [game_id for game_id in list_games() if isinstance(get_game(game_id), HouseGame)]
MATCHES = [game_id for game_id in list_games() if game_id not in HOUSES]
WORLDS = 4


def worlds(game, match, viewer, version):
    """Yield matches that the viewer cannot tell from the real one."""
    for number in range(WORLDS):
        yield imagine(game, view_for(game, match, viewer), GameRng.new(bytes([number + 1]) * 32, version, 7))


def seen_of_room(site, person, room_id):
    """Return what leaves the server about a room, to the byte: frames with and without what is legal, and HTTP."""
    viewer = person.id
    wanted = frozenset(Wanted(viewer, legal=legal, told=False, since=0) for legal in (False, True))
    (rendered,) = site.service.look_now(render, [(room_id, wanted)])
    frames = [rendered.frames[one] for one in sorted(wanted, key=lambda one: one.legal)]
    answers = [person.ask("GET", f"/rooms/{room_id}{end}").content for end in ("", "?legal=true", "/log")]
    return [*frames, *answers]


@pytest.mark.parametrize("game_id", MATCHES)
def test_what_is_hidden_changes_no_byte_that_a_player_or_a_spectator_is_sent(site, monkeypatch, game_id):
    game = get_game(game_id)
    ann, bob, eve = site.person("Ann"), site.person("Bob"), site.person("Eve")
    room_id = site.begin(ann, {"game": game_id, "seats": 2}, bob)["id"]
    chance = GameRng.new(b"\7" * 32, 1, 1)
    usual = Context.live
    differed = compared = 0
    for step in range(12):
        live = site.service.look_now(lambda call: call.live(call.room(room_id)))
        if live.match.status != "active":
            break
        for person in (ann, bob, eve):
            viewer = None if person is eve else person.id
            real = seen_of_room(site, person, room_id)
            for other in worlds(game, live.match, viewer, step):
                differed += other.game != live.match.game
                other_live = msgspec.structs.replace(live, match=other)
                monkeypatch.setattr(Context, "live", lambda call, room, found=other_live: found)
                assert seen_of_room(site, person, room_id) == real
                monkeypatch.setattr(Context, "live", usual)
                compared += 1
        mover = next(each for each in (ann, bob) if legal_actions(game, live.match, each.id))
        legal = legal_actions(game, live.match, mover.id)
        action = legal[chance.next_bounded(len(legal))]
        body = {"id": f"a{step}", "expected_version": live.version, "action": msgspec.to_builtins(action)}
        mover.post(f"/rooms/{room_id}/actions", body)
    assert compared >= 3 * WORLDS
    if game_id == "lanes":
        assert differed > compared // 2, "hands and decks are hidden, so worlds differ"


def seen_of_session(site, person, number):
    ends = ("", "?legal=true")
    return [person.ask("GET", f"/sessions/{number}{end}").content for end in ends]


@pytest.mark.parametrize("game_id", HOUSES)
def test_what_the_house_hides_changes_no_byte_that_its_guest_is_sent(site, monkeypatch, game_id):
    game = get_game(game_id)
    assert isinstance(game, HouseGame)
    ann = site.person("Ann")
    (table,) = [row["id"] for row in ann.get("/tables") if row["game"] == game_id]
    chance = GameRng.new(b"\5" * 32, 2, 1)
    usual = sessions.session_of
    compared = differed = 0
    for round_number in range(6):
        session = site.session(ann, table, 10 if game.opens_with_stake else 0, client_seed=f"{round_number:02x}")
        number = session["session_id"]
        for step in range(6):
            kept = site.service.look_now(usual, number)
            if kept.match.status != "active":
                break
            real = seen_of_session(site, ann, number)
            for other in worlds(game, kept.match, ann.id, step):
                differed += other.rng_state.seed != kept.match.rng_state.seed
                changed = msgspec.structs.replace(kept, match=other)
                monkeypatch.setattr(sessions, "session_of", lambda call, id, found=changed: found)
                assert seen_of_session(site, ann, number) == real
                monkeypatch.setattr(sessions, "session_of", usual)
                compared += 1
            legal = legal_actions(game, kept.match)
            action = legal[chance.next_bounded(len(legal))]
            session = site.move(ann, ann.get(f"/sessions/{number}"), msgspec.to_builtins(action))
    # The house deals what it shows: nothing lies hidden but the seed that all later draws come from.
    assert differed == compared > 0
