"""Benchmarks: figures made in one run on one machine, told as ratios against a peer or a limit measured beside them.

Seconds differ from hour to hour on a shared machine; ratios within one run do not, much. `make bench` prints them.
"""

from pathlib import Path

from benchmarks.report import Report, Row, machine

__all__ = ["NAMES", "ROOT", "SUITES", "Report", "Row", "run_suite"]

ROOT = Path(__file__).parents[1]
"""The checkout. Processes that a benchmark starts have it as their folder, so that they find `benchmarks` too."""

SUITES = {
    "chain": "blocks of a chain, the share of the Merkle root, a network of four validators",
    "craps": "a full craps table, exact odds of every bet, simulated rolls beside crapssim",
    "database": "bytes of a session, kept and pruned, and how soon a server is ready again on a hundred megabytes",
    "engine": "the transition, and boardgame.io beside it",
    "floods": "what a hundred clients get while one guest floods the server",
    "lanes": "the three-lane duel: random games, clones, tree search",
    "page": "Python in the browser: the first verdict and later ones; Shut the Box as WebAssembly",
    "peers": "other engines and libraries beside what we do of the same kind",
    "rng": "the generator: draws, streams, and the bare hash beside them",
    "server": "durable actions a second with two thousand live connections",
    "sim": "rounds of the house games against the bare cost of their hashes",
}
"""What can be measured, by name."""


NAMES = ("chess", "crapssim", "eval7", "gymnasium", "open-spiel", "rlcard", "boardgame.io", "sha256")
"""What of the suite `peers` can be measured alone."""

_MODULES = {"peers": "all_peers"}  # where the module is not called like its suite


def run_suite(name: str, *, repeats: int = 5, peers: bool = True, only: str = "") -> Report:
    """Return the figures of one suite, each made of `repeats` rounds; `only` is one of the peers, in their suite."""
    from importlib import import_module

    more = {"only": only} if only else {}
    module = import_module(f"benchmarks.{_MODULES.get(name, name)}")
    rows: list[Row] = module.measure(repeats=repeats, peers=peers, **more)
    return Report(name, machine(), f"make bench ARGS={name}", tuple(rows))
