"""Authorization of every route and frame, asked for by nobody, a stranger, the owner and an operator.

The expectations are written out below, by outcome: a route that is not named fails the test, and so does a name that
the table of routes no longer has.
"""

from __future__ import annotations

import re

import msgspec
import pytest

from croupier.server.operations.declaration.registry import FRAMES, OPERATIONS
from croupier.server.problems import Problem
from croupier.server.running.requests import Request, perform
from croupier.server.transport import frames
from croupier.server.transport.openapi import PREFIX

OK, NO, BAD = "ok", "no_token", "forbidden"
GONE, NOT_MINE, NO_SEAT = "no_such_room", "no_such_session", "not_seated"

# What Ann owns, asked for by: nobody, Bob (another player), Ann, Olga (an operator). Ann sits in a match that is not
# for watching, at a table of shared dice that is not either, and in a room that is still open; she has a session, a
# token, and a match that is over.
BY_OUTCOME = {
    (OK, OK, OK, OK): (
        "register recover list_games get_game get_rules get_odds list_tables get_leaderboard list_rooms get_versions"
    ),
    (NO, OK, OK, OK): (
        "get_me rename delete_me set_limits export_me list_tokens new_token create_room list_commitments "
        "list_my_rooms commit list_sessions my_results get_ledger deposit arm new_ticket create_dice_room"
    ),
    (NO, "not_found", OK, "not_found"): "drop_token",
    (NO, "bad_token", OK, "bad_token"): "new_recovery_key",
    (GONE, GONE, OK, GONE): "get_room get_log get_record recall_room read_dice get_transcript",
    (NO, OK, "already_seated", OK): "join_room",
    (NO, NO_SEAT, OK, NO_SEAT): "leave_room set_ready act rematch",
    (NO, NO_SEAT, "not_opening", NO_SEAT): "open_seat",
    (NO, BAD, OK, BAD): "add_bot",
    (NO, BAD, NO_SEAT, BAD): "remove_bot",
    (NO, NO_SEAT, "no_undo", NO_SEAT): "ask_undo",
    (NO, NO_SEAT, "undo_not_asked", NO_SEAT): "answer_undo",
    (NO, GONE, OK, GONE): "coach_room",
    (NO, GONE, "no_preview", GONE): "preview",
    (NO, "no_seed", OK, "no_seed"): "start_session",
    (NO, NOT_MINE, OK, NOT_MINE): "get_session move close_session recall",
    (NO, NOT_MINE, "not_finished", NOT_MINE): "get_session_record",
    # A link is nobody's: the right one is tested elsewhere.
    (NOT_MINE, NOT_MINE, NOT_MINE, NOT_MINE): "get_shared recall_shared get_shared_record",
    (NO, NOT_MINE, "no_coach", NOT_MINE): "coach_session",
    (NO, BAD, BAD, OK): "freeze_everything look_at_account freeze_account freeze_room set_table get_audit get_counts",
    (NO, BAD, BAD, "not_found"): "reset_table",
    (NO, NO_SEAT, "unknown_key", NO_SEAT): "send_dice",
}
EXPECTED = {name: found for found, names in BY_OUTCOME.items() for name in names.split()}
CALLERS = ("nobody", "bob", "ann", "olga")
BY_NAME = {route.name: route for route in OPERATIONS}
IN_OPEN_ROOM = {"join_room", "set_ready", "open_seat", "add_bot", "remove_bot"}
AT_DICE = {"read_dice", "send_dice", "get_transcript"}
OF_FINISHED = {"rematch", "get_record", "recall_room"}
QUERIES = {"preview": "?type=roll"}


