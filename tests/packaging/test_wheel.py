"""The wheel: what is in it, and that it works where nothing of this checkout can be seen."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import grimp
import pytest

from croupier.cli.app import COMMANDS
from croupier.engine import get_game, list_games
from croupier.engine.rules_digest import rules_digest
from croupier.web.sources import page_sources
from tests.environments import clean, locked, make_environment, pip
from tests.web.page_modules import played

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "croupier"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
GAMES: dict[str, str] = PROJECT["entry-points"]["croupier.games"]
# What is for those who work on croupier and stays in the repository: benchmarks with their peers, makers, tests.
WORKSHOP = re.compile(r"bench|peer|adversar|^(tools?|tests?|test_.*|conftest.*)$")
SUFFIXES = {".bz2", ".css", ".json", ".md", ".py", ".txt", ".typed", ".xz"}
# Where users come in, beside the commands and the games that are registered.
DOORS = {
    "croupier",
    "croupier.__main__",
    "croupier.client",  # for scripts and bots
    "croupier.games.craps.compat",  # for scripts and lessons
    "croupier.games.lanes.compat",
    "croupier.games.shut_the_box.compat",
    "croupier.testing",  # for authors of games
    "croupier.web",  # the page, which the server hands out
    "croupier.web.__main__",  # the check of records as one file
}
BUILD = (
    "import sys; sys.path.insert(0, 'tools'); from wheel_backend import build_wheel; print(build_wheel(sys.argv[1]))"
)
PAGE, ARCHIVE = "croupier/web/static/", "croupier/web/static.tar.bz2"
SIZE_MAX = 1_300_000  # bytes


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command that must succeed, without this session's Python settings, and return what it printed."""
    done = subprocess.run(command, cwd=cwd, env=clean(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def version() -> str:
    """Return the version that pyproject.toml states."""
    return str(PROJECT["version"])


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a wheel built by the locked backend, with no build environment and no network."""
    folder = tmp_path_factory.mktemp("wheel")
    return folder / run(sys.executable, "-c", BUILD, folder, cwd=ROOT)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a fresh environment that holds the wheel and all its extras."""
    environment = make_environment(tmp_path_factory.mktemp("installed") / "venv", locked("all.txt"))
    pip(environment, "install", wheel)
    return environment


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment that holds the wheel, msgspec, and no other package."""
    environment = make_environment(tmp_path_factory.mktemp("bare") / "venv", ["msgspec"])
    pip(environment, "install", "--no-deps", wheel)
    return environment


ALONE = """
import importlib.metadata, json, sys
from croupier import verify
from croupier.engine import list_games
from croupier.transcripts import check_transcript

found = verify(open(sys.argv[1], "rb").read())
changed = verify(open(sys.argv[1], "rb").read().replace(b'"digests":["', b'"digests":["0', 1))
names = sorted({one.name for one in importlib.metadata.distributions()})
print(json.dumps([names, found.ok, changed.ok, changed.problem, len(list_games())]))
"""


def test_msgspec_alone_is_enough_to_verify_a_record(bare: Path, tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    record.write_text(played("blackjack", 3)["text"])

    names, is_ok, is_changed_ok, problem, count = json.loads(
        run(bare / "bin" / "python", "-c", ALONE, record, cwd=tmp_path)
    )

    assert names == ["croupier", "msgspec"]
    assert (is_ok, is_changed_ok, count) == (True, False, 13)
    assert problem


def test_the_wheel_holds_the_package_whole(wheel: Path) -> None:
    """Every module and every data file of src/croupier is in it, the page packed, and nothing but metadata beside."""
    files = [path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    expected = {path.relative_to(PACKAGE.parent).as_posix() for path in files}
    page = {name for name in expected if name.startswith(PAGE)}

    with zipfile.ZipFile(wheel) as archive:
        held, packed = set(archive.namelist()), io.BytesIO(archive.read(ARCHIVE))
    assert "croupier/py.typed" in held
    assert {name for name in held if ".dist-info/" not in name} == expected - page | {ARCHIVE}
    with tarfile.open(fileobj=packed) as tar:
        found = {PAGE + each.name: tar.extractfile(each).read() for each in tar}  # type: ignore[union-attr]
    assert found == {name: (PACKAGE.parent / name).read_bytes() for name in page}
    assert wheel.stat().st_size <= SIZE_MAX


def test_an_installed_croupier_is_imported_from_its_environment_and_has_the_page_of_the_tree(
    installed: Path, tmp_path: Path
) -> None:
    code = """import croupier
from croupier.web.sources import page_sources
print(croupier.__file__, *page_sources(), *page_sources().values(), sep="\\n")"""
    place, *told = run(installed / "bin" / "python", "-c", code, cwd=tmp_path).splitlines()

    assert Path(place).is_relative_to(installed)
    assert told == [*page_sources(), *map(str, page_sources().values())]
    assert len(told) > 200


def test_an_installed_wheel_holds_no_benchmark_peer_test_or_maker(
    installed: Path, version: str, tmp_path: Path
) -> None:
    listing = "from importlib.metadata import files; print(*files('croupier'), sep='\\n')"
    listed = [Path(line) for line in run(installed / "bin" / "python", "-c", listing, cwd=tmp_path).splitlines()]
    held = [path for path in listed if path.parts[0] == "croupier" and "__pycache__" not in path.parts]

    assert len(held) > 400
    assert {path.parts[0] for path in listed if path.parts[0] != ".."} == {"croupier", f"croupier-{version}.dist-info"}
    assert [path for path in held if any(WORKSHOP.search(part) for part in (*path.parts[1:], path.stem))] == []
    assert {path.suffix for path in held} <= SUFFIXES


def test_every_module_is_reached_from_where_users_come_in() -> None:
    """A module that only tests, benchmarks or whoever makes data would import has no place in the package."""
    graph = grimp.build_graph("croupier", cache_dir=None)
    waiting = [
        *DOORS,
        *(f"croupier.cli.commands.{name}" for name in COMMANDS),
        *(at.partition(":")[0] for at in GAMES.values()),
    ]
    reached: set[str] = set()
    while waiting:
        module = waiting.pop()
        if module and module not in reached:
            reached.add(module)
            waiting += [module.rpartition(".")[0], *graph.find_modules_directly_imported_by(module)]

    assert sorted(graph.modules - reached) == []


def test_the_wheel_carries_the_licence_the_command_and_the_games(wheel: Path, version: str) -> None:
    archive = zipfile.ZipFile(wheel)
    info = f"croupier-{version}.dist-info"

    entry_points = archive.read(f"{info}/entry_points.txt").decode()

    assert archive.read(f"{info}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
    assert "[console_scripts]\ncroupier=croupier.cli:main\n" in entry_points
    listed = entry_points.partition("[croupier.games]\n")[2].split("\n\n")[0].split()
    assert listed == [f"{game_id}={target}" for game_id, target in sorted(GAMES.items())]
    assert "shut-the-box=croupier.games.shut_the_box:ShutTheBox" in listed


def test_two_builds_of_one_tree_are_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    again = tmp_path / run(sys.executable, "-c", BUILD, tmp_path, cwd=ROOT)

    assert again.read_bytes() == wheel.read_bytes()


def test_the_installed_command_tells_its_version_and_the_digest_of_every_game(
    installed: Path, version: str, tmp_path: Path
) -> None:
    """They are those of the tree: what a host announces can be worked out by whoever has the wheel, or the source."""
    first, *games = run(installed / "bin" / "croupier", "--version", cwd=tmp_path).splitlines()

    assert first == f"croupier {version}"
    assert len(games) >= 13
    assert [line.split() for line in games] == [
        [name, "rules", str(get_game(name).rules_version), rules_digest(get_game(name)).hex()] for name in list_games()
    ]
