"""The table of processor seconds: every folder, from every worker."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tools.surface import ROOT

CONFTEST = """
from tools.processor_seconds import ProcessorSeconds

def pytest_configure(config):
    config.pluginmanager.register(ProcessorSeconds())
"""
BUSY = """
import os

def test_work():
    end = sum(os.times()[:2]) + 0.06
    while sum(os.times()[:2]) < end:
        pass
"""


@pytest.mark.parametrize("workers", ["0", "2"])
def test_every_folder_is_listed_with_what_its_tests_cost(tmp_path, workers):
    (tmp_path / "conftest.py").write_text(CONFTEST)
    for name, text in {"busy": BUSY, "idle/deep": "def test_nothing(): pass\n"}.items():
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "test_it.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-n", workers, "--import-mode=importlib"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    rows = re.findall(r"^ +(\d+\.\d)  (\S+)$", done.stdout, re.MULTILINE)
    assert [folder for _, folder in rows] == ["busy", "idle/deep"]
    assert float(rows[0][0]) >= 0.1  # 0.06, rounded
