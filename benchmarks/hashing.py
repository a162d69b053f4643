"""The hash that opens a stream, compiled and called for nothing else: what no simulation can be faster than."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from croupier.sim import compiled, hash_rows, open_rows, prepare_seed

__all__ = ["HASHES", "hash_loop"]

SESSIONS, TIMES = 1024, 200
HASHES = SESSIONS * TIMES


def hash_loop() -> Callable[[], object]:
    """Return what opens `HASHES` streams when it is called."""
    rows, seed = open_rows(SESSIONS), prepare_seed(bytes(32))
    sessions, moves = np.arange(SESSIONS, dtype=np.uint64), np.ones(SESSIONS, np.uint32)
    loop = compiled(_hash_many)
    return lambda: loop(seed, rows, sessions, moves, TIMES)


def _hash_many(seed: Any, rows: Any, sessions: Any, moves: Any, times: int) -> None:
    for _ in range(times):
        hash_rows(seed, rows, sessions, moves, len(rows))
