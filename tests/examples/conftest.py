"""The example packages, installed as a stranger would install them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that holds the packages, put there by pip without an index."""
    folder = tmp_path_factory.mktemp("site-packages")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    offline = ["--no-index", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*pip, *offline, "--target", str(folder), *map(str, sorted(EXAMPLES.iterdir()))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture
def run(place: Path, tmp_path: Path) -> Callable[..., str]:
    """Return what runs Python where the packages are installed, and gives what it printed."""

    def run(*command: str) -> str:
        path = os.pathsep.join(filter(None, [str(place), os.environ.get("PYTHONPATH")]))
        environment = {**os.environ, "PYTHONPATH": path, "XDG_DATA_HOME": str(tmp_path), "NO_COLOR": "1"}
        done = subprocess.run(
            [sys.executable, *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
