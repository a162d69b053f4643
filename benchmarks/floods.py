"""`make bench ARGS=floods`: what a hundred clients get while one guest floods the server.

Each flood (`benchmarks.load.flooding`) takes turns with a control: a process that takes the same processor time and
sends nothing. Rows are the medians of the turns' ratios: durable actions, of which the clients must get at least 80 %
of what they get beside the control, and the wait of 99 of 100 of them, at most three times as long. On a machine that
is busy with other things the processor time that the server takes for an action tells more.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory

from benchmarks import ROOT
from benchmarks.load.flooding import KINDS
from benchmarks.report import Row, row
from benchmarks.server import LoadProcess, ServerProcess, cpu_of

ROOMS, SEATS = 25, 4
SECONDS, WARM_SECONDS, HEAD_SECONDS = 4.0, 2.0, 0.5
LIMITS = {"requests_burst": "60", "requests_refill_ms": "20"}
"""A server's own, but for the refill: these clients play faster than people, and are not to be refused. Who floods has
the same limits, so the refill is no shorter than the clients need."""
QUEUE, FEW, CROWD = 300, 100, 1_500
GOT_LEAST, WAIT_MOST = 0.8, 3.0


def measure(*, repeats: int, peers: bool) -> list[Row]:
    """Return the figures; there is no peer to install, so `peers` makes no difference here."""
    rows = []
    for kind in KINDS:
        rows += _beside(kind, repeats)
    rows.append(_overloaded(repeats))
    return rows


def _beside(kind: str, repeats: int) -> list[Row]:
    """Measure one flood and its control in turns, on a server of their own."""
    rates: dict[bool, list[float]] = {True: [], False: []}
    waits: dict[bool, list[float]] = {True: [], False: []}
    costs: dict[bool, list[float]] = {True: [], False: []}
    shares = []
    with TemporaryDirectory(prefix="croupier-bench-") as folder, ExitStack() as stack:
        server = stack.enter_context(ServerProcess.run(f"sqlite:///{folder}/server.db", **LIMITS))
        load = stack.enter_context(LoadProcess.run([server.url], rooms=ROOMS, seats=SEATS, spread=True))
        token = _token(server.url)
        load.play(WARM_SECONDS)
        for _ in range(repeats):
            share = 0.0
            for is_flood in (True, False):
                with _process(kind if is_flood else f"burn:{share}", server.url, token) as pid:
                    cpu, spent, begin = cpu_of(pid), server.cpu(), time.perf_counter()
                    found = load.play(SECONDS)
                    spent = server.cpu() - spent
                    share = (cpu_of(pid) - cpu) / (time.perf_counter() - begin)
                rates[is_flood].append(found["done"] / found["seconds"])
                waits[is_flood].append(found["p99"])
                costs[is_flood].append(1000 * spent / max(found["done"], 1))
                shares.append(share)
        end = load.settle()
    note = f"flood and control took {100 * shares[-2]:.0f} and {100 * shares[-1]:.0f} % of a processor"
    note += f"; {end['errors']} refused or broken, {end['last']}" if end["errors"] else ""
    beside = "a control that takes as much processor time"
    return [
        row(
            f"{kind}: durable actions of {ROOMS * SEATS} clients", rates[True], "actions/s",
            beside=(beside, rates[False]), at_least=GOT_LEAST, note=note, turn_by_turn=True,
        ),
        row(
            f"{kind}: wait, 99 of 100", waits[True], "ms",
            beside=(beside, waits[False]), at_most=WAIT_MOST, turn_by_turn=True,
        ),
        row(
            f"{kind}: processor time of the server an action", costs[True], "ms",
            beside=(beside, costs[False]), turn_by_turn=True,
        ),
    ]  # fmt: skip


def _overloaded(repeats: int) -> Row:
    """Measure how much is written for a crowd that is refused and asks again at once, beside a few who are not."""
    written: dict[int, list[float]] = {FEW: [], CROWD: []}
    refused = 0
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="croupier-bench-"))
        server = stack.enter_context(ServerProcess.run(f"sqlite:///{folder}/server.db", queue_max=str(QUEUE)))
        command = [sys.executable, "-m", "benchmarks.load.retrying", server.url, _token(server.url)]
        for _ in range(repeats):
            for clients in (FEW, CROWD):
                more = [str(clients), str(SECONDS)]
                done = subprocess.run([*command, *more], cwd=ROOT, capture_output=True, check=True)
                found = json.loads(done.stdout)
                written[clients].append(found.get("201", 0) / SECONDS)
                refused += found.get("503", 0)
    return row(
        f"{CROWD:,} clients that retry at once: written", written[CROWD], "requests/s",
        beside=(f"{FEW} clients", written[FEW]), at_least=GOT_LEAST, note=f"{refused} refused with Retry-After",
        turn_by_turn=True,
    )  # fmt: skip


def _token(url: str) -> str:
    asked = urllib.request.Request(f"{url}/api/v1/accounts", b'{"name":"Eve"}', {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked) as answer:
        return str(json.load(answer)["token"])


@contextmanager
def _process(kind: str, url: str, token: str) -> Iterator[int]:
    """Run a flood, and give it a moment to begin; yields its number."""
    command = [sys.executable, "-m", "benchmarks.load.flooding", kind, url, token]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as process:
        try:
            time.sleep(HEAD_SECONDS)
            yield process.pid
        finally:
            process.kill()
