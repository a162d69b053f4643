"""`make bench`: what it measures is on its page, a mistake is told, and a missed goal is an exit code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import SUITES, Report, Row, command

PAGE = (Path(__file__).parents[3] / "docs" / "benchmarks.md").read_text()


def test_the_page_lists_every_suite_and_what_it_is() -> None:
    (rows,) = re.findall(r"^\| suite \| what \|\n\|---\|---\|\n((?:\|.*\|\n)+)", PAGE, flags=re.MULTILINE)

    assert dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", rows, flags=re.MULTILINE)) == SUITES


@pytest.mark.parametrize("words", [["nope"], ["rng", "--only", "chess"], ["peers", "--only", "nope"], ["--nope"]])
def test_a_mistake_has_exit_code_2(words: list[str]) -> None:
    assert CliRunner().invoke(command.bench, words).exit_code == 2


@pytest.mark.parametrize(("met", "exit_code"), [(True, 0), (None, 0), (False, 1)])
def test_the_exit_code_is_1_if_a_goal_was_missed(
    monkeypatch: pytest.MonkeyPatch, met: bool | None, exit_code: int
) -> None:
    row = Row("draws", 372.0, 400.0, 410.0, "ns", met=met)
    monkeypatch.setattr(command, "run_suite", lambda name, **_: Report(name, "here", "make bench ARGS=rng", (row,)))

    answer = CliRunner().invoke(command.bench, ["rng", "--json"])

    assert answer.exit_code == exit_code
    (report,) = json.loads(answer.stdout)
    assert (report["suite"], report["rows"][0]["best"]) == ("rng", 372.0)
