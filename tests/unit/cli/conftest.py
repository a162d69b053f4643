"""Fixtures of the command's tests: a home of their own, the games, and ways to run it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from croupier.engine import register_game
from croupier.engine.registry import has_game
from croupier.games.shut_the_box import ShutTheBox
from tests.unit.cli.pty_terminal import PATIENCE, Terminal
from tests.unit.house.conftest import registered  # noqa: F401 - a fixture here too

ROOT = Path(__file__).parents[3]

Run = Callable[..., Result]
Shell = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give the whole test run a folder for saves that is nobody's, and a terminal of a known kind."""
    folder = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder))
        for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "CROUPIER_TRACEBACK"):
            patch.delenv(name, raising=False)
        yield folder


@pytest.fixture(scope="session", autouse=True)
def games() -> None:
    """See to it that the game is known even where croupier runs from its sources without being installed."""
    if not has_game("shut-the-box"):
        register_game(ShutTheBox())


@pytest.fixture(scope="session")
def run() -> Run:
    """Return a function that runs the command in this process: arguments, what is typed, the outcome."""
    from croupier.cli.app import app

    def run(*arguments: str, typed: str = "", **environment: str | None) -> Result:
        return CliRunner().invoke(app, list(arguments), input=typed, env=environment, prog_name="croupier")

    return run


@pytest.fixture
def visit(run: Run, tmp_path: Path) -> Run:
    """Return a function that plays at the terminal with a folder, and so a bankroll, of the test's own."""

    def visit(words: str, typed: str = "") -> Result:
        return run("play", *words.split(), typed=typed, XDG_DATA_HOME=str(tmp_path))

    return visit


def told_chips(output: str) -> list[int]:
    """Return the chips that the player was told to have after each round."""
    told = re.findall(r"^you have ([0-9,]+) chips$", output, flags=re.MULTILINE)
    return [int(chips.replace(",", "")) for chips in told]


def told_results(output: str) -> list[int]:
    """Return what every round was told to have come to."""
    found = re.findall(r"^The round is over: (push|won|lost)(?: ([0-9,]+))?", output, flags=re.MULTILINE)
    signs = {"push": 0, "won": 1, "lost": -1}
    return [signs[word] * int(chips.replace(",", "") or 0) for word, chips in found]


def rewritten(data: bytes, *path: str | int, value: object) -> bytes:
    """Return a record in canonical form with another value at one place."""
    document = json.loads(data)
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


@pytest.fixture(scope="session")
def records(run: Run, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return one record with a fixed seed and one with a committed one."""
    folder = tmp_path_factory.mktemp("records")
    run("play", "shut-the-box", "--auto", "optimal_score", "--seed", "00", "--record", str(folder / "fixed"))
    run("play", "shut-the-box", "--auto", "uniform", "--seats", "2", "--record", str(folder / "committed"))
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file that a record may be written to."""
    return tmp_path / "g.json"


@pytest.fixture(scope="session")
def metadata(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that makes a process know croupier and its games as an installed package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    folder = tmp_path_factory.mktemp("installed")
    write_metadata(folder, project["name"], project["version"], project["entry-points"]["croupier.games"])
    return folder


def write_metadata(folder: Path, name: str, version: str, games: dict[str, str]) -> None:
    """Write what an installer leaves behind, as far as the registry reads it."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = "".join(f"{game_id} = {value}\n" for game_id, value in games.items())
    (info / "entry_points.txt").write_text(f"[croupier.games]\n{lines}")


@pytest.fixture
def third_party(tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    """Return a function that makes a package of somebody else's games: id -> module:class; and its folder."""

    def make(games: dict[str, str]) -> Path:
        write_metadata(tmp_path, "their-games", "1.0", games)
        return tmp_path

    return make


@pytest.fixture(scope="session")
def environment(metadata: Path) -> dict[str, str]:
    """Return the environment for processes of their own."""
    return {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{metadata}", "TERM": "xterm", "LC_ALL": "C.UTF-8"}


@pytest.fixture(scope="session")
def shell(environment: dict[str, str]) -> Shell:
    """Return a function that runs the command as a process of its own; `typed` goes to its input."""

    def shell(
        *arguments: str | bytes, typed: bytes = b"", also_on_path: Path | None = None, **more: str
    ) -> subprocess.CompletedProcess[bytes]:
        surroundings = {**environment, **more}
        if also_on_path is not None:
            surroundings["PYTHONPATH"] += f"{os.pathsep}{also_on_path}"
        command = [sys.executable, "-m", "croupier", *arguments]
        return subprocess.run(command, input=typed, capture_output=True, env=surroundings, timeout=PATIENCE)

    return shell


@pytest.fixture
def terminal(environment) -> Iterator:
    opened: list[Terminal] = []

    def open_terminal(*arguments: str, **more: str) -> Terminal:
        opened.append(Terminal({**environment, **more}, *arguments))
        return opened[-1]

    yield open_terminal
    for one in opened:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()
