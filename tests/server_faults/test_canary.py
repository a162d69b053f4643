"""A canary: the bytes that leave a server are read for its seeds, whatever way they leave."""

from __future__ import annotations

import asyncio
import base64
import io
import logging
from collections.abc import Iterator
from contextlib import aclosing, suppress
from functools import partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from croupier.client import ApiError, Client
from croupier.engine import get_game, list_games
from croupier.house import HouseGame
from croupier.server.operations import operators
from croupier.server.process.logs import JsonLines
from croupier.server.running.service import Service
from croupier.store.database import open_store
from croupier.store.matches import pair_of
from tests.server_faults.faulty_proxy import FaultyProxy
from tests.unit.server.conftest import Office, serving

MATCHES = ("shut-the-box", "lanes", "craps-table")
KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"  # RFC 8032, 7.1, test 1


def writings(secret: bytes) -> dict[str, bytes]:
    """Return every way in which bytes are usually written."""
    urlsafe, standard = base64.urlsafe_b64encode(secret), base64.b64encode(secret)
    return {
        "raw": secret,
        "backwards": secret[::-1],
        "hex": secret.hex().encode(),
        "HEX": secret.hex().upper().encode(),
        "base64": standard.rstrip(b"="),
        "base64url": urlsafe.rstrip(b"="),
        "base32": base64.b32encode(secret).rstrip(b"="),
        "number": str(int.from_bytes(secret, "big")).encode(),
        "other number": str(int.from_bytes(secret, "little")).encode(),
    }


