"""The load beside a server, in a process of its own: `python -m benchmarks.load.playing PLAN`.

It is made to cost little: frames are written by hand, and of a view it reads the version and whose turn it is. The plan
is JSON: `urls` of the servers, `rooms`, `seats`; or `idle`, how many connections to open and leave alone; `spread`, if
requests are to come from many addresses of this machine. A line of JSON comes when everybody sits, and one for each
line that is then read: `{"seconds": 8, "rate": 1000}` plays so long, with so many actions a second over all tables, or
as many as there can be with the rate 0. `{}` waits until nothing is under way and tells how much was done in all.

With a rate an action is due at a time that was fixed before, and its wait counts from then: a server that falls behind
cannot hide it by keeping the load from asking. What was not answered in the end has waited at least until then.
"""

from __future__ import annotations

import asyncio
import gc
import json
import re
import sys
import time
from collections import deque
from typing import Any, cast
from urllib.parse import urlsplit

from croupier.fairness.seeds import seat_commitment

AT_ONCE = 32
"""How many are let in at a time."""
SETTLE_SECONDS = 10.0
VERSION = re.compile(rb'"version":(\d+)')
BUY_IN, PASS = b'{"type":"buy_in","payload":{"chips":100}}', b'{"type":"pass_dice"}'

Plan = dict[str, Any]


def _where(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or 80


class Http:
    """One connection that asks one thing after the other."""

    def __init__(self, url: str, here: str = "") -> None:
        self._where = _where(url)
        self.here = (here, 0) if here else None
        self._host = urlsplit(url).netloc
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, token: str, body: Any = None) -> Any:
        """Return the answer to a request."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(*self._where, local_addr=self.here)
        reader, writer = self._streams
        data = b"" if body is None else json.dumps(body).encode()
        lines = [f"POST /api/v1{path} HTTP/1.1", f"host: {self._host}", f"content-length: {len(data)}"]
        lines += [f"authorization: Bearer {token}"] if token else []
        lines += ["content-type: application/json"] if data else []
        writer.write("\r\n".join([*lines, "", ""]).encode() + data)
        head = await reader.readuntil(b"\r\n\r\n")
        size = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        answer = await reader.readexactly(int(size[1]) if size else 0)
        if not re.match(rb"HTTP/1.1 20[01]", head):
            raise RuntimeError(f"{path}: {answer.decode()}")
        return json.loads(answer)

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()


class Live(asyncio.Protocol):
    """One live connection of one player."""

    def __init__(self, load: Load, table: Table | None, me: str) -> None:
        self.load = load
        self.table = table
        self.me = me
        self.mine = b'"current":"%s"' % me.encode()
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._is_open = False
        self._buffer = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way to write."""
        self._transport = cast(asyncio.Transport, transport)

    def shake_hands(self, url: str, ticket: str) -> None:
        """Ask for a live connection."""
        assert self._transport is not None
        self._transport.write(
            f"GET /api/v1/live?ticket={ticket} HTTP/1.1\r\nhost: {urlsplit(url).netloc}\r\nupgrade: websocket\r\n"
            "connection: upgrade\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n"
            "sec-websocket-protocol: croupier.v1\r\n\r\n".encode()
        )

    def connection_lost(self, error: Exception | None) -> None:
        """Count it, if nobody wanted it."""
        if not self.load.is_over:
            self.load.errors += 1
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("a live connection was not let in"))

    def write(self, code: int, text: bytes) -> None:
        """Send a frame. The mask is all zeros: it must be there, and need not cost anything."""
        assert self._transport is not None
        size = len(text)
        head = bytes([0x80 | code, 0x80 | size]) if size < 126 else bytes([0x80 | code, 0xFE, size >> 8, size & 255])
        self._transport.write(head + b"\0\0\0\0" + text)

    def data_received(self, data: bytes) -> None:
        """Take what came apart into frames."""
        if self._buffer:
            data = self._buffer + data
        at, end = 0, len(data)
        if not self._is_open:
            at = data.find(b"\r\n\r\n") + 4
            if at == 3:
                self._buffer = data
                return
            if not data.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(data.decode("latin-1")))
                return
            self._is_open = True
            self.opened.set_result(None)
        while end - at >= 2:
            size, head = data[at + 1], 2
            if size == 126:
                size, head = int.from_bytes(data[at + 2 : at + 4], "big"), 4
            elif size == 127:
                size, head = int.from_bytes(data[at + 2 : at + 10], "big"), 10
            if end - at < head + size:
                break
            code = data[at] & 15
            if code == 1:
                self._hear(data, at + head, at + head + size)
            elif code == 9:
                self.write(10, data[at + head : at + head + size])
            at += head + size
        self._buffer = data[at:]

    def _hear(self, data: bytes, begin: int, end: int) -> None:
        kind = data[begin + 9 : begin + 13]  # after {"type":"
        table = self.table
        if table is None:
            return
        if kind == b"view":
            found = VERSION.search(data, begin, begin + 200)
            version = int(found[1]) if found else 0
            if version > table.seen and data.find(self.mine, begin, end) >= 0:
                table.seen = version
                table.turn = self
                table.play()
        elif kind == b"done":
            table.done()
        elif kind == b"refu":
            self.load.errors += 1
            self.load.last = data[begin:end].decode()
            table.done(is_good=False)


