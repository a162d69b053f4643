"""Live connections: WebSocket with the subprotocol `croupier.v1` as an ASGI application, and the rate limit of frames.

A connection costs one task that waits for frames; another one lives only while a client does not take what is sent as
fast as it comes. Frames of a client are taken one after the other, each when the one before it has been answered: who
sends faster waits, in their own buffers. What waits for a client that does not read is bounded, and then the client is
cut off: 4008.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs

import msgspec
from msgspec import Raw, Struct, field

from croupier.engine.rate_limit import MessageLimits
from croupier.fairness.dice.answers import MALFORMED
from croupier.server.operations.accounts import Admission, good_tokens, redeem_ticket
from croupier.server.operations.declaration.registry import FRAMES
from croupier.server.problems import Problem, ensure
from croupier.server.running.requests import VERSION_ONLY, Answer, Request, carry_out
from croupier.server.running.service import Service, as_problem
from croupier.server.transport import frames
from croupier.server.transport.addresses import refuse
from croupier.server.transport.hub import Hub
from croupier.server.transport.reading import check_origin

log = logging.getLogger("croupier.live")

PATH = "/api/v1/live"
TOO_SLOW, TOO_MANY, NO_TOKEN, RESTARTING = 4008, 4029, 4001, 1012
FOLLOWS_MAX = 64
"""How many rooms a connection may follow."""
SPREAD_MS = 5_000
"""Over how long clients come back after a restart."""
GRACE_SECONDS = 5.0

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Connection(Struct, eq=False):
    """One client: who it is, what it follows, and what waits to be sent to it."""

    number: int
    account_id: str
    token_hash: str
    _send: Send
    _limits: tuple[int, int]
    """How many frames and bytes may wait."""
    _abort: Callable[..., None] | None = None
    _write: Callable[[bytes], bool] | None = None
    follows: set[str] = set()
    closing: tuple[int, str] | None = None
    _queue: deque[bytes] = field(default_factory=deque)
    _bytes: int = 0
    _task: asyncio.Task[None] | None = None
    __repr__ = object.__repr__  # a log line must not tell what it holds

    def send(self, text: bytes) -> None:
        """Send a frame, or put it in line if it has to wait. A client with too much in line is cut off."""
        if self.closing is not None:
            return
        if self._task is None and self._write is not None and self._write(text):
            return
        if len(self._queue) >= self._limits[0] or self._bytes + len(text) > self._limits[1]:
            self.cut_off(TOO_SLOW, "too_slow")
            return
        self._queue.append(text)
        self._bytes += len(text)
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._flush())

    def hang_up(self, code: int, reason: str) -> None:
        """Close the connection when everything in line has been sent."""
        if self.closing is None:
            self.closing = code, reason
            if self._task is None:
                self._task = asyncio.get_running_loop().create_task(self._flush())

    def cut_off(self, code: int, reason: str) -> None:
        """Close the connection now: what is in line is dropped, and a client that takes nothing is not waited for."""
        self.closing = code, reason
        self._queue.clear()
        log.info("cut off", extra={"code": code, "reason": reason, "account": self.account_id})
        if self._abort is not None:
            self._abort(code, reason)
        elif self._task is not None:
            self._task.cancel()

    async def _flush(self) -> None:
        try:
            while self._queue:
                text = self._queue.popleft()
                await self._send({"type": "websocket.send", "text": text.decode()})
                self._bytes -= len(text)
            if self.closing is not None:
                code, reason = self.closing
                await self._send({"type": "websocket.close", "code": code, "reason": reason})
        except Exception:  # it is gone: the loop that receives hears of it
            self._queue.clear()
            self.closing = self.closing or (1006, "gone")
        finally:
            self._task = None

    async def finish(self) -> None:
        """Let go of what is still being sent."""
        self.closing = self.closing or (1006, "gone")
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task


class LiveServer:
    """All live connections of a process."""

    def __init__(self, hub: Hub, service: Service) -> None:
        self.hub = hub
        self.service = service
        self.settings = settings = service.settings
        self.connections: set[Connection] = set()
        self.is_closing = False
        self.counts: Counter[str] = Counter()
        """How many frames came in, by type, and how many connections were refused or cut off, by reason."""
        self._each: Counter[str] = Counter()
        self._gate = MessageLimits(
            service.monotonic, tokens=settings.requests_burst, refill_ms=settings.requests_refill_ms
        )
        self._number = self._changes = 0
        self._checks: set[asyncio.Task[None]] = set()
        hub.on_accounts = self._tokens_changed

    # One connection.

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection from its first message to its last."""
        await receive()  # websocket.connect
        changes = self._changes
        try:
            admitted = await self._admit(scope)
        except Problem as problem:
            self.counts[problem.reason] += 1
            await refuse(scope, send, problem)
            return
        self._number += 1
        account_id, limits = admitted.account_id, (self.settings.buffer_frames, self.settings.buffer_bytes)
        more = (scope.get("extensions", {}).get(name) for name in ("croupier.abort", "croupier.write"))
        connection = Connection(self._number, account_id, admitted.token_hash, send, limits, *more)
        self.connections.add(connection)
        if self._changes != changes:  # tokens were dropped while the ticket was looked up: perhaps this one
            self._tokens_changed(frozenset((account_id,)))
        left = (admitted.expires_at - self.service.clock()) / 1000
        expiry = asyncio.get_running_loop().call_later(left, connection.cut_off, NO_TOKEN, "bad_token")
        try:
            await send({"type": "websocket.accept", "subprotocol": frames.SUBPROTOCOL})
            while True:
                message = await receive()
                if message["type"] == "websocket.disconnect":
                    if message.get("cut_off"):
                        connection.closing = connection.closing or (message["code"], message["reason"])
                    break
                if connection.closing is None:
                    await self._take(connection, message.get("text"))
        finally:
            expiry.cancel()
            self.connections.discard(connection)
            self._each[account_id] -= 1
            if not self._each[account_id]:
                del self._each[account_id]
            for room_id in connection.follows:
                self.hub.leave(room_id, connection)
            self._gate.hung_up(str(connection.number))
            if connection.closing is not None:
                self.counts[connection.closing[1]] += 1
            await connection.finish()

    async def _admit(self, scope: Scope) -> Admission:
        """Return whose connection it is, or raise `Problem`."""
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        ensure(not self.is_closing, "shutting_down")
        check_origin(headers.get(b"origin"), headers.get(b"host", ""), self.settings)
        if frames.SUBPROTOCOL not in scope.get("subprotocols", ()):
            raise Problem("bad_request", f"the subprotocol is {frames.SUBPROTOCOL}")
        ensure(len(self.connections) < self.settings.connections_max, "overloaded")
        given = parse_qs(scope.get("query_string", b"").decode("ascii", "replace")).get("ticket", [""])
        admitted = await self.service.change(redeem_ticket, given[0])
        account_id = admitted.account_id
        if self._each[account_id] >= self.settings.connections_each:
            raise Problem("too_many_requests", f"you have {self._each[account_id]} live connections already")
        self._each[account_id] += 1
        return admitted

    def _tokens_changed(self, accounts: frozenset[str] | None) -> None:
        """Cut off the connections of some accounts, or of any, whose tokens are good no longer."""
        self._changes += 1
        asked = [each for each in self.connections if accounts is None or each.account_id in accounts]
        if asked:
            task = asyncio.get_running_loop().create_task(self._check_tokens(asked))
            self._checks.add(task)
            task.add_done_callback(self._checks.discard)

    async def _check_tokens(self, asked: list[Connection]) -> None:
        try:
            good = await self.service.look(good_tokens, frozenset(each.token_hash for each in asked))
        except Exception as error:  # nobody can tell: whoever may come back does
            log.warning("tokens could not be checked: %s", error)
            good = frozenset()
        for each in asked:
            if each.token_hash not in good and each.closing is None:
                each.cut_off(NO_TOKEN, "bad_token")

    async def _take(self, connection: Connection, text: str | None) -> None:
        """Answer one frame."""
        key = str(connection.number)
        if self._gate.malformed.wait_ms(key):
            connection.cut_off(TOO_MANY, "too_many_requests")
            return
        try:
            frame = frames.read_frame(text, self.settings.depth_max)
        except Problem as problem:
            self.counts["malformed"] += 1
            self._gate.blame(key)
            self._say(connection, frames.Refused(frames.id_in(text), problem.reason, f"no frame: {problem.detail}"))
            return
        self.counts[type(frame).__name__.lower()] += 1
        id = getattr(frame, "id", None)
        if not self._gate.players.allow(connection.account_id):
            self._gate.blame(key)  # who goes on all the same is cut off
            self._say(connection, frames.Refused(id, "too_many_requests", "slow down a little"))
            return
        try:
            await self._answer(connection, frame)
        except Exception as error:
            no = as_problem(error)
            if no.reason in MALFORMED:
                self._gate.blame(key)
            self._say(connection, _refused(id, no.body))

    def _say(self, connection: Connection, frame: Struct) -> None:
        if isinstance(frame, frames.Refused):
            self.service.refusals[frame.code] += 1
        connection.send(frames.encode(frame))

    async def _answer(self, connection: Connection, frame: Any) -> None:
        match frame:
            case frames.Ping():
                self._say(connection, frames.Pong(frame.id, self.service.clock()))
            case frames.Subscribe():
                gone = {each for each in connection.follows if not self.hub.is_followed(each, connection)}
                connection.follows -= gone
                if len(connection.follows | {frame.match}) > FOLLOWS_MAX:
                    raise Problem("too_many_requests", f"a connection follows up to {FOLLOWS_MAX} rooms")
                connection.follows.add(frame.match)
                self.hub.follow(frame.match, connection, frame.version, legal=frame.legal, told=frame.told)
            case frames.Unsubscribe():
                connection.follows.discard(frame.match)
                self.hub.leave(frame.match, connection)
            case _:
                self._say(connection, await self._asked(connection.account_id, frame))

    async def _asked(self, account_id: str, frame: Any) -> Struct:
        """Return the answer to a frame that asks for an operation, as a frame."""
        operation = FRAMES[type(frame)]
        arguments, id = operation.frame_arguments(frame)
        key = None if operation.is_own_key else id
        answer = await carry_out(self.service, Request(operation, arguments, account_id=account_id, key=key))
        return _frame(id, answer)

    # All of them.

    async def close(self, *, within: float = GRACE_SECONDS) -> None:
        """Say good-bye to everybody, each with another time to come back at, and wait until they are gone."""
        self.is_closing = True
        for connection in tuple(self.connections):
            wait = int.from_bytes(sha256(str(connection.number).encode()).digest()[:4], "big") % SPREAD_MS
            connection.send(frames.encode(frames.Bye("shutting_down", wait)))
            connection.hang_up(RESTARTING, "shutting_down")
        end = asyncio.get_running_loop().time() + within
        while self.connections and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.02)
        for connection in tuple(self.connections):
            connection.cut_off(RESTARTING, "shutting_down")


