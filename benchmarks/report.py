"""Reports of benchmarks: rows of medians with their spread, and how they compare with a goal."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from msgspec import Struct


class Row(Struct, frozen=True, omit_defaults=True):
    """One figure: the best of several rounds, the median and the worst.

    `ratio` compares the best with the best of what `against` names, measured in the same run: on a shared machine
    others only ever slow a round down, so the best rounds are those that met the same machine. `ratio_low` and
    `ratio_high` are its spread: the worst of one beside the best of the other, and the other way round; of rounds that
    took turns, the lowest and the highest turn.
    """

    name: str
    best: float
    median: float
    worst: float
    unit: str
    ratio: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    against: str = ""
    goal: str = ""
    met: bool | None = None
    note: str = ""
    command: str = ""
    """What measures this row again, where that is not the whole suite."""


class Report(Struct, frozen=True):
    """The rows of one suite, and on what machine they were made."""

    suite: str
    machine: str
    command: str
    rows: tuple[Row, ...]


def machine() -> str:
    """Return the machine in a line."""
    cores = os.cpu_count()
    return f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}, {cores} cores"


def cache_folder() -> Path:
    """Return the folder where peers are kept between runs."""
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "croupier" / "bench"


def not_measured(name: str, unit: str, why: object, command: str = "") -> Row:
    """Return the row of something that could not be measured here."""
    return Row(name, 0, 0, 0, unit, note=f"not measured: {why}", command=command)


def time_per_call(work: Callable[[], object], calls: int, repeats: int, *, least_s: float = 0.05) -> list[float]:
    """Return the nanoseconds one of the `calls` in `work` takes, once a repeat; each repeat lasts `least_s` or more."""
    work()
    found = []
    for _ in range(repeats):
        rounds = 0
        start = time.perf_counter_ns()
        while True:
            work()
            rounds += 1
            spent = time.perf_counter_ns() - start
            if spent >= least_s * 1e9:
                break
        found.append(spent / (rounds * calls))
    return found


def row(
    name: str,
    values: list[float],
    unit: str,
    *,
    beside: tuple[str, list[float]] | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    note: str = "",
    command: str = "",
    turn_by_turn: bool = False,
) -> Row:
    """Return the row of some values; a unit a second is best when high, any other when low.

    With `beside`, the goal is for the ratio; without, for the best value. Where both were measured turn by turn the
    ratio is the median of each turn's, which a machine that slows down and speeds up does not move.
    """
    pick, other = (max, min) if unit.endswith("/s") else (min, max)
    best = pick(values)
    ratio = ratio_low = ratio_high = None
    if beside and turn_by_turn:
        turns = [value / other for value, other in zip(values, beside[1], strict=True)]
        ratio, ratio_low, ratio_high = median(turns), min(turns), max(turns)
    elif beside:
        ratio = best / pick(beside[1])
        ratio_low, ratio_high = min(values) / max(beside[1]), max(values) / min(beside[1])
    judged = best if ratio is None else ratio
    goal, met = "", None
    if at_least is not None:
        goal, met = f"at least {at_least:g}", judged >= at_least
    elif at_most is not None:
        goal, met = f"at most {at_most:g}", judged <= at_most
    against = beside[0] if beside else ""
    figures = (best, median(values), other(values), unit, ratio, ratio_low, ratio_high)
    return Row(name, *figures, against, goal, met, note, command)