class Table:
    """One room: whose turn it is, and what is under way."""

    def __init__(self, load: Load, room_id: str, pairs: dict[str, list[Live]]) -> None:
        self.load = load
        self.room_id = room_id
        self.pairs = pairs
        self.seen = -1
        self.turn: Live | None = None
        self.due: deque[float] = deque()
        self._bought: set[str] = set()
        self._since = 0.0
        self._left = 0

    def play(self) -> None:
        """Take an action, if it is time for one and the one before it is over."""
        load, live = self.load, self.turn
        if live is None or self._left or not load.is_on:
            return
        if load.rate:
            if not self.due:
                return
            self._since = self.due.popleft()
        else:
            self._since = time.perf_counter()
        self.turn = None
        action = PASS if live.me in self._bought else BUY_IN
        self._bought.add(live.me)
        frame = b'{"type":"act","match":"%s","id":"%s-%d","expected_version":%d,"action":%s}' % (
            self.room_id.encode(), live.me[-8:].encode(), self.seen, self.seen, action,
        )  # fmt: skip
        says = self.pairs[live.me] if load.is_doubled else [live]
        self._left = len(says)
        for each in says:
            each.write(1, frame)

    def done(self, *, is_good: bool = True) -> None:
        """Take an answer; the action is done when everybody it was said to has answered."""
        self._left -= 1
        if self._left:
            return
        if is_good:
            self.load.done += 1
            self.load.waits.append(time.perf_counter() - self._since)
        if self.turn is not None:
            self.play()

    def under_way(self) -> list[float]:
        """Return since when what was due and is not answered has been waiting."""
        return [*([self._since] if self._left else []), *self.due]

    @property
    def is_waiting(self) -> bool:
        """Whether an answer is still to come."""
        return self._left > 0


