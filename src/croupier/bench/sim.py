"""`croupier bench sim`: rounds of the house games against the bare cost of their hashes, one thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from croupier.bench.report import Report, Row, machine, row, time_per_call
from croupier.engine import get_game
from croupier.house import HouseGame
from croupier.sim import compiled, hash_path, hash_rows, open_rows, prepare_seed
from croupier.sim.simulate import simulate

__all__ = ["measure"]

SESSIONS = 1024
HASHES = 200 * SESSIONS
ROUNDS = 300_000
HASH = "the bare hashes of so many streams"

CASES: tuple[tuple[str, dict[str, int], str, float | None], ...] = (
    ("roulette", {"red": 10}, "", 4),
    ("roulette", {"red": 10, "straight:17": 1, "dozen:1": 5, "split:1-2": 2, "corner:1-2-4-5": 3}, "", 4),
    ("sic-bo", {"small": 10}, "", 4),
    ("sic-bo", {"small": 10, "total:9": 1, "triple:4": 1, "domino:1-4": 5, "single:5": 3}, "", 4),
    ("baccarat", {"player": 10}, "", 7),
    ("baccarat", {"player": 10, "tie": 1, "player_pair": 1, "lucky_six": 1, "banker_dragon": 2}, "", 7),
    ("casino-war", {"main": 10}, "always_war", None),
    ("hi-lo", {"stake": 10}, "one_guess", None),
)


def measure(*, repeats: int, peers: bool) -> Report:
    """Return the figures; peers of the simulator are measured elsewhere, so `peers` makes no difference here."""
    bare = _bare_hash()
    hashes = [each for _ in range(repeats) for each in bare()]
    rows = [row("one stream opened, four interleaved", hashes, "ns", note=f"hash path {hash_path()}")]
    rows += [_rounds(game_id, bets, policy, limit, bare, repeats) for game_id, bets, policy, limit in CASES]
    return Report("sim", machine(), "croupier bench sim", tuple(rows))


def _bare_hash() -> Callable[[], list[float]]:
    """Return what measures the bare hashes once."""
    rows, seed = open_rows(SESSIONS), prepare_seed(bytes(32))
    sessions, moves = np.arange(SESSIONS, dtype=np.uint64), np.ones(SESSIONS, np.uint32)
    loop = compiled(_hash_many)
    return lambda: time_per_call(lambda: loop(seed, rows, sessions, moves, HASHES // SESSIONS), HASHES, 1)


def _hash_many(seed: Any, rows: Any, sessions: Any, moves: Any, times: int) -> None:
    for _ in range(times):
        hash_rows(seed, rows, sessions, moves, len(rows))


def _rounds(
    game_id: str, bets: dict[str, int], policy: str, limit: float | None, bare: Callable[[], list[float]], repeats: int
) -> Row:
    game = get_game(game_id)
    assert isinstance(game, HouseGame)
    hashes, times = [], []
    for _ in range(repeats):
        hashes += bare()
        times += time_per_call(lambda: simulate(game, bets, policy, ROUNDS), ROUNDS, 1)
    name = f"{game_id}, {len(bets)} {'bet' if len(bets) == 1 else 'bets'}{', ' + policy if policy else ''}"
    return row(f"a round of {name}", times, "ns", beside=(HASH, hashes), at_most=limit, turn_by_turn=True)
