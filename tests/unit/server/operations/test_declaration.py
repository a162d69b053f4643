"""How a function becomes an operation: where its parameters come from, its codes, its frame; and keys over both."""

from __future__ import annotations

import sys
from typing import Any

import msgspec
import pytest

from croupier.engine import Action
from croupier.server.operations.context import Caller, Context
from croupier.server.operations.declaration.fields import Name, QueryFlag, SessionId, Version
from croupier.server.operations.declaration.operation import Later, Operation, declared_in, operation
from croupier.server.operations.declaration.registry import FRAMES, OPERATIONS
from croupier.server.problems import KeptRefusal, Problem
from croupier.server.running.requests import Request, perform


@operation("house", "POST /sessions/{session_id}/wave", frame="wave", is_keyed=True, codes=("finished",))
def wave(
    call: Context, caller: Caller, session_id: SessionId, version: Version, name: Name = "Ann", next: QueryFlag = False
) -> Name | KeptRefusal:
    """Wave to the dealer.

    Nothing else happens.
    """
    return name


@operation("games", "GET /games/{game_id}/guess", role="anyone")
def guess(game_id: str, name: Name = "Ann") -> Later[int]:
    """Guess a number."""
    return Later(len, game_id + name)


def made() -> dict[str, Operation]:
    return {each.name: each for each in declared_in(sys.modules[__name__])}


def test_parameters_come_from_the_path_the_query_and_the_body() -> None:
    one, other = made()["wave"], made()["guess"]

    assert (one.method, one.path, one.role, one.leading) == ("POST", "/sessions/{session_id}/wave", "player", 2)
    assert one.body is not None
    assert one.body.__struct_fields__ == ("id", "version", "name")
    assert one.query is not None
    assert one.query.__struct_fields__ == ("next",)
    assert (one.summary, one.codes, one.status) == ("Wave to the dealer.", ("finished",), 200)
    assert other.query is not None
    assert (other.leading, other.body, other.query.__struct_fields__) == (0, None, ("name",))
    assert other.returns is int
    arguments, key = one.arguments(one.query(next=True), one.body("k", 3))
    assert {**arguments, **one.read_path({"session_id": "7"})} == {
        "version": 3,
        "name": "Ann",
        "next": True,
        "session_id": 7,
    }
    assert key == "k"


def test_types_bring_the_codes_for_what_does_not_fit() -> None:
    one = made()["wave"]

    assert one.field_codes == {"session_id": ("no_such_session", ""), "name": ("bad_name", "")}
    with pytest.raises(Problem, match="no_such_session"):
        one.read_path({"session_id": "seven"})


def test_a_frame_has_the_same_parameters_under_the_names_of_the_wire() -> None:
    one = made()["wave"]
    assert one.frame is not None
    frame: Any = msgspec.json.decode(b'{"type":"wave","session":7,"id":"k","version":3}', type=one.frame)

    assert one.frame_arguments(frame) == ({"session_id": 7, "version": 3, "name": "Ann", "next": False}, "k")


def test_names_and_routes_are_nobodys_twice() -> None:
    assert len({each.name for each in OPERATIONS}) == len({(each.method, each.path) for each in OPERATIONS}) == 67
    assert sorted(str(each.__struct_config__.tag) for each in FRAMES) == ["act", "close", "dice", "move", "start"]


# One key over both transports.


def asked(person: Any, name: str, key: str, *, live: bool, **arguments: Any) -> Request:
    (wanted,) = [each for each in OPERATIONS if each.name == name]
    if live:
        return Request(wanted, arguments, account_id=person.id, key=key)
    return Request(wanted, arguments, token=person.token, key=key)


@pytest.mark.parametrize("live_first", [True, False])
def test_an_action_asked_for_on_one_transport_is_answered_on_the_other(site: Any, live_first: bool) -> None:
    ann = site.person()
    room = site.begin(ann, {"game": "shut-the-box", "seats": 1})
    roll = {"room_id": room["id"], "expected_version": 0, "action": Action("roll")}
    first = site.service.change_now(perform, asked(ann, "act", "k", live=live_first, **roll))
    again = site.service.change_now(perform, asked(ann, "act", "k", live=not live_first, **roll))

    assert [msgspec.json.decode(each.body)["version"] for each in (first, again)] == [1, 1]
    assert ann.get(f"/rooms/{room['id']}")["version"] == 1
    shown = msgspec.json.decode((again if live_first else first).body)
    assert (shown["view"]["turn"]["phase"], shown["seat"]) == ("shut", 0)
    with pytest.raises(Problem, match="key_reused"):
        site.service.change_now(perform, asked(ann, "act", "k", live=True, **{**roll, "expected_version": 1}))


def test_a_move_asked_for_again_on_the_other_transport_has_the_same_answer(site: Any) -> None:
    ann = site.person()
    number = site.session(ann, 6)["session_id"]
    place = Action("place", {"bet": "red", "stake": 10})
    move = {"session_id": number, "expected_version": 0, "action": place, "payload": None,
            "legal": False, "next": False}  # fmt: skip
    first = site.service.change_now(perform, asked(ann, "move", "k", live=True, **move))
    body = {"id": "k", "expected_version": 0, "action": msgspec.to_builtins(place)}

    assert ann.ask("POST", f"/sessions/{number}/moves", body).content == first.body
    assert ann.get("/me")["house"]["chips"] == 990


def test_a_start_asked_for_again_on_the_other_transport_has_the_same_answer(site: Any) -> None:
    ann = site.person()
    body = {"session_id": ann.post("/commitments")["session_id"], "table": 6, "stake": 0, "client_seed": "c0ffee"}
    spin = Action("batch", {"bets": [{"bet": "red", "stake": 10}]})
    asks = asked(ann, "start_session", "k", live=True, **body, action=spin, legal=False, next=True)
    first = site.service.change_now(perform, asks)
    asked_again = {**body, "action": msgspec.to_builtins(spin)}
    again = ann.ask("POST", "/sessions?next=true", asked_again, headers={"idempotency-key": "k"})

    assert (again.status_code, again.content) == (201, first.body)
    assert [one["is_complete"] for one in ann.get("/me/sessions")] == [True]
