"""A WebSocket that reconnects: rooms are followed from the version last seen; retries are idempotent by id."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.typing import Subprotocol

from croupier.client.errors import PASSING, ApiError, ServerGone
from croupier.client.model import Room, Session, read_answer, same_session
from croupier.engine import Action
from croupier.engine.plain import UNREADABLE
from croupier.errors import BadDocument

if TYPE_CHECKING:
    from croupier.client.http import Client

SUBPROTOCOL = Subprotocol("croupier.v1")
PATH = "/api/v1/live"
WAITS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
SIZE_MAX = 2**22
ANSWER_SECONDS = 10.0
"""After how long something that was not answered is said again: it may have been lost on the way."""
PING_SECONDS = 20.0
AGAIN = {"store_unavailable", "overloaded", "too_many_requests"}
"""Refusals that pass: a retry follows a little later, under the same id."""


class Update(Struct, frozen=True):
    """A room as it is now, and what led there since the update before; `items` at a dice table."""

    version: int
    room: Room
    log: tuple[dict[str, Any], ...] = ()


class _Follow:
    """A room that is followed: how far, in which form, and what came that nobody has taken yet."""

    def __init__(self, version: int, legal: bool, told: bool) -> None:
        self.version = version
        self.legal = legal
        self.told = told
        self.is_heard = False
        self.waiting: asyncio.Queue[dict[str, Any] | Exception] = asyncio.Queue()


class Live:
    """One live connection at a time, made again whenever it breaks, as long as the server can be reached.

    A connection on which nothing answers for `ping_seconds` and as long again is taken for broken, and what was not
    answered within `answer_seconds` is said again. Actions have ids, so saying them twice does them once.
    """

    def __init__(
        self,
        client: Client,
        *,
        waits: tuple[float, ...] = WAITS,
        answer_seconds: float = ANSWER_SECONDS,
        ping_seconds: float = PING_SECONDS,
    ) -> None:
        self._client = client
        self._waits = waits
        self._answer_seconds = answer_seconds
        self._ping_seconds = ping_seconds
        self._failures = 0
        self._follows: dict[str, _Follow] = {}
        self._asked: dict[str, tuple[dict[str, Any], asyncio.Future[dict[str, Any]]]] = {}
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._number = 0
        self._come_back = 0.0
        self.presence: dict[str, dict[str, Any]] = {}
        """Presence in each room that is followed: `here`, by account, and `spectators`."""
        self.connects = 0
        """How often a connection was made."""

    async def __aenter__(self) -> Live:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *error: object) -> None:
        await end(self._task)
        self._fail(ServerGone("the connection was closed on this side"))

    # What one can do.

    async def follow(self, room_id: str, *, version: int = 0, legal: bool = False) -> AsyncGenerator[Update]:
        """Yield the room now, and whenever it has changed. Ends when the room cannot be seen any more.

        One's seat is opened on the way, when everybody is ready. A connection has one follower a room: the newest.
        """
        async with aclosing(self._frames(room_id, _Follow(version, legal, told=False))) as frames:
            async for frame in frames:
                room = await self._client.met(read_answer(frame.get("room"), Room))
                yield Update(frame["version"], room, tuple(frame["log"]))

    async def told(self, room_id: str, *, version: int = 0) -> AsyncGenerator[dict[str, Any]]:
        """Yield what everybody at a dice table is told, item by item, from a version on."""
        async with aclosing(self._frames(room_id, _Follow(version, legal=False, told=True))) as frames:
            async for frame in frames:
                for item in frame["items"]:
                    yield item

    async def _frames(self, room_id: str, follow: _Follow) -> AsyncGenerator[dict[str, Any]]:
        if (older := self._follows.get(room_id)) is not None:
            older.waiting.put_nowait(ApiError("followed_anew", "somebody else follows the room over this connection"))
        self._follows[room_id] = follow
        try:
            await self._say(_subscribe(room_id, follow))
            while True:
                frame = await self._next(room_id, follow)
                if isinstance(frame, Exception):
                    raise frame
                if frame["type"] == "gone":
                    return
                yield frame
        finally:
            if self._follows.get(room_id) is follow:
                del self._follows[room_id]
                with suppress(ServerGone):  # then nobody follows anything
                    await self._say({"type": "unsubscribe", "match": room_id})

    async def _next(self, room_id: str, follow: _Follow) -> dict[str, Any] | Exception:
        """Return what comes next. Until a connection has brought the first view, ask for it again and again."""
        while True:
            try:
                async with asyncio.timeout(self._answer_seconds):  # Python 3.11's `wait_for` can swallow a cancellation
                    return await follow.waiting.get()
            except TimeoutError:
                if not follow.is_heard:
                    await self._say(_subscribe(room_id, follow))

    async def act(self, room: Room, action: Action, *, key: str = "") -> int:
        """Take an action and return the version it led to. Raises `ApiError`."""
        frame = {"type": "act", "match": room.id, "expected_version": room.version, "action": action}
        return int((await self.ask(frame, key=key))["version"])

    async def move(self, session: Session, action: Action, *, key: str = "") -> Session:
        """Take an action in a session against the house and return the session after it."""
        frame = {"type": "move", "session": session.session_id, "expected_version": session.version, "action": action}
        return await self._session(frame, key)

    async def start_session(
        self, table: int, stake: int = 0, *, client_seed: str | None = None, action: Action | None = None
    ) -> Session:
        """Sit down at a table of the house, like `Client.start_session`."""
        more: dict[str, Any] = {"client_seed": client_seed, "action": action, "live": self}
        return await self._client.start_session(table, stake, **more)

    async def started(self, body: dict[str, Any]) -> Session:
        """Return the session that such a request leads to."""
        return read_answer((await self.ask({"type": "start", "next": True, **body}))["result"], Session)

    async def close_session(self, session: Session) -> Session:
        """Have a session played out at once."""
        return await self._session({"type": "close", "session": session.session_id})

    async def _session(self, frame: dict[str, Any], key: str = "") -> Session:
        found = await self.ask({**frame, "next": True}, key=key)
        return await self._client.with_next(same_session(frame["session"], read_answer(found["result"], Session)))

    async def ping(self) -> int:
        """Return the server's time, in milliseconds."""
        return int((await self.ask({"type": "ping"}))["now"])

    async def ask(self, frame: dict[str, Any], *, key: str = "") -> dict[str, Any]:
        """Send a frame and return its answer. It is sent again, under the same id, until there is one.

        That is over the next connection if this one breaks, after a while if nothing comes, and a little later if the
        server cannot do anything just now.
        """
        from croupier.client.http import new_key

        id = key or new_key()
        for wait in (*self._waits, None):
            try:
                return await self._ask(id, {**frame, "id": id})
            except ApiError as error:
                if error.reason not in AGAIN or wait is None:
                    raise
                await asyncio.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    async def _ask(self, id: str, frame: dict[str, Any]) -> dict[str, Any]:
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        try:
            while True:
                self._asked[id] = (frame, future)  # anew each time: another task may have asked under the same id
                await self._say(frame)
                done, _ = await asyncio.wait([future], timeout=self._answer_seconds)
                if done:
                    return future.result()
        finally:
            self._asked.pop(id, None)

    async def drop(self) -> None:
        """Cut the connection, as a bad network would."""
        if self._socket is not None:
            self._socket.transport.abort()

    # The connection.

    async def _run(self) -> None:
        try:
            while True:
                try:
                    await self._connected()
                except (OSError, WebSocketException, TimeoutError, ServerGone) as error:
                    if isinstance(error, InvalidStatus) and error.response.status_code not in {401, *PASSING}:
                        raise ApiError.read(error.response.body or b"", error.response.status_code) from None
                    said = [asked for asked in self._asked.values() if not asked[1].done()]
                    if said and isinstance(error, ConnectionClosed) and _is_too_large(error):
                        _, future = max(said, key=lambda asked: len(_encoded(asked[0])))
                        future.set_exception(ApiError("too_large", "it is more than the server takes in a frame"))
                    if self._failures == len(self._waits):
                        raise ServerGone(f"{self._client.url}: {error}") from error
                    await asyncio.sleep(self._waits[self._failures])
                    self._failures += 1
                if self._come_back:
                    await asyncio.sleep(self._come_back)
                    self._come_back = 0.0
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        for follow in self._follows.values():
            follow.waiting.put_nowait(error)
        for _, future in self._asked.values():
            if not future.done():
                future.set_exception(error)

    async def _connected(self) -> None:
        """Connect, say again what has not been answered, and hear what comes until the connection ends."""
        ticket = await self._client.ticket()
        url = f"{self._client.url.replace('http', 'ws', 1)}{PATH}?ticket={ticket}"
        ping = self._ping_seconds
        async with connect(
            url,
            subprotocols=[SUBPROTOCOL],
            compression=None,
            max_size=SIZE_MAX,
            ping_interval=ping,
            ping_timeout=ping,
            open_timeout=self._answer_seconds,
            close_timeout=ping,
        ) as socket:
            self._socket = socket
            self._failures = 0  # however this connection ends: those before it are no reason to give up
            self.connects += 1
            try:
                for room_id, follow in tuple(self._follows.items()):
                    follow.is_heard = False
                    await socket.send(_encoded(_subscribe(room_id, follow)))
                for frame, _ in tuple(self._asked.values()):
                    await socket.send(_encoded(frame))
                async for text in socket:
                    try:
                        self._hear(msgspec.json.decode(text))
                    except (*UNREADABLE, KeyError, AttributeError) as error:
                        raise BadDocument(f"the server's frame is not what it should be: {error!s:.200}") from None
            finally:
                self._socket = None

    async def _say(self, frame: dict[str, Any]) -> None:
        if self._task is not None and self._task.done():
            raise ServerGone(f"{self._client.url} is gone")
        if self._socket is not None:
            with suppress(WebSocketException, OSError):  # it will be said again
                await self._socket.send(_encoded(frame))

    def _hear(self, frame: dict[str, Any]) -> None:
        kind = frame["type"]
        if kind in ("view", "told", "gone"):
            self._hear_room(frame)
        elif kind == "presence":
            self.presence[frame["match"]] = frame
        elif kind == "bye":
            self._come_back = frame["reconnect_ms"] / 1000
        elif (found := self._asked.get(frame.get("id") or "")) is not None and not found[1].done():
            if kind == "refused":
                found[1].set_exception(
                    ApiError(
                        frame["code"], frame["error"], extra={"version": frame.get("version"), **frame.get("extra", {})}
                    )
                )
            else:
                found[1].set_result(frame)

    def _hear_room(self, frame: dict[str, Any]) -> None:
        follow = self._follows.get(frame["match"])
        if follow is None:
            return
        if frame["type"] != "gone":
            if frame["version"] < follow.version:
                return
            follow.version = frame["version"]
        follow.is_heard = True
        follow.waiting.put_nowait(frame)


async def end(task: asyncio.Task[None] | None) -> None:
    """Cancel a task, if there is one, and return when it has ended."""
    if task is not None:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def _subscribe(room_id: str, follow: _Follow) -> dict[str, Any]:
    form = {"version": follow.version, "legal": follow.legal, "told": follow.told}
    return {"type": "subscribe", "match": room_id, **form}


def _is_too_large(error: ConnectionClosed) -> bool:
    """Tell whether the server hung up on a frame that it does not take, however often it is said."""
    return bool(error.rcvd_then_sent) and error.rcvd is not None and error.rcvd.code == 1009


def _encoded(frame: dict[str, Any]) -> str:
    return msgspec.json.encode(frame).decode()
