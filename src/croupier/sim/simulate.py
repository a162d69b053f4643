"""`simulate`: many rounds of a house game from the rules that play it, and what they came to.

A round is one session. Round n of a seed is session n, whatever the number of threads: any of them can be played again
in the engine to the same cards and chips.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.errors import BadOptions
from croupier.house import HouseGame, Plan
from croupier.sim.batches import play_sessions, tally_sessions
from croupier.sim.results import LineTotals, Simulation, simulation_of
from croupier.sim.stream import hash_path
from croupier.sim.tally import Tally, harvest, new_tally, read_tally

__all__ = ["LineTotals", "Simulation", "play_rounds", "simulate", "tally_rounds"]

CHUNK = 2**18


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
    precision: float | None = None,
    path: str | None = None,
    on_progress: Callable[[int], object] | None = None,
) -> Simulation:
    """Return what so many rounds with these bets (name to stake) came to. The same seed gives the same totals.

    With a `precision` it stops early: as soon as the edge is known so well that the half of its 95 % interval is not
    larger. It looks after every 262,144 rounds, in the order of the rounds, so threads make no difference to that.
    """
    if rounds < 1 or threads < 1:
        raise BadOptions(f"at least one round and one thread, got {rounds} and {threads}")
    if precision is not None and not precision > 0:
        raise BadOptions(f"a precision is a share above 0, such as 0.001, got {precision}")
    plan = game.plan(bets, policy, options, super_mode)

    def result(tally: Tally) -> Simulation:
        return simulation_of(
            tally,
            plan.bets,
            plan.stakes,
            opening=plan.opening,
            hash_path=path or hash_path(),
            game_id=game.id,
            policy=policy,
            super_mode=super_mode,
            seed=seed.hex(),
            first_session=first_session,
        )

    total: Tally | None = None
    for part in _parts(plan, seed, first_session, rounds, threads, path):
        if total is None:
            total = part
        else:
            total.add(part)
        if on_progress is not None:
            on_progress(total.rounds)
        if precision is not None:
            so_far = result(total)
            low, high = so_far.interval
            if (high - low) / 2 <= precision and so_far.variance > 0:
                break
    assert total is not None
    return result(total)


def _parts(plan: Plan, seed: bytes, first: int, rounds: int, threads: int, path: str | None) -> Iterator[Tally]:
    """Yield the tallies of all chunks in order, a few of them being worked on ahead."""
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[Tally]] = deque()
        try:
            for start in range(first, first + rounds, CHUNK):
                count = min(CHUNK, first + rounds - start)
                waiting.append(pool.submit(tally_rounds, plan, seed, start, count, path=path))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for chunk in waiting:
                chunk.cancel()


def tally_rounds(plan: Plan, seed: bytes, first: int, count: int, *, path: str | None = None) -> Tally:
    """Return what `count` rounds from session `first` on came to: a pure function, wherever it is called."""
    totals = new_tally(len(plan.stakes))
    tally_sessions(
        plan.step,
        harvest,
        seed,
        count,
        plan.row_size,
        totals,
        *_tables(plan),
        first_session=first,
        first_move=plan.first_move,
        path=path,
    )
    return read_tally(totals, count, plan.stakes)


def play_rounds(plan: Plan, seed: bytes, first: int, count: int, *, path: str | None = None) -> NDArray[np.int64]:
    """Return the rows of `count` rounds from session `first` on, as `croupier.house.plan` lays them out."""
    rows = np.zeros((count, plan.row_size), np.int64)
    play_sessions(plan.step, seed, rows, *_tables(plan), first_session=first, first_move=plan.first_move, path=path)
    return rows


def _tables(plan: Plan) -> list[NDArray[np.int64]]:
    tables = [np.array(values, np.int64) for values in (plan.kinds, plan.numbers, plan.stakes, plan.options)]
    return [*tables, np.zeros(plan.work_size, np.int64), np.zeros(plan.work_size, np.int64)]
