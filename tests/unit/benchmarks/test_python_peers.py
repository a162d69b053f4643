"""Peers in Python: locked with hashes, installed once into a folder of their own, and each missing one says why."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from benchmarks import NAMES, SUITES
from benchmarks.all_peers import CASES
from benchmarks.peer_rates import PEERS
from benchmarks.peers import PeerMissing
from benchmarks.python_peers import PYTHON_PEERS, PeerRates, python_peer
from benchmarks.report import row

LOCKS = files("benchmarks") / "peers" / "python"

RATES = '{"peer": "eval7", "version": "1.0", "python": "3.11", "rates": {"hands of seven cards": [5.0, 7.0]}}'
# Stands for the interpreter of the environment: pip says what it was asked for, a script prints rates.
PYTHON = f"""#!/bin/sh
if [ "$1" = -m ]; then echo "$@" >> calls; exit 0; fi
echo '{RATES}'
"""


def environment(folder: Path, script: str = PYTHON) -> Path:
    python = folder / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(script, encoding="utf-8")
    python.chmod(0o755)
    return folder


def missing(outcome: PeerRates | PeerMissing) -> str:
    assert isinstance(outcome, PeerMissing)
    return outcome.reason


@pytest.mark.parametrize("name", [*PYTHON_PEERS, "setuptools"])
def test_every_peer_is_locked_to_versions_with_hashes_and_no_address(name: str) -> None:
    lock = (LOCKS / f"{name}.txt").read_text()
    pinned = re.findall(r"^([a-z0-9-]+)==[\w.]+( ; [^\\]+)? \\$", lock, flags=re.MULTILINE)

    assert name in [package for package, _ in pinned]
    assert len(pinned) == len(re.findall(r"^[a-z]", lock, flags=re.MULTILINE))
    assert lock.count("--hash=sha256:") >= len(pinned)
    assert "://" not in lock


def test_every_peer_that_can_be_named_has_something_of_ours_beside_it() -> None:
    assert {case.peer for case in CASES} == set(NAMES)
    assert set(PEERS) == set(PYTHON_PEERS) <= set(NAMES)
    assert "peers" in SUITES


def test_a_peer_is_installed_once_for_a_lock_file(tmp_path: Path) -> None:
    folder = environment(tmp_path / "env")

    first, second = python_peer("eval7", folder), python_peer("eval7", folder)

    assert first == second == PeerRates("eval7", "1.0", "3.11", {"hands of seven cards": (5.0, 7.0)})
    (call,) = (folder / "calls").read_text().splitlines()
    assert "--require-hashes --no-deps --only-binary :all: --requirement eval7.txt" in call
    (folder / "eval7.sha256").write_text("of another lock")
    python_peer("eval7", folder)
    assert len((folder / "calls").read_text().splitlines()) == 2


def test_a_source_package_is_built_with_the_locked_builder(tmp_path: Path) -> None:
    folder = environment(tmp_path / "env")

    python_peer("rlcard", folder)

    builder, peer = (folder / "calls").read_text().splitlines()
    assert builder.endswith("--requirement setuptools.txt")
    assert "--no-binary rlcard --no-build-isolation" in peer


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("#!/bin/sh\necho no such wheel >&2; exit 3\n", "failed with exit code 3:\nno such wheel"),
        ('#!/bin/sh\n[ "$1" = -m ] || echo hello\n', "printed something else than rates"),
        ("#!/bin/sh\n", "printed something else than rates"),
    ],
    ids=["the install fails", "the script prints a word", "the script prints nothing"],
)
def test_a_peer_without_figures_says_why(tmp_path: Path, script: str, reason: str) -> None:
    assert reason in missing(python_peer("eval7", environment(tmp_path / "env", script)))


def test_a_folder_that_cannot_be_written_is_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    assert "cannot write to" in missing(python_peer("eval7", tmp_path / "file" / "env"))


@pytest.mark.parametrize(("name", "repeats"), [("nobody", 1), ("eval7", 0)])
def test_a_wrong_name_or_number_is_a_mistake_of_the_caller(tmp_path: Path, name: str, repeats: int) -> None:
    with pytest.raises(ValueError, match=r"at least 1|one of"):
        python_peer(name, tmp_path, repeats)


def test_a_missing_peer_leaves_a_row_that_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from benchmarks import all_peers

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(all_peers, "python_peer", lambda *_: PeerMissing("chess", "no network"))
    monkeypatch.setattr(all_peers, "_ours", lambda *_: [10.0, 20.0])

    theirs, ours = all_peers.measure(repeats=1, peers=True, only="chess")

    assert theirs.note == "not measured: no network"
    assert (ours.best, ours.ratio, ours.met) == (20.0, None, None)


# The spread of a ratio.


def test_a_ratio_is_of_the_best_rounds_and_its_spread_of_the_extremes() -> None:
    found = row("ours", [100.0, 80.0, 50.0], "rolls/s", beside=("theirs", [10.0, 5.0]), at_least=9)

    assert (found.ratio, found.ratio_low, found.ratio_high, found.met) == (10, 5, 20, True)


def test_of_rounds_that_took_turns_the_spread_is_of_the_turns() -> None:
    found = row("ours", [10.0, 30.0, 8.0], "ns", beside=("bare", [5.0, 10.0, 8.0]), at_most=1.5, turn_by_turn=True)

    assert (found.ratio, found.ratio_low, found.ratio_high, found.met) == (2, 1, 3, False)


@pytest.mark.bench
@pytest.mark.soak
@pytest.mark.parametrize("name", PYTHON_PEERS)
def test_a_peer_really_runs(tmp_path: Path, name: str) -> None:
    """Installs from the registry and measures for a second: needs a network."""
    outcome = python_peer(name, tmp_path / "env", repeats=1)

    assert isinstance(outcome, PeerRates), outcome
    assert all(rate > 100 for rates in outcome.rates.values() for rate in rates)
