"""A test run that leaves files in the checkout fails and names them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PLUGIN = """
from pathlib import Path
from tools.left_behind import LeftBehind

def pytest_configure(config):
    config.pluginmanager.register(LeftBehind(Path(__file__).parent))
"""


@pytest.mark.parametrize(
    ("body", "code", "told"),
    [
        ("pass", 0, ""),
        ("open('ignored.log', 'w').close()", 0, ""),
        ("open('left.db-shm', 'w').close()", 1, "tests left these files behind: 'left.db-shm'"),
        ("open(b'odd\\xff', 'w').close()", 1, "tests left these files behind: 'odd\\xff'"),
    ],
)
def test_a_run_fails_where_a_test_left_a_file(tmp_path: Path, body: str, code: int, told: str) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text("*.log\n__pycache__/\n.pytest_cache/\n")
    (tmp_path / "conftest.py").write_text(PLUGIN)
    (tmp_path / "test_one.py").write_text(f"def test_one():\n    {body}\n")

    run = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", "."],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
    )

    assert run.returncode == code, run.stdout + run.stderr
    assert told in run.stdout
    assert ("left in the checkout" in run.stdout) == bool(told)
