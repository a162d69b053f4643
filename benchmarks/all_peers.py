"""`make bench ARGS=peers`: other engines and libraries beside croupier at the same task, in one run on one machine.

Ours is measured, then the peer, then ours again, so that both meet the same machine. Ours runs in this process, on one
thread; a peer in a process of its own (`python_peers`, `peers`). What is compared is told with every row: no two
programs do quite the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from msgspec import Struct

from benchmarks import NAMES
from benchmarks.peers import PeerMissing, boardgame_io
from benchmarks.python_peers import python_peer
from benchmarks.report import Row, cache_folder, not_measured, row, time_per_call
from benchmarks.rng import bare_sha256, streams_opened
from benchmarks.starts import ROLLS_A_SESSION
from croupier.engine import get_game
from croupier.kit.poker import rank7

SHA256, BOARDGAME = "sha256", "boardgame.io"
SESSIONS = 200_000


class Case(Struct, frozen=True):
    """One thing that a peer does, what of ours stands beside it, and how many times as fast that should be."""

    peer: str
    what: str
    unit: str
    ours: str
    rates: Callable[[int], list[float]]
    goal: float | None = None
    note: str = ""


def measure(*, repeats: int, peers: bool, only: str = "") -> list[Row]:
    """Return the figures; without peers ours alone."""
    rows: list[Row] = []
    for name in [only] if only else NAMES:
        cases = [case for case in CASES if case.peer == name]
        command = f'make bench ARGS="peers --only {name}"'
        before = [_ours(case, repeats) for case in cases]
        found, about = measure_peer(name, repeats) if peers or name == SHA256 else (None, "")
        for case, first in zip(cases, before, strict=True):
            second = _ours(case, repeats)
            ours = [*first, *second] if isinstance(first, list) and isinstance(second, list) else second
            rows += _rows(case, ours, found, about, command)
    return rows


def _rows(
    case: Case, ours: list[float] | str, found: dict[str, list[float]] | None, about: str, command: str
) -> list[Row]:
    rows = []
    title = f"{case.peer}: {case.what}"
    told: dict[str, Any] = {}
    if found is not None:
        rows.append(row(title, found[case.what], case.unit, note=about, command=command))
        told = {"beside": (title, found[case.what]), "at_least": case.goal}
    elif about:
        rows.append(not_measured(title, case.unit, about, command))
    if isinstance(ours, str):
        return [*rows, not_measured(case.ours, case.unit, ours, command)]
    return [*rows, row(case.ours, ours, case.unit, note=case.note, command=command, **told)]


def _ours(case: Case, repeats: int) -> list[float] | str:
    try:
        return case.rates(repeats)
    except ImportError as error:
        return f"it needs the packages of croupier[sim] ({error})"


def measure_peer(name: str, repeats: int) -> tuple[dict[str, list[float]] | None, str]:
    """Return what a peer does in a second, and a word about it, or why there is nothing."""
    if name == SHA256:
        return {"hashes of a stream's 44 bytes": bare_sha256(repeats)}, "hashlib, one call a hash"
    if name == BOARDGAME:
        played = boardgame_io(cache_folder() / "boardgame", repeats)
        if isinstance(played, PeerMissing):
            return None, played.reason
        about = f"boardgame.io {played.version}, Node {played.node}"
        return {"moves of tic-tac-toe": [float(rate) for rate in played.moves_per_second]}, about
    found = python_peer(name, cache_folder() / "python", repeats)
    if isinstance(found, PeerMissing):
        return None, found.reason
    return {what: list(rates) for what, rates in found.rates.items()}, f"{name} {found.version}, Python {found.python}"


# Ours.


def _rounds(game_id: str, bets: dict[str, int], policy: str, rolls: float, repeats: int) -> list[float]:
    simulate: Any = import_module("croupier.sim.simulate").simulate
    game = get_game(game_id)
    simulate(game, bets, policy, 1000)
    found = []
    for _ in range(repeats):
        begin = time.perf_counter()
        simulate(game, bets, policy, SESSIONS)
        found.append(SESSIONS * rolls / (time.perf_counter() - begin))
    return found


def _craps(repeats: int) -> list[float]:
    return _rounds("craps", {"pass": 10}, "full_odds", ROLLS_A_SESSION, repeats)


def _blackjack(repeats: int) -> list[float]:
    return _rounds("blackjack", {"main": 10}, "basic", 1, repeats)


def _tic_tac_toe(repeats: int) -> list[float]:
    return list(import_module("benchmarks.engine").marks(repeats))


def _duel(repeats: int) -> list[float]:
    return list(import_module("benchmarks.lanes").plies(repeats))


@cache
def _ranking() -> tuple[Any, Any]:
    import numpy as np

    sim: Any = import_module("croupier.sim")
    chance = np.random.default_rng(1)
    hands = np.array([chance.permutation(52)[:7] for _ in range(20_000)], np.int64)
    return sim.compiled(rank_all), hands


def rank_all(hands: Any, times: int) -> int:
    """Return the sum of the ranks of all hands of seven, so many times over."""
    total = 0
    for _ in range(times):
        for i in range(len(hands)):
            hand = hands[i]
            total += rank7(hand[0], hand[1], hand[2], hand[3], hand[4], hand[5], hand[6])
    return total


def _seven_cards(repeats: int) -> list[float]:
    rank, hands = _ranking()
    return [1e9 / each for each in time_per_call(lambda: rank(hands, 10), 10 * len(hands), repeats)]


CASES = (
    Case(
        "crapssim",
        "rolls of the pass line with odds",
        "rolls/s",
        "simulated rolls of the pass line with full odds",
        _craps,
        400,
        "one fresh stream a roll, compiled",
    ),
    Case(
        "gymnasium",
        "hands of blackjack",
        "hands/s",
        "simulated hands of blackjack, basic strategy",
        _blackjack,
        100,
        "with doubles and splits, which the peer has not; it stands on 17",
    ),
    Case("rlcard", "hands of blackjack", "hands/s", "simulated hands of blackjack, basic strategy", _blackjack),
    Case(
        "open-spiel",
        "hands of blackjack",
        "hands/s",
        "simulated hands of blackjack, basic strategy",
        _blackjack,
        None,
        "the peer is C++ called from Python, and plays at random",
    ),
    Case(
        "open-spiel",
        "actions of tic-tac-toe",
        "actions/s",
        "apply_action, tic-tac-toe",
        _tic_tac_toe,
        None,
        "ours checks a payload and freezes a match; the peer, in C++, changes a board and lists what is legal",
    ),
    Case("eval7", "hands of seven cards", "hands/s", "ranking of seven cards, compiled", _seven_cards),
    Case(
        "chess",
        "moves made and taken back",
        "moves/s",
        "plies of the three-lane duel in a search",
        _duel,
        None,
        "two games that have little in common but their language; a yardstick",
    ),
    Case(BOARDGAME, "moves of tic-tac-toe", "moves/s", "apply_action, tic-tac-toe", _tic_tac_toe, 12),
    Case(SHA256, "hashes of a stream's 44 bytes", "hashes/s", "streams opened, compiled", streams_opened),
)
