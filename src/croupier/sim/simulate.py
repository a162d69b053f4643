"""`simulate`: many rounds of a house game from the rules that play it, and what they came to.

A round is one session. Round n of a seed is session n, whatever the number of threads: any of them can be played again
in the engine to the same cards and chips.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from croupier.errors import BadOptions
from croupier.house import HouseGame, Plan
from croupier.house.plan import FEES, LINES, RETURNED, ROW_SIZE, STAKED
from croupier.sim.batches import play_sessions
from croupier.sim.stream import hash_path

__all__ = ["LineTotals", "Simulation", "play_rounds", "simulate"]

CHUNK = 16_384
Z_95 = Fraction(196, 100)


class LineTotals(Struct, frozen=True):
    """What one bet came to over all rounds."""

    bet: str
    staked: int
    returned: int
    net_squares: int
    rounds: int

    @property
    def edge(self) -> Fraction:
        """The share of the stakes that was lost."""
        return Fraction(self.staked - self.returned, self.staked)

    @property
    def stderr(self) -> float:
        """The standard error of the edge."""
        return _stderr(self.rounds, self.returned - self.staked, self.net_squares) * self.rounds / self.staked


class Simulation(Struct, frozen=True):
    """The totals of a simulation, in exact whole numbers; the figures follow from them."""

    game_id: str
    policy: str
    super_mode: bool
    seed: str
    rounds: int
    opening: int
    """What was staked at the start of all rounds."""
    staked: int
    returned: int
    fees: int
    net_squares: int
    """The squares of every round's net result, added up."""
    wins: int
    pushes: int
    lines: tuple[LineTotals, ...]
    hash_path: str

    @property
    def net(self) -> int:
        """What the player won, fees paid."""
        return self.returned - self.staked - self.fees

    @property
    def edge(self) -> Fraction:
        """The expected loss per chip of the opening stake, as far as these rounds show it."""
        return Fraction(-self.net, self.opening)

    @property
    def edge_per_chip(self) -> Fraction:
        """The same per chip of the whole outlay, fees included."""
        return Fraction(-self.net, self.staked + self.fees)

    @property
    def variance(self) -> Fraction:
        """The variance of one round's net result."""
        return Fraction(self.net_squares, self.rounds) - Fraction(self.net, self.rounds) ** 2

    @property
    def stderr(self) -> float:
        """The standard error of the edge."""
        return _stderr(self.rounds, self.net, self.net_squares) * self.rounds / self.opening

    @property
    def interval(self) -> tuple[float, float]:
        """Where the edge lies with a confidence of 95 %."""
        return float(self.edge) - float(Z_95) * self.stderr, float(self.edge) + float(Z_95) * self.stderr


def _stderr(rounds: int, net: int, net_squares: int) -> float:
    """Return the standard error of the mean net result of a round, worked out in whole numbers."""
    variance = Fraction(net_squares, rounds) - Fraction(net, rounds) ** 2
    return sqrt(variance / rounds)


def simulate(
    game: HouseGame[Any],
    bets: Mapping[str, int],
    policy: str = "",
    rounds: int = 1_000_000,
    seed: bytes = bytes(32),
    *,
    options: Any = None,
    super_mode: bool = False,
    threads: int = 1,
    first_session: int = 0,
    path: str | None = None,
    on_progress: Callable[[int], object] | None = None,
) -> Simulation:
    """Return what so many rounds with these bets (name to stake) came to. The same seed gives the same totals."""
    if rounds < 1 or threads < 1:
        raise BadOptions(f"at least one round and one thread, got {rounds} and {threads}")
    plan = game.plan(bets, policy, options, super_mode)
    starts = range(first_session, first_session + rounds, CHUNK)

    def chunk(start: int) -> list[int]:
        count = min(CHUNK, first_session + rounds - start)
        return _totals(plan, play_rounds(plan, seed, start, count, path=path))

    with ThreadPoolExecutor(threads) as pool:
        found: list[int] | None = None
        done = 0
        for part in pool.map(chunk, starts):
            found = part if found is None else [a + b for a, b in zip(found, part, strict=True)]
            done += min(CHUNK, rounds - done)
            if on_progress is not None:
                on_progress(done)
    assert found is not None
    staked, returned, fees, squares, wins, pushes, *lines = found
    return Simulation(
        game_id=game.id,
        policy=policy,
        super_mode=super_mode,
        seed=seed.hex(),
        rounds=rounds,
        opening=rounds * sum(plan.stakes),
        staked=staked,
        returned=returned,
        fees=fees,
        net_squares=squares,
        wins=wins,
        pushes=pushes,
        lines=tuple(
            LineTotals(bet, plan.stakes[i] * rounds, lines[2 * i], lines[2 * i + 1], rounds)
            for i, bet in enumerate(plan.bets)
        ),
        hash_path=path or hash_path(),
    )


def play_rounds(plan: Plan, seed: bytes, first: int, count: int, *, path: str | None = None) -> NDArray[np.int64]:
    """Return the rows of `count` rounds from session `first` on, as `croupier.house.plan` lays them out."""
    rows = np.zeros((count, ROW_SIZE), np.int64)
    tables = [np.array(values, np.int64) for values in (plan.kinds, plan.numbers, plan.stakes, plan.options)]
    work, spare = np.zeros(plan.work_size, np.int64), np.zeros(plan.work_size, np.int64)
    play_sessions(
        plan.step, seed, rows, *tables, work, spare, first_session=first, first_move=plan.first_move, path=path
    )
    return rows


def _totals(plan: Plan, rows: NDArray[np.int64]) -> list[int]:
    """Return the sums of a chunk as Python's whole numbers, which do not overflow."""
    net = rows[:, RETURNED] - rows[:, STAKED] - rows[:, FEES]
    found = [int(rows[:, column].sum()) for column in (STAKED, RETURNED, FEES)]
    found += [_squares(net), int((net > 0).sum()), int((net == 0).sum())]
    for i, stake in enumerate(plan.stakes):
        returned = rows[:, LINES + i]
        found += [int(returned.sum()), _squares(returned - stake)]
    return found


def _squares(values: NDArray[np.int64]) -> int:
    largest = int(np.abs(values).max())
    if largest * largest * len(values) < 2**63:
        return int((values * values).sum())
    return sum(value * value for value in values.tolist())
