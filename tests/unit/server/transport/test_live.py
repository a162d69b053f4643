"""Live connections (WebSocket) without a network: tickets, origins, limits, frames, cut-offs, and broadcasts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from croupier.engine import Action
from croupier.server.operations import accounts, actions, operators, room_views, rooms
from croupier.server.operations.accounts import issue_ticket, redeem_ticket
from croupier.server.operations.context import Caller
from croupier.server.problems import Problem
from croupier.server.running.background import stop
from croupier.server.transport import frames
from croupier.server.transport.hub import Rendered
from croupier.server.transport.live import LiveServer
from croupier.store.model import Account, Token
from croupier.wire.rooms import NewRoom
from tests.unit.server.conftest import Running
from tests.unit.server.starting import create_later

HOST = [(b"host", b"table.example")]


class Wire:
    """One client's end of a connection: what it sends, and what it got."""

    def __init__(
        self, ticket: str, *, headers: list[tuple[bytes, bytes]] = HOST, protocol: str = "croupier.v1"
    ) -> None:
        self.scope: dict[str, Any] = {
            "type": "websocket",
            "path": "/api/v1/live",
            "query_string": f"ticket={ticket}".encode(),
            "headers": headers,
            "subprotocols": [protocol],
            "extensions": {"websocket.http.response": {}, "croupier.abort": self.abort},
        }
        self.to_server: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.to_server.put_nowait({"type": "websocket.connect"})
        self.got: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.reads = asyncio.Event()
        self.reads.set()
        self.aborted: tuple[int, str] | None = None

    def abort(self, code: int, reason: str) -> None:
        self.aborted = code, reason
        self.to_server.put_nowait({"type": "websocket.disconnect", "code": code})

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            await self.reads.wait()
        self.got.put_nowait(message)

    def say(self, text: str | dict[str, Any]) -> None:
        self.to_server.put_nowait(
            {"type": "websocket.receive", "text": text if isinstance(text, str) else json.dumps(text)}
        )

    def hang_up(self) -> None:
        self.to_server.put_nowait({"type": "websocket.disconnect", "code": 1000})

    async def next(self) -> Any:
        """Return the next message; of a frame, what is in it."""
        message = await asyncio.wait_for(self.got.get(), 120)
        return json.loads(message["text"]) if message["type"] == "websocket.send" else message

    async def frame(self, *types: str) -> Any:
        """Return the next frame of some types; others are passed over."""
        while True:
            found = await self.next()
            if found["type"] in types:
                return found


class House(Running):
    """A service, a hub and live connections in one process."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.service.listeners.append(self.hub.hear)
        self.live = LiveServer(self.hub, self.service)
        self.tasks: set[asyncio.Task[None]] = set()
        self.pusher = asyncio.create_task(self.hub.run())

    async def person(self, name: str) -> Caller:
        """Return somebody with a token."""
        who = await super().person(name)
        token = Token(f"hash of {who.id}", who.id, self.now, self.now + 1_000_000, "laptop")
        await self.service.change(lambda call: call.tx.put_token(token))
        return Caller(who.account, token.hash)

    async def connect(self, caller: Caller, **more: Any) -> Wire:
        """Return a connection that has been let in, or refused."""
        wire = Wire((await self.service.change(issue_ticket, caller)).ticket, **more)
        self.serve(wire)
        return wire

    async def let_in(self, *callers: Caller) -> list[Wire]:
        """Return connections that have been accepted, one for each caller."""
        wires = [await self.connect(caller) for caller in callers]
        for wire in wires:
            assert (await wire.next())["type"] == "websocket.accept"
        return wires

    async def follow(self, room_id: str, *callers: Caller, **more: Any) -> list[Wire]:
        """Return connections that follow a room."""
        wires = await self.let_in(*callers)
        for wire in wires:
            wire.say({"type": "subscribe", "match": room_id, **more})
        return wires

    async def end_of(self, wire: Wire) -> tuple[int, str] | None:
        """Wait until the server has cut a connection off, and return with which code and reason."""
        await self.until(lambda: wire.aborted is not None)
        return wire.aborted

    async def close(self) -> None:
        await self.live.close(within=1)
        await asyncio.gather(*self.tasks)
        await stop(self.pusher)
        await super().close()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Let others go on until something holds."""
        while not holds():
            await asyncio.sleep(0)

    def serve(self, wire: Wire) -> None:
        self.tasks.add(asyncio.create_task(self.live(wire.scope, wire.to_server.get, wire.send)))


