"""The example packages, installed as a stranger would install them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.environments import with_path


@pytest.fixture
def run(examples_path: Path, tmp_path: Path) -> Callable[..., str]:
    """Return what runs Python where the packages are installed, and gives what it printed."""

    def run(*command: str) -> str:
        environment = {
            **os.environ,
            "PYTHONPATH": with_path(examples_path),
            "XDG_DATA_HOME": str(tmp_path),
            "NO_COLOR": "1",
        }
        done = subprocess.run(
            [sys.executable, *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