class _Outcome(Struct, frozen=True):
    """The parts of an answer that a frame tells by themselves: where a room or a session stands; a dice table's no."""

    version: int = 0
    ok: bool | None = None
    """Verdict of a dice table; its yes tells no more than the version."""
    code: str | None = None
    error: str = ""


_outcome = msgspec.json.Decoder(_Outcome).decode


def _frame(id: str | None, answer: Answer) -> Struct:
    """Return an answer as a frame: what a follower of the room does not see by itself is its result."""
    if answer.status >= 400:
        return _refused(id, msgspec.json.decode(answer.body))
    if answer.version is not None and answer.status == VERSION_ONLY:
        return frames.Done(id, answer.version)
    told = _outcome(answer.body)
    if told.ok is False:
        return frames.Refused(id, told.code or "", told.error, told.version)
    is_all = told.ok or answer.status == VERSION_ONLY
    return frames.Done(id, told.version, None if is_all else Raw(answer.body))


def _refused(id: str | None, problem: dict[str, Any]) -> Struct:
    """Return the body of a problem as a frame."""
    extra = {name: value for name, value in problem.items() if name not in _SHOWN}
    return frames.Refused(id, problem["code"], problem["detail"], problem.get("version"), extra)


_SHOWN = {*Problem("internal").body, "version"}
"""Fields of every problem that a frame has a place for or does without."""