@asynccontextmanager
async def open_house(**settings: Any) -> AsyncIterator[House]:
    """Open a house, and close it when a test is done with it; what never comes fails."""
    made = House(**settings)
    try:
        async with asyncio.timeout(120):
            yield made
    finally:
        await made.close()


@pytest.fixture
def house(request: pytest.FixtureRequest) -> Any:
    return open_house(**getattr(request, "param", {}))


def house_with(**settings: Any) -> pytest.MarkDecorator:
    """Return a decorator for a test whose house has settings of its own."""
    return pytest.mark.parametrize("house", [settings], indirect=True, ids=[""])


async def solo(house: House, caller: Caller, **more: Any) -> Any:
    return await create_later(house.service.change, caller, NewRoom("shut-the-box", seats=1, **more))


async def alone(house: House) -> tuple[Caller, Any]:
    """Return Ann, and the room in which she plays by herself."""
    ann = await house.person("ann")
    return ann, await solo(house, ann)


async def test_a_ticket_is_good_once_and_for_half_a_minute(house: House) -> None:
    ann = await house.person("ann")
    first, second = [await house.service.change(issue_ticket, ann) for _ in range(2)]
    assert (await house.service.change(redeem_ticket, first.ticket)).account_id == "p_ann"
    with pytest.raises(Problem, match="bad_token"):
        await house.service.change(redeem_ticket, first.ticket)
    house.now += 30_000
    with pytest.raises(Problem, match="bad_token"):
        await house.service.change(redeem_ticket, second.ticket)
    await house.service.change(issue_ticket, ann)
    assert len(await house.service.look(lambda call: call.tx.tokens_of("p_ann"))) == 2  # the old ones are gone


@pytest.mark.parametrize(
    ("more", "status", "code"),
    [
        ({"headers": [*HOST, (b"origin", b"https://evil.example")]}, 403, "bad_origin"),
        ({"headers": [*HOST, (b"origin", b"http://table.example.evil.example")]}, 403, "bad_origin"),
        ({"protocol": "croupier.v9"}, 400, "bad_request"),
    ],
)
async def test_a_connection_is_refused_with_a_reason(house: House, more: Any, status: int, code: str) -> None:
    wire = await house.connect(await house.person("ann"), **more)
    assert (await wire.next())["status"] == status
    assert json.loads((await wire.next())["body"])["code"] == code


@pytest.mark.parametrize("origin", [b"https://table.example", b"http://table.example", b"https://friend.example"])
@house_with(origins=("https://friend.example",))
async def test_our_own_pages_and_those_of_friends_are_let_in(house: House, origin: bytes) -> None:
    wire = await house.connect(await house.person("ann"), headers=[*HOST, (b"origin", origin)])
    assert await wire.next() == {"type": "websocket.accept", "subprotocol": "croupier.v1"}


@house_with(connections_each=2)
async def test_somebody_has_only_so_many_connections_until_one_is_closed(house: House) -> None:
    ann, bob = await house.person("ann"), await house.person("bob")
    wires = await house.let_in(ann, ann)
    assert (await (await house.connect(ann)).next())["status"] == 429
    await house.let_in(bob)
    wires[0].hang_up()
    await house.until(lambda: len(house.live.connections) <= 2)
    await house.let_in(ann)


@pytest.mark.parametrize("how", ["dropped", "recovered", "frozen", "deleted"])
async def test_a_token_that_is_taken_away_takes_its_connections_and_tickets_along(house: House, how: str) -> None:
    change = house.service.change
    made = await change(accounts.register, "Ann")
    laptop = await change(accounts.authenticate, made.token)
    phone = await change(accounts.authenticate, (await change(accounts.new_token, laptop, "phone")).token)
    on_phone, of_bob, on_laptop = await house.let_in(phone, await house.person("bob"), laptop)
    unused = [(await change(issue_ticket, one)).ticket for one in (phone, laptop)]
    new = None
    match how:
        case "dropped":
            await change(accounts.drop_token, laptop, "t_" + phone.token_hash[:20])
        case "recovered":
            new = await change(accounts.recover, made.recovery_key)
        case "frozen":
            olga = await change(operators.make_operator, "Olga")
            operator = await change(accounts.authenticate, olga.token)
            await change(operators.freeze_account, operator, made.account.id, True, "")
        case "deleted":
            await change(accounts.delete_account, laptop)
    assert await house.end_of(on_phone) == (4001, "bad_token")
    assert of_bob.aborted is None
    if how != "dropped":  # then nothing else that was let in stays, whichever token it came with
        assert await house.end_of(on_laptop) == (4001, "bad_token")
    for ticket in unused if how != "dropped" else unused[:1]:
        late = Wire(ticket)
        house.serve(late)
        assert (await late.next())["status"] == 401
    if how == "dropped":
        assert on_laptop.aborted is None
        await house.let_in(laptop)
    if new is not None:
        found = await change(accounts.list_tokens, await change(accounts.authenticate, new.token))
        assert [token.is_this for token in found] == [True]
        with pytest.raises(Problem, match="bad_token"):
            await change(accounts.authenticate, made.token)
        await house.let_in(await change(accounts.authenticate, new.token))


