"""The tutorial, followed to the letter from an empty folder; and its game as a single file in any folder."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.conftest import Shell
from tests.docs.test_pages import BLOCK, SESSIONS, follow, is_session  # type: ignore[import-not-found, unused-ignore]

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "tutorial.md"


def run(folder: Path, program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def patched(text: str, diff: str) -> str:
    """Return a text with the changes of a diff, whose parts are found by their lines alone."""
    for part in re.split(r"^@@\n", diff, flags=re.MULTILINE):
        lines = part.splitlines(keepends=True)
        old = "".join(line[1:] or "\n" for line in lines if line[0] in " -\n")
        new = "".join(line[1:] or "\n" for line in lines if line[0] in " +\n")
        assert text.count(old) == 1, part
        text = text.replace(old, new)
    return text


def test_the_tutorial_works_as_written_from_an_empty_folder(tmp_path: Path, empty_shell: Shell) -> None:
    """Every file is saved where it says, every command is typed, every change made; nothing else is there."""
    desk = tmp_path / "desk"
    module = desk / "croupier-pig" / "src" / "croupier_pig" / "__init__.py"
    text = PAGE.read_text()
    for found in BLOCK.finditer(text):
        language, block = found.groups()
        if language == "python" and not is_session(block):
            (name,) = re.findall(r"Save\s+this as `(\w+\.py)`", text[: found.start()])[-1:]
            (desk / name).write_text(block)
        elif language == "toml":
            assert (desk / "croupier-pig" / "pyproject.toml").read_text() == block
        elif language == "diff":
            module.write_text(patched(module.read_text(), block))
        elif language == "console":
            follow(block, empty_shell)
    (desk / "page.md").write_text(text)
    follow(f"$ {SESSIONS}\n$ pytest croupier-pig", empty_shell)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder that holds the tutorial's pig.py and nothing else, as on the reader's disk."""
    (tmp_path / "pig.py").write_text((ROOT / "docs" / "examples" / "pig.py").read_text())
    return tmp_path


def test_a_game_in_a_single_file_tells_its_rules(folder: Path) -> None:
    assert run(folder, "from pig import Pig; print(Pig().rules_text())") == "Pig for two to six players."


def test_a_game_typed_into_the_interpreter_tells_its_rules(folder: Path) -> None:
    program = (folder / "pig.py").read_text() + "\nprint(Pig().rules_text())\n"

    assert run(folder, program) == "Pig for two to six players."
