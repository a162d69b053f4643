"""`make bench ARGS=database`: what a session takes in a SQLite file, kept or pruned, and how soon a large one is ready.

Sessions are played through the server's own operations, in a file. Then its rows are copied until it has a hundred
megabytes; a server on it is killed (`kill -9`) and started again.
"""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import urlopen

from benchmarks import ROOT
from benchmarks.report import Row, row
from benchmarks.server import cpu_of
from croupier.engine import Action
from croupier.server.operations import accounts, commitments, retention, sessions
from croupier.server.running.requests import run_once
from croupier.server.running.service import Service
from croupier.server.settings import Settings
from croupier.store.database import open_store

DAY_MS = 86_400_000
ROULETTE = 6
SESSIONS, MOVES_MORE, ACCOUNTS, REPLIES = 400, 20, 400, 1_000
LARGE_BYTES = 100 * 2**20
PLACE, CLEAR, SPIN = Action("place", {"bet": "red", "stake": 1}), Action("clear"), Action("spin")


def measure(*, repeats: int, peers: bool) -> list[Row]:
    """Return the figures; there is no peer to install, so `peers` makes no difference here."""
    with TemporaryDirectory(prefix="croupier-bench-") as folder:
        file = Path(folder) / "server.db"
        return [*_sizes(file), *_ready(file, repeats)]


class _Player:
    """Operations on a file, with a clock that is set by hand; `size` is what is in use of the file."""

    def __init__(self, file: Path, settings: Settings) -> None:
        self.file, self.now = file, time.time_ns() // 1_000_000
        self._store = open_store(f"sqlite:///{file}", synchronous="OFF")
        self.service = Service(self._store, settings, clock=lambda: self.now)
        self.do: Any = self.service.change_now
        self.ann = self.guest()

    def guest(self) -> Any:
        return self.do(accounts.authenticate, self.do(accounts.register, "Ann").token)

    def play(self, *more: Action) -> None:
        issued = self.do(commitments.commit, self.ann)
        seen = self.do(sessions.start, self.ann, issued.session_id, ROULETTE, 0, "c0ffee00" * 8)
        for action in (*more, PLACE, SPIN):
            seen = self.do(sessions.move, self.ann, seen.session_id, seen.version, action, None)

    def reply(self, number: int, body: bytes) -> None:
        self.do(lambda call: run_once(call, self.ann.id, f"key{number}", "d" * 64, 200, lambda: body))

    def prune(self) -> None:
        for step in retention.PRUNERS:
            while self.do(step).total():
                pass

    def size(self) -> int:
        with self._store.backend.reading() as connection:
            cursor = connection.cursor()
            values: list[int] = [
                cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count")
            ]
            return 4096 * (values[0] - values[1])

    def close(self) -> None:
        self.service.stop()
        self._store.close()


def _sizes(file: Path) -> list[Row]:
    player = _Player(file, Settings(keep_sessions_days=1))

    def each(count: int, work: Any) -> float:
        before = player.size()
        for number in range(count):
            work(number)
        return (player.size() - before) / count

    account = each(ACCOUNTS, lambda _: player.guest())
    empty = player.size()
    kept = each(SESSIONS, lambda _: player.play())
    long = each(SESSIONS // 4, lambda _: player.play(*[PLACE, CLEAR] * (MOVES_MORE // 2)))
    reply = each(REPLIES, lambda number: player.reply(number, b"x" * 1_500))
    player.now += 3 * DAY_MS
    player.prune()
    pruned = (player.size() - empty) / (SESSIONS + SESSIONS // 4)
    for _ in range(SESSIONS):  # for the large file
        player.play()
    player.close()
    return [
        row("an account", [account], "bytes", note="with one token and its welcome"),
        row("a session that is kept", [kept], "bytes", note="a bet and a spin at roulette"),
        row("each move more", [(long - kept) / MOVES_MORE], "bytes", note="a stake and a stake taken back in turn"),
        row("an answer that is kept", [reply], "bytes", note="one of 1,500 bytes"),
        row("a session that was pruned", [pruned], "bytes", note="its number, commitment and opening"),
    ]


def _ready(file: Path, repeats: int) -> list[Row]:
    _copy_rows(file)
    size = file.stat().st_size / 2**20
    found = [_start_and_kill(file) for _ in range(repeats + 1)][1:]  # before the first none was killed
    note = f"a file of {size:.0f} MiB; from the start of the process to /readyz, after kill -9"
    return [
        row("ready again", [seconds for seconds, _ in found], "s", at_most=2, note=note),
        row("processor time until then", [cost for _, cost in found], "s"),
    ]


def _start_and_kill(file: Path) -> tuple[float, float]:
    """Return after how many seconds a server was ready, and its processor time by then; then it is killed."""
    flags = ["--port", "0", "--metrics-port", "0", "--log-level", "error", "--database", f"sqlite:///{file}"]
    command = [sys.executable, "-m", "croupier", "serve", *flags]
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    variables["PYTHONPYCACHEPREFIX"] = f"{file.parent}/bytecode"  # an installed package has it, a checkout may not
    begin = time.monotonic()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, env=variables) as process:
        try:
            assert process.stdout is not None
            urls = re.findall(rb"http://127\.0\.0\.1:\d+", process.stdout.readline())
            while True:
                with suppress(OSError), urlopen(f"{urls[1].decode()}/readyz", timeout=10):
                    break
            seconds = time.monotonic() - begin
            return seconds, cpu_of(process.pid)
        finally:
            process.kill()


STEP = 10_000_000
COPIED = {
    "sessions": ("session_id", "account, updated_at, is_complete, body"),
    "seeds": ("session_id", "account, body, n, state, expires_at"),
    "movements": ("number", "source, target, amount, reason, session"),
}


def _copy_rows(file: Path) -> None:
    """Copy rows under new numbers until the file is large: nothing of it is looked at when a server starts."""
    connection = sqlite3.connect(file)
    step = STEP
    while file.stat().st_size < LARGE_BYTES:
        for table, (key, others) in COPIED.items():
            found = f"SELECT {key} + {step}, {others} FROM {table} WHERE {key} < {STEP}"
            connection.execute(f"INSERT INTO {table} ({key}, {others}) {found}")
        connection.execute(
            "INSERT INTO events SELECT match_id || '.' || ?, version, kind, at, digest, body FROM events"
            " WHERE match_id NOT LIKE '%.%'",
            (step,),
        )
        step += STEP
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    Path(f"{file}-head").unlink(missing_ok=True)
