"""Files that a test run leaves in the checkout: a pytest plugin that names them and fails the run."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest


class LeftBehind:
    """Compares the files that git neither tracks nor ignores before the tests and after them."""

    def __init__(self, checkout: Path) -> None:
        self._checkout = checkout
        self._before: set[bytes] = set()
        self._left: list[str] = []

    def _untracked(self) -> set[bytes]:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--others", "--exclude-standard"], cwd=self._checkout, capture_output=True
        )
        return set(listed.stdout.split(b"\0")) - {b""}  # none where there is no git: then nothing is compared

    def pytest_sessionstart(self) -> None:
        """List what is there already."""
        self._before = self._untracked()

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Fail a run that was fine but for what it left behind."""
        self._left = sorted(repr(name)[1:] for name in self._untracked() - self._before)
        if self._left and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name what was left."""
        if self._left:
            terminalreporter.section("left in the checkout")
            terminalreporter.line(f"tests left these files behind: {', '.join(self._left)}")
