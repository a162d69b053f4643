"""The protocols of the web server, bounded: bytes a turn of the loop, heads, half-sent requests, control frames.

What a client sends is handed to the parser a slice a turn of the loop, and no further than the application has come, so
that nobody keeps the loop to themselves. Whoever goes past a bound is refused, or cut off, before it costs anything.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import unquote

import h11
import msgspec
import uvicorn
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from croupier.server.problems import Problem
from croupier.server.settings import Settings
from croupier.server.transport.addresses import address_key, source_of

log = logging.getLogger("croupier.server")

ACCEPTS = 16
"""How many connections are accepted in a turn of the loop."""
SLICE = 4096
"""How many bytes of a client are parsed in a turn of the loop: at most some 700 frames, which take 5 ms."""
HEAD_MAX = 32_768
"""How large the head of a request may be: more is refused with 400."""
HOLD_MS, ADDRESS_HOLD_MS_MAX = 200, 1_000
"""How long a request that was refused unread waits for its answer, and its connection at most because of its address.

Whoever was refused can come again at once, over another connection. So it is the answer that they wait for: nobody is
refused more than five times a second for each connection that they hold.
"""
LAST_SECONDS = 5.0
TEXT_FRAME = 0x81  # the whole of a message, in UTF-8
EXTRA = (Opcode.PING, Opcode.PONG, Opcode.CONT)
TOO_SLOW, TOO_MANY = (4008, "too_slow"), (4029, "too_many_requests")
_TOO_MANY_BODY = msgspec.json.encode(Problem("too_many_requests").body)
TOO_MANY_CONNECTIONS = (
    b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/problem+json\r\nretry-after: 1\r\n"
    b"connection: close\r\ncontent-length: %d\r\n\r\n%b" % (len(_TOO_MANY_BODY), _TOO_MANY_BODY)
)
"""Answer to a connection that came after too many others of its address, sent before anything of it is read."""


Refusal = Callable[[str, str, str, int, int], tuple[str, int]]
"""Says of a method, a path, an address and the length of a body why that cannot be served now, or "", and how many
ms are to be waited. The length is -1 if the head does not tell it. The last number is how many requests were let in
before it and have not begun yet."""


class BoundedConfig(uvicorn.Config):
    """The web server's configuration, with the settings."""

    def __init__(
        self, app: Any, settings: Settings, refusal: Refusal, turns_away: Callable[[str], bool | None], **options: Any
    ) -> None:
        super().__init__(app, http=HttpProtocol, ws=LiveProtocol, **options)
        self.settings = settings
        self.refusal = refusal
        self.turns_away = turns_away
        self.beginning = 0


class Listener:
    """A listening socket, which accepts connections within the rate limit of their address.

    For one beyond it nothing is made: it costs an accept, a look at the limit and a close. Some are told why.
    """

    def __init__(self, listening: socket.socket, config: BoundedConfig, make: Callable[[], Any]) -> None:
        self._listening, self._config, self._make = listening, config, make
        self._loop = asyncio.get_running_loop()
        self._taking: set[asyncio.Task[Any]] = set()
        listening.setblocking(False)
        listening.listen(config.backlog)
        self._open()

    def close(self) -> None:
        """Take no more connections."""
        if self._listening.fileno() >= 0:
            self._loop.remove_reader(self._listening)
            self._listening.close()

    async def wait_closed(self) -> None:
        """Return at once: whoever closed it waits for the connections, not for this."""

    def _open(self) -> None:
        if self._listening.fileno() >= 0:
            self._loop.add_reader(self._listening, self._accept)

    def _accept(self) -> None:
        for _ in range(ACCEPTS):
            try:
                connection, peer = self._listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:  # no file is left for it: those who go make room
                log.error("no connection can be taken: %s", error)
                self._loop.remove_reader(self._listening)
                self._loop.call_later(1, self._open)
                return
            self._admit(connection, peer)

    def _admit(self, connection: socket.socket, peer: Any) -> None:
        address, is_own = source_of({"client": peer, "headers": ()}, self._config.settings)
        is_told = self._config.turns_away(address_key(address)) if is_own else None
        connection.setblocking(False)
        if is_told:
            self._loop.call_later(HOLD_MS / 1000, _turn_away, connection)
        elif is_told is not None:
            connection.close()
        else:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            task = self._loop.create_task(self._loop.connect_accepted_socket(self._make, connection))
            self._taking.add(task)
            task.add_done_callback(self._taking.discard)


