"""What all tests share: property tests that give the same cases every time, and a PostgreSQL server of their own.

The server is made in a temporary folder and gone when the tests are over. `make test` installs PostgreSQL where it can.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from benchmarks.load.postgres import PostgresServer, find_postgres
from tests.environments import ROOT, install
from tools.left_behind import LeftBehind
from tools.odds_checks import Checks
from tools.processor_seconds import ProcessorSeconds

settings.register_profile("croupier", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("croupier")
os.environ["CROUPIER_ODDS_AHEAD_MS"] = "3600000"  # a hundred servers would each count all odds; one test has it so

LONG = (
    ("tests/web/",),
    ("tests/server_faults/", "tests/chain_network/"),
    ("tests/docs/", "tests/statistical/", "tests/unit/benchmarks/"),
)
"""Folders whose tests take long, for three workers to begin with."""
REASON = "there is no PostgreSQL here; on Debian or Ubuntu `make test` as root installs it"
# Not synced to disk: it need not outlive the tests.
SETTINGS = """
shared_buffers = 32MB
synchronous_commit = off
fsync = off
full_page_writes = off
deadlock_timeout = 100ms
"""


def pytest_configure(config: pytest.Config) -> None:
    """Have the run tell what each folder cost, and in CI fail where it left files in the checkout."""
    config.pluginmanager.register(ProcessorSeconds())
    if os.environ.get("CI") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(LeftBehind(config.rootpath))


def pytest_collectstart() -> None:
    """Look for no cycles while tests are found: that takes a quarter of the time."""
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the folders whose tests take long, browsers on one worker and servers on another.

    A worker is given a share of all tests, neighbours together; one that has done its own takes over the last of
    another's. So a run ends with short ones for all.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    long = [[item for item in items if item.nodeid.startswith(folders)] for folders in LONG]
    short = iter([item for item in items if not item.nodeid.startswith(sum(LONG, ()))])
    left = len(items)
    items.clear()
    for number in range(workers):
        size = left // (workers - number)  # as the plugin divides them
        left -= size
        first = [item for group in long[number::workers] for item in group]
        items += [*first, *islice(short, max(0, size - len(first)))]
    items += short


def pytest_collection_finish() -> None:
    """Look for cycles again, but never among what was loaded until now."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def examples_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the example packages are installed."""
    folder = tmp_path_factory.mktemp("examples")
    install(folder, *sorted((ROOT / "examples").iterdir()))
    return folder


@pytest.fixture
def checks(request: pytest.FixtureRequest) -> Iterator[Checks]:
    """Tell which rows of the odds a test compares with a second source; the file of checks must say the same."""
    found = Checks(request.node.nodeid)
    yield found
    found.finish()


class DatabaseServer(PostgresServer):
    """A server that hands out empty databases."""

    _databases = 0

    def new_database(self) -> str:
        """Make an empty database and return its address."""
        import psycopg

        self._databases += 1
        name = f"test{self._databases}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        return self.url(name)


def start_postgres() -> DatabaseServer:
    """Return a new server; skip the test where there can be none, and fail it in CI."""
    programs = find_postgres()
    if programs is None:
        if os.environ.get("CI"):
            pytest.fail(f"{REASON}; in CI no test may be left out")
        pytest.skip(REASON)
    return DatabaseServer(programs, SETTINGS)


@pytest.fixture(scope="session")
def postgres() -> Iterator[DatabaseServer]:
    """One server for all tests of a worker."""
    server = start_postgres()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def new_postgres() -> Callable[[], DatabaseServer]:
    """What makes another server, for a test that stops it; the test removes it."""
    return start_postgres
