"""A real server: a process of its own, on a free port, with a database in a folder of the test."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOMY = {
    "requests_burst": 100_000,
    "requests_refill_ms": 1,
    "registrations_burst": 100_000,
    "registrations_refill_ms": 1,
    "connections_each": 8,
    "rooms_each": 1_000,
}
"""Limits that many tests on one server do not run into."""


class ServerProcess:
    """`croupier serve`, started, stopped, killed and started again on the same port and database."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.folder = folder
        self.settings = {**ROOMY, "port": 0, "metrics_port": 0, "database": f"sqlite:///{folder}/server.db", **settings}
        self.log = folder / "log"
        self.start()

    def spawn(self) -> None:
        """Start it and wait for nothing."""
        flags = [word for name, value in self.settings.items() for word in (f"--{name.replace('_', '-')}", str(value))]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "croupier", "serve", *flags],
                stdout=subprocess.PIPE,
                stderr=log,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )

    def start(self) -> None:
        """Start it and wait for its addresses."""
        self.spawn()
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        found = re.findall(r"http://127\.0\.0\.1:(\d+)", line)
        assert len(found) == 2, f"{line}{self.log.read_text()}"
        self.url, self.metrics_url = (f"http://127.0.0.1:{port}" for port in found)
        self.settings["port"] = found[0]

    def kill(self) -> None:
        """Kill it as a power cut would: nothing is finished."""
        assert self.end(signal.SIGKILL) == -signal.SIGKILL

    def end(self, kind: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal, wait, and return the exit code."""
        self.process.send_signal(kind)
        code = self.process.wait(timeout=120)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server for all tests that do nothing to it."""
    made = ServerProcess(tmp_path_factory.mktemp("server"))
    yield made
    assert made.end() == 0


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Any]:
    """Starts servers that a test may stop and kill."""
    started: list[ServerProcess] = []

    def start(**settings: Any) -> ServerProcess:
        started.append(ServerProcess(tmp_path, **settings))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.end()
