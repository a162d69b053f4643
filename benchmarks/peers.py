"""Figures of other engines, measured on this machine in the same run as ours.

A peer is installed from a pinned lock file into a folder the caller keeps, plays the games listed in
`peers/tic_tac_toe.json`, and reports moves a second. Where it cannot run, the caller gets a `PeerMissing`
with the reason, so that a benchmark can print what it has.

The data files lie in the folder `peers/` beside this module; that folder is not a package.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import msgspec
from msgspec import Struct

NODE_MAJOR_MIN = 18
VERSION_TIMEOUT_S = 30
INSTALL_TIMEOUT_S = 600
# The script warms up for two seconds and measures one second a repeat; the rest is for a busy machine.
RUN_TIMEOUT_S = 60
REPEAT_TIMEOUT_S = 10
STDERR_LINES = 20
DATA = Path(__file__).parent / "peers"


class PeerResult(Struct, frozen=True, forbid_unknown_fields=True):
    """Figures of a peer: moves a second, one figure a repeat, with the versions that made it."""

    peer: str
    version: str
    node: str
    moves_per_second: tuple[int, ...]


class PeerMissing(Struct, frozen=True):
    """A peer that gave no figure here, and a sentence that says why."""

    peer: str
    reason: str


class ListedGame(Struct, frozen=True, forbid_unknown_fields=True):
    """One whole game of tic-tac-toe: the cells (0 to 8, row by row) in the order taken, and who won.

    Seat 0 begins; `winner` is a seat, or None for a draw.
    """

    cells: tuple[int, ...]
    winner: int | None


def tic_tac_toe_games() -> tuple[ListedGame, ...]:
    """Return the games every engine plays in the comparison, so that all do the same work.

    >>> [len(game.cells) for game in tic_tac_toe_games()]
    [5, 6, 7, 8, 9, 9]
    """
    data = (DATA / "tic_tac_toe.json").read_bytes()
    return msgspec.json.decode(data, type=tuple[ListedGame, ...])


def boardgame_io(work_dir: Path, repeats: int = 5) -> PeerResult | PeerMissing:
    """Return how many moves a second boardgame.io's local client dispatches under Node, or why not.

    The first call installs the locked packages in `work_dir` (some 40 MB, from npm's own registry setting);
    later calls only run, until the lock file changes. Each repeat takes a second, after two of warm-up.
    """
    if repeats < 1:
        raise ValueError(f"repeats {repeats}: at least 1")
    try:
        node = _find_node()
        _copy_data(work_dir)
        _install(work_dir)
        timeout_s = RUN_TIMEOUT_S + REPEAT_TIMEOUT_S * repeats
        printed = run_program([node, "dispatch.mjs", str(repeats)], work_dir, timeout_s)
        return msgspec.json.decode(printed, type=PeerResult)
    except CannotRun as problem:
        return PeerMissing("boardgame.io", str(problem))
    except msgspec.DecodeError as problem:
        return PeerMissing("boardgame.io", f"its script printed something else than a result: {problem}")


class CannotRun(Exception):
    """Why a peer gives no figure; what measures it catches this and tells the reason."""


def _find_node() -> str:
    node = _find("node")
    printed = run_program([node, "--version"], Path.cwd(), VERSION_TIMEOUT_S).strip()
    version = re.match(r"v(\d+)\.", printed)
    if version is None or int(version[1]) < NODE_MAJOR_MIN:
        raise CannotRun(f"{node} is {printed or 'of no version'}; Node {NODE_MAJOR_MIN} or newer is needed")
    return node


def _find(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise CannotRun(f"{program} is not on the PATH; install Node {NODE_MAJOR_MIN} or newer, with npm")
    return path


def _copy_data(work_dir: Path) -> None:
    """Write the peer's files into `work_dir`, flat."""
    try:
        work_dir.mkdir(parents=True, exist_ok=True)
        for source in (*(DATA / "boardgame").iterdir(), DATA / "tic_tac_toe.json"):
            if source.is_file():
                (work_dir / source.name).write_bytes(source.read_bytes())
    except OSError as problem:
        raise CannotRun(f"cannot write to {work_dir}: {problem}") from problem


def _install(work_dir: Path) -> None:
    """Run `npm ci` unless `work_dir` already holds what the lock file says."""
    digest = hashlib.sha256((work_dir / "package-lock.json").read_bytes()).hexdigest()
    # Inside node_modules, which npm empties first: a broken install leaves no stamp behind.
    stamp = work_dir / "node_modules" / ".croupier-lock-sha256"
    if stamp.is_file() and stamp.read_text(encoding="ascii") == digest:
        return
    # Nothing in the lock needs an install script, so none gets to run.
    quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
    run_program([_find("npm"), "ci", *quiet], work_dir, INSTALL_TIMEOUT_S)
    stamp.write_text(digest, encoding="ascii")


def run_program(command: list[str], cwd: Path, timeout_s: int) -> str:
    """Return what `command` printed, or raise `CannotRun` with the end of what it complained about."""
    spoken = " ".join([Path(command[0]).name, *command[1:2]])
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired as problem:
        raise CannotRun(f"{spoken} was stopped after {timeout_s} seconds") from problem
    except OSError as problem:
        raise CannotRun(f"{spoken} did not start: {problem}") from problem
    if done.returncode != 0:
        tail = "\n".join(done.stderr.strip().splitlines()[-STDERR_LINES:])
        raise CannotRun(f"{spoken} failed with exit code {done.returncode}:\n{tail}")
    return done.stdout
