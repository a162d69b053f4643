"""Peers are installed from a lock without addresses, once, and a machine without them is told why."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from benchmarks.peers import ListedGame, PeerMissing, PeerResult, boardgame_io, tic_tac_toe_games

LOCK = (files("benchmarks") / "peers" / "boardgame" / "package-lock.json").read_text(encoding="utf-8")
ROWS_COLUMNS_DIAGONALS = ("012", "345", "678", "036", "147", "258", "048", "246")

GOOD_NODE = """
if [ "$1" = --version ]; then echo v20.1.0; exit; fi
echo '{"peer": "boardgame.io", "version": "0.50.2", "node": "20.1.0", "moves_per_second": [9000, 9100]}'
"""
GOOD_NPM = """
/bin/mkdir -p node_modules
echo "$1" >> calls
"""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder that is the whole PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def put(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


def missing(outcome: PeerResult | PeerMissing) -> str:
    assert isinstance(outcome, PeerMissing)
    assert outcome.peer == "boardgame.io"
    return outcome.reason


def winner_of(cells: tuple[int, ...]) -> int | None:
    for seat in (0, 1):
        taken = {str(cell) for cell in cells[seat::2]}
        if any(taken.issuperset(line) for line in ROWS_COLUMNS_DIAGONALS):
            return seat
    return None


def test_the_lock_file_holds_no_address() -> None:
    """It must install from whichever registry npm is set up with."""
    assert "resolved" not in LOCK
    assert "://" not in LOCK
    assert re.search(r"\b(www|registry)\.|\.(com|org|net|dev|sh)\b", LOCK) is None


def test_every_locked_package_has_an_exact_version_and_a_hash() -> None:
    packages = json.loads(LOCK)["packages"]

    assert packages[""]["dependencies"] == {"boardgame.io": "0.50.2"}
    assert packages["node_modules/boardgame.io"]["version"] == "0.50.2"
    for name, package in packages.items():
        if name:
            assert re.fullmatch(r"\d+\.\d+\.\d+\S*", package["version"]), name
            assert package["integrity"].startswith("sha512-"), name


@pytest.mark.parametrize("game", tic_tac_toe_games(), ids=lambda game: f"{len(game.cells)}-{game.winner}")
def test_a_listed_game_is_whole_and_ends_with_its_last_cell(game: ListedGame) -> None:
    assert len(set(game.cells)) == len(game.cells)
    assert set(game.cells) <= set(range(9))
    assert winner_of(game.cells) == game.winner
    assert winner_of(game.cells[:-1]) is None
    assert game.winner is not None or len(game.cells) == 9


def test_without_node_the_reason_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    reason = missing(boardgame_io(tmp_path / "work"))

    assert reason == "node is not on the PATH; install Node 18 or newer, with npm"
    assert not (tmp_path / "work").exists()


@pytest.mark.parametrize(
    ("node", "npm", "reason"),
    [
        (GOOD_NODE, None, "npm is not on the PATH.*"),
        *((f"echo {version}", None, ".*; Node 18 or newer is needed") for version in ("v16.20.2", "v9.1.0", "")),
        (
            'if [ "$1" = --version ]; then echo v20.1.0; else echo hello; fi',
            GOOD_NPM,
            ".*printed something else than a result.*",
        ),
    ],
    ids=["no npm", "old node", "very old node", "no version", "no result"],
)
def test_programs_that_do_not_serve_are_the_reason(
    tmp_path: Path, programs: Path, node: str, npm: str | None, reason: str
) -> None:
    put(programs, "node", node)
    if npm is not None:
        put(programs, "npm", npm)

    assert re.fullmatch(reason, missing(boardgame_io(tmp_path / "work")), re.DOTALL)


def test_a_failed_install_shows_how_it_ended_and_is_tried_again(tmp_path: Path, programs: Path) -> None:
    put(programs, "node", GOOD_NODE)
    put(programs, "npm", "n=1; while [ $n -le 30 ]; do echo line $n >&2; n=$((n + 1)); done; exit 7")

    reason = missing(boardgame_io(tmp_path / "work"))

    assert reason.splitlines() == ["npm ci failed with exit code 7:", *(f"line {n}" for n in range(11, 31))]
    put(programs, "npm", GOOD_NPM)
    assert isinstance(boardgame_io(tmp_path / "work"), PeerResult)


def test_packages_are_installed_once_for_a_lock_file(tmp_path: Path, programs: Path) -> None:
    put(programs, "node", GOOD_NODE)
    put(programs, "npm", GOOD_NPM)
    work_dir = tmp_path / "work"

    first, second = boardgame_io(work_dir), boardgame_io(work_dir)

    assert first == second == PeerResult("boardgame.io", "0.50.2", "20.1.0", (9000, 9100))
    assert (work_dir / "calls").read_text(encoding="utf-8") == "ci\n"
    (work_dir / "node_modules" / ".croupier-lock-sha256").write_text("another lock", encoding="ascii")
    boardgame_io(work_dir)
    assert (work_dir / "calls").read_text(encoding="utf-8") == "ci\nci\n"


def test_no_repeats_is_a_mistake_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="repeats 0: at least 1"):
        boardgame_io(tmp_path, repeats=0)


@pytest.mark.bench
@pytest.mark.soak
def test_boardgame_io_really_plays(tmp_path: Path) -> None:
    """Installs from the registry and measures for two seconds: needs Node, npm and a network."""
    outcome = boardgame_io(tmp_path, repeats=2)

    assert isinstance(outcome, PeerResult), outcome
    assert (outcome.peer, outcome.version) == ("boardgame.io", "0.50.2")
    assert len(outcome.moves_per_second) == 2
    # Far outside what any machine does: the figure is a rate, not a count or a time.
    assert all(100 < rate < 10_000_000 for rate in outcome.moves_per_second)
