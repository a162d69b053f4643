"""What the tutorial promises: the files it shows work as the reader has them, a single file in any folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def run(folder: Path, program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder that holds the tutorial's pig.py and nothing else, as on the reader's disk."""
    (tmp_path / "pig.py").write_text((EXAMPLES / "pig.py").read_text())
    return tmp_path


def test_a_game_in_a_single_file_conforms(folder: Path) -> None:
    program = "from croupier.testing import check_game; from pig import Pig; print(check_game(Pig(), seeds=1).findings)"

    assert run(folder, program) == "()"


def test_a_game_in_a_single_file_tells_its_rules(folder: Path) -> None:
    assert run(folder, "from pig import Pig; print(Pig().rules_text())") == "Pig for two to six players."


def test_a_game_typed_into_the_interpreter_tells_its_rules(folder: Path) -> None:
    program = (folder / "pig.py").read_text() + "\nprint(Pig().rules_text())\n"

    assert run(folder, program) == "Pig for two to six players."
