"""Benchmarks: figures made in one run on one machine, told as ratios against a peer or a limit measured beside them.

Seconds differ from hour to hour on a shared machine; ratios within one run do not, much. `croupier bench` prints them.
"""

from croupier.bench.report import Report, Row

__all__ = ["SUITES", "Report", "Row", "run_suite"]

SUITES = {
    "craps": "a full craps table, exact odds of every bet, simulated rolls beside crapssim",
    "engine": "the transition, the generator, and boardgame.io beside them",
    "lanes": "the three-lane duel: random games, clones, tree search",
    "sim": "rounds of the house games against the bare cost of their hashes",
}
"""What can be measured, by name."""


def run_suite(name: str, *, repeats: int = 5, peers: bool = True) -> Report:
    """Return the figures of one suite; each is the median of `repeats` rounds."""
    from importlib import import_module

    report: Report = import_module(f"croupier.bench.{name}").measure(repeats=repeats, peers=peers)
    return report
