"""`simulate_paths`: bankrolls over an evening for many players at once: risk of ruin, drawdown, bands.

A path is one player who plays round after round until the evening is over or the next stake cannot be paid. Path p of
an evening of n rounds plays sessions p * n to p * n + n - 1 of the seed: each of its rounds can be played again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from croupier.errors import BadOptions
from croupier.house import HouseGame, Plan
from croupier.house.money import CHIPS_MAX
from croupier.rounds import FEES, RETURNED, STAKED
from croupier.sim.compiling import compiled
from croupier.sim.jobs import Job, JobKeywords, make_job
from croupier.sim.simulate import CHUNK, bonuses, play_rounds

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINTS_MAX = 200
KEPT_MAX = 2**28  # numbers of all paths, eight bytes each


class Paths(Struct, frozen=True, eq=False):
    """Results of simulated bankrolls."""

    game_id: str
    policy: str
    seed: str
    bankroll: int
    rounds: int
    """How many rounds an evening has."""
    ended: NDArray[np.int64]
    """Chips that each path ended with."""
    ruined_at: NDArray[np.int64]
    """The round before which a path could not pay its stakes; -1 where the evening was played to its end."""
    drawdown: NDArray[np.int64]
    """The deepest fall of each path from the best it had before."""
    points: NDArray[np.int64]
    """The rounds after which bankrolls are told."""
    bankrolls: NDArray[np.int64]
    """The bankroll of each path (rows) after each of those rounds (columns)."""

    @property
    def paths(self) -> int:
        """Count of players."""
        return len(self.ended)

    @property
    def ruin(self) -> float:
        """The share of paths that were ruined."""
        return float(np.mean(self.ruined_at >= 0))

    @property
    def ruin_stderr(self) -> float:
        """The standard error of that share."""
        return float((self.ruin * (1 - self.ruin) / self.paths) ** 0.5)

    def band(self, *shares: float) -> NDArray[np.float64]:
        """Return, for each share, the bankroll that so many paths did not exceed at each of the points."""
        return np.quantile(self.bankrolls, shares, axis=0)

    def figures(self) -> dict[str, Any]:
        """Return the figures by name, as plain numbers."""
        low, middle, high = (int(value) for value in np.quantile(self.ended, (0.05, 0.5, 0.95)))
        return {
            "game": self.game_id,
            "policy": self.policy,
            "seed": self.seed,
            "paths": self.paths,
            "bankroll": self.bankroll,
            "rounds": self.rounds,
            "ruin": self.ruin,
            "ruin_stderr": self.ruin_stderr,
            "ended": {"mean": float(self.ended.mean()), "5%": low, "50%": middle, "95%": high},
            "drawdown": {"mean": float(self.drawdown.mean()), "95%": int(np.quantile(self.drawdown, 0.95))},
        }

    def to_pandas(self) -> Any:
        """Return a `pandas.DataFrame` with a row a path: ended, ruined_at, drawdown, and the bankroll at each point.

        The columns of the bankrolls are the rounds after which they are told. Needs pandas.
        """
        import pandas  # type: ignore[import-untyped]

        columns: dict[str | int, Any] = {"ended": self.ended, "ruined_at": self.ruined_at, "drawdown": self.drawdown}
        columns.update((int(point), self.bankrolls[:, place]) for place, point in enumerate(self.points))
        frame = pandas.DataFrame(columns)
        frame.attrs = self.figures()
        return frame

    def __str__(self) -> str:
        ended = self.figures()["ended"]
        return (
            f"{self.game_id}: {self.paths:,} players with {self.bankroll:,} chips, {self.rounds:,} rounds each; "
            f"{self.ruin:.2%} ruined, left with {ended['mean']:,.1f} on average ({ended['5%']:,} to {ended['95%']:,})"
        )

    def plot(self) -> Figure:
        """Return a picture of the bankrolls with bands. Needs matplotlib, which `croupier[sim]` brings."""
        from croupier.sim.plots import plot_paths

        return plot_paths(self)


def simulate_paths(
    game: HouseGame[Any],
    bets: Mapping[str, int] | None = None,
    policy: str = "",
    *,
    bankroll: int,
    rounds: int = 1000,
    paths: int = 1000,
    seed: bytes | int | str = bytes(32),
    threads: int = 1,
    on_progress: Callable[[int], object] | None = None,
    **about: Unpack[JobKeywords],
) -> Paths:
    """Simulate `paths` bankrolls over an evening of `rounds` rounds with these bets each.

    A player stops before the first round whose stakes the bankroll does not cover: those laid at its start, and any
    that the round asked for on the way.
    """
    job = make_job(game, bets, policy, seed, **about)
    return paths_of(job, bankroll=bankroll, rounds=rounds, paths=paths, threads=threads, on_progress=on_progress)


def paths_of(
    job: Job,
    *,
    bankroll: int,
    rounds: int = 1000,
    paths: int = 1000,
    threads: int = 1,
    on_progress: Callable[[int], object] | None = None,
) -> Paths:
    """Return what `simulate_paths` returns, for a job that has been made."""
    if min(bankroll, rounds, paths, threads) < 1:
        raise BadOptions("a bankroll, an evening, the paths and the threads are at least 1")
    if type(bankroll) is not int or bankroll > CHIPS_MAX:
        raise BadOptions(f"a bankroll is a whole number of chips up to {CHIPS_MAX}, got {bankroll!r}")
    if rounds > CHUNK:
        raise BadOptions(f"an evening has at most {CHUNK} rounds, got {rounds}")
    plan = job.kernel_plan()
    if plan is None or not job.is_house:
        raise BadOptions(f"{job.game.name}: bankrolls are followed through compiled rounds against the house only")
    count = min(rounds, POINTS_MAX)
    points = np.unique(np.linspace(0, rounds, count + 1).astype(np.int64))
    if paths * (len(points) + 3) > KEPT_MAX:
        raise BadOptions(f"{paths} players, told at {len(points)} points each, are more than are kept in memory")
    per_chunk = max(1, CHUNK // rounds)
    starts = range(0, paths, per_chunk)
    walk = partial(_walked, job, plan, bankroll, rounds, points)
    ended, ruined_at, drawdown = np.empty(paths, np.int64), np.empty(paths, np.int64), np.empty(paths, np.int64)
    bankrolls = np.empty((paths, len(points)), np.int64)
    with ThreadPoolExecutor(threads) as pool:
        chunks = pool.map(lambda start: walk(start, min(per_chunk, paths - start)), starts)
        for start, (facts, seen) in zip(starts, chunks, strict=True):
            stop = start + len(facts)
            ended[start:stop], ruined_at[start:stop], drawdown[start:stop] = facts.T
            bankrolls[start:stop] = seen
            if on_progress is not None:
                on_progress(stop)
    return Paths(
        job.game.id, job.policy_name, job.seed.hex(), bankroll, rounds, ended, ruined_at, drawdown, points, bankrolls
    )


def _walked(
    job: Job, plan: Plan, bankroll: int, rounds: int, points: NDArray[np.int64], first: int, count: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rows = play_rounds(plan, job.seed, first * rounds, count * rounds)
    outlays = rows[:, STAKED] + rows[:, FEES]
    nets = (rows[:, RETURNED] + bonuses(rows, job.shield, job.double) - outlays).reshape(count, rounds)
    if bankroll + nets.clip(0).sum(axis=1, dtype=np.float64).max() >= CHIPS_MAX:
        raise BadOptions(f"a bankroll of {bankroll} chips and what it may win pass {CHIPS_MAX}: begin with less")
    facts, seen = np.empty((count, 3), np.int64), np.empty((count, len(points)), np.int64)
    compiled(_walk)(nets, outlays.reshape(count, rounds), bankroll, points, facts, seen)
    return facts, seen


def _walk(nets: Any, outlays: Any, bankroll: int, points: Any, facts: Any, seen: Any) -> None:
    for path in range(len(nets)):
        held = bankroll
        best = held
        fall = 0
        ruined_at = -1
        point = 0
        for number in range(nets.shape[1]):
            if point < len(points) and points[point] == number:
                seen[path, point] = held
                point += 1
            if ruined_at < 0:
                if held < outlays[path, number]:
                    ruined_at = number
                else:
                    held += nets[path, number]
                    best = max(best, held)
                    fall = max(fall, best - held)
        seen[path, point] = held
        facts[path, 0] = held
        facts[path, 1] = ruined_at
        facts[path, 2] = fall
