"""The README from top to bottom, in the environment that `make run` makes, and in one that its `pip install` makes."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import urllib.request
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.docs.test_pages import blocks, steps  # type: ignore[import-not-found, unused-ignore]
from tests.environments import BUILD, OFFLINE, ROOT, clean, locked, make_environment, needed, pip

README = ROOT / "README.md"
LINES = [line.partition("  #")[0].strip() for block in blocks(README, "console") for line, _ in steps(block)]
COMMANDS = [line for line in LINES if line.startswith("croupier ")]
NOT_RUN = {"make test": "it is what runs this"}
DOCTEST = "import doctest, sys; sys.exit(doctest.testfile(sys.argv[1], False, optionflags=doctest.ELLIPSIS).failed)"


def made_by_make(folder: Path, names: Iterable[str]) -> Path:
    """Return an environment as `make run` leaves it: the packages of a lock file, and the checkout, editable."""
    environment = make_environment(folder / "venv", names)
    pip(environment, "install", "--no-deps", "--editable", ROOT)
    return environment


@pytest.fixture(scope="module")
def by_make(tmp_path_factory: pytest.TempPathFactory) -> Path:
    told = subprocess.run(["make", "-n", "-B", "run"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"--requirement (\S+)", told) == ["requirements/run.txt"]
    assert "install --no-deps --no-build-isolation --editable ." in told
    return made_by_make(tmp_path_factory.mktemp("run"), locked("run.txt"))


@pytest.fixture(scope="module")
def by_pip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment with what the README's two lines install, typed as they stand there."""
    lines = [line for line in LINES if line.startswith("pip ")]
    assert lines == ["pip install .", "pip install '.[sim]'"]
    environment = make_environment(
        tmp_path_factory.mktemp("pip") / "venv", {*needed("croupier[sim]", "pip"), *BUILD, "pip"}
    )
    for line in lines:
        words = shlex.split(line)
        done = subprocess.run(
            [environment / "bin" / "python", "-m", *words],
            cwd=ROOT,
            env=clean(**OFFLINE),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    return environment


def failed(environment: Path, folder: Path, *lines: list[str]) -> list[str]:
    """Run commands in an empty folder; return those that fail, with what they say."""
    path = f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
    settings = clean(PATH=path, HOME=str(folder), XDG_DATA_HOME=str(folder / "data"))
    desk = folder / "desk"
    desk.mkdir()
    found = []
    for words in lines:
        done = subprocess.run(words, cwd=desk, env=settings, capture_output=True, text=True, check=False)
        if done.returncode:
            found.append(f"{shlex.join(words)}: {done.stdout}{done.stderr}")
    return found


def test_every_line_of_the_readme_is_run_or_has_a_reason() -> None:
    assert len(COMMANDS) == 5
    assert set(LINES) - set(COMMANDS) == {"make run", "pip install .", "pip install '.[sim]'", *NOT_RUN}


@pytest.mark.parametrize("environment", ["by_make", "by_pip"])
def test_the_readme_works_there(environment: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    lines = (["python", "-c", DOCTEST, str(README)], *map(shlex.split, COMMANDS))

    assert failed(request.getfixturevalue(environment), tmp_path, *lines) == []


def test_a_package_that_the_lock_file_lacks_is_missed(tmp_path: Path) -> None:
    """The environments are no more than what they are made of."""
    environment = made_by_make(tmp_path, locked("run.txt") - {"numpy"})
    (line,) = (shlex.split(command) for command in COMMANDS if "simulate" in command)

    (found,) = failed(environment, tmp_path, line)
    assert "numpy" in found


def test_make_run_serves_the_page_and_ends_when_it_is_told_to(by_make: Path, tmp_path: Path) -> None:
    """By the last line that `make run` runs, at a free port."""
    asked = ["make", "--no-print-directory", "-n", "run", "ARGS=--port 0 --metrics-port 0"]
    told = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True)
    line = told.stdout.strip().splitlines()[-1].replace(".venv/bin/croupier", str(by_make / "bin" / "croupier"))
    (tmp_path / "data").mkdir()

    command = ["bash", "-c", f"exec env {line}"]
    with subprocess.Popen(command, cwd=tmp_path, env=clean(), stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        (url,) = re.findall(r"croupier is at (http://\S+)", server.stdout.readline())
        with urllib.request.urlopen(url, timeout=60) as answer:
            assert b"<title>croupier" in answer.read()
        server.send_signal(signal.SIGTERM)
        assert server.wait(60) == 0
    assert (tmp_path / "data" / "croupier.db").exists()
