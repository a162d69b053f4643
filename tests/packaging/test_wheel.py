"""The wheel: what is in it, and that it works where nothing of this checkout can be seen."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "croupier"
BUILD = "import sys; from flit_core.buildapi import build_wheel; print(build_wheel(sys.argv[1]))"


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command that must succeed, without this session's Python settings, and return what it printed."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))}
    done = subprocess.run(command, cwd=cwd, env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def version() -> str:
    """Return the version that pyproject.toml states."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return str(project["version"])


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a wheel built by the locked backend, with no build environment and no network."""
    folder = tmp_path_factory.mktemp("wheel")
    return folder / run(sys.executable, "-c", BUILD, folder, cwd=ROOT)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a fresh environment that holds the wheel and borrows its dependencies from this one."""
    environment = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "venv", "--without-pip", environment, cwd=environment)
    python = environment / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    run(*pip, "install", "--no-index", "--no-deps", wheel, cwd=environment)
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=environment)
    # A path in a .pth file is searched last, and .pth files found there are not read: the editable
    # croupier of this environment stays out of sight.
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(site, "borrowed.pth").write_text("".join(f"{path}\n" for path in sorted(borrowed)))
    return environment


def test_the_wheel_holds_the_package_whole(wheel: Path) -> None:
    """Every module and every data file of src/croupier is in it, and nothing but metadata beside them."""
    files = [path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    expected = {path.relative_to(PACKAGE.parent).as_posix() for path in files}

    held = set(zipfile.ZipFile(wheel).namelist())

    assert "croupier/py.typed" in held
    assert {name for name in held if ".dist-info/" not in name} == expected


def test_the_wheel_carries_the_licence_the_command_and_the_games(wheel: Path, version: str) -> None:
    archive = zipfile.ZipFile(wheel)
    info = f"croupier-{version}.dist-info"

    entry_points = archive.read(f"{info}/entry_points.txt").decode()

    assert archive.read(f"{info}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
    assert "[console_scripts]\ncroupier=croupier.cli:main\n" in entry_points
    games = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["croupier.games"]
    listed = entry_points.partition("[croupier.games]\n")[2].split("\n\n")[0].split()
    assert listed == [f"{game_id}={target}" for game_id, target in sorted(games.items())]
    assert "shut-the-box=croupier.games.shut_the_box:ShutTheBox" in listed


def test_two_builds_of_one_tree_are_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    again = tmp_path / run(sys.executable, "-c", BUILD, tmp_path, cwd=ROOT)

    assert again.read_bytes() == wheel.read_bytes()


def test_an_installed_croupier_imports_from_where_it_was_installed(installed: Path, tmp_path: Path) -> None:
    place = run(installed / "bin" / "python", "-c", "import croupier; print(croupier.__file__)", cwd=tmp_path)

    assert Path(place).is_relative_to(installed)


def test_the_installed_command_tells_its_version(installed: Path, version: str, tmp_path: Path) -> None:
    assert version in run(installed / "bin" / "croupier", "--version", cwd=tmp_path).split()
