"""Lower bounds of a simulation's time: the bare hashes of its streams, and the same hash written in C."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from shutil import which
from typing import Any

import numpy as np

from benchmarks.report import cache_folder
from croupier.sim import compiled
from croupier.sim.sha256 import hash_rows
from croupier.sim.stream import open_rows, prepare_seed

SESSIONS, TIMES = 1024, 200
HASHES = SESSIONS * TIMES

COMPILE_TIMEOUT_S, RUN_TIMEOUT_S = 120, 60
# The first session whose digest the program prints, to be compared before any figure of it is believed.
DIGEST = sha256(bytes(32) + (1).to_bytes(8, "big") + (1).to_bytes(4, "big")).hexdigest()


def cpu_ns(work: Callable[[], object], calls: int) -> float:
    """Return the nanoseconds of processor time that one of the `calls` in `work` takes, whatever else is running."""
    begin = time.process_time_ns()
    work()
    return (time.process_time_ns() - begin) / calls


def bare_hash() -> Callable[[], float]:
    """Return what measures, each time it is called, what opening a stream costs and nothing else."""
    loop = hash_loop()
    loop()
    return lambda: cpu_ns(loop, HASHES)


def hash_in_c() -> Callable[[], float] | str:
    """Return what measures the same hash in C, by its fastest way, or why it cannot be measured here."""
    compiler = which("cc")
    if compiler is None:
        return "there is no C compiler (cc)"
    folder = cache_folder()
    program, source = folder / "sha256_limit", folder / "sha256_limit.c"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        source.write_bytes((Path(__file__).parent / "sha256_limit.c").read_bytes())
        command = [compiler, "-O3", "-march=native", "-o", str(program), str(source)]
        made = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=COMPILE_TIMEOUT_S, check=False)
        if made.returncode != 0:
            return f"cc failed: {made.stderr.strip().splitlines()[0][:200]}"

        def measure() -> float:
            done = subprocess.run(
                [str(program), "3"], capture_output=True, encoding="ascii", timeout=RUN_TIMEOUT_S, check=True
            )
            told = done.stdout.split()
            assert set(told[:-6]) <= {DIGEST}, "the C program hashes something else"
            return min((float(each) for each in told[-6:] if float(each) > 0), default=0.0)

        if measure() == 0:
            return "the processor has neither SHA instructions nor AVX-512"
    except (OSError, subprocess.SubprocessError) as error:
        return f"the C program did not run: {error}"
    return measure


def hash_loop() -> Callable[[], object]:
    """Return what opens `HASHES` streams when it is called."""
    rows, seed = open_rows(SESSIONS), prepare_seed(bytes(32))
    sessions, moves = np.arange(SESSIONS, dtype=np.uint64), np.ones(SESSIONS, np.uint32)
    loop = compiled(_hash_many)
    return lambda: loop(seed, rows, sessions, moves, TIMES)


def _hash_many(seed: Any, rows: Any, sessions: Any, moves: Any, times: int) -> None:
    for _ in range(times):
        hash_rows(seed, rows, sessions, moves, len(rows))