async def test_an_account_has_only_so_many_tickets_and_the_oldest_go(house: House) -> None:
    ann = await house.person("ann")
    tickets = []
    for _ in range(103):
        house.now += 1
        tickets.append((await house.service.change(issue_ticket, ann)).ticket)
    kept = await house.service.look(lambda call: [each.hash for each in call.tx.tokens_of("p_ann")])
    assert sum(each.startswith("ticket:") for each in kept) == 100
    for ticket, status in ((tickets[2], 401), (tickets[3], None)):
        wire = Wire(ticket)
        house.serve(wire)
        assert (await wire.next()).get("status") == status


async def test_a_connection_ends_when_its_token_runs_out(house: House) -> None:
    ann = await house.person("ann")
    house.now += 999_999  # one millisecond is left
    (wire,) = await house.let_in(ann)
    assert await house.end_of(wire) == (4001, "bad_token")


async def test_a_token_that_another_process_has_dropped_ends_its_connections_here(house: House) -> None:
    ann, bob = await house.person("ann"), await house.person("bob")
    wires = await house.let_in(ann, bob)
    house.service.listeners.clear()  # as if it was written elsewhere
    await house.service.change(lambda call: call.tx.drop_token(ann.token_hash))
    house.hub.overhear(("p_bob", "p_ann"))  # the topics, as they come from the database
    await house.until(lambda: wires[0].aborted is not None)
    assert wires[1].aborted is None
    await house.service.change(lambda call: call.tx.drop_token(bob.token_hash))
    house.hub.mark_all()  # of that one nobody heard
    await house.until(lambda: wires[1].aborted is not None)


async def test_a_token_that_is_dropped_while_its_ticket_is_looked_up_ends_the_connection(house: House) -> None:
    """Another process drops it when the ticket is used up and the connection is not there yet to be found."""
    ann = await house.person("ann")
    house.service.listeners.clear()
    usual = house.service.change

    async def change(operation: Any, *arguments: Any) -> Any:
        found = await usual(operation, *arguments)
        if operation is redeem_ticket:
            await usual(lambda call: call.tx.drop_token(ann.token_hash))
            house.hub.overhear(("p_ann",))
        return found

    house.service.change = change  # type: ignore[method-assign, assignment]
    (wire,) = await house.let_in(ann)
    await asyncio.gather(*house.live._checks)
    assert wire.aborted == (4001, "bad_token")


@house_with(requests_burst=8)
async def test_whoever_goes_on_when_refused_is_cut_off(house: House) -> None:
    (wire,) = await house.let_in(await house.person("ann"))
    for _ in range(1_000):
        wire.say({"type": "ping", "id": "p"})
    assert await house.end_of(wire) == (4029, "too_many_requests")
    found = [json.loads(one["text"])["type"] for one in (wire.got.get_nowait() for _ in range(wire.got.qsize()))]
    assert len(found) <= 16
    assert (house.live.counts["ping"], house.live.counts["too_many_requests"]) == (16, 1)
    assert house.service.refusals["too_many_requests"] == 8


@house_with(requests_burst=8)
async def test_malformed_frames_are_answered_until_the_connection_is_cut_off(house: House) -> None:
    (wire,) = await house.let_in(await house.person("ann"))
    for _ in range(8):  # of every kind: tests/server_faults/test_malformed.py
        wire.say("nope")
        assert (await wire.next())["code"] == "bad_request"
    wire.say("once more")
    assert await house.end_of(wire) == (4029, "too_many_requests")
    assert house.live.counts["malformed"] == 8


