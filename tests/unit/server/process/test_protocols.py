"""The bounds of the web server's protocols, without a network: how much is parsed in a turn of the loop."""

from __future__ import annotations

import asyncio
from typing import Any

from croupier.server.process.protocols import SLICE, PacedTransport


class Wire:
    """A transport that notes whether it is read."""

    def __init__(self) -> None:
        self.is_read = True

    def pause_reading(self) -> None:
        self.is_read = False

    def resume_reading(self) -> None:
        self.is_read = True

    def write(self, data: bytes) -> None: ...

    def abort(self) -> None: ...

    def is_closing(self) -> bool:
        return False


async def test_a_flood_is_handed_on_a_slice_a_turn_and_others_have_theirs_between() -> None:
    loop, wire, order = asyncio.get_running_loop(), Wire(), list[Any]()
    paced = PacedTransport(wire, loop)

    def other() -> None:
        order.append("other")
        if len(order) < 30:
            loop.call_soon(other)

    loop.call_soon(other)
    paced.take(bytes(10 * SLICE + 1), lambda data: order.append(len(data)))
    assert not wire.is_read, "nothing more is read while something is held"
    while not wire.is_read:
        await asyncio.sleep(0)
    sizes = [each for each in order if each != "other"]
    assert sizes == [SLICE] * 10 + [1]
    assert order[: 2 * 10 : 2] == [SLICE] * 10


async def test_nothing_is_handed_on_while_the_application_is_not_done() -> None:
    wire, got = Wire(), list[int]()
    paced = PacedTransport(wire, asyncio.get_running_loop())

    def feed(data: bytes) -> None:
        got.append(len(data))
        paced.pause_reading()

    paced.take(bytes(3 * SLICE), feed)
    for _ in range(5):
        await asyncio.sleep(0)
    assert got == [SLICE]
    paced.resume_reading()
    await asyncio.sleep(0)
    assert (got, wire.is_read) == ([SLICE] * 2, False)
    paced.resume_reading()
    await asyncio.sleep(0)
    assert got == [SLICE] * 3
    paced.resume_reading()
    assert wire.is_read
    paced.take(b"a head", feed)
    assert wire.is_read, "so it is noticed if who waits for an answer is gone"
    paced.take(bytes(SLICE), feed)
    assert (got[3:], wire.is_read) == ([6], False), "and else no more is read than one piece"
