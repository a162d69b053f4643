"""Clients that never read: they are cut off with 4008, cost little memory, and nobody else notices them."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import aclosing
from typing import Any

import pytest

from croupier.client import Client
from croupier.engine import act
from tests.server_faults.conftest import upgrade
from tests.server_faults.faulty_proxy import frame_of

BUFFER_KB = 256


async def connect_deaf(server: Any, ticket: str, room_id: str) -> socket.socket:
    """Return a live connection of somebody who follows a room, asks again and again, and takes nothing."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(made, server.address)
    await loop.sock_sendall(made, upgrade(server.netloc, ticket))
    assert (await loop.sock_recv(made, 1000)).startswith(b"HTTP/1.1 101")
    frame = frame_of(1, json.dumps({"type": "subscribe", "match": room_id}).encode())
    await loop.sock_sendall(made, frame)
    return made


@pytest.mark.parametrize("count", [12, pytest.param(60, marks=pytest.mark.soak)])
async def test_clients_that_never_read_are_cut_off_and_cost_nobody_anything(new_server: Any, count: int) -> None:
    server = new_server(buffer_bytes=BUFFER_KB * 1024)
    async with Client(server.url) as ann, Client(server.url) as eve:
        await ann.register("Ann")
        await eve.register("Eve")
        room = await ann.create_room("craps-table", seats=1)
        deaf = [await connect_deaf(server, await eve.ticket(), room.id) for _ in range(count)]
        before = server.resident_kb()
        most = seen = acted = 0
        slow = 'croupier_live_total{what="too_slow"}'
        async with ann.live() as live, aclosing(live.follow(room.id)) as updates:
            async for update in updates:
                assert update.version == acted, "a client that reads misses something"
                seen += 1
                most = max(most, server.resident_kb())
                if acted % 20 == 0 and server.metric(slow) == count:
                    break
                assert acted < 5_000, f"only {server.metric(slow)} were cut off"
                acted = await live.act(update.room, act("buy_in", chips=20))
        assert seen == acted + 1
        # What waits for each is bounded: by our own buffer, and by what the system holds.
        grown = most - before
        assert grown < count * 3 * BUFFER_KB, f"{grown} kB for {count} clients"
        assert server.metric("croupier_connections") <= 1
        ends = await asyncio.gather(*map(last_words, deaf))
        assert {end for end in ends if end} <= {4008}
        assert ends.count(4008) > 0
        print(f"{count} cut off after {acted} actions; memory grew by {grown} kB at most; {ends.count(4008)} heard it")
    server.end_well()


async def last_words(deaf: socket.socket) -> int:
    """Read what there is at last, and return the code of the good-bye; 0 if there is none."""
    loop = asyncio.get_running_loop()
    data = b""
    try:
        while more := await asyncio.wait_for(loop.sock_recv(deaf, 65_536), 20):
            data = (data + more)[-100:]
    except (ConnectionError, TimeoutError):
        pass
    finally:
        deaf.close()
    place = data.rfind(b"too_slow")
    return int.from_bytes(data[place - 2 : place], "big") if place > 1 else 0
