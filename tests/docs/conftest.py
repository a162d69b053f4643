"""A shell in which the commands on a page can be run: an environment as a reader has it, and an empty folder.

Only the cache of machine code is shared with the rest of the machine: a file in it is named after its content.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from tests.environments import BUILD, OFFLINE, ROOT, clean, load_file, locked, make_environment, needed, pip

Shell = Callable[[str], tuple[str, int]]


def table_rows(page: str, *head: str, ticks: bool = False) -> list[list[str]]:
    """Return the rows of the one table on a page whose head begins with these cells; backticks are taken off."""
    lines = (ROOT / page).read_text().splitlines()
    (start,) = [number for number, line in enumerate(lines) if line.startswith(f"| {' | '.join(head)} |")]
    rows = takewhile(lambda line: line.startswith("|"), lines[start + 2 :])
    return [[cell.strip() for cell in (row if ticks else row.replace("`", "")).strip("|").split(" | ")] for row in rows]


def section(text: str, heading: str) -> str:
    """Return what stands below the one heading of a page that matches, up to the next of its level."""
    ((level, rest),) = re.findall(rf"^(##+) {heading}$(.*)\Z", text, flags=re.MULTILINE | re.DOTALL)
    return str(re.split(rf"^#{{2,{len(level)}}} ", rest, flags=re.MULTILINE)[0])


def rows_in(text: str) -> list[list[str]]:
    """Return the cells of all tables in a text; heads and rulers are left out."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    rulers = [number for number, line in enumerate(lines) if re.fullmatch(r"[-| ]+", line)]
    kept = [line for number, line in enumerate(lines) if number not in rulers and number + 1 not in rulers]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in kept]


def words(cell: str) -> list[str]:
    """Return the words of a cell that stand in backticks."""
    return re.findall(r"`([^`]+)`", cell)


def load_example(name: str) -> Any:
    """Return a program of docs/examples as a module."""
    return load_file(ROOT / "docs" / "examples" / f"{name}.py")


@pytest.fixture(scope="session")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment with croupier, its extras, and what the pages say is the reader's to install."""
    environment = make_environment(
        tmp_path_factory.mktemp("reader") / "venv", {*locked("all.txt"), *needed("pandas", "pyarrow"), *BUILD}
    )
    pip(environment, "install", "--no-deps", "--editable", ROOT)
    return environment


@pytest.fixture(scope="session")
def loaded_croupier(reader: Path, examples_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the words of a shell for `croupier` in a process that is loaded, with the example packages installed."""
    address = tmp_path_factory.mktemp("loaded") / "socket"
    program = ROOT / "tests" / "loaded_croupier.py"
    command = [reader / "bin" / "python", program, address]
    with subprocess.Popen(command, env=clean(PYTHONPATH=str(examples_path)), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield f'"{sys.executable}" -IS "{program}" "{address}"'
        process.terminate()


@pytest.fixture
def shell(reader: Path, loaded_croupier: str, tmp_path: Path) -> Shell:
    """Return a function that runs a line in a folder of its own and returns what it printed, and its exit code."""
    return make_shell(tmp_path, reader, loaded_croupier)


@pytest.fixture
def empty_shell(tmp_path: Path) -> Shell:
    """Return such a function for who has an empty folder and a new environment with croupier[sim] and pytest."""
    environment = make_environment(tmp_path / "venv", {*needed("croupier[sim]", "pytest"), *BUILD})
    pip(environment, "install", "--no-deps", "--editable", ROOT)
    return make_shell(tmp_path, environment, f'"{environment}/bin/croupier"')


def make_shell(folder: Path, environment: Path, croupier: str) -> Shell:
    """Return a function that runs a line in `desk` of a folder, in an environment."""
    programs, python = folder / "bin", environment / "bin" / "python"
    programs.mkdir()
    for name, line in {
        "croupier": f'{croupier} "$@"',
        "pytest": f'"{python}" -m pytest -q -p no:cacheprovider --rootdir . "$@"',
        "pip": f'"{sys.executable}" -m pip --python "{python}" "$@"',
        "python": f'"{python}" "$@"',
    }.items():
        (programs / name).write_text(f"#!/bin/sh\nexec {line}\n")
        (programs / name).chmod(0o755)
    (folder / "desk").mkdir()
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data")}
    settings = clean(**OFFLINE, **home, COLUMNS="100", NO_COLOR="1", PATH=path)

    def run(line: str) -> tuple[str, int]:
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=folder / "desk",
            env=settings,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.stdout, done.returncode

    return run
