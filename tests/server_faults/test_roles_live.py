"""Authorization of every frame of a live connection, from a stranger, the owner and an operator."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from croupier.client import Client
from croupier.server.transport import frames

KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"  # RFC 8032, 7.1, test 1
CALLERS = ("bob", "ann", "olga")

# Ann has a match and a table of shared dice that are not for watching, and a session at the house. What is not theirs
# is not there for others, and an operator is one of the others.
EXPECTED = {
    "subscribe": ("no_such_room", "view", "no_such_room"),
    "unsubscribe": ("nothing", "nothing", "nothing"),
    "act": ("not_seated", "done", "not_seated"),
    "start": ("no_seed", "done", "no_seed"),
    "move": ("no_such_session", "done", "no_such_session"),
    "close": ("no_such_session", "done", "no_such_session"),
    "dice": ("not_seated", "unknown_key", "not_seated"),
    "ping": ("pong", "pong", "pong"),
}


def operator(server: Any) -> str:
    """Return the token of a new operator, named as operators are: on the machine itself."""
    command = [sys.executable, "-m", "croupier", "server", "operator", "Olga", "--json", "--database"]
    done = subprocess.run([*command, server.settings["database"]], capture_output=True, check=True, timeout=60)
    return str(json.loads(done.stdout)["token"])


async def answer(server: Any, person: Client, frame: dict[str, Any]) -> str:
    """Return the code or the type of the first answer to a frame; the answer to a ping behind it means none."""
    address = f"{server.url.replace('http', 'ws', 1)}/api/v1/live?ticket={await person.ticket()}"
    async with connect(address, subprotocols=[Subprotocol("croupier.v1")], max_size=None) as socket:
        await socket.send(json.dumps(frame, separators=(",", ":"), sort_keys=True))
        # A view comes by itself, all other answers come in order.
        if frame["type"] != "subscribe":
            await socket.send('{"type":"ping","id":"last"}')
        said = json.loads(await socket.recv())
        if said["type"] == "pong" and said["id"] == "last":
            return "nothing"
        return str(said.get("code") or said["type"])


def test_every_frame_is_expected_and_every_expectation_is_a_frame() -> None:
    assert set(EXPECTED) == {each.__struct_config__.tag for each in frames.Frame.__args__}


async def test_every_frame_authorizes_its_callers(shared_server: Any) -> None:
    server = shared_server
    async with Client(server.url) as ann, Client(server.url) as bob, Client(server.url, operator(server)) as olga:
        await ann.register("Ann")
        await bob.register("Bob")
        people = {"ann": ann, "bob": bob, "olga": olga}
        room = await ann.create_room("shut-the-box", seats=1, allows_spectators=False, is_listed=False)
        private = {"key": KEY, "allows_spectators": False, "is_listed": False}
        dice = (await ann.post("/dice-rooms", private))["id"]
        tables = {table["game"]: table["id"] for table in await ann.tables()}
        session = await ann.start_session(tables["roulette"])
        issued = (await ann.post("/commitments"))["session_id"]
        place = {"type": "place", "payload": {"bet": "red", "stake": 1}}
        message = {"type": "leave", "key": KEY, "seq": 0, "signature": "00" * 64}
        said: dict[str, dict[str, Any]] = {
            "subscribe": {"match": room.id},
            "unsubscribe": {"match": room.id},
            "act": {"match": room.id, "id": "a", "expected_version": 0, "action": {"type": "roll"}},
            "move": {"session": session.session_id, "id": "b", "expected_version": 0, "action": place},
            "start": {"session_id": issued, "table": tables["roulette"], "client_seed": "c0ffee", "id": "e"},
            "close": {"session": session.session_id, "id": "f"},
            "dice": {"match": dice, "message": message, "id": "c"},
            "ping": {"id": "d"},
        }
        for kind, body in said.items():
            frame = {"type": kind, **body}
            found = tuple([await answer(server, people[name], frame) for name in CALLERS])
            assert found == EXPECTED[kind], kind


async def test_live_connections_are_at_one_address_and_for_those_with_a_ticket(shared_server: Any) -> None:
    server = shared_server
    async with Client(server.url) as ann:
        await ann.register("Ann")
        for path, status in (("/api/v1/live", 401), ("/api/v1/live/", 404), ("/api/v1/games", 404), ("/", 404)):
            for query in ("", "?ticket=", f"?ticket={ann.token}"):
                address = f"{server.url.replace('http', 'ws', 1)}{path}{query}"
                with pytest.raises(InvalidStatus) as refused:
                    await connect(address, subprotocols=[Subprotocol("croupier.v1")])
                assert refused.value.response.status_code in (status, 403), path
