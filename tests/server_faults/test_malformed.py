"""Malformed requests and frames: a real server refuses them with a code of its own, or hangs up, and serves on."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from croupier.client import Client
from croupier.engine import act
from tests.server_faults.conftest import upgrade
from tests.server_faults.faulty_proxy import frame_of, masked, read_frame

POST = b"POST /api/v1/accounts HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n"
UPGRADE = b" HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
KEY = b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n\r\n"
HTTP = {
    "nothing that is HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
    "the preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(30),
    "a version that is none": b"GET / HTTP/x.y\r\nhost: a\r\n\r\n",
    "no host": b"GET /api/v1/games HTTP/1.1\r\n\r\n",
    "a very long address": b"GET /" + b"a" * 2_000_000 + b" HTTP/1.1\r\nhost: a\r\n\r\n",
    "a very long header": b"GET / HTTP/1.1\r\nhost: a\r\nx: " + b"a" * 2_000_000 + b"\r\n\r\n",
    "very many headers": b"GET / HTTP/1.1\r\nhost: a\r\n" + b"x: a\r\n" * 300_000 + b"\r\n",
    "a length below zero": POST + b"content-length: -1\r\n\r\n",
    "two lengths": POST + b"content-length: 1\r\ncontent-length: 2\r\n\r\n{}",
    "a length that is huge": POST + b"content-length: 99999999999999999999\r\n\r\n{",
    "a chunk that is none": POST + b"transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n",
    "more than it says": POST + b"content-length: 2\r\n\r\n" + b"{}" * 40_000,
    "more than is allowed": POST + b"content-length: 70000\r\n\r\n" + b"[" * 70_000,
    "more than is allowed, in chunks": POST
    + b"transfer-encoding: chunked\r\n\r\n"
    + 3 * (b"7000\r\n" + b"[" * 0x7000 + b"\r\n")
    + b"0\r\n\r\n",
    "a zero byte": b"GET /api/v1/games\x00 HTTP/1.1\r\nhost: a\r\n\r\n",
    "an address that climbs": b"GET /web/../../../../etc/passwd HTTP/1.1\r\nhost: a\r\n\r\n",
    "one that climbs in disguise": b"GET /web/%2e%2e/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nhost: a\r\n\r\n",
    "bytes that are no text": b"GET /api/v1/rooms/%ff%fe%00 HTTP/1.1\r\nhost: a\r\n\r\n",
    "a query that is no text": b"GET /api/v1/rooms?after=%ff&limit=%00 HTTP/1.1\r\nhost: a\r\n\r\n",
    "a token that is no text": b"GET /api/v1/me HTTP/1.1\r\nhost: a\r\nauthorization: Bearer \xff\xfe\xfd\r\n\r\n",
    "a handshake without a key": b"GET /api/v1/live" + UPGRADE + b"\r\n",
    "a handshake elsewhere": b"GET /api/v1/games" + UPGRADE + KEY,
}


@pytest.fixture
def server(shared_server: Any) -> Any:
    return shared_server


async def tell(server: Any, data: bytes) -> bytes:
    """Return whatever is answered to bytes, until the server hangs up or says nothing more."""
    reader, writer = await asyncio.open_connection(*server.address)
    answer = b""
    with suppress(OSError):  # it may have hung up already
        writer.write(data)
        await writer.drain()
        writer.write_eof()
    with suppress(ConnectionError, TimeoutError):
        while more := await asyncio.wait_for(reader.read(65_536), 10):
            answer += more
    writer.transport.abort()
    return answer


@pytest.mark.parametrize("name", HTTP)
async def test_malformed_requests_are_refused_or_hung_up_on(server: Any, name: str) -> None:
    answer = await tell(server, HTTP[name])

    statuses = [int(found) for found in re.findall(rb"^HTTP/1\.1 (\d+)", answer, re.MULTILINE)]
    assert all(400 <= status < 500 for status in statuses), answer[:500]
    assert b"root:" not in answer
    assert server.probe("/livez")[0] == 200


async def test_live_connections_are_at_one_address_and_for_those_with_a_ticket(server: Any) -> None:
    async with Client(server.url) as ann:
        await ann.register("Ann")
        for path, status in (("/api/v1/live", 401), ("/api/v1/live/", 404), ("/api/v1/games", 404), ("/", 404)):
            for query in ("", "?ticket=", f"?ticket={ann.token}"):
                address = f"{server.url.replace('http', 'ws', 1)}{path}{query}"
                with pytest.raises(InvalidStatus) as refused:
                    await connect(address, subprotocols=[Subprotocol("croupier.v1")])
                assert refused.value.response.status_code in (status, 403), path


# Frames.

ACT = '{"type":"act","match":"m","id":"a","expected_version":0,"action":{"type":"roll","payload":%s}}'
TEXTS = {
    "nothing": "",
    "no object": "[1]",
    "no type": "{}",
    "another type": '{"type":"view"}',
    "a number as type": '{"type":1}',
    "a type twice": '{"type":"ping","type":"act"}',
    "no JSON": "{'type':'ping'}",
    "a text without an end": '"' + "x" * 60_000,
    "not a number": ACT % '{"a":NaN}',
    "too large a float": ACT % '{"a":1e999}',
    "a number of 5,000 digits": ACT % ('{"a":' + "9" * 5_000 + "}"),
    "a version of 5,000 digits": ACT.replace(":0,", f":{'9' * 5_000},") % "{}",
    "a version below zero": ACT.replace(":0,", ":-1,") % "{}",
    "a version that is a fraction": ACT.replace(":0,", ":0.5,") % "{}",
    "deep": ACT % ('{"a":' + "[" * 20_000 + "]" * 20_000 + "}"),
    "deep and open": "[" * 60_000,
    "deep objects": '{"a":' * 10_000,
    "half a surrogate": ACT % '{"a":"\\ud800"}',
    "a zero": '{"type":"subscribe","match":"\\u0000"}',
    "a long name": '{"type":"subscribe","match":"' + "m" * 60_000 + '"}',
    "an empty id": ACT.replace('"a"', '""') % "{}",
    "a session that is none": '{"type":"move","session":-1,"id":"a","expected_version":0,"action":{"type":"x"}}',
    "a message that cannot be read": '{"type":"dice","match":"m","message":[[]]}',
    "more than is asked for": '{"type":"ping","id":"a","more":1}',
}


REFUSED = {
    ("refused", "bad_request"),
    ("refused", "no_such_room"),
    ("gone", "no_such_room"),
    ("refused", "unreadable"),  # by a table of shared dice
}


async def open_live(server: Any, person: Client) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection(*server.address)
    writer.write(upgrade(server.netloc, await person.ticket()))
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
    return reader, writer


async def answer_to(server: Any, person: Client, data: bytes) -> tuple[str, Any]:
    """Return how a live connection answers bytes: refused with a code, closed with a number, or hung up."""
    reader, writer = await open_live(server, person)
    try:
        writer.write(data)
        kind, text = await asyncio.wait_for(read_frame(reader), 120)
    except (asyncio.IncompleteReadError, ConnectionError):
        return "hung up", None
    finally:
        writer.transport.abort()
    if kind == 8:
        return "closed", int.from_bytes(text[:2], "big")
    said = json.loads(text)
    return said["type"], said.get("code")


async def test_malformed_frames_are_refused_with_a_code(server: Any) -> None:
    async with Client(server.url) as ann:
        await ann.register("Ann")
        for name, text in TEXTS.items():
            found = await answer_to(server, ann, frame_of(1, text.encode()))
            assert found in REFUSED, name


async def test_bytes_that_break_the_protocol_end_the_connection_with_a_code(server: Any) -> None:
    """RFC 6455, 7.4.1: 1002 for what breaks the protocol, 1007 for what is no text, 1009 for what is too large."""
    ping = b'{"type":"ping","id":"a"}'
    mask = b"\1\2\3\4"
    piece = lambda kind: bytes([kind, 0xFE, 0xF0, 0]) + bytes(4) + b" " * 0xF000  # noqa: E731
    whole = bytes([0x81, 0x80 | len(ping)]) + mask + masked(ping, mask)
    half = bytes([0x01, 0x80 | 10]) + mask + masked(ping[:10], mask)
    cases = {
        "no mask": (bytes([0x81, len(ping)]) + ping, {1002}),
        "reserved bits": (bytes([0xF1]) + whole[1:], {1002}),
        "an unknown kind": (bytes([0x83]) + whole[1:], {1002}),
        "an end without a beginning": (bytes([0x80]) + whole[1:], {1002}),
        "a beginning within another": (half + whole, {1002}),
        "a long ping": (bytes([0x89, 0xFE, 0, 200]) + mask + bytes(200), {1002}),
        "a ping in pieces": (bytes([0x09, 0x80]) + mask, {1002}),
        "no UTF-8": (frame_of(1, b"\xff\xfe\xfd"), {1007}),
        "too large": (frame_of(1, b" " * 65_537), {1009}),
        "too large to be": (bytes([0x81, 0xFF]) + (2**62).to_bytes(8, "big") + mask, {1002, 1009}),
        "a length below zero": (bytes([0x81, 0xFF]) + b"\xff" * 8 + mask, {1002, 1009}),
        "too large, in pieces": (piece(0x01) + piece(0x80), {1009}),
        "a good-bye that is none": (frame_of(8, b"\0"), {1002}),
        "a good-bye with a number that is none": (frame_of(8, (999).to_bytes(2, "big")), {1002}),
    }  # fmt: skip
    async with Client(server.url) as ann:
        await ann.register("Ann")
        for name, (data, codes) in cases.items():
            how, code = await answer_to(server, ann, data)
            assert how == "closed", name
            assert code in codes, name
        assert await answer_to(server, ann, whole) == ("pong", None)
        assert await answer_to(server, ann, frame_of(2, ping)) in {
            ("refused", "bad_request"),
            ("closed", 1003),
        }


async def mutate(server: Any, seed: int, frames: int) -> Counter[Any]:
    """Send frames that are almost right, and return how they were answered."""
    chance = Random(seed)
    seen: Counter[Any] = Counter()
    async with Client(server.url) as ann:
        await ann.register("Ann")
        room = await ann.create_room("craps-table", seats=1)
        room = await ann.act(room, act("buy_in", chips=100))
        good = [
            {"type": "subscribe", "match": room.id, "version": 0, "legal": True, "told": False},
            {"type": "act", "match": room.id, "id": "x", "expected_version": 1, "action": {"type": "pass_dice"}},
            {"type": "act", "match": room.id, "id": "y", "expected_version": 1,
             "action": {"type": "place", "payload": {"bet": "pass", "stake": 5}}},
            {"type": "move", "session": 1, "id": "z", "expected_version": 0, "action": {"type": "spin", "payload": {}}},
            {"type": "dice", "match": room.id, "message": {"type": "leave", "key": "00", "seq": 0}, "id": "d"},
            {"type": "unsubscribe", "match": room.id},
            {"type": "ping", "id": "p"},
        ]  # fmt: skip
        sent = 0
        while sent < frames:
            reader, writer = await open_live(server, ann)
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                for _ in range(8):
                    text = mutated(chance, json.dumps(chance.choice(good)).encode())
                    writer.write(frame_of(1, text))
                    sent += 1
                writer.write(frame_of(1, b'{"type":"ping","id":"the last"}'))
                while True:
                    kind, data = await asyncio.wait_for(read_frame(reader), 120)
                    if kind == 8:
                        seen["closed", int.from_bytes(data[:2], "big")] += 1
                        break
                    said = json.loads(data)
                    if said == {"type": "pong", "id": "the last", "now": said.get("now")}:
                        break
                    seen[said["type"], said.get("code")] += 1
            writer.transport.abort()
        assert (await ann.room(room.id)).version >= 1
    return seen


WORDS = [b"null", b"true", b"-1", b"1e400", b"9" * 400, b'""', b"[]", b"{}", b"[" * 50, b'"\\ud800"', b"0.1", b"\xff"]


def mutated(chance: Random, text: bytes) -> bytes:
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(text) + 1)
        match chance.randrange(4):
            case 0:
                text = text[:at] + bytes([chance.randrange(32, 127)]) + text[at + 1 :]
            case 1:
                text = text[:at] + text[at + chance.randint(1, 10) :]
            case 2:
                text = text[:at] + chance.choice(WORDS) + text[at:]
            case 3:
                found = list(re.finditer(rb'(?<=:)("[^"]*"|\d+|true|false)', text))
                if found:
                    one = chance.choice(found)
                    text = text[: one.start()] + chance.choice(WORDS) + text[one.end() :]
    return text


@pytest.mark.parametrize(("seed", "frames"), [(1, 400), pytest.param(2, 100_000, marks=pytest.mark.soak)])
async def test_frames_that_are_almost_right_break_nothing(server: Any, seed: int, frames: int) -> None:
    seen = await mutate(server, seed, frames)

    codes = {code for kind, code in seen if kind == "refused"}
    assert "bad_request" in codes
    assert not codes & {"internal", "game_fault", "store_unavailable"}
    assert {code for kind, code in seen if kind == "closed"} <= {1007, 4029}