async def test_a_refused_frame_is_answered_under_its_id_where_that_can_be_read(house: House) -> None:
    (wire,) = await house.let_in(await house.person("ann"))
    for id, answered in (("m6", "m6"), (6, None), ("x" * 65, None), ("", None)):
        wire.say({"type": "move", "session": "x", "id": id})
        refused = await wire.next()
        assert (refused["code"], refused["id"]) == ("bad_request", answered)


@house_with(buffer_frames=8)
async def test_a_client_that_does_not_read_is_cut_off_and_nobody_else_is(house: House) -> None:
    ann, bob = await house.person("ann"), await house.person("bob")
    slow, quick = await house.let_in(ann, bob)
    slow.reads.clear()
    for number in range(40):
        for wire in (slow, quick):
            wire.say({"type": "ping", "id": str(number)})
        assert (await quick.next())["id"] == str(number)
        if slow.aborted is not None:
            break
    assert slow.aborted == (4008, "too_slow")
    assert number == 9  # one frame is on its way, eight wait, the tenth is too much
    while len(house.live.connections) > 1:
        await asyncio.sleep(0)
    assert house.live.counts["too_slow"] == 1


async def test_an_action_is_answered_once_it_is_written_and_happens_once(house: House) -> None:
    ann, room = await alone(house)
    wire = await house.connect(ann)
    frame = {"type": "act", "match": room.id, "id": "a1", "expected_version": 0, "action": {"type": "roll"}}
    for _ in range(2):
        wire.say(frame)
        assert await wire.frame("done", "refused") == {"type": "done", "id": "a1", "version": 1, "result": None}
    wire.say({**frame, "action": {"type": "shut"}})
    assert (await wire.frame("done", "refused"))["code"] == "key_reused"
    wire.say({**frame, "id": "a2"})
    refused = await wire.frame("done", "refused")
    assert (refused["id"], refused["code"], refused["version"]) == ("a2", "stale_version", 1)
    assert (await house.service.look(room_views.find_room, ann, room.id)).version == 1


async def test_a_follower_gets_a_view_at_once_and_one_for_every_change_in_order(house: House) -> None:
    (ann, room), eve = await alone(house), await house.person("eve")
    (wire,) = await house.follow(room.id, eve)
    first = await wire.frame("view")
    assert (first["version"], first["log"], first["room"]["seat"]) == (0, [], None)
    versions = []
    for version in range(3):
        legal = await house.service.look(room_views.find_room, ann, room.id, legal=True)
        assert legal.legal
        await house.service.change(
            actions.act, ann, room.id, version, Action(legal.legal[0].type, legal.legal[0].payload)
        )
        view = await wire.frame("view")
        versions += [item["version"] for item in view["log"]]
        assert view["version"] == versions[-1]
    assert versions == [1, 2, 3]
    wire.say({"type": "subscribe", "match": room.id, "version": 1})  # as after a broken connection
    again = await wire.frame("view")
    assert [item["version"] for item in again["log"]] == [2, 3]
    wire.say({"type": "unsubscribe", "match": room.id})
    wire.say({"type": "ping"})
    await wire.frame("pong")
    assert len(house.hub) == 0
    house.hub._hand_out(Rendered(room.id, frozenset({"p_ann"}), {}))  # what was read when they still followed
    assert not house.hub._seated, "of a room that nobody follows nothing is kept"


async def test_an_action_committed_here_is_broadcast_without_reading_it_again(house: House) -> None:
    (ann, room), eve = await alone(house), await house.person("eve")
    wires = await house.follow(room.id, ann, eve, legal=True)
    for wire in wires:
        await wire.frame("presence")
    reads: list[object] = []

    async def look(*asked: object) -> Any:
        reads.append(asked)
        return await house.service.look(*asked)  # type: ignore[arg-type]

    house.hub._look = look
    await house.service.change(actions.act, ann, room.id, 0, Action("roll"))
    mine, other = [await wire.frame("view") for wire in wires]
    while mine["version"] == 0:  # the first view may come in two
        mine = await wires[0].frame("view")
    while other["version"] == 0:
        other = await wires[1].frame("view")
    assert reads == []
    assert [item["version"] for item in mine["log"]] == [item["version"] for item in other["log"]] == [1]
    assert mine["room"]["legal"]
    assert other["room"]["legal"] is None
    # Who has not seen what came before gets what is read.
    wires[1].say({"type": "subscribe", "match": room.id})
    assert [item["version"] for item in (await wires[1].frame("view"))["log"]] == [1]
    assert reads


