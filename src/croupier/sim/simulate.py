"""`simulate`: many rounds of a game from the rules that play it, and their totals.

A round is one session. Round n of a seed is session n, whatever the number of threads: any of them can be played again
in the engine to the same cards and chips. Where a game has a kernel, compiled rounds are played in threads; any other
game is played by the engine, in processes, through the same call.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pickle import PicklingError
from threading import Thread
from time import monotonic
from typing import Any, Literal, TypeAlias, Unpack, overload

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from croupier.engine import Game
from croupier.errors import BadOptions
from croupier.house import HouseGame, Plan
from croupier.house.modifiers import modified_net
from croupier.rounds import RETURNED, STAKED
from croupier.sim.batches import play_sessions, tally_sessions
from croupier.sim.compiling import compiled
from croupier.sim.engine_rounds import count_matches, count_sessions
from croupier.sim.jobs import Job, JobKeywords, make_job
from croupier.sim.kernels import kernel_of
from croupier.sim.match_results import MatchCounts, Matches, counts_of_tally
from croupier.sim.results import Simulation, simulation_of
from croupier.sim.stream import hash_path
from croupier.sim.tally import Tally, harvest, new_tally, read_tally

CHUNK = 2**18
ENGINE_CHUNK = 64  # the engine takes a thousand times as long for a round

Part: TypeAlias = Tally | MatchCounts
"""The totals of a chunk of rounds; parts of one job can be added up."""


class _Keywords(JobKeywords, total=False):
    """The keywords of `simulate` that both kinds of games take."""

    threads: int
    first_session: int
    precision: float | None
    path: str | None
    on_progress: Callable[[int], object] | None


@overload
def simulate(
    game: HouseGame[Any],
    bets: Mapping[str, int] | None = ...,
    policy: str = ...,
    rounds: int = ...,
    seed: bytes | int | str = ...,
    **keywords: Unpack[_Keywords],
) -> Simulation: ...


@overload
def simulate(
    game: Game[Any],
    bets: Mapping[str, int] | None = ...,
    policy: str = ...,
    rounds: int = ...,
    seed: bytes | int | str = ...,
    *,
    seats: int | None = ...,
    rotate: bool = ...,
    **keywords: Unpack[_Keywords],
) -> Simulation | Matches: ...


def simulate(
    game: Game[Any],
    bets: Mapping[str, int] | None = None,
    policy: str = "",
    rounds: int = 1_000_000,
    seed: bytes | int | str = bytes(32),
    *,
    threads: int = 1,
    first_session: int = 0,
    precision: float | None = None,
    path: str | None = None,
    on_progress: Callable[[int], object] | None = None,
    **about: Any,
) -> Simulation | Matches:
    """Simulate rounds: returns a `Simulation` against the house, else `Matches`. One seed, one result.

    Against the house there are `bets` (name to stake; the usual ones if you name none), and a `policy`, a `strategy` of
    your own or one of the `bots` decides. Between players the `bots` sit on the seats in their order; `rotate` moves
    them one seat on from match to match. `modifiers` are armed for every session. All of these are keywords of
    `make_job`, as are `options`, `super_mode`, `seats` and `by_engine`.

    `threads` are processes where the engine plays, which it always does if `by_engine` says so. With a `precision` the
    simulation stops early: as soon as half of the 95 % interval is not larger, of the edge or, without chips, of every
    bot's chance to win. The interval is compared after every 262,144 rounds (64 of the engine), in the order of the
    rounds, so threads make no difference to it.
    """
    return simulate_job(
        make_job(game, bets, policy, seed, **about),
        rounds,
        threads=threads,
        first_session=first_session,
        precision=precision,
        path=path,
        on_progress=on_progress,
    )


def simulate_job(
    job: Job,
    rounds: int,
    *,
    threads: int = 1,
    first_session: int = 0,
    precision: float | None = None,
    path: str | None = None,
    on_progress: Callable[[int], object] | None = None,
) -> Simulation | Matches:
    """Return what `simulate` returns, for a job that has been made."""
    total: Part | None = None
    for total in totals_of(job, rounds, threads=threads, first_session=first_session, precision=precision, path=path):
        if on_progress is not None:
            on_progress(total.rounds)
    assert total is not None
    return result_of(job, total, first_session, path)


def totals_of(
    job: Job,
    rounds: int,
    *,
    threads: int = 1,
    first_session: int = 0,
    precision: float | None = None,
    path: str | None = None,
    engine_chunk: int = ENGINE_CHUNK,
) -> Iterator[Part]:
    """Yield the totals of all rounds so far, after every chunk; the last are those of the job."""
    if rounds < 1 or threads < 1:
        raise BadOptions(f"at least one round and one thread, got {rounds} and {threads}")
    if precision is not None and not precision > 0:
        raise BadOptions(f"a precision is a share above 0, such as 0.001, got {precision}")
    total: Part | None = None
    for part in _parts(job, first_session, rounds, threads, path, engine_chunk):
        total = added(total, part)
        yield total
        if precision is not None:
            so_far = result_of(job, total, first_session, path)
            if so_far.half_width <= precision and so_far.is_settled:
                break


def _parts(job: Job, first: int, rounds: int, threads: int, path: str | None, engine_chunk: int) -> Iterator[Part]:
    """Yield the totals of each chunk, in order, a few of them being worked on ahead."""
    plan = job.kernel_plan()
    if plan is not None:
        task: Callable[[int, int], Part] = partial(_work_kernel, job, plan, path)
        chunk = CHUNK
        pool: Executor | None = ThreadPoolExecutor(threads)
    else:
        task = partial(work, job)
        chunk = engine_chunk
        pool = None if threads == 1 else _processes(threads)
    starts = range(first, first + rounds, chunk)
    if pool is None:
        for start in starts:
            yield task(start, min(chunk, first + rounds - start))
        return
    waiting: deque[Future[Part]] = deque()
    try:
        for start in starts:
            waiting.append(pool.submit(task, start, min(chunk, first + rounds - start)))
            if len(waiting) > threads:
                yield _done(waiting.popleft(), job)
        while waiting:
            yield _done(waiting.popleft(), job)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # whoever stops has not to wait for chunks that nobody wants


def _processes(count: int) -> Executor:
    # Not forked: the simulator's threads, and those of a caller, would be missing there with their locks held.
    # Ctrl-C goes to every process of a terminal: what it means is decided by the one that was started.
    return ProcessPoolExecutor(
        count, get_context("spawn"), initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)
    )


def _done(future: Future[Part], job: Job) -> Part:
    try:
        return future.result()
    except (PicklingError, AttributeError, TypeError) as error:
        if "pickle" not in str(error):
            raise
        raise BadOptions(
            f"{job.game.name} cannot be sent to another process ({error}): use one process, or games and bots that "
            "can be imported"
        ) from error


def work(job: Job, first: int, count: int) -> Part:
    """Return the totals of `count` rounds from session `first` on: a pure function, wherever it is called."""
    plan = job.kernel_plan()
    if plan is not None:
        return _work_kernel(job, plan, None, first, count)
    return count_sessions(job, first, count) if job.is_house else count_matches(job, first, count)


def _work_kernel(job: Job, plan: Plan, path: str | None, first: int, count: int) -> Part:
    tally = Tally()
    for start in range(first, first + count, CHUNK):  # which results are pooled depends on how many are taken at once
        size = min(CHUNK, first + count - start)
        tally.add(tally_rounds(plan, job.seed, start, size, path=path, shield=job.shield, double=job.double))
    return tally if job.is_house else counts_of_tally(tally)


def added(total: Part | None, part: Part) -> Part:
    """Return the total, if there is one yet, with a part of the same job taken in."""
    if total is None:
        return part
    total.add(part)  # type: ignore[arg-type]
    return total


def result_of(job: Job, total: Part, first_session: int, path: str | None = None) -> Simulation | Matches:
    """Return the result that all parts of a job make."""
    plan = job.kernel_plan()
    how = "engine" if plan is None else path or hash_path()
    told = {"game_id": job.game.id, "seed": job.seed.hex(), "first_session": first_session, "hash_path": how}
    if isinstance(total, MatchCounts):
        return total.result(job.names, **told)
    if total.opening == 0:
        raise BadOptions("nothing was staked in any round, so there is no edge to tell")
    laid = plan or job.plan()
    told |= {"policy": job.policy_name, "super_mode": job.super_mode, "modifiers": job.modifiers}
    return simulation_of(total, sorted(total.lines) if laid is None else laid.bets, **told)


def tally_rounds(
    plan: Plan,
    seed: bytes,
    first: int,
    count: int,
    *,
    path: str | None = None,
    shield: bool = False,
    double: bool = False,
) -> Tally:
    """Return the tally of `count` rounds from session `first` on: a pure function, wherever it is called."""
    totals = new_tally(len(plan.stakes), late=plan.late, shield=shield, double=double)
    step, work_size = kernel_of(plan)
    tally_sessions(
        step,
        harvest,
        seed,
        count,
        plan.row_size,
        totals,
        *_tables(plan, work_size),
        first_session=first,
        first_move=plan.first_move,
        path=path,
    )
    return read_tally(totals, count, dict(zip(plan.bets, plan.stakes, strict=True)), plan.opening)


def play_rounds(plan: Plan, seed: bytes, first: int, count: int, *, path: str | None = None) -> NDArray[np.int64]:
    """Return the rows of `count` rounds from session `first` on, as `croupier.rounds` lays them out."""
    rows = np.zeros((count, plan.row_size), np.int64)
    step, work_size = kernel_of(plan)
    tables = _tables(plan, work_size)
    play_sessions(step, seed, rows, *tables, first_session=first, first_move=plan.first_move, path=path)
    return rows


def bonuses(rows: NDArray[np.int64], shield: bool, double: bool) -> NDArray[np.int64]:
    """Return what modifiers add to each row."""
    found = np.zeros(len(rows), np.int64)
    if shield or double:
        compiled(_fill_bonuses)(rows, shield, double, found)
    return found


def _fill_bonuses(rows: Any, shield: bool, double: bool, found: Any) -> None:
    for place in range(len(rows)):
        net = rows[place, RETURNED] - rows[place, STAKED]
        found[place] = modified_net(net, shield, double) - net


def _tables(plan: Plan, work_size: int) -> list[NDArray[np.int64]]:
    tables = [np.array(values, np.int64) for values in (plan.kinds, plan.numbers, plan.stakes, plan.options)]
    return [*tables, np.zeros(work_size, np.int64), np.zeros(work_size, np.int64)]


# A job as it goes: the engine plays while the kernel is compiled beside it, so there is a figure at once.

Stage: TypeAlias = Literal["compiling", "playing"]
ENGINE_FIRST = 100  # rounds of the engine that are played as fast as it goes
ENGINE_STEP = 4  # rounds of the engine between two looks at the compiler


class SoFar(Struct, frozen=True):
    """Progress of a job: what is known while it is worked on."""

    stage: Stage
    job: Job
    """The job whose rounds were counted: while the kernel is compiled, the same one for the engine."""
    total: Part

    def result(self) -> Simulation | Matches:
        """Return the figures of the rounds so far."""
        return result_of(self.job, self.total, 0)


class _Compiling(Thread):
    """A thread that compiles a kernel by playing one round. Nothing waits for it: it cannot be stopped."""

    def __init__(self, job: Job) -> None:
        super().__init__(daemon=True)
        self.job = job
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            work(self.job, 0, 1)
        except BaseException as error:  # raised again by whoever waits
            self.error = error


def totals_so_far(
    job: Job, rounds: int, *, threads: int = 1, precision: float | None = None, is_watched: bool = True
) -> Iterator[SoFar]:
    """Yield the progress again and again; the last is the result of `simulate_job`.

    While the kernel is compiled the engine plays the first rounds, if anybody watches. The kernel then begins anew with
    the same rounds, so nothing is counted twice. Whoever stops early leaves a compiler at work, which holds up the end
    of the process.
    """
    if is_watched and job.kernel_plan() is not None:
        yield from _while_compiling(job, rounds)
    step = ENGINE_STEP if is_watched and precision is None else ENGINE_CHUNK  # a precision is looked at chunk by chunk
    for total in totals_of(job, rounds, threads=threads, precision=precision, engine_chunk=step):
        yield SoFar("playing", job, total)


def _while_compiling(job: Job, rounds: int) -> Iterator[SoFar]:
    compiling = _Compiling(job)
    compiling.start()
    compiling.join(0.05)  # what is kept from an earlier process takes no longer
    by_engine = replace(job, by_engine=True)
    total: Part | None = None
    played = 0
    while compiling.is_alive() and played < rounds:
        began = monotonic()
        count = min(ENGINE_STEP, rounds - played)
        part = work(by_engine, played, count)
        total = added(total, part)
        played += count
        yield SoFar("compiling", by_engine, total)
        if played >= ENGINE_FIRST:  # a figure is there: the compiler has the interpreter four fifths of the time
            compiling.join(4 * (monotonic() - began))
    compiling.join()
    if compiling.error is not None:
        raise compiling.error
