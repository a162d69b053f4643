"""`make bench ARGS=server`: durable actions a second with two thousand live connections, and what an idle one costs.

Servers are started on free ports with a database in a temporary folder; the load comes from a process beside them
(`benchmarks.load.playing`). Five hundred craps tables of four hand the dice round; every action is shown to four.

- **Capacity**: an action is sent as soon as the view that makes it one's turn has come.
- **A house round**: people spin at roulette, a frame a round, or a request.
- **Offered load**: actions are due at fixed times, a thousand a second in all, and waits count from then.
- In the end the database has to hold as many events as were acknowledged: no less, and none twice.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from benchmarks import ROOT
from benchmarks.load.postgres import PostgresServer, find_postgres
from benchmarks.report import Row, row
from croupier.store.database import open_store

ROOMS, SEATS, IDLE = 500, 4, 10_000
PLAYERS = 32
SPIN = {
    "table": 6,
    "client_seed": "5eed" * 16,
    "action": {"type": "batch", "payload": {"bets": [{"bet": "red", "stake": 1}, {"bet": "dozen:1", "stake": 1}]}},
}
"""Two bets at roulette, with which a session begins and ends."""
SHARED_ROOMS, DOUBLED_ROOMS = 100, 25
SECONDS, WARM_SECONDS = 8.0, 3.0
RATE = 1_000
FLAGS = {
    "port": "0",
    "metrics-port": "0",
    "requests-burst": "1000000",
    "requests-refill-ms": "1",
    "registrations-burst": "1000000",
    "registrations-refill-ms": "1",
    "rooms-each": "1000",
    "log-level": "error",
    "odds-ahead-ms": "3600000",
}


def measure(*, repeats: int, peers: bool) -> list[Row]:
    """Return the figures; there is no peer to install, so `peers` makes no difference here."""
    return [*_live(repeats), *_house(repeats), *_idle(), *_shared(repeats)]


def _live(repeats: int) -> list[Row]:
    """One process on SQLite."""
    with _folder() as folder, ExitStack() as stack:
        server = stack.enter_context(ServerProcess.run(f"sqlite:///{folder}/server.db"))
        before = server.resident_kb()
        load = stack.enter_context(LoadProcess.run([server.url], rooms=ROOMS, seats=SEATS))
        memory = (server.resident_kb() - before) / load.connections
        load.play(WARM_SECONDS)
        rates, closed, costs = [], [], []
        for _ in range(repeats):
            cpu = server.cpu()
            found = load.play(SECONDS)
            rates.append(found["done"] / found["seconds"])
            closed.append(found["p99"])
            costs.append(1000 * (server.cpu() - cpu) / max(found["done"], 1))
        offered = [load.play(SECONDS, RATE)["p99"] for _ in range(repeats)]
        end = load.settle()
        wrong = abs(_events(f"sqlite:///{folder}/server.db") - end["done"])
    people = f"{load.connections:,} connections, each action shown to {SEATS}"
    return [
        row("durable actions", rates, "actions/s", at_least=1_000, note=f"capacity: {people}"),
        row("wait at capacity, 99 of 100", closed, "ms", note="until an action is on disk; one a table under way"),
        row(
            f"wait at {RATE:,} actions a second, 99 of 100",
            offered,
            "ms",
            at_most=100,
            note="until an action is on disk, from the time at which it was due",
        ),
        row("refused or broken", [float(end["errors"])], "actions", at_most=0, note=end["last"]),
        row("acknowledged and not stored, or stored twice", [float(wrong)], "actions", at_most=0),
        row("processor time of the server", costs, "ms", note="an action and its four views"),
        row("memory of a connection that plays", [memory], "kB", note="its account and its share of a room included"),
    ]


def _house(repeats: int) -> list[Row]:
    """One process on SQLite, at which people spin: commitment, bets, settlement and view are one frame, or request."""
    rows = []
    with _folder() as folder, ServerProcess.run(f"sqlite:///{folder}/server.db") as server:
        for is_live, how in ((True, "live"), (False, "HTTP")):
            costs = asyncio.run(spin(server, SECONDS, repeats, is_live=is_live))
            note = f"{PLAYERS} people at roulette; the next commitment comes with each round"
            rows.append(row(f"processor time of a house round, {how}", costs, "ms", note=note))
    return rows


async def spin(server: ServerProcess, seconds: float, repeats: int, *, is_live: bool) -> list[float]:
    """Return the processor time of a round, in milliseconds, as often as asked: everybody spins again and again."""
    costs = []
    async with httpx.AsyncClient(base_url=f"{server.url}/api/v1", timeout=60) as client, AsyncExitStack() as stack:
        people = [await _Spinner.sit(client, stack, is_live=is_live) for _ in range(PLAYERS)]
        for turn in range(repeats + 1):
            cpu, end = server.cpu(), time.monotonic() + (seconds if turn else WARM_SECONDS)
            rounds = sum(await asyncio.gather(*(one.spin(end) for one in people)))
            costs.append(1000 * (server.cpu() - cpu) / max(rounds, 1))
    return costs[1:]


class _Spinner:
    """Somebody at roulette, over a live connection or by requests."""

    def __init__(self, client: httpx.AsyncClient, made: dict[str, Any]) -> None:
        self.client = client
        self.headers = {"authorization": f"Bearer {made['token']}"}
        self.following = made["next"]
        self.socket: ClientConnection | None = None

    @classmethod
    async def sit(cls, client: httpx.AsyncClient, stack: AsyncExitStack, *, is_live: bool) -> _Spinner:
        """Open an account, and a live connection if there is to be one."""
        one = cls(client, (await client.post("/accounts", json={"name": "Player", "next": True})).json())
        if is_live:
            ticket = (await client.post("/tickets", headers=one.headers)).json()["ticket"]
            url = f"{str(client.base_url).replace('http', 'ws', 1)}live?ticket={ticket}"
            one.socket = await stack.enter_async_context(connect(url, subprotocols=[Subprotocol("croupier.v1")]))
        return one

    async def spin(self, end: float) -> int:
        """Spin until a time, and return how often."""
        rounds = 0
        while time.monotonic() < end:
            answer = await self._ask({"session_id": self.following["session_id"], **SPIN})
            self.following, rounds = answer["next"], rounds + 1
        return rounds

    async def _ask(self, body: dict[str, Any]) -> Any:
        key = str(body["session_id"])
        if self.socket is not None:
            await self.socket.send(json.dumps({"type": "start", "id": key, "next": True, **body}))
            return json.loads(await self.socket.recv())["result"]
        headers = {**self.headers, "idempotency-key": key}
        return (await self.client.post("/sessions?next=true", json=body, headers=headers)).json()


def _idle() -> list[Row]:
    """One process that holds connections on which nothing happens."""
    with _folder() as folder, ExitStack() as stack:
        server = stack.enter_context(ServerProcess.run(f"sqlite:///{folder}/server.db"))
        with LoadProcess.run([server.url], idle=8):  # what the first request brings into memory is no connection's
            before = server.resident_kb()
        try:
            load = stack.enter_context(LoadProcess.run([server.url], idle=IDLE))
        except RuntimeError as error:
            note = f"{IDLE:,} could not be opened here: {error}"
            return [row("memory of an idle connection", [0.0], "kB", note=note)]
        memory = (server.resident_kb() - before) / load.connections
        cpu = server.cpu()
        load.play(SECONDS)
        busy = 100 * (server.cpu() - cpu) / SECONDS
    note = f"{load.connections:,} in one process, which then takes {busy:.1f} % of a core"
    return [row("memory of an idle connection", [memory], "kB", note=note)]


def _shared(repeats: int) -> list[Row]:
    """One process on PostgreSQL, and two: there neighbours at a table talk to different ones."""
    name = "two processes on one PostgreSQL"
    programs = find_postgres()
    if programs is None:
        return [row(name, [0.0], "actions/s", note="no PostgreSQL is installed here")]
    with ExitStack() as stack:
        postgres = PostgresServer(programs)  # with its usual care for the disk
        stack.callback(postgres.remove)
        database = postgres.url()
        servers = [stack.enter_context(ServerProcess.run(database)) for _ in range(2)]
        urls = [server.url for server in servers]
        alone, done = _costs(servers[:1], repeats)
        with LoadProcess.run(urls, rooms=SHARED_ROOMS, seats=SEATS) as load:
            load.play(WARM_SECONDS)
            cpu = sum(server.cpu() for server in servers)
            found = [load.play(SECONDS) for _ in range(repeats)]
            cpu = sum(server.cpu() for server in servers) - cpu
            end = load.settle()
        with LoadProcess.run(urls, rooms=DOUBLED_ROOMS, seats=SEATS, doubled=True) as doubled:
            doubled.play(SECONDS)
            both = doubled.settle()
        wrong = abs(_events(database) - done - end["done"] - both["done"]) + end["errors"] + both["errors"]
    rates = [each["done"] / each["seconds"] for each in found]
    said = f"{end['done']:,} actions at neighbours' processes, {both['done']:,} at both processes at the same moment"
    note = "an action and its four views; what PostgreSQL takes is not in it"
    return [
        row("processor time of one server on PostgreSQL", alone, "ms", note=note),
        row(name, rates, "actions/s", note=f"{load.connections} connections, half of them to each"),
        row("wait there, 99 of 100", [each["p99"] for each in found], "ms"),
        row(
            "processor time of both servers there",
            [1000 * cpu / max(sum(each["done"] for each in found), 1)],
            "ms",
            note=note,
        ),
        row("lost, refused or applied twice there", [float(wrong)], "actions", at_most=0, note=end["last"] or said),
    ]


def _costs(servers: list[ServerProcess], repeats: int) -> tuple[list[float], int]:
    """Return the processor time of an action, in milliseconds, as often as asked, and how many were taken."""
    costs = []
    with LoadProcess.run([server.url for server in servers], rooms=SHARED_ROOMS, seats=SEATS) as load:
        load.play(WARM_SECONDS)
        for _ in range(repeats):
            cpu = sum(server.cpu() for server in servers)
            found = load.play(SECONDS)
            costs.append(1000 * (sum(server.cpu() for server in servers) - cpu) / max(found["done"], 1))
        return costs, int(load.settle()["done"])


def _events(database: str) -> int:
    """Return how many events are stored. The servers may still run."""
    with open_store(database) as store, store.backend.reading() as connection:
        cursor = connection.cursor()
        cursor.execute("SELECT count(*) FROM events")
        return int(cursor.fetchone()[0])


def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="croupier-bench-")


class ServerProcess:
    """`croupier serve` in a process of its own."""

    def __init__(self, process: subprocess.Popen[bytes], url: str) -> None:
        self.process = process
        self.url = url

    @classmethod
    @contextmanager
    def run(cls, database: str, **other: str) -> Iterator[ServerProcess]:
        """Start a server with `FLAGS`, or other values for some of them."""
        chosen = FLAGS | {name.replace("_", "-"): value for name, value in other.items()}
        flags = [word for name, value in chosen.items() for word in (f"--{name}", value)]
        command = [sys.executable, "-m", "croupier", "serve", *flags, "--database", database]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONUNBUFFERED": "1"}) as process:
            try:
                assert process.stdout is not None
                found = re.search(rb"http://127\.0\.0\.1:\d+", process.stdout.readline())
                assert found is not None, "the server did not say where it is"
                yield cls(process, found[0].decode())
            finally:
                process.terminate()
                process.wait(timeout=60)

    def resident_kb(self) -> float:
        """Return its memory."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return float(re.findall(r"VmRSS:\s+(\d+)", status)[0])

    def cpu(self) -> float:
        """Return its processor time, in seconds."""
        return cpu_of(self.process.pid)


def cpu_of(pid: int) -> float:
    """Return the processor time of a process, in seconds."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class LoadProcess:
    """The process that plays."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.connections = int(self._read()["connections"])

    @classmethod
    @contextmanager
    def run(cls, urls: list[str], **plan: Any) -> Iterator[LoadProcess]:
        """Seat everybody; raises `RuntimeError` if that cannot be done."""
        command = [sys.executable, "-m", "benchmarks.load.playing", json.dumps({"urls": urls, **plan})]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, cwd=ROOT, text=True, stdin=pipe, stdout=pipe, stderr=pipe) as process:
            try:
                yield cls(process)
            finally:
                assert process.stdin is not None
                process.stdin.close()
                process.kill()

    def play(self, seconds: float, rate: int = 0) -> dict[str, Any]:
        """Play so long; see `benchmarks.load.playing`."""
        return self._ask({"seconds": seconds, "rate": rate})

    def settle(self) -> dict[str, Any]:
        """Wait until nothing is under way."""
        return self._ask({})

    def _ask(self, command: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            assert self._process.stderr is not None
            raise RuntimeError((self._process.stderr.read().strip().splitlines() or ["the load ended"])[-1])
        found: dict[str, Any] = json.loads(line)
        return found