def entropy(numbers: Iterator[int], drawn: list[bytes], size: int) -> bytes:
    """Draw the next bytes of a fixed series, and note them."""
    drawn.append(b"".join(sha256(b"canary %d" % next(numbers)).digest() for _ in range(size // 32 + 1))[:size])
    return drawn[-1]


def recording(where: Any, left: bytearray) -> Any:
    class Recorder(FaultyProxy):
        async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(OSError):
                while data := await reader.read(65_536):
                    left.extend(data)
                    writer.write(data)
                    await writer.drain()
                writer.close()

    made = Recorder((where.hostname, where.port), 0)
    made.is_kind = True
    return made


async def look_at_everything(people: list[Client], rooms: list[str], sessions: list[int]) -> None:
    """Ask for whatever there is about everything, also what is not for everybody."""
    paths = ["/me", "/me/export", "/me/tokens", "/me/sessions", "/me/rooms", "/me/ledger", "/rooms", "/leaderboard"]
    paths += ["/me/commitments", "/versions"]
    paths += ["/operator/audit", "/operator/counts", f"/operator/accounts/{people[0].account_id}", "/openapi.json"]
    for room in rooms:
        paths += [f"/rooms/{room}{end}" for end in ("?legal=true", "/log", "/record", "/coach", "/dice", "/transcript")]
        paths.append(f"/rooms/{room}/preview?type=mulligan")
    for session in sessions:
        paths += [f"/sessions/{session}{end}" for end in ("?legal=true", "/recall", "/record", "/coach")]
    for person in people:
        for path in paths:
            with suppress(ApiError):
                await person.ask("GET", path)


async def watch(person: Client, rooms: list[str]) -> None:
    """Follow every room for a view."""
    async with person.live() as live:
        for room in rooms:
            async with aclosing(live.follow(room, legal=True)) as updates:
                async for _ in updates:
                    break


async def play(ann: Client, bob: Client) -> tuple[list[str], list[int]]:
    """Begin everything there is, end nothing, and return the rooms and sessions."""
    rooms = []
    for game_id in MATCHES:
        room = await ann.create_room(game_id, seats=2)
        await bob.join(room.id)
        assert (await ann.room(room.id)).status == "active"
        for client in (ann, bob):
            seen = await client.room(room.id, legal=True)
            if seen.is_my_turn and seen.legal:
                await client.act(seen, seen.legal[0])
        rooms.append(room.id)
    rooms.append((await ann.post("/dice-rooms", {"key": KEY}))["id"])
    sessions = []
    for table in await ann.tables():
        game = get_game(table["game"])
        assert isinstance(game, HouseGame)
        session = await ann.start_session(table["id"], 10 if game.opens_with_stake else 0)
        seen_now = await ann.session(session.session_id, legal=True)
        if seen_now.legal and not game.opens_with_stake and not session.is_complete:
            session = await ann.move(seen_now, seen_now.legal[0])
        if not session.is_complete:
            sessions.append(session.session_id)
    return rooms, sessions


def secrets_of(url: str, rooms: list[str], account_id: str) -> tuple[dict[str, bytes], set[bytes]]:
    """Return every seed that is still secret with what matches are dealt from, and the seeds of sessions that ended."""
    found, ended = {}, set[bytes]()
    with open_store(url) as store:
        for room_id in rooms:
            room = store.read(lambda tx: tx.get_room(room_id))  # noqa: B023
            assert room is not None
            found[f"seed of {room.game_id} {room_id}"] = bytes.fromhex(room.server_seed)
            if not room.dice:
                found[f"match seed of {room.game_id}"] = pair_of(room).match_seed(room.session_id)
        for row in store.read(lambda tx: tx.seeds_of(account_id)):
            session = store.read(lambda tx, row=row: tx.get_session(row.session_id))  # type: ignore[misc]
            if session is not None and session.is_complete:
                ended.add(bytes.fromhex(row.server_seed))
                continue
            found[f"seed of session {row.session_id}"] = bytes.fromhex(row.server_seed)
            if row.state == "started":
                found[f"match seed of session {row.session_id}"] = row.pair().match_seed(row.session_id)
        host = store.read(lambda transaction: transaction.host())
        assert host is not None
        found["the host's key"] = bytes.fromhex(host.secret)
    return found, ended


async def test_no_seed_leaves_the_process_before_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    drawn: list[bytes] = []
    monkeypatch.setattr(
        "croupier.server.process.serve.Service", partial(Service, entropy=partial(entropy, count(), drawn))
    )
    written_log = io.StringIO()
    handler = logging.StreamHandler(written_log)
    handler.setFormatter(JsonLines())  # what stands in the log, as `croupier serve` writes it
    monkeypatch.setattr(logging.getLogger(), "handlers", [handler])
    caplog.set_level(logging.DEBUG, "croupier")
    left = bytearray()
    url = f"sqlite:///{tmp_path}/server.db"
    office = Office(url)
    operator = office.do(operators.make_operator, "Olga").token
    office.store.close()
    many = {"requests_burst": 100_000, "registrations_burst": 100, "rooms_each": 100, "log_level": "debug"}
    async with serving(tmp_path, **many) as addresses, recording(urlsplit(addresses.url), left) as wire:
        async with (
            Client(wire.url) as ann,
            Client(wire.url) as bob,
            Client(wire.url) as eve,
            Client(wire.url) as no,
            Client(wire.url, operator) as olga,
        ):
            people = [ann, bob, eve, no, olga]
            for person, name in zip(people, ("Ann", "Bob", "Eve"), strict=False):
                await person.register(name)
            rooms, sessions = await play(ann, bob)
            sessions.append((await ann.post("/commitments"))["session_id"])
            await look_at_everything(people, rooms, sessions)
            for person in (ann, bob, eve):
                await watch(person, rooms)
            async with httpx.AsyncClient() as http:
                left.extend((await http.get(f"{addresses.metrics_url}/metrics")).content)
            before, logged = bytes(left), written_log.getvalue().encode()
            secrets, ended = await asyncio.to_thread(secrets_of, url, rooms, ann.account_id)
            assert len(secrets) >= 2 * len(MATCHES) + 1 + 2 * 6
            assert all(secret in drawn for name, secret in secrets.items() if name.startswith("seed"))
            for name, secret in secrets.items():
                for way, written in writings(secret).items():
                    assert written not in before, f"{name} has left, as {way}"
                    assert written not in logged, f"{name} is in the log, as {way}"
            for secret in {one for one in drawn if len(one) == 32} - ended:  # tokens, keys, tickets: told this once
                assert sum(before.count(written) for written in set(writings(secret).values())) <= 1
            await reveal(ann, bob, rooms, sessions[:-1])
        shown = bytes(left)
    for name, secret in secrets.items():  # what was looked for would have been found
        if name.startswith("seed") and rooms[-1] not in name and not name.endswith(f" {sessions[-1]}"):
            assert writings(secret)["hex"] in shown, name
    dice = next(secret for name, secret in secrets.items() if rooms[-1] in name)
    for never in (dice, secrets["the host's key"]):
        assert not any(written in shown for written in writings(never).values())
    logged = written_log.getvalue().encode()
    assert b'"message":"ready"' in logged
    for secret in drawn:
        if len(secret) == 32:
            assert not any(written in logged for written in writings(secret).values())
    assert set(MATCHES) < set(list_games())


async def reveal(ann: Client, bob: Client, rooms: list[str], sessions: list[int]) -> None:
    """End everything: now the seeds are for everybody to see."""
    for room in rooms[:-1]:
        for client in (ann, bob):
            with suppress(ApiError):
                await client.leave(room)
        assert b'"server_seed"' in await ann.ask("GET", f"/rooms/{room}")
    for number in sessions:
        await ann.post(f"/sessions/{number}/close")
        await ann.ask("GET", f"/sessions/{number}/record")
