"""Error codes of the API's page: the server answers each of them, with its status, where the page says so."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any, cast

import pytest
from msgspec.structs import replace

from croupier.errors import GameFault
from croupier.server.operations import context
from croupier.server.problems import Problem
from croupier.server.running import requests
from croupier.server.transport.addresses import guarded
from croupier.store.interface import Conflict, StoreUnavailable
from croupier.store.writer import StoreBusy
from tests.docs.test_api_page import rows
from tests.unit.server.conftest import API, Person, Site
from tests.unit.server.starting import ready_body

KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"  # RFC 8032, section 7.1
ROLL = {"id": "a", "expected_version": 0, "action": {"type": "roll"}}
DAY = 86_400_000
Found = tuple[int, str]


class World:
    """A server with little room, and newcomers for every question."""

    def __init__(self, site: Site, patch: pytest.MonkeyPatch) -> None:
        self.site, self.patch = site, patch
        self.ann, self.olga = site.person("Ann"), site.operator()

    def open(self, **more: Any) -> dict[str, Any]:
        return dict(self.ann.post("/rooms", {"game": "shut-the-box", "seats": 1, **more}))

    def begun(self) -> str:
        return str(self.site.begin(self.ann, {"game": "shut-the-box", "seats": 1})["id"])

    def over(self) -> str:
        room_id = self.begun()
        self.ann.post(f"/rooms/{room_id}/leave")
        return room_id

    def opening(self) -> str:
        room = self.open()
        self.ann.post(f"/rooms/{room['id']}/ready", ready_body(room, 0))
        return str(room["id"])

    def dice(self) -> str:
        return str(self.ann.post("/dice-rooms", {"key": KEY})["id"])

    def roulette(self) -> int:
        return int(self.site.session(self.ann, 6)["session_id"])

    def move(self, number: int, version: int = 0, stake: int = 1) -> Found:
        action = {"type": "place", "payload": {"bet": "red", "stake": stake}}
        body = {"id": f"{number}.{version}", "expected_version": version, "action": action}
        return self.ann.refused("POST", f"/sessions/{number}/moves", body)

    def start(self, **more: Any) -> Found:
        body = {"session_id": self.ann.post("/commitments")["session_id"], "table": 6, **more}
        return self.ann.refused("POST", "/sessions", body)

    def limited(self, **limits: Any) -> World:
        self.ann.good(self.ann.ask("PUT", "/me/limits", limits))
        return self

    def breaks(self, place: Any, name: str, error: Exception) -> Person:
        def broken(*_: Any, **__: Any) -> Any:
            raise error

        self.patch.setattr(place, name, broken)
        return self.ann

    def act(self, room_id: str) -> Found:
        return self.ann.refused("POST", f"/rooms/{room_id}/actions", ROLL)

    def raw(self, **more: Any) -> Found:
        response = self.site.client.post(f"{API}/accounts", **more)
        return response.status_code, response.json()["code"]

    def stored(self, change: Callable[[Any], Any]) -> None:
        self.site.service.change_now(lambda call: change(call.tx))


def account_closed(w: World) -> Found:
    w.stored(lambda tx: tx.put_account(replace(tx.get_account(w.ann.id), closed_at=1)))
    return w.ann.refused("GET", "/me")


def account_frozen(w: World) -> Found:
    w.olga.post(f"/operator/accounts/{w.ann.id}/freeze", {"frozen": True})
    return w.ann.refused("POST", "/commitments")


def no_longer_kept(w: World) -> Found:
    number = w.roulette()
    w.stored(lambda tx: tx.prune_seeds([replace(tx.get_seed(number), pruned=True)]))
    return w.ann.refused("GET", f"/sessions/{number}")


def wrong_host(w: World) -> Found:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    app: Any = guarded(cast(Any, w.site.app), w.site.service.settings, w.site.service.refusals)
    scope = {"type": "http", "headers": [(b"host", b"evil.example")], "client": ("192.0.2.7", 1)}
    asyncio.run(app(scope, send, send))
    return sent[0]["status"], re.findall(rb'"code":"(\w+)"', sent[1]["body"])[0].decode()


def key_reused(w: World) -> Found:
    key = {"headers": {"Idempotency-Key": "k"}}
    w.ann.post("/me/modifiers", {"modifier": "super"}, **key)
    return w.ann.refused("POST", "/me/modifiers", {"modifier": "double"}, **key)


def too_many_requests(w: World) -> Found:
    w.ann.get("/me")  # now it is known whose token it is
    w.patch.setattr(w.site.service.requests_limit, "allow", lambda who: False)
    return w.ann.refused("GET", "/me")


def table_changed(w: World) -> Found:
    body = {"session_id": w.ann.post("/commitments")["session_id"], "table": 6}
    w.olga.good(w.olga.ask("PUT", "/operator/tables/6", {"game": "roulette", "stake_max": 50}))
    found = w.ann.refused("POST", "/sessions", body)
    w.olga.good(w.olga.ask("DELETE", "/operator/tables/6"))
    return found


def commitment_expired(w: World) -> Found:
    body = {"session_id": w.ann.post("/commitments")["session_id"], "table": 6}
    w.site.now += DAY
    return w.ann.refused("POST", "/sessions", body)


def seed_used(w: World) -> Found:
    return w.ann.refused("POST", "/sessions", {"session_id": w.roulette(), "table": 6})


def too_many_commitments(w: World) -> Found:
    for _ in range(20):
        w.ann.post("/commitments")
    return w.ann.refused("POST", "/commitments")


def too_many_moves(w: World) -> Found:
    number = w.roulette()
    for version in range(2):
        action = {"type": "place", "payload": {"bet": "red", "stake": 1 + version}}
        w.ann.post(f"/sessions/{number}/moves", {"id": f"{version}", "expected_version": version, "action": action})
    return w.move(number, 2)


def too_many_rooms(w: World) -> Found:
    for _ in range(3):
        w.open()
    return w.ann.refused("POST", "/rooms", {"game": "shut-the-box"})


def too_many_sessions(w: World) -> Found:
    w.roulette(), w.roulette()
    return w.start()


def frozen(w: World) -> Found:
    room_id = w.begun()
    w.olga.post(f"/operator/rooms/{room_id}/freeze", {"frozen": True})
    return w.act(room_id)


def told_by_the_head(w: World, length: int) -> Found:
    """Return the refusal that the protocol sends before it reads a body; a client in this process has no protocol."""
    reason, _ = w.site.service.refusal("POST", "/api/v1/accounts", "somewhere", length)
    return Problem(reason).status, reason


def shutting_down(w: World) -> Found:
    w.patch.setattr(w.site.service, "is_stopping", True)
    return w.ann.refused("POST", "/commitments")


def game_fault(w: World) -> Found:
    room_id = w.begun()
    w.breaks(context, "apply_action", GameFault("x"))
    return w.act(room_id)


def room_full(w: World) -> Found:
    return w.site.person("Bob").refused("POST", f"/rooms/{w.open()['id']}/join")


CASES: dict[str, Callable[[World], Found]] = {
    "no_token": lambda w: w.site.nobody.refused("GET", "/me"),
    "bad_token": lambda w: Person(w.site, token="x").refused("GET", "/me"),
    "forbidden": lambda w: w.ann.refused("GET", "/operator/counts"),
    "account_frozen": account_frozen,
    "account_closed": account_closed,
    "excluded": lambda w: w.limited(excluded_until=w.site.now + DAY).start(),
    "loss_limit": lambda w: w.limited(loss_day=5).move(w.roulette(), stake=10),
    "time_limit": lambda w: w.limited(minutes_day=0).start(),
    "wrong_host": wrong_host,
    "bad_origin": lambda w: w.ann.refused("POST", "/commitments", headers={"Origin": "https://evil.example"}),
    "not_found": lambda w: w.ann.refused("GET", "/nothing"),
    "no_such_game": lambda w: w.ann.refused("GET", "/games/whist"),
    "no_such_room": lambda w: w.ann.refused("GET", "/rooms/ABCDEF"),
    "no_such_session": lambda w: w.ann.refused("GET", "/sessions/x"),
    "no_longer_kept": no_longer_kept,
    "no_such_account": lambda w: w.olga.refused("GET", "/operator/accounts/p_x"),
    "method_not_allowed": lambda w: w.ann.refused("PUT", "/games"),
    "bad_request": lambda w: w.ann.refused("POST", "/me/deposits", {"amount": "all"}),
    "bad_name": lambda w: w.ann.refused("PATCH", "/me", {"name": "x" * 33}),
    "bad_seed": lambda w: w.start(client_seed="00" * 65),
    "bad_commitment": lambda w: w.ann.refused(
        "POST", f"/rooms/{w.open()['id']}/ready", {"ready": True, "commitment": "C0"}
    ),
    "bad_limits": lambda w: w.ann.refused("PUT", "/me/limits", {"loss_day": -1}),
    "length_required": lambda w: told_by_the_head(w, -1),
    "too_large": lambda w: w.raw(content=b'"' + b"x" * 70_000, headers={"Content-Type": "application/json"}),
    "wrong_type": lambda w: w.raw(content=b"{}", headers={"Content-Type": "text/plain"}),
    "key_reused": key_reused,
    "too_many_requests": too_many_requests,
    "stale_version": lambda w: w.move(w.roulette(), 1),
    "conflict": lambda w: w.breaks(w.site.store, "run", Conflict("x")).refused("POST", "/commitments"),
    "room_full": room_full,
    "already_seated": lambda w: w.ann.refused("POST", f"/rooms/{w.open(seats=2)['id']}/join"),
    "not_seated": lambda w: w.site.person("Bob").refused("POST", f"/rooms/{w.begun()}/undo"),
    "not_open": lambda w: w.ann.refused("POST", f"/rooms/{w.begun()}/bots", {"bot": "random"}),
    "not_started": lambda w: w.act(w.open()["id"]),
    "not_finished": lambda w: w.ann.refused("GET", f"/rooms/{w.begun()}/record"),
    "finished": lambda w: w.act(w.over()),
    "frozen": frozen,
    "no_undo": lambda w: w.ann.refused("POST", f"/rooms/{w.begun()}/undo"),
    "undo_not_asked": lambda w: w.ann.refused("POST", f"/rooms/{w.begun()}/undo/answer", {"agrees": True}),
    "no_seed": lambda w: w.ann.refused("POST", "/sessions", {"session_id": 10**6, "table": 6}),
    "seed_used": seed_used,
    "commitment_expired": commitment_expired,
    "too_many_commitments": too_many_commitments,
    "too_many_rooms": too_many_rooms,
    "too_many_sessions": too_many_sessions,
    "too_many_moves": too_many_moves,
    "table_changed": table_changed,
    "seats_opening": lambda w: w.ann.refused("POST", f"/rooms/{w.opening()}/leave"),
    "not_opening": lambda w: w.ann.refused("POST", f"/rooms/{w.open()['id']}/open", {"secret": "00" * 32}),
    "wrong_secret": lambda w: w.ann.refused("POST", f"/rooms/{w.opening()}/open", {"secret": "00" * 32}),
    "no_bots": lambda w: w.ann.refused("POST", "/rooms", {"game": "shut-the-box", "bots": ["nobody"]}),
    "no_coach": lambda w: w.ann.refused("GET", f"/sessions/{w.roulette()}/coach"),
    "no_preview": lambda w: w.ann.refused("GET", f"/rooms/{w.begun()}/preview?type=roll"),
    "no_odds": lambda w: w.ann.refused("GET", "/games/lanes/odds"),
    "dice_room": lambda w: w.ann.refused("POST", f"/rooms/{w.dice()}/leave"),
    "not_a_dice_room": lambda w: w.ann.refused("GET", f"/rooms/{w.begun()}/dice"),
    "store_unavailable": lambda w: w.breaks(w.site.store, "run", StoreUnavailable("x")).refused("POST", "/commitments"),
    "overloaded": lambda w: w.breaks(w.site.service._writer, "hand_in", StoreBusy("x")).refused("POST", "/commitments"),
    "shutting_down": shutting_down,
    "game_fault": game_fault,
    "internal": lambda w: w.breaks(requests, "perform", RuntimeError("x")).refused("GET", "/me"),
}


@pytest.fixture(scope="module")
def site(make_town: Callable[..., Site]) -> Site:
    return make_town(rooms_each=3, sessions_each=2, moves_max=2)


def test_every_code_of_the_page_is_tried() -> None:
    assert [row[0].strip("`") for row in rows("Errors")] == list(CASES)


@pytest.mark.parametrize("code", CASES)
def test_the_server_answers_the_code_that_the_page_names(
    site: Site, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (status,) = [row[1] for row in rows("Errors") if row[0] == f"`{code}`"]

    counted = site.service.refusals[code]
    assert CASES[code](World(site, monkeypatch)) == (int(status), code)
    assert site.service.refusals[code] > counted


# What the table of limits says is answered to more than allowed, or to something else altogether.
MISFITS = [
    ("POST", "/accounts", {"name": ""}, "bad_name"),
    ("POST", "/accounts", {"name": "x" * 33}, "bad_name"),
    ("POST", "/accounts", {"name": 7}, "bad_name"),
    ("POST", "/accounts", {"name": "a\u0000b"}, "bad_name"),
    ("POST", "/accounts", {"name": "Ann", "label": "x" * 65}, "bad_name"),
    ("PATCH", "/me", {"name": None}, "bad_name"),
    ("POST", "/sessions", {"session_id": 1, "table": 6, "client_seed": "C0FFEE"}, "bad_seed"),
    ("POST", "/sessions", {"session_id": 1, "table": 6, "client_seed": "c0f"}, "bad_seed"),
    ("POST", "/sessions", {"session_id": 1, "table": 6, "client_seed": 7}, "bad_seed"),
    ("POST", "/rooms/m_1/ready", {"ready": True, "commitment": "a" * 63 + "\n"}, "bad_commitment"),
    ("PUT", "/me/limits", {"minutes_day": 1441}, "bad_limits"),
    ("PUT", "/me/limits", {"loss_day": 1.5}, "bad_limits"),
    ("PUT", "/me/limits", {"excluded_until": -1}, "bad_limits"),
    ("PUT", "/operator/tables/6", {"game": "roulette", "stake_min": "x"}, "bad_limits"),
    ("POST", "/me/deposits", {"amount": [[[]]] * 20}, "bad_request"),
    ("GET", "/me/ledger?limit=101", None, "bad_request"),
]


@pytest.mark.parametrize(("method", "path", "body", "code"), MISFITS)
def test_misfits_are_refused_with_the_code_of_their_type(
    site: Site, method: str, path: str, body: Any, code: str
) -> None:
    assert site.operator().refused(method, path, body) == (400, code)


def test_the_codes_in_the_table_of_limits_are_those_that_are_tried() -> None:
    named = {code for row in rows("Limits") for code in re.findall(r"`(\w+)`", row[2]) if "_" in code}

    assert named <= set(CASES)
    assert {"bad_name", "bad_seed", "too_large", "too_many_moves"} <= named
