"""The live connection to a real server: resuming, tickets, secrets, and servers that die."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from croupier.bots import find_bot
from croupier.client import ApiError, Client, ServerGone, SyncClient
from croupier.client.live import Live
from croupier.engine import act, get_game, read_record, replay, view_for
from croupier.engine.views import imagine
from croupier.rng import GameRng
from tests.unit.client.stories import with_clients

V1 = [Subprotocol("croupier.v1")]


def live_url(server: Any, ticket: str) -> str:
    return f"{server.url.replace('http', 'ws', 1)}/api/v1/live?ticket={ticket}"


@pytest.mark.parametrize("turns", range(6))
def test_who_stops_following_stops_even_when_something_comes_at_that_moment(turns: int) -> None:
    """The turns of the loop lie between what comes and the end."""

    async def story() -> None:
        live = Live(None)  # type: ignore[arg-type]
        live._say = lambda frame: asyncio.sleep(0)  # type: ignore[method-assign]
        frames = live.told("m_1")
        task = asyncio.ensure_future(anext(frames))
        await asyncio.sleep(0.01)
        live._hear({"type": "told", "match": "m_1", "version": 1, "items": ()})
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task], timeout=5)
        assert task.cancelled()

    asyncio.run(story())


@with_clients("ann", "eve")
async def test_a_follower_whose_connection_breaks_misses_nothing(server: Any, ann: Client, eve: Client) -> None:
    room = await ann.create_room("shut-the-box", seats=1)
    told: list[int] = []
    versions: list[int] = []
    async with eve.live() as live:
        async for update in live.follow(room.id):
            told += [item["version"] for item in update.log]
            versions.append(update.version)
            if update.room.is_over:
                break
            if update.version == 2:
                await live.drop()
            now = await ann.room(room.id, legal=True)
            if now.version == update.version:
                assert now.legal
                await ann.act(now, now.legal[0])
        assert live.connects == 2
    assert told == list(range(1, versions[-1] + 1))
    assert versions == sorted(versions)


@with_clients("ann")
async def test_what_is_too_large_for_a_frame_is_said_once_and_others_go_on(server: Any, ann: Client) -> None:
    room = await ann.create_room("shut-the-box", seats=1)
    async with ann.live() as live:
        await live.ping()
        with pytest.raises(ApiError, match="too_large"):
            await asyncio.wait_for(live.act(room, act("shut", tiles=[1] * 40_000)), 10)
        assert await live.ping()
        assert live.connects == 2


@with_clients("ann")
async def test_who_follows_is_told_when_the_connection_is_closed_on_this_side(server: Any, ann: Client) -> None:
    room = await ann.create_room("shut-the-box", seats=1)
    async with ann.live() as live:
        updates = live.follow(room.id)
        await anext(updates)
        task = asyncio.ensure_future(anext(updates))
        await asyncio.sleep(0)

    with pytest.raises(ServerGone, match="closed on this side"):
        await asyncio.wait_for(task, 5)


@with_clients("ann")
async def test_who_follows_is_told_when_somebody_else_does_over_the_same_connection(server: Any, ann: Client) -> None:
    room = await ann.create_room("shut-the-box", seats=1)
    async with ann.live() as live:
        older, newer = live.follow(room.id), live.follow(room.id)
        await anext(older)
        assert (await anext(newer)).room.id == room.id

        with pytest.raises(ApiError, match="followed_anew"):
            await asyncio.wait_for(anext(older), 5)
        await ann.act(await ann.room(room.id), act("roll"))
        assert (await asyncio.wait_for(anext(newer), 5)).version == 1


@with_clients("ann")
async def test_two_tasks_that_ask_under_one_key_are_both_answered(server: Any, ann: Client) -> None:
    room = await ann.create_room("shut-the-box", seats=1)
    async with ann.live(answer_seconds=0.2) as live:
        both = [live.act(room, act("roll"), key="once") for _ in range(2)]

        assert await asyncio.wait_for(asyncio.gather(*both), 5) == [1, 1]


@with_clients("ann")
async def test_a_ticket_lets_one_connection_in(server: Any, ann: Client) -> None:
    ticket = await ann.ticket()
    async with connect(live_url(server, ticket), subprotocols=V1) as socket:
        await socket.send('{"type":"ping","id":"a"}')
        assert json.loads(await socket.recv())["type"] == "pong"
    for bad in (ticket, "", "x" * 43, ann.token):
        with pytest.raises(InvalidStatus) as refused:
            async with connect(live_url(server, bad), subprotocols=V1):
                pass
        assert refused.value.response.status_code == 401
        assert json.loads(refused.value.response.body or b"")["code"] == "bad_token"
    async with Client(server.url, await ann.ticket()) as impostor:
        with pytest.raises(ApiError, match="bad_token"):  # nor is a ticket a token
            await impostor.me()


@with_clients("ann")
async def test_a_page_of_another_site_is_kept_out(server: Any, ann: Client) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with connect(
            live_url(server, await ann.ticket()),
            subprotocols=V1,
            origin="https://evil.example",  # type: ignore[arg-type]
        ):
            pass
    assert refused.value.response.status_code == 403


async def watch(server: Any, client: Client, room_id: str, frames: list[str], is_on: asyncio.Event) -> None:
    """Collect what somebody is sent about a room, to the byte, until the match is over."""
    async with connect(live_url(server, await client.ticket()), subprotocols=V1, max_size=None) as socket:
        await socket.send(json.dumps({"type": "subscribe", "match": room_id}))
        async for text in socket:
            assert isinstance(text, str)
            if '"type":"view"' in text:
                frames.append(text)
                is_on.set()
                if json.loads(text)["room"]["status"] == "finished":
                    return


@with_clients("ann", "bob", "eve")
async def test_no_frame_tells_a_hidden_card_nor_does_its_length(
    server: Any, ann: Client, bob: Client, eve: Client
) -> None:
    """Each view on the wire is the seat's own, and what stands around it is the same for everybody.

    Then the hidden cards are dealt anew in every way that the viewer could not tell from the real one: the frame for
    such a match has the same bytes, so neither its words nor its length tell which it was.
    """
    game = get_game("lanes")
    collected: dict[str | None, list[str]] = {}
    room = await ann.create_room("lanes", seats=2)
    await bob.join(room.id)
    assert (await ann.room(room.id)).status == "active"
    watching = []
    for client in (ann, bob, eve):
        viewer = None if client is eve else client.account_id
        collected[viewer] = []
        is_on = asyncio.Event()
        watching.append(asyncio.create_task(watch(server, client, room.id, collected[viewer], is_on)))
        await is_on.wait()
    policy = find_bot(game, "random")
    await asyncio.gather(ann.play(room.id, policy), bob.play(room.id, policy))
    await asyncio.gather(*watching)

    record = await ann.record(room.id)
    truth = {state.version: state for state in replay(read_record(record))}
    around: dict[int, Any] = {}
    checked = 0
    for viewer, frames in collected.items():
        for text in frames:
            frame = json.loads(text)
            match = truth[frame["version"]]
            shown = frame["room"]
            view = msgspec.json.encode(view_for(game, match, viewer))
            assert shown.pop("view") == msgspec.json.decode(view)
            assert shown.pop("seat") == (None if viewer is None else [p.id for p in match.players].index(viewer))
            assert shown["server_seed"] is None or match.status == "finished"
            shown.pop("deadline")
            assert around.setdefault(frame["version"], shown) == shown
            for item in frame["log"]:
                entry = item["entry"]
                assert "seed" not in entry
                if match.status == "active" and entry["action"]["player_id"] != viewer and entry["action"]["payload"]:
                    assert not game.is_secret(msgspec.convert(entry["action"], type(read_record(record).actions[0])))
            if match.status == "active":
                for number in range(3):
                    other = imagine(game, view_for(game, match, viewer), GameRng.new(bytes([number]) * 32, 1, 1))
                    assert msgspec.json.encode(view_for(game, other, viewer)) == view
                    checked += 1
    assert checked >= 30


def test_a_server_that_is_killed_goes_on_where_it_was(own_server: Any) -> None:
    """Ann buys chips; the server dies without a word, twice; her client notices no more than a delay."""

    async def story() -> None:
        server = own_server()
        async with Client(server.url, waits=(0.2,) * 150) as ann:
            await ann.register("Ann")
            room = await ann.create_room("craps-table", seats=1)
            for deaths in range(2):
                for _ in range(3):
                    room = await ann.act(room, act("buy_in", chips=20))
                server.kill()
                asking = asyncio.create_task(ann.act(room, act("buy_in", chips=20)))
                await asyncio.to_thread(server.start)
                room = await asking
                assert room.version == 4 * (deaths + 1)
            end = await ann.act(room, act("cash_out"))
            assert end.status == "finished"
            assert end.view is not None
            assert end.view["game"]["seats"][0]["bought"] == 160
            assert (await ann.check_record(room.id)).ok

    asyncio.run(story())


def test_a_server_that_stops_says_good_bye_and_when_to_come_back(own_server: Any) -> None:
    async def story() -> None:
        server = own_server()
        async with Client(server.url) as ann:
            await ann.register("Ann")
            async with connect(live_url(server, await ann.ticket()), subprotocols=V1) as socket:
                stopped = asyncio.create_task(asyncio.to_thread(server.end, signal.SIGTERM))
                bye = json.loads(await socket.recv())
                with pytest.raises(ConnectionClosed) as closed:
                    await socket.recv()
                assert await stopped == 0
            assert bye["type"] == "bye"
            assert bye["code"] == "shutting_down"
            assert 0 <= bye["reconnect_ms"] < 5000
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012

    asyncio.run(story())


def test_logs_hold_no_token_no_seed_and_no_key(own_server: Any) -> None:
    server = own_server(log_level="debug")
    with SyncClient(server.url) as ann:
        account = ann.register("Ann")
        room = ann.create_room("shut-the-box", seats=1)
        kept = ann.notes.get(room.session_id)
        end = ann.play(room.id, find_bot(get_game("shut-the-box"), "first"))
        ticket = ann.post("/tickets")["ticket"]
        with pytest.raises(ApiError):
            ann.post("/rooms", {"game": account.token})
    server.end()
    assert end.server_seed is not None
    assert kept is not None
    log = server.log.read_text()
    assert '"message":"ready"' in log
    for secret in (account.token, account.recovery_key, end.server_seed, kept.secret, ticket):
        assert secret not in log
    assert all(json.loads(line)["level"] for line in log.splitlines())


def test_the_first_request_for_odds_does_not_wait_until_they_are_counted(own_server: Any) -> None:
    """Counting them takes some three seconds of processor time, and the server itself has spent none of it."""
    server = own_server(odds_ahead_ms=1)
    until = time.monotonic() + 120
    while "odds are counted" not in server.log.read_text():
        assert time.monotonic() < until, "the server counts no odds"
        time.sleep(0.1)
    spent = processor_seconds(server.process.pid)
    with SyncClient(server.url) as ann:
        odds = {
            (table["game"], is_super): ann.get(f"/games/{table['game']}/odds?table={table['id']}&is_super={is_super}")
            for table in ann.get("/tables")
            for is_super in ("false", "true")
        }
    assert processor_seconds(server.process.pid) - spent < 0.5
    (pair,) = [row for row in odds["baccarat", "false"]["bets"] if row["bet"] == "player_pair"]
    assert pair["edge"] == "12/415"  # 31 of the other 415 cards make a pair, which pays 12 to 1
    assert len(odds) == 2 * len({game for game, _ in odds}) >= 20


def processor_seconds(pid: int) -> float:
    """Return what a process has spent, without the processes that it has begun."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def test_probes_and_metrics_are_on_a_port_of_their_own(server: Any) -> None:
    import urllib.request

    def fetch(path: str) -> str:
        with urllib.request.urlopen(server.metrics_url + path, timeout=60) as answer:
            return str(answer.read().decode())

    with SyncClient(server.url) as ann:
        ann.register("Ann")
        with pytest.raises(ApiError, match="not_found"):
            ann.get("/../../metrics")
    assert fetch("/livez") == "alive\n"
    assert fetch("/readyz") == "ready\n"
    metrics = fetch("/metrics")
    assert 'croupier_requests_total{method="POST",status="201"}' in metrics
    assert "croupier_operations_total" in metrics
