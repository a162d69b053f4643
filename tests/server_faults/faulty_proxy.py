"""A proxy between clients and a server that does everything a bad network does, from a seed.

It reads what clients send as WebSocket frames: these it drops, doubles, delays, swaps with the next one, sends again
much later, and sends with an old version and an id of its own. It cuts connections, some of them half: then both sides
believe to be connected, and nothing passes any more. What the server sends passes as it is, until a cut.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

TEXT = 0x1


class FaultyProxy:
    """Listens on a free port of the loopback address; use it with `async with`. `faults` counts what it did."""

    def __init__(self, target: tuple[str, int], seed: int, *, per_frame: float = 0.25, half_open_max: int = 6) -> None:
        self.faults: Counter[str] = Counter()
        self.is_kind = False
        self.url = ""
        self._target = target
        self._chance = Random(seed)
        self._per_frame = per_frame
        self._half_open_left = half_open_max
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> FaultyProxy:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=2**22)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks)
        await self._server.wait_closed()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._connection(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers = [writer]
        broken = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError)
        try:
            with suppress(*broken):
                far_reader, far_writer = await asyncio.open_connection(*self._target, limit=2**22)
                writers.append(far_writer)
                back = asyncio.create_task(self._pass(far_reader, writer))
                try:
                    await self._forth(reader, far_writer, back)
                finally:
                    back.cancel()
                    await asyncio.wait([back])
        finally:
            for each in writers:
                each.transport.abort()
            for each in writers:
                with suppress(*broken):
                    await each.wait_closed()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                writer.write(data)
                await writer.drain()
            writer.close()

    async def _forth(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, back: asyncio.Task[None]
    ) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        writer.write(head)
        if b"upgrade: websocket" not in head.lower():
            await self._requests(reader, writer)
            return
        await Frames(self, writer, self._chance, self._per_frame).run(reader, back)

    async def _requests(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass requests on; now and then the connection breaks when one was sent, and its answer is never heard."""
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
            if not self.is_kind and self._chance.random() < 0.1:
                self.faults["answer lost"] += 1
                await asyncio.sleep(self._chance.uniform(0, 0.02))
                return

    def may_be_half_open(self) -> bool:
        """Tell whether one more connection may be left hanging; each costs its client a while."""
        self._half_open_left -= 1
        return self._half_open_left >= 0


class Frames:
    """Frames that one client sends over one live connection."""

    def __init__(self, proxy: FaultyProxy, writer: asyncio.StreamWriter, chance: Random, share: float) -> None:
        self.proxy = proxy
        self.writer = writer
        self.chance = chance
        self.share = share
        self.held: bytes | None = None
        self.old: list[tuple[bytes, Any]] = []

    async def run(self, reader: asyncio.StreamReader, back: asyncio.Task[None]) -> None:
        """Take frames one after the other until the connection ends, or is cut."""
        while True:
            code, text = await read_frame(reader)
            frame = frame_of(code, text)
            if code != TEXT or self.proxy.is_kind:  # pings and good-byes pass
                self._send(frame)
                continue
            said = json.loads(text)
            fault = self._fault(said) if self.chance.random() < self.share else ""
            if fault:
                self.proxy.faults[fault] += 1
            match fault:
                case "dropped":
                    pass
                case "doubled":
                    self._send(frame)
                    self._send(frame)
                case "delayed":
                    await asyncio.sleep(self.chance.uniform(0, 0.05))
                    self._send(frame)
                case "overtaken":
                    self.held = frame
                    continue
                case "sent again":
                    self._send(frame)
                    self._send(self.chance.choice(self.old)[0])
                case "stale":
                    self._send(frame)
                    old = self.chance.choice(self.old)[1]
                    self._send(frame_of(TEXT, json.dumps({**old, "id": f"stale{self.chance.random()}"}).encode()))
                case "cut":
                    self._send(frame)
                    return
                case "half-open":
                    back.cancel()
                    await asyncio.sleep(3600)
                case _:
                    self._send(frame)
            if said["type"] == "act":
                self.old.append((frame, said))
            if self.held is not None:
                self._send(self.held)
                self.held = None

    def _fault(self, said: Any) -> str:
        kinds = ["dropped", "doubled", "delayed", "overtaken", "cut", "half-open"]
        kinds += ["sent again", "stale"] if self.old else []
        # Frames come in the order of the clock, so chance alone may leave a fault out: those not yet done go first.
        fault = self.chance.choice([kind for kind in kinds if not self.proxy.faults[kind]] or kinds)
        if fault == "half-open" and not self.proxy.may_be_half_open():
            return "delayed"
        return fault

    def _send(self, frame: bytes) -> None:
        self.writer.write(frame)


async def read_frame(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Return the kind and the contents of the next frame, unmasked. Neither our clients nor the server send pieces."""
    first, second = await reader.readexactly(2)
    assert first & 0x80, "a frame in pieces"
    size = second & 0x7F
    if size == 126:
        size = int.from_bytes(await reader.readexactly(2), "big")
    elif size == 127:
        size = int.from_bytes(await reader.readexactly(8), "big")
    mask = await reader.readexactly(4) if second & 0x80 else bytes(4)  # a server does not mask
    return first & 0x0F, masked(await reader.readexactly(size), mask)


def masked(data: bytes, mask: bytes) -> bytes:
    return bytes(byte ^ mask[number % 4] for number, byte in enumerate(data))


def frame_of(code: int, data: bytes) -> bytes:
    """Return a frame as a client sends it (RFC 6455, 5.2)."""
    mask = os.urandom(4)
    size = len(data)
    if size < 126:
        head = bytes([0x80 | code, 0x80 | size])
    elif size < 65_536:
        head = bytes([0x80 | code, 0x80 | 126]) + size.to_bytes(2, "big")
    else:
        head = bytes([0x80 | code, 0x80 | 127]) + size.to_bytes(8, "big")
    return head + mask + masked(data, mask)