async def test_a_view_that_was_read_before_a_newer_one_was_shown_is_dropped(house: House) -> None:
    ann, room = await alone(house)
    (wire,) = await house.follow(room.id, ann)
    await wire.frame("presence")
    has_read, go_on = asyncio.Event(), asyncio.Event()

    async def late(*asked: object) -> Any:
        answer: Any = await house.service.look(*asked)  # type: ignore[arg-type]
        has_read.set()
        await go_on.wait()
        return answer

    house.hub._look = late
    house.hub.mark((room.id,))
    await has_read.wait()
    await house.service.change(actions.act, ann, room.id, 0, Action("roll"))
    go_on.set()
    wire.say({"type": "ping", "id": "last"})
    seen = []
    while (frame := await wire.frame("view", "pong"))["type"] == "view":
        seen.append(frame["version"])
    assert seen in ([1], [0, 1])
    assert seen == sorted(seen)


async def test_following_a_private_room_is_refused_as_if_there_were_none(house: House) -> None:
    ann, eve = await house.person("ann"), await house.person("eve")
    made = await house.service.change(operators.make_operator, "Olga")
    olga = await house.service.change(accounts.authenticate, made.token)
    room = await solo(house, ann, allows_spectators=False)
    mine, *others = await house.follow(room.id, ann, eve, olga)
    assert (await mine.frame("view", "gone"))["type"] == "view"
    for other in others:
        for match in (room.id, "m_nowhere"):
            other.say({"type": "subscribe", "match": match})
            gone = await other.frame("view", "gone")
            assert (gone["type"], gone["code"]) == ("gone", "no_such_room")


async def test_rooms_that_are_gone_take_no_place_among_those_followed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.server.transport.live.FOLLOWS_MAX", 1)
    ann = await house.person("ann")
    room = await solo(house, ann)
    (wire,) = await house.let_in(ann)
    for match, answer in (("m_1", "gone"), ("m_2", "gone"), (room.id, "view"), ("m_3", "refused")):
        wire.say({"type": "subscribe", "match": match})
        assert (await wire.frame("view", "gone", "refused"))["type"] == answer


async def test_presence_tells_who_of_the_seated_is_there_and_how_many_watch(house: House) -> None:
    ann, bob, eve = [await house.person(name) for name in ("ann", "bob", "eve")]
    room = await house.service.change(rooms.create_room, ann, NewRoom("shut-the-box", seats=2))
    await house.service.change(rooms.join_room, bob, room.id)
    wires = await house.follow(room.id, ann, bob, eve)
    while not (found := await wires[0].frame("presence"))["spectators"]:
        pass
    assert (found["here"], found["spectators"]) == (["p_ann", "p_bob"], 1)
    wires[1].hang_up()
    while (found := await wires[0].frame("presence"))["here"] != ["p_ann"]:
        pass
    assert found["spectators"] == 1


async def test_an_account_frozen_meanwhile_acts_no_more_over_its_connection(house: House) -> None:
    ann, room = await alone(house)
    (wire,) = await house.let_in(ann)
    frozen = Account("p_ann", "ann", house.now, frozen=True)
    await house.service.change(lambda call: call.tx.put_account(frozen))
    wire.say({"type": "act", "match": room.id, "id": "a", "expected_version": 0, "action": {"type": "roll"}})
    assert (await wire.frame("done", "refused"))["code"] == "account_frozen"


async def test_good_bye_is_said_to_everybody_with_times_that_differ(house: House) -> None:
    wires = await house.let_in(*[await house.person(f"p{number}") for number in range(5)])
    closing = asyncio.create_task(house.live.close(within=5))
    times = set()
    for wire in wires:
        bye = await wire.next()
        assert (bye["type"], bye["code"]) == ("bye", "shutting_down")
        times.add(bye["reconnect_ms"])
        assert (await wire.next())["code"] == 1012
        wire.hang_up()
    await closing
    assert len(times) > 1
    refused = await house.connect(await house.person("late"))
    assert (await refused.next())["status"] == 503


def test_frames_are_told_apart_by_their_type() -> None:
    message = {"type": "leave", "key": "ab" * 32, "seq": 3, "signature": "00" * 64}
    found = frames.read_frame(json.dumps({"type": "dice", "match": "m", "message": message}), 8)
    assert (type(found).__name__, found.match, found.message.seq, found.id) == ("Dice", "m", 3, None)
