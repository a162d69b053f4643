"""Progress of a simulation at the terminal: its stage, the figures so far, and the figures when Ctrl-C stops it."""

from __future__ import annotations

import os
import sys
import time
from multiprocessing import active_children
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from croupier.sim.simulate import SoFar, totals_so_far

if TYPE_CHECKING:
    from croupier.sim.jobs import Job

LOOK_SECONDS = 0.2  # between two looks at the figures
ROUNDS_MIN = 30  # before that many, an interval around an edge says less than it seems to


def watch(
    console: Console, job: Job, rounds: int, threads: int, precision: float | None, *, quiet: bool
) -> tuple[Any, bool]:
    """Return the result of a job, and whether Ctrl-C stopped it before its end: then it is what was known."""
    is_shown = console.is_terminal and not quiet
    steps = totals_so_far(job, rounds, threads=threads, precision=precision, is_watched=is_shown)
    known: SoFar | None = None
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=12))
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not is_shown) as progress:
        task = progress.add_task(f"{job.game.name}: beginning", total=None)
        looked = 0.0
        try:
            for known in steps:
                if is_shown and time.monotonic() - looked >= LOOK_SECONDS:
                    looked = time.monotonic()
                    total = None if known.stage == "compiling" else rounds
                    progress.update(task, description=in_brief(known), total=total, completed=known.total.rounds)
        except KeyboardInterrupt:
            if known is None:
                raise
            return known.result(), True
    assert known is not None
    return known.result(), False


def in_brief(known: SoFar) -> str:
    """Return a line of what is going on and what is known: at most 64 characters for a million rounds."""
    result: Any = known.result()
    played = f"{'compiling, engine' if known.stage == 'compiling' else 'playing'}: {result.rounds:,} rounds"
    if known.job.is_house:
        is_known = result.rounds >= ROUNDS_MIN and result.is_settled
        return f"{played}, edge {float(result.edge):.3%} ± {result.half_width:.3%}" if is_known else played
    first = result.seats[0]
    return f"{played}, {first.bot} won {first.wins / first.matches:.1%} ± {result.half_width:.1%}"


def end_at_once(code: int) -> None:
    """End the process and its workers, output written, without waiting for a compiler, which cannot be stopped."""
    workers = active_children()
    for worker in workers:  # else they wait for work for ever, with this command's output open
        worker.terminate()
        worker.join()
    if workers:  # then the engine plays and nothing is compiled: their pool may put away what it made
        sys.exit(code)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
