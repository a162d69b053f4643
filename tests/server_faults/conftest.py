"""Servers in processes of their own, that tests kill, starve and cut off; and the crowd that plays on regardless."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.chain.node.run import free_ports
from croupier.server.process.file_limits import allow_many_files
from tests.unit.client import conftest as usual
from tests.unit.server.conftest import pytest_pyfunc_call  # noqa: F401 (it runs tests that are coroutine functions)

ROOMY = {
    "requests_burst": 1_000_000,
    "registrations_burst": 1_000_000,
    "connections_each": 100,
    "rooms_each": 10_000,
    "sessions_each": 10_000,
}
"""Limits that a crowd from one address does not run into."""


def free_port() -> int:
    """Return a port that stays free while a server is down.

    One that the system hands out would not: who connects to it again and again while nobody listens is given it as
    their own in the end, is connected to themselves, and keeps the server from having it back.
    """
    return free_ports(1)[0].rpc


class ServerProcess(usual.ServerProcess):
    """One for a crowd: ready when it is started, killed while it starts, and asked how it does."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        folder.mkdir(exist_ok=True)
        self.file = folder / "server.db"
        super().__init__(folder, **{**ROOMY, "port": free_port(), **settings})

    def start(self) -> None:
        """Start it, and note in `took` after how many seconds it was ready."""
        begin = time.monotonic()
        super().start()
        self.netloc = self.url.removeprefix("http://")
        while self.probe("/readyz") != (200, "ready\n"):
            assert time.monotonic() < begin + 300, self.log.read_text()
        self.took = time.monotonic() - begin

    @property
    def address(self) -> tuple[str, int]:
        """Where sockets connect to."""
        host, _, port = self.netloc.partition(":")
        return host, int(port)

    def probe(self, path: str) -> tuple[int, str]:
        """Return what the port of metrics and probes answers; status 0 for nothing."""
        try:
            with urllib.request.urlopen(self.metrics_url + path, timeout=60) as answer:
                return answer.status, str(answer.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, str(error.read().decode())
        except OSError:
            return 0, ""

    def metric(self, name: str) -> float:
        """Return a figure; 0 if there is none of that name."""
        found = re.search(rf"^{re.escape(name)} (\S+)$", self.probe("/metrics")[1], re.MULTILINE)
        return float(found[1]) if found else 0.0

    def wait_for(self, name: str, least: float, seconds: float = 60.0) -> bool:
        """Wait until a figure is so large, and tell whether it was in time; who asks without a pause slows it down."""
        end = time.monotonic() + seconds
        while self.metric(name) < least:
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        return True

    def resident_kb(self) -> int:
        """Return its memory."""
        return int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())[0])

    def end_well(self) -> None:
        """Stop it as an operator does: it ends in order, and nothing broke while it ran."""
        assert self.end() == 0
        assert self.problems_logged() == []

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def audit(self) -> dict[str, Any]:
        """Return what `croupier server audit` finds; it must pass."""
        command = [sys.executable, "-m", "croupier", "server", "audit", "--json", "--database"]
        done = subprocess.run([*command, str(self.settings["database"])], capture_output=True, timeout=300)
        assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
        found: dict[str, Any] = json.loads(done.stdout)
        assert found["problem"] is None
        return found

    def problems_logged(self) -> list[str]:
        """Return what was logged that should never be: something broke, and nobody had planned for it."""
        lines = [line for line in self.log.read_text().splitlines() if "broke" in line or "Traceback" in line]
        # The web server shows where it noticed that a client sent no text.
        return [line for line in lines if "Invalid UTF-8 sequence received from client" not in line]


@pytest.fixture
def new_server(tmp_path: Path) -> Iterator[Callable[..., ServerProcess]]:
    """Start servers, each in a folder of its own; they are stopped in the end."""
    made: list[ServerProcess] = []

    def make(**settings: Any) -> ServerProcess:
        made.append(ServerProcess(tmp_path / f"server{len(made)}", **settings))
        return made[-1]

    yield make
    for one in made:
        if one.is_running:
            one.end(signal.SIGKILL)


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server for all tests that should not be able to do anything to it; no time-out ends what a bound should."""
    made = ServerProcess(tmp_path_factory.mktemp("shared") / "server", request_ms=10**9)
    yield made
    made.end_well()


def upgrade(netloc: str, ticket: str) -> bytes:
    """Return the request for a live connection."""
    head = f"GET /api/v1/live?ticket={ticket} HTTP/1.1\r\nHost: {netloc}\r\nUpgrade: websocket\r\n"
    head += "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    return f"{head}Sec-WebSocket-Protocol: croupier.v1\r\n\r\n".encode()


@pytest.fixture(autouse=True)
def _many_files() -> None:
    """A crowd has more sockets than a shell usually allows."""
    allow_many_files()