class World:
    """Ann's rooms, session and tokens, and everybody who might want them."""

    def __init__(self, site):
        self.site = site
        site.now += 1
        self.nobody, self.olga = site.nobody, site.operator()
        self.ann, self.bob = site.person("Ann"), site.person("Bob")
        private = {"game": "shut-the-box", "seats": 1, "is_listed": False, "allows_spectators": False}
        self.active = site.begin(self.ann, private)["id"]
        self.open = self.ann.post("/rooms", {"game": "shut-the-box", "seats": 3, "bots": ["random"]})["id"]
        self.session = site.session(self.ann, 6)["session_id"]
        self.committed = self.ann.post("/commitments")["session_id"]
        self.token = self.ann.post("/me/tokens", {"label": "phone"})
        (self.token_id,) = [token["id"] for token in self.ann.get("/me/tokens") if token["label"] == "phone"]
        self.private = private
        self.dice = self.ann.post("/dice-rooms", DICE_ROOM)["id"]

    def finished(self):
        """Return a match of Ann's that is over."""
        room = self.site.begin(self.ann, self.private)["id"]
        self.ann.post(f"/rooms/{room}/leave")
        return room

    def path(self, name):
        room = self.open if name in IN_OPEN_ROOM else self.finished() if name in OF_FINISHED else self.active
        room = self.dice if name in AT_DICE else room
        return BY_NAME[name].path.format(
            room_id=room,
            game_id="roulette",
            session_id=self.session,
            token_id=self.token_id,
            account_id=self.ann.id,
            seat=0,
            token="ab" * 32,
            table=6,
        ) + QUERIES.get(name, "")

    def body(self, name):
        action = {"type": "roll"}
        place = {"type": "place", "payload": {"bet": "red", "stake": 1}}
        return {
            "register": {"name": "Cara"},
            "recover": {"recovery_key": self.ann.recovery_key},
            "new_recovery_key": {"recovery_key": self.ann.recovery_key},
            "rename": {"name": "Dora"},
            "set_limits": {"loss_day": 5},
            "new_token": {},
            "create_room": {"game": "shut-the-box"},
            "join_room": {},
            "set_ready": {"ready": False},
            "open_seat": {"secret": "ab" * 32},
            "add_bot": {"bot": "random"},
            "act": {"id": "1", "expected_version": 0, "action": action},
            "answer_undo": {"agrees": True},
            "start_session": {"session_id": self.committed, "table": 6},
            "move": {"id": "2", "expected_version": 0, "action": place},
            "deposit": {"amount": 5},
            "arm": {"modifier": "double"},
            "freeze_everything": {"frozen": False},
            "freeze_account": {"frozen": False},
            "freeze_room": {"frozen": False},
            "set_table": {"game": "roulette"},
            "create_dice_room": DICE_ROOM,
            "send_dice": {"message": DICE_MESSAGE},
        }.get(name)

    def ask(self, caller, name):
        return getattr(self, caller).ask(BY_NAME[name].method, self.path(name), self.body(name))


PUBLIC_KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"  # RFC 8032, 7.1, test 1
DICE_ROOM = {"key": PUBLIC_KEY, "allows_spectators": False, "is_listed": False}
DICE_MESSAGE = {"type": "leave", "key": PUBLIC_KEY, "seq": 0, "signature": "00" * 64}


@pytest.fixture(scope="module")
def town(make_town):
    return make_town()


def outcome(response):
    assert response.status_code < 500, response.text
    return OK if response.status_code in (200, 201) else response.json()["code"]


def test_every_route_is_expected_and_every_expectation_is_a_route():
    assert set(EXPECTED) == set(BY_NAME)
    assert len(BY_NAME) == len(OPERATIONS)


@pytest.mark.parametrize("name", EXPECTED)
def test_every_route_authorizes_its_callers(town, name):
    found = tuple(outcome(World(town).ask(caller, name)) for caller in CALLERS)

    assert found == EXPECTED[name]
    if name == "set_table":
        town.operator().good(town.operator().ask("DELETE", "/operator/tables/6"))


def test_every_frame_is_an_operation_or_follows_a_room():
    tags = {each.__struct_config__.tag for each in frames.Frame.__args__}
    assert tags == {each.__struct_config__.tag for each in FRAMES} | {"subscribe", "unsubscribe", "ping"}


@pytest.mark.parametrize("kind", FRAMES, ids=lambda kind: kind.__struct_config__.tag)
def test_every_frame_authorizes_its_callers_as_its_route_does(town, kind):
    operation = FRAMES[kind]

    def answered(caller):
        world = World(town)
        room = world.dice if operation.name in AT_DICE else world.active
        said = {"match": room, "session": world.session, "id": "k", **(world.body(operation.name) or {})}
        frame = kind(**{name: value for name, value in said.items() if name in kind.__struct_fields__})
        arguments, key = operation.frame_arguments(msgspec.convert(msgspec.to_builtins(frame), kind))
        asked = Request(operation, arguments, account_id=getattr(world, caller).id, key=key)
        try:
            answer = town.service.change_now(perform, asked)
        except Problem as problem:
            return problem.reason
        return msgspec.json.decode(answer.body).get("code") or OK

    assert tuple(map(answered, CALLERS[1:])) == EXPECTED[operation.name][1:]