class Load:
    """Everybody at once."""

    def __init__(self, plan: Plan) -> None:
        self.urls: list[str] = plan["urls"]
        self.is_doubled, self.is_spread = bool(plan.get("doubled")), bool(plan.get("spread"))
        self.rooms, self.seats, self.idle = plan.get("rooms", 0), plan.get("seats", 4), plan.get("idle", 0)
        self.rate = 0
        self.done = 0
        self.errors = 0
        self.last = ""
        self.waits: list[float] = []
        self.is_on = self.is_over = False
        self.tables: list[Table] = []
        self.lives: list[Live] = []

    async def seat_everybody(self) -> None:
        """Open accounts, rooms and connections, some at a time."""
        jobs = iter([self._table] * self.rooms + [self._idle] * -(-self.idle // 8))

        async def work(number: int) -> None:
            http = [Http(url, f"127.0.1.{number + 1}" if self.is_spread else "") for url in self.urls]
            for job in jobs:
                await job(http)
            for each in http:
                each.close()

        await asyncio.gather(*map(work, range(AT_ONCE)))

    async def _register(self, http: Http) -> tuple[str, str]:
        made = await http.post("/accounts", "", {"name": "player"})
        return made["account"]["id"], made["token"]

    async def _table(self, http: list[Http]) -> None:
        people = [await self._register(http[0]) for _ in range(self.seats)]
        wanted = {"game": "craps-table", "seats": self.seats, "is_listed": False}
        room = await http[0].post("/rooms", people[0][1], wanted)
        for _, token in people[1:]:
            await http[0].post(f"/rooms/{room['id']}/join", token)
        secret, commitment = bytes(32), bytes.fromhex(room["commitment"])
        for seat, (me, token) in enumerate(people):
            mine = seat_commitment(commitment, seat, me, secret).hex()
            await http[0].post(f"/rooms/{room['id']}/ready", token, {"ready": True, "commitment": mine})
        for _, token in people:
            await http[0].post(f"/rooms/{room['id']}/open", token, {"secret": secret.hex()})
        pairs: dict[str, list[Live]] = {}
        table = Table(self, room["id"], pairs)
        for number, (me, token) in enumerate(people):
            count = len(self.urls) if self.is_doubled else 1
            wheres = [(number + step) % len(self.urls) for step in range(count)]
            pairs[me] = [await self._open(http[where], self.urls[where], token, me, table) for where in wheres]
        self.tables.append(table)
        for lives in pairs.values():
            for live in lives:
                live.write(1, b'{"type":"subscribe","match":"%s"}' % room["id"].encode())

    async def _idle(self, http: list[Http]) -> None:
        me, token = await self._register(http[0])
        for _ in range(min(8, self.idle - len(self.lives))):
            await self._open(http[0], self.urls[0], token, me, None)

    async def _open(self, http: Http, url: str, token: str, me: str, table: Table | None) -> Live:
        ticket = (await http.post("/tickets", token))["ticket"]
        loop = asyncio.get_running_loop()
        _, live = await loop.create_connection(lambda: Live(self, table, me), *_where(url), local_addr=http.here)
        live.shake_hands(url, ticket)
        await live.opened
        self.lives.append(live)
        return live

    async def play(self, seconds: float, rate: int) -> dict[str, Any]:
        """Play so long, at a rate or as fast as can be, and return what came of it."""
        await self.settle()  # what is still under way belongs to the round before
        self.rate, self.is_on = rate, True
        self.waits = []
        done, begin = self.done, time.perf_counter()
        if rate:
            asked = self._ask(begin, seconds, rate)
        else:
            asked = 0
            for table in self.tables:
                table.play()
        await asyncio.sleep(seconds)
        made, took = self.done - done, time.perf_counter() - begin
        if rate:  # what was due within the time counts, however late it comes
            end = time.perf_counter() + SETTLE_SECONDS
            while self.done - done < asked and time.perf_counter() < end:
                await asyncio.sleep(0.02)
        now = time.perf_counter()
        unanswered = [now - at for table in self.tables for at in table.under_way()] if rate else []
        waits = sorted([*self.waits, *unanswered]) or [0.0]
        found = {"done": made, "asked": asked, "answered": self.done - done, "seconds": took, "errors": self.errors}
        for name, part in (("p50", 50), ("p99", 99), ("most", 100)):
            found[name] = 1000 * waits[min(len(waits) * part // 100, len(waits) - 1)]
        return {**found, "last": self.last}

    def _ask(self, begin: float, seconds: float, rate: int) -> int:
        """Make actions due: evenly over the tables and over the time. Returns how many."""
        loop = asyncio.get_running_loop()
        apart, count = len(self.tables) / rate, 0
        ahead = loop.time() - time.perf_counter()
        for number, table in enumerate(self.tables):
            table.due.clear()
            at = begin + apart * number / len(self.tables)
            while at < begin + seconds:
                loop.call_at(at + ahead, self._fall_due, table, at)
                at, count = at + apart, count + 1
        return count

    def _fall_due(self, table: Table, at: float) -> None:
        table.due.append(at)
        table.play()

    async def settle(self) -> dict[str, Any]:
        """Take no more actions, wait for all answers, and return how much was done in all."""
        self.is_on = False
        end = time.perf_counter() + SETTLE_SECONDS
        while any(table.is_waiting for table in self.tables) and time.perf_counter() < end:
            await asyncio.sleep(0.02)
        return {"done": self.done, "errors": self.errors, "last": self.last}


async def serve(plan: Plan) -> None:
    """Do what the lines of the standard input say."""
    load = Load(plan)
    await load.seat_everybody()
    gc.collect()
    gc.freeze()
    gc.disable()  # nothing here goes in circles, and the server is not to wait for us
    _say({"connections": len(load.lives)})
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        command = json.loads(line)
        _say(await (load.play(command["seconds"], command["rate"]) if command else load.settle()))
    load.is_over = True


def _say(what: dict[str, Any]) -> None:
    print(json.dumps(what), flush=True)


def main(plan: str) -> None:
    """Run a plan."""
    from croupier.server.process.file_limits import allow_many_files

    allow_many_files()
    try:
        import uvloop
    except ImportError:
        asyncio.run(serve(json.loads(plan)))
    else:
        uvloop.run(serve(json.loads(plan)))


if __name__ == "__main__":
    main(sys.argv[1])
