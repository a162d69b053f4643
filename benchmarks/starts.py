"""Figures that need a new process: how a simulation starts, the speed of the portable hash path, growth of memory.

`python -m benchmarks.starts WHAT` prints one figure. `in_new_process` runs it and returns the figure.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from tempfile import TemporaryDirectory

from benchmarks import ROOT

TIMEOUT_S = 600
ROUNDS_FEW, ROUNDS_MANY = 10**6, 10**8
CRAPS_SESSIONS = 100_000
ROLLS_A_SESSION = 557 / 165  # of a pass line bet

ALL_KERNELS: tuple[tuple[str, dict[str, int]], ...] = (
    ("baccarat", {"player": 10}),
    ("blackjack", {"main": 10}),
    ("casino-war", {"main": 10}),
    ("craps", {"pass": 10}),
    ("hi-lo", {"stake": 10}),
    ("roulette", {"red": 10}),
    ("shut-the-box", {}),
    ("sic-bo", {"small": 10}),
    ("three-card-poker", {"ante": 10}),
    ("ultimate-texas-holdem", {"ante": 10}),
    ("video-poker", {"stake": 5}),
)


def in_new_process(what: str, **environment: str) -> float:
    """Return the figure that a process of its own prints."""
    command = [sys.executable, "-m", "benchmarks.starts", what]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=TIMEOUT_S,
        check=True,
    )
    return float(done.stdout)


def warm_start_s() -> float:
    """Return the seconds of processor time from a new process to its first thousand rounds, the kernel being kept."""
    in_new_process("start")  # so that it is kept
    return in_new_process("start")


def cold_compile_s() -> float:
    """Return the seconds of processor time that compiling every kernel takes, in a folder of its own."""
    with TemporaryDirectory() as folder:
        return in_new_process("compile", XDG_CACHE_HOME=folder)


def portable_rolls() -> float:
    """Return how many rolls of the pass line with odds a second are simulated by the portable path."""
    return in_new_process("rolls", CROUPIER_HASH_PATH="portable")


def memory_growth_mib() -> float:
    """Return how much more memory a hundred million rounds take at their peak than a million."""
    return in_new_process("memory")


def _start() -> float:
    _play("roulette", {"red": 10}, 1_000)
    return time.process_time()


def _compile() -> float:
    for game_id, bets in ALL_KERNELS:
        _play(game_id, bets, 1)
    return time.process_time()


def _rolls() -> float:
    _play("craps", {"pass": 10}, 1_000, "full_odds")
    best = 0.0
    for _ in range(5):
        begin = time.perf_counter()  # as peers are measured
        _play("craps", {"pass": 10}, CRAPS_SESSIONS, "full_odds")
        best = max(best, CRAPS_SESSIONS * ROLLS_A_SESSION / (time.perf_counter() - begin))
    return best


def _memory() -> float:
    _play("roulette", {"red": 10}, ROUNDS_FEW)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _play("roulette", {"red": 10}, ROUNDS_MANY)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def _play(game_id: str, bets: dict[str, int], rounds: int, policy: str = "") -> None:
    from croupier.engine import get_game
    from croupier.sim.simulate import simulate

    simulate(get_game(game_id), bets, policy, rounds)


WORKS = {"start": _start, "compile": _compile, "rolls": _rolls, "memory": _memory}

if __name__ == "__main__":
    print(WORKS[sys.argv[1]]())
