"""A shell in which the commands on a page can be run: `croupier` and Pig are there, and nothing of the reader's.

Only the cache of machine code is shared with the rest of the machine: a file in it is named after its content.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = "import sys; from flit_core.buildapi import build_wheel; print(build_wheel(sys.argv[1]))"

Shell = Callable[[str], tuple[str, int]]


def table_rows(page: str, *head: str, ticks: bool = False) -> list[list[str]]:
    """Return the rows of the one table on a page whose head begins with these cells; backticks are taken off."""
    lines = (ROOT / page).read_text().splitlines()
    (start,) = [number for number, line in enumerate(lines) if line.startswith(f"| {' | '.join(head)} |")]
    rows = takewhile(lambda line: line.startswith("|"), lines[start + 2 :])
    return [[cell.strip() for cell in (row if ticks else row.replace("`", "")).strip("|").split(" | ")] for row in rows]


@pytest.fixture(scope="session")
def examples_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that holds the example packages as an installer would leave them, entry points and all."""
    folder = tmp_path_factory.mktemp("examples")
    for package in sorted((ROOT / "examples").iterdir()):
        built = subprocess.run(
            [sys.executable, "-c", BUILD, folder], cwd=package, capture_output=True, text=True, check=True
        )
        zipfile.ZipFile(folder / built.stdout.strip()).extractall(folder)
    return folder


@pytest.fixture(scope="session")
def loaded_croupier(examples_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the words of a shell for `croupier` in a process that is loaded, with the example packages installed."""
    address = tmp_path_factory.mktemp("loaded") / "socket"
    program = ROOT / "tests" / "loaded_croupier.py"
    environment = {**os.environ, "PYTHONPATH": python_path(examples_path)}
    command = [sys.executable, str(program), str(address)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield f'"{sys.executable}" -IS "{program}" "{address}"'
        process.terminate()


def python_path(site: Path) -> str:
    return os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])


@pytest.fixture
def shell(examples_path: Path, loaded_croupier: str, tmp_path: Path) -> Shell:
    """Return a function that runs a line in a folder of its own and returns what it printed, and its exit code."""
    return make_shell(tmp_path, examples_path, loaded_croupier)


@pytest.fixture
def empty_shell(tmp_path: Path) -> Shell:
    """Return such a function for a reader who has croupier and an empty folder; what `pip` installs is found."""
    return make_shell(tmp_path, tmp_path / "site-packages")


def make_shell(folder: Path, site: Path, croupier: str = f'"{sys.executable}" -m croupier') -> Shell:
    """Return a function that runs a line in `desk` of a folder; `pip` installs into `site`, without an index."""
    programs = folder / "bin"
    programs.mkdir()
    offline = f'--no-index --no-deps --no-build-isolation --target "{site}"'
    for name, line in {
        "croupier": f'{croupier} "$@"',
        "pytest": f'"{sys.executable}" -m pytest -q -p no:cacheprovider --rootdir . "$@"',
        "pip": f'"{sys.executable}" -m pip --disable-pip-version-check --quiet "$@" {offline}',
    }.items():
        (programs / name).write_text(f"#!/bin/sh\nexec {line}\n")
        (programs / name).chmod(0o755)
    (folder / "desk").mkdir()
    environment = {
        **os.environ,
        "COLUMNS": "100",
        "HOME": str(folder),
        "NO_COLOR": "1",
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": python_path(site),
        "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache"),  # kernels compiled before
        "XDG_DATA_HOME": str(folder / "data"),
    }

    def run(line: str) -> tuple[str, int]:
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=folder / "desk",
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.stdout, done.returncode

    return run