class PacedTransport:
    """A transport whose incoming bytes are handed on a slice a turn of the loop, and not while reading is paused."""

    def __init__(self, transport: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held = bytearray()
        self._feed: Callable[[bytes], None] = lambda data: None
        self._is_due = self._is_paused = self._is_stopped = False
        self.write, self.is_closing, self.abort = transport.write, transport.is_closing, transport.abort

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def take(self, data: bytes, feed: Callable[[bytes], None]) -> None:
        """Hand bytes to `feed`, now or in the turns to come."""
        self._feed = feed
        self._held += data
        if self._is_due or self._is_paused:
            self._arrange()
        else:
            self._turn()

    def pause_reading(self) -> None:
        """Hand nothing on, and read no more than one piece, until reading is resumed."""
        self._is_paused = True
        self._arrange()

    def resume_reading(self) -> None:
        """Go on with what is held, and then with reading."""
        self._is_paused = False
        self._arrange()

    def drop(self) -> None:
        """Forget what came and was not handed on."""
        self._held.clear()

    def close(self) -> None:
        """Close the connection."""
        self.drop()
        self._transport.close()

    def _turn(self) -> None:
        self._is_due = False
        if self._is_paused or self.is_closing():
            return
        data = bytes(self._held[:SLICE])
        del self._held[:SLICE]
        self._feed(data)
        self._arrange()

    def _arrange(self) -> None:
        if self._held and not self._is_paused and not self._is_due:
            self._is_due = True
            self._loop.call_soon(self._turn)
        stop = bool(self._held)  # and else not: so it is noticed if a client that waits for something is gone
        if stop != self._is_stopped and not self.is_closing():
            self._is_stopped = stop
            (self._transport.pause_reading if stop else self._transport.resume_reading)()


class _Parser(h11.Connection):
    """A parser that shows nobody a request that its head tells to be refused, and nothing behind it."""

    def __init__(self, refuses: Callable[[h11.Request, int], bool]) -> None:
        super().__init__(h11.SERVER, HEAD_MAX)
        self._refuses = refuses
        self.is_held = False

    def next_event(self) -> Any:
        """Return the next part of a request. The length of a body is -1 where the head does not tell it."""
        if self.is_held:
            return h11.PAUSED
        event = super().next_event()
        if isinstance(event, h11.Request):
            found = dict(event.headers)
            length = -1 if b"transfer-encoding" in found else int(found.get(b"content-length", 0))
            self.is_held = self._refuses(event, length)
        return h11.PAUSED if self.is_held else event


class HttpProtocol(H11Protocol):
    """HTTP: a request has a time to arrive in and a size; one that cannot be served is refused before it is read."""

    config: BoundedConfig
    conn: _Parser
    transport: Any
    _timer: asyncio.TimerHandle | None = None
    _wait_ms = 0

    def connection_made(self, transport: Any) -> None:
        """Begin: from here on time runs."""
        super().connection_made(PacedTransport(transport, self.loop))  # type: ignore[arg-type]
        self.app = self._serve
        self.conn = _Parser(self._refuses)
        self._watch(True)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._watch(False)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes, to be parsed slice by slice."""
        self.transport.take(data, self._parse)

    def _parse(self, data: bytes) -> None:
        super().data_received(data)
        self._watch_request()

    def on_response_complete(self) -> None:
        """Go on to the next request."""
        super().on_response_complete()
        self._watch_request()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection on."""
        self.config.beginning -= 1
        self._watch(False)
        self.transport.drop()
        super().handle_websocket_upgrade(event)

    def shutdown(self) -> None:
        """End, when the server does."""
        if self.conn.is_held:
            self.transport.close()
        else:
            super().shutdown()

    # How long a request takes to arrive.

    def _watch_request(self) -> None:
        if self.transport.get_protocol() is not self:  # a live connection, for which no time runs
            return
        is_begun = bool(self.conn.trailing_data[0]) and self.conn.their_state is h11.IDLE
        self._watch(not self.conn.is_held and (is_begun or self.conn.their_state is h11.SEND_BODY))

    def _watch(self, is_expected: bool) -> None:
        if is_expected and self._timer is None:
            self._timer = self.loop.call_later(self.config.settings.request_ms / 1000, self._give_up)
        elif not is_expected and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        if self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]:
            self.transport.write(b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        self.transport.close()

    # Overload, addresses that ask too often, bodies that are too large: all known from the head.

    def _refuses(self, request: h11.Request, length: int) -> bool:
        """Tell whether a request is refused; if so, it is answered in a while, and costs nothing meanwhile."""
        address, is_own = source_of({"client": self.client, "headers": request.headers}, self.config.settings)
        method, path = request.method.decode("ascii"), unquote(request.target.partition(b"?")[0].decode("ascii"))
        asked = method, path, address_key(address), length, self.config.beginning
        reason, self._wait_ms = self.config.refusal(*asked)
        if not reason:
            self.config.beginning += 1
            return False
        is_unread = not 0 <= length <= self.config.settings.body_max  # then nobody will look for its end
        is_held = is_own or is_unread  # a proxy's connection is everybody's
        problem = Problem(reason, retry_after_ms=self._wait_ms) if self._wait_ms else Problem(reason)
        answer = partial(self._refuse, problem, is_held=is_held, is_last=is_unread, is_head=method == "HEAD")
        self.loop.call_later(HOLD_MS / 1000 if is_held else 0, answer)
        return True

    def _refuse(self, problem: Problem, *, is_held: bool, is_last: bool, is_head: bool) -> None:
        """Answer a request that was refused, and have the connection wait for the next one."""
        if self.transport.is_closing():
            return
        wait_ms = problem.extra.get("retry_after_ms", 0)
        body = msgspec.json.encode(problem.body)
        headers = [
            *self.server_state.default_headers,
            (b"content-type", b"application/problem+json"),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
        ]
        if wait_ms:
            headers.append((b"retry-after", str(-(-wait_ms // 1000)).encode()))
        answer = h11.Response(status_code=problem.status, headers=headers, reason=STATUS_PHRASES[problem.status])
        data = h11.Data(data=b"" if is_head else body)
        self.transport.write(b"".join(self.conn.send(each) for each in (answer, data, h11.EndOfMessage())))
        is_last = is_last or self.conn.our_state is h11.MUST_CLOSE
        wait_ms = min(wait_ms, ADDRESS_HOLD_MS_MAX) if problem.status == 429 else wait_ms
        hold_ms = max(wait_ms - HOLD_MS, HOLD_MS if is_last else 0) if is_held else 0  # the last one is to be read
        self.loop.call_later(hold_ms / 1000, self.transport.close if is_last else self._go_on)

    def _go_on(self) -> None:
        """Read on behind a request that was refused."""
        if not self.transport.is_closing():
            self.conn.is_held = False
            super().on_response_complete()
            self.handle_events()
            self._watch_request()

    async def _serve(self, scope: Any, receive: Any, send: Any) -> None:
        self.config.beginning -= 1
        if self._wait_ms:
            await asyncio.sleep(self._wait_ms / 1000)
        # Who sends what is no HTTP has been told 400, and the answer that was being made has nowhere to go.
        with suppress(h11.LocalProtocolError):
            await self.config.loaded_app(scope, receive, send)


def _turn_away(connection: socket.socket) -> None:
    """Tell a connection that it was one too many, and close it."""
    with connection, suppress(OSError):
        with suppress(BlockingIOError):
            connection.recv(HEAD_MAX)  # with something unread, the close would take the answer back
        connection.send(TOO_MANY_CONNECTIONS)


class LiveProtocol(WebSocketsSansIOProtocol):
    """WebSocket with bounded control frames, and two extensions: to send at once, and to be rid of a client.

    What is sent at once leaves with whatever else is sent in the same turn of the loop: an answer and the view that
    comes of it are one packet.
    """

    config: BoundedConfig
    _held: list[bytes]
    _full_at = 0.0
    _last_bytes = SLICE

    def connection_made(self, transport: Any) -> None:
        """Begin on the transport of HTTP."""
        paced = transport if isinstance(transport, PacedTransport) else PacedTransport(transport, self.loop)
        super().connection_made(paced)  # type: ignore[arg-type]

    def data_received(self, data: bytes) -> None:
        """Take bytes, to be parsed slice by slice."""
        self.transport.take(data, self._parse)  # type: ignore[attr-defined]

    def _parse(self, data: bytes) -> None:
        if self.close_sent:  # a good-bye is waited for, and not behind a flood
            self._last_bytes -= len(data)
            if self._last_bytes < 0:
                self.transport.pause_reading()
                return
        super().data_received(data)

    def handle_connect(self, event: Any) -> None:
        """Let the application have the extensions."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions["croupier.abort"] = self._abort
            extensions["croupier.write"] = self._write
            self._held = []

    async def send(self, message: Any) -> None:
        """Send what the application says. A refusal waits, completes a handshake, too, and is no error to be logged."""
        if message["type"] == "websocket.http.response.start":
            await asyncio.sleep(HOLD_MS / 1000)
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True

    # Frames that ask nothing of the application: pings, pongs, pieces of messages.

    def handle_events(self) -> None:
        """Handle frames, unless too many of them ask nothing of the application."""
        extra = sum(isinstance(event, Frame) and (event.opcode in EXTRA or not event.fin) for event in self.conn.events)
        if extra and not self._allows(extra):
            self.conn.events.clear()
            self.conn.data_to_send()  # pongs that nobody gets any more
            self._end(*TOO_MANY)
            return
        super().handle_events()

    def _allows(self, count: int) -> bool:
        settings, now = self.config.settings, self.loop.time()
        refill = settings.requests_refill_ms / 1000
        self._full_at = max(self._full_at, now) + count * refill
        return self._full_at - now <= settings.requests_burst * refill

    def handle_ping(self) -> None:
        """Send the pongs, unless too much waits to be read."""
        super().handle_ping()
        if self.transport.get_write_buffer_size() > self.config.settings.buffer_bytes:
            self._end(*TOO_SLOW)

    # What the application may do besides ASGI.

    @property
    def _takes(self) -> bool:
        if not self.handshake_complete or self.close_sent or self.disconnected:
            return False
        return self.conn.state is State.OPEN  # or the client is saying good-bye: whoever receives hears of it

    def _write(self, text: bytes) -> bool:
        """Send a text now, if the client takes it and nothing has to be waited for; return whether it was."""
        if not self._takes or not self.writable.is_set():
            return False
        if not self._held:
            self.loop.call_soon(self._let_go)
        self._held += frame_head(len(text)), text
        return True

    def _let_go(self) -> None:
        if self._held and self._takes:
            self.transport.write(b"".join(self._held))
        self._held.clear()

    def _end(self, code: int, reason: str) -> None:
        """Be rid of a client that floods: nothing more of it is read."""
        if not self.handshake_complete or self.conn.state is not State.OPEN:
            self.transport.abort()
            return
        self._abort(code, reason, cut_off=True)
        self.transport.pause_reading()

    def _abort(self, code: int, reason: str, *, cut_off: bool = False) -> None:
        """Close with a code, behind what the client has not read yet, and wait for it no longer than a while."""
        if self.close_sent or self.transport.is_closing():
            return
        self._let_go()
        gone: Any = {"type": "websocket.disconnect", "code": code, "reason": reason, "cut_off": cut_off}
        self.queue.put_nowait(gone)
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.close_timer = self.loop.call_later(LAST_SECONDS, self.transport.abort)


def frame_head(size: int) -> bytes:
    """Return what goes before a text of so many bytes, sent by a server (RFC 6455, section 5.2)."""
    if size < 126:
        return bytes((TEXT_FRAME, size))
    if size < 1 << 16:
        return bytes((TEXT_FRAME, 126, size >> 8, size & 255))
    return bytes((TEXT_FRAME, 127)) + size.to_bytes(8, "big")
