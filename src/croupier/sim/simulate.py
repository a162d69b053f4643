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
from croupier.house.plan import FEES, LINES, RETURNED, STAKED
from croupier.sim.batches import play_sessions, tally_sessions
from croupier.sim.stream import hash_path

__all__ = ["LineTotals", "Simulation", "play_rounds", "simulate"]

CHUNK = 2**18
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
        return _chunk_totals(plan, seed, start, min(CHUNK, first_session + rounds - start), path)

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
        opening=rounds * plan.opening,
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
    rows = np.zeros((count, plan.row_size), np.int64)
    play_sessions(plan.step, seed, rows, *_tables(plan), first_session=first, first_move=plan.first_move, path=path)
    return rows


def _chunk_totals(plan: Plan, seed: bytes, first: int, count: int, path: str | None) -> list[int]:
    """Return the sums over some rounds as Python's whole numbers, which do not overflow."""
    totals = np.zeros(TOTALS + 3 * len(plan.stakes), np.int64)
    tally_sessions(
        plan.step,
        _harvest,
        seed,
        count,
        plan.row_size,
        totals,
        *_tables(plan),
        first_session=first,
        first_move=plan.first_move,
        path=path,
    )
    staked, returned, fees, low, high, wins, pushes, largest, *lines = totals.tolist()
    if largest > NET_MAX:
        raise BadOptions(f"a round came to {largest} chips: stakes that large cannot be added up; use smaller ones")
    found = [staked, returned, fees, low + (high << SQUARE_BITS), wins, pushes]
    for i in range(len(plan.stakes)):
        profit, low, high = lines[3 * i : 3 * i + 3]
        found += [profit + plan.stakes[i] * count, low + (high << SQUARE_BITS)]
    return found


def _tables(plan: Plan) -> list[NDArray[np.int64]]:
    tables = [np.array(values, np.int64) for values in (plan.kinds, plan.numbers, plan.stakes, plan.options)]
    return [*tables, np.zeros(plan.work_size, np.int64), np.zeros(plan.work_size, np.int64)]


TOTALS = 8
NET_MAX = 3_000_000_000  # its square fits 63 bits
SQUARE_BITS = 31  # a square is added up in two halves: a chunk of them would not fit 63 bits
SQUARE_MASK = (1 << SQUARE_BITS) - 1


def _harvest(
    states: Any, size: int, totals: Any, kinds: Any, numbers: Any, stakes: Any, options: Any, work: Any, spare: Any
) -> None:
    staked = returned = fees = low = high = wins = pushes = 0
    largest = totals[7]
    for i in range(size):
        row = states[i]
        net = row[RETURNED] - row[STAKED] - row[FEES]
        staked += row[STAKED]
        returned += row[RETURNED]
        fees += row[FEES]
        square = net * net
        low += square & SQUARE_MASK
        high += square >> SQUARE_BITS
        wins += net > 0
        pushes += net == 0
        largest = max(largest, abs(net))
    for place, total in enumerate((staked, returned, fees, low, high, wins, pushes)):
        totals[place] += total
    # Line by line, so that the sums of one stay in registers.
    for line in range(len(stakes)):
        stake = stakes[line]
        profits = low = high = 0
        for i in range(size):
            profit = states[i, LINES + line] - stake
            square = profit * profit
            profits += profit
            low += square & SQUARE_MASK
            high += square >> SQUARE_BITS
            largest = max(largest, abs(profit))
        at = TOTALS + 3 * line
        totals[at] += profits
        totals[at + 1] += low
        totals[at + 2] += high
    totals[7] = largest
