"""`croupier bench server`: durable actions a second with two thousand live connections, and what an idle one costs.

A server is started on a free port with a database in a temporary folder; the load comes from this process, beside it.
Five hundred craps tables of four hand the dice round as fast as they are allowed: an action is sent when the view that
makes it one's turn has come, and counts when the server says that it is on disk. Every action is shown to four.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from croupier.bench.report import Report, machine, row
from croupier.client.asking import Client

__all__ = ["measure"]

ROOMS, SEATS = 500, 4
SECONDS = 8.0
AT_ONCE = 40
"""How many are let in at a time."""
FLAGS = {
    "port": "0",
    "metrics-port": "0",
    "requests-burst": "1000000",
    "requests-refill-ms": "1",
    "registrations-burst": "1000000",
    "rooms-each": "1000",
    "log-level": "error",
}

_encode = msgspec.json.Encoder().encode


def measure(*, repeats: int, peers: bool) -> Report:
    """Return the figures; there is no peer to install, so `peers` makes no difference here."""
    with TemporaryDirectory(prefix="croupier-bench-") as folder:
        process, url = _serve(Path(folder))
        try:
            load = Load(url, process.pid)
            asyncio.run(load.run(repeats))
        finally:
            process.terminate()
            process.wait(timeout=30)
    connections = f"{ROOMS * SEATS:,} connections"
    rows = [
        row("durable actions", load.rates, "actions/s", at_least=1_000, note=f"{connections}, each shown to {SEATS}"),
        row("time until an action is on disk, 99 of 100", load.slowest, "ms", at_most=100),
        row("refused or broken", [float(load.errors)], "actions", at_most=0),
        row("processor time of the server", load.costs, "ms", note="an action and its four views"),
        row("memory of an idle connection", [load.memory], "kB", note=f"the growth by {connections}, rooms included"),
    ]
    return Report("server", machine(), "croupier bench server", tuple(rows))


def _serve(folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    flags = [word for name, value in FLAGS.items() for word in (f"--{name}", value)]
    command = [sys.executable, "-m", "croupier", "serve", *flags, "--database", f"sqlite:///{folder}/server.db"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    assert process.stdout is not None
    found = re.search(rb"http://127\.0\.0\.1:\d+", process.stdout.readline())
    assert found is not None, "the server did not say where it is"
    return process, found[0].decode()


class Load:
    """Everybody at once."""

    def __init__(self, url: str, pid: int) -> None:
        self.url = url
        self.pid = pid
        self.rates: list[float] = []
        self.slowest: list[float] = []
        self.costs: list[float] = []
        self.errors = 0
        self.memory = 0.0
        self._done = 0
        self._waits: list[float] = []
        self._begin = asyncio.Event()
        self._gate = asyncio.Semaphore(AT_ONCE)

    async def run(self, repeats: int) -> None:
        """Seat everybody, then measure a few rounds of play."""
        before = self._resident()
        people = [Client(self.url) for _ in range(ROOMS * SEATS)]
        await asyncio.gather(*(self._polite(each.register("player")) for each in people))
        tables = [people[first : first + SEATS] for first in range(0, len(people), SEATS)]
        rooms = await asyncio.gather(*(self._polite(self._sit(table)) for table in tables))
        tasks = []
        for table, room in zip(tables, rooms, strict=True):
            for each in table:
                socket = await self._open(each)
                tasks.append(asyncio.create_task(self._play(each.account_id, socket, room)))
        await asyncio.sleep(2)
        self.memory = (self._resident() - before) / len(people)
        self._begin.set()
        await asyncio.sleep(2)
        for _ in range(repeats):
            await self._round()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(each.close() for each in people))

    async def _round(self) -> None:
        done, cost, start = self._done, self._cpu(), time.perf_counter()
        self._waits.clear()
        await asyncio.sleep(SECONDS)
        made = self._done - done
        self.rates.append(made / (time.perf_counter() - start))
        self.costs.append(1000 * (self._cpu() - cost) / max(made, 1))
        self.slowest.append(1000 * sorted(self._waits)[len(self._waits) * 99 // 100])

    async def _polite(self, asking: asyncio.Future[str] | object) -> str:
        async with self._gate:
            answer: str = await asking  # type: ignore[misc]
            return answer

    async def _sit(self, table: list[Client]) -> str:
        room = await table[0].create_room("craps-table", seats=SEATS, is_listed=False)
        for each in table[1:]:
            await each.join(room.id)
        return room.id

    async def _open(self, one: Client) -> ClientConnection:
        address = f"{self.url.replace('http', 'ws')}/api/v1/live?ticket={await one.ticket()}"
        return await connect(address, subprotocols=["croupier.v1"], compression=None, ping_interval=None)  # type: ignore[list-item]

    async def _play(self, me: str, socket: ClientConnection, room_id: str) -> None:
        sent, number, shown = 0.0, 0, -1
        await socket.send(_encode({"type": "subscribe", "match": room_id}).decode())
        with suppress(asyncio.CancelledError):
            async for text in socket:
                frame = msgspec.json.decode(text)
                if frame["type"] == "done":
                    self._done += 1
                    self._waits.append(time.perf_counter() - sent)
                elif frame["type"] == "refused":
                    self.errors += 1
                elif frame["type"] == "view" and frame["version"] > shown:
                    shown, view = frame["version"], frame["room"]["view"]
                    if view["turn"]["current"] == me:
                        await self._begin.wait()
                        number, sent = number + 1, time.perf_counter()
                        await socket.send(_encode(_turn(me, room_id, number, frame)).decode())
        await socket.close()

    def _resident(self) -> float:
        """Return the memory of the server, in kB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return float(re.findall(r"VmRSS:\s+(\d+)", status)[0])

    def _cpu(self) -> float:
        """Return the processor time of the server, in seconds."""
        words = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def _turn(me: str, room_id: str, number: int, frame: dict[str, object]) -> dict[str, object]:
    """Return what one does with the dice: buy in first, then hand them on."""
    room = msgspec.convert(frame["room"], dict[str, object])
    view = msgspec.convert(room["view"], dict[str, object])
    game = msgspec.convert(view["game"], dict[str, object])
    seats = msgspec.convert(game["seats"], list[dict[str, object]])
    mine = seats[msgspec.convert(room["seat"], int)]
    action = {"type": "pass_dice"} if mine.get("bought") else {"type": "buy_in", "payload": {"chips": 100}}
    key = f"{me[-8:]}-{number}"
    return {"type": "act", "match": room_id, "id": key, "expected_version": frame["version"], "action": action}
