"""The commit-msg hook: the messages that it refuses, and that git runs it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

HOOKS = Path(__file__).parents[3] / ".githooks"
WHY = "\n\nBecause a fee that is split can be dodged."


@pytest.fixture
def commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Return a function that commits so many lines with a message, and returns what git said: nothing if it did."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        monkeypatch.setenv(name, "somebody")
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    subprocess.run(["git", "config", "core.hooksPath", HOOKS], cwd=tmp_path, check=True)

    def one(message: str, lines: int = 1) -> str:
        (tmp_path / "file").write_text("a line\n" * lines)
        subprocess.run(["git", "add", "file"], cwd=tmp_path, check=True)
        command = ["git", "commit", "--quiet", "--message", message]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stderr

    return one


@pytest.mark.parametrize(
    ("message", "lines"),
    [
        ("craps: settle the fire bet from its tracker", 50),
        ("craps: settle the fire bet from its tracker" + WHY, 51),
        ("house: " + "x" * 65, 1),
        ("Merge branch 'chain'", 80),
    ],
)
def test_a_good_message_is_taken(commit, message, lines):
    assert commit(message, lines) == ""


@pytest.mark.parametrize(
    ("message", "lines", "fault"),
    [
        ("settle the fire bet", 1, "begins with the part"),
        ("house: " + "x" * 66, 1, "73 characters; 72 are allowed"),
        ("house: fees\nwithout a blank line", 1, "a blank line stands between"),
        ("house: fees", 51, "51 lines change; over 50, a body says why"),
    ],
)
def test_a_bad_message_is_refused_with_the_reason(commit, message, lines, fault):
    assert fault in commit(message, lines)
