"""Processor seconds of the tests, by folder: a pytest plugin that prints a table after a run and fails nothing."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

ROWS_MAX = 25


class ProcessorSeconds:
    """Adds up what each folder's tests cost, in this process, in workers, and in processes that tests waited for."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Measure one test with its fixtures; what several tests share counts for the first of them."""
        before = sum(os.times()[:4])
        try:
            return (yield)
        finally:
            folder = item.nodeid.partition("::")[0].rpartition("/")[0]
            self.seconds[folder or "."] += sum(os.times()[:4]) - before  # type: ignore[assignment]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand a worker's figures to the process that started it."""
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["processor_seconds"] = dict(self.seconds)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add a worker's figures; one that crashed left none."""
        self.seconds.update(getattr(node, "workeroutput", {}).get("processor_seconds", {}))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the most expensive folders, unless the run is a quiet one."""
        if self.seconds and terminalreporter.verbosity >= 0:
            total = sum(self.seconds.values())
            terminalreporter.section(f"{total:.1f} processor seconds, by folder")
            for folder, seconds in self.seconds.most_common(ROWS_MAX):
                terminalreporter.write_line(f"{seconds:9.1f}  {folder}")