def test_a_bad_token_opens_nothing_that_a_good_one_would(town):
    world = World(town)
    paths = {name: world.path(name) for name in EXPECTED}
    for token in ("x", "x" * 129, world.ann.id, world.token_id):
        world.ann.token = token
        for name, path in paths.items():
            response = world.ann.ask(BY_NAME[name].method, path, world.body(name))
            assert (response.status_code, response.json()["code"]) == (401, "bad_token"), name
            assert response.headers["www-authenticate"] == "Bearer"


def test_another_kind_of_authorization_is_no_token(town):
    for value in ("Basic QW5uOng=", "Bearer", "Bearer ", "bearer", "token x"):
        response = town.client.get(f"{PREFIX}/me", headers={"Authorization": value})
        assert (response.status_code, response.json()["code"]) == (401, "bad_token")


def test_methods_that_no_route_has_are_refused(town):
    paths: dict[str, set[str]] = {}
    for route in OPERATIONS:
        paths.setdefault(PREFIX + route.path, set()).add(route.method)
    for path in ("/api", "/start.css", f"{PREFIX}/openapi.json"):
        paths[path] = {"GET"}
    for path, methods in paths.items():
        filled = path.replace("{", "").replace("}", "")
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - methods:
            response = town.client.request(method, filled)
            assert response.status_code in (404, 405), (method, path)
            assert response.json()["code"] in ("method_not_allowed", "not_found")


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1",
        "/api/v1/",
        "/api/v2/me",
        "/api/v1/operator",
        "/api/v1/operator/",
        "/api/v1/operator/secrets",
        "/api/v1/operator/accounts",
        "/api/v1/rooms/x/seed",
        "/api/v1/sessions",
        "/metrics",
        "/livez",
        "/schema",
        "/schema/openapi.json",
        "/.env",
        "/pages/index.html",
        "/static/../app.py",
    ],
)
def test_an_unknown_route_is_not_found(town, path):
    for person in (town.nobody, town.operator()):
        headers = {"Authorization": f"Bearer {person.token}"} if person.token else {}
        response = town.client.get(path, headers=headers)
        assert response.status_code in (404, 405)
        assert response.headers["content-type"] == "application/problem+json"


def test_an_operator_who_is_stopped_can_still_be_let_go_by_another(town):
    first, second = town.operator(), town.operator()
    second.post(f"/operator/accounts/{first.id}/freeze", {"frozen": True})

    assert first.refused("POST", "/commitments") == (403, "account_frozen")
    second.post(f"/operator/accounts/{first.id}/freeze", {"frozen": False})
    assert first.post("/commitments")["session_id"] > 0


def test_open_rooms_are_for_anyone_to_see_and_secrets_of_a_match_are_not(town):
    world = World(town)

    assert world.nobody.get(f"/rooms/{world.open}")["status"] == "open"
    listed = {room["id"] for room in world.nobody.get("/rooms?limit=100")}
    assert world.open in listed
    assert world.active not in listed


def test_nothing_is_mounted_but_the_operations_and_the_pages(town):
    """A handler that somebody mounts beside the table has no row, and nobody has said who may use it."""
    plain = re.compile(r":(str|path)\}")
    mounted = {plain.sub("}", route.path) for route in town.app.routes}
    expected = {PREFIX + route.path for route in OPERATIONS} | {"/api", "/start.css"}
    assert mounted - {"/", "/web/{file}"} == expected | {f"{PREFIX}/openapi.json"}
    methods = {(plain.sub("}", route.path), method) for route in town.app.routes for method in route.methods}
    changing = {(path, method) for path, method in methods if method not in ("GET", "HEAD", "OPTIONS")}
    assert changing == {(PREFIX + route.path, route.method) for route in OPERATIONS if route.is_change}
