"""The page on house games, followed to the letter from an empty folder; the example package has the same rules."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

from croupier.cli.commands.new import package_files
from tests.docs.conftest import Shell
from tests.docs.test_pages import SESSIONS, follow, is_session  # type: ignore[import-not-found, unused-ignore]

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "house-game.md").read_text()
PACKAGE = ROOT / "examples" / "croupier-big-six"
MODULE = "src/croupier_big_six/__init__.py"


def parts(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


CODE = "\n\n".join(part for part in parts("python") if not is_session(part))


def test_the_page_works_as_written_from_an_empty_folder(tmp_path: Path, empty_shell: Shell) -> None:
    """The game is written, counted, simulated and checked; packed and installed it is found, odds, bots and all."""
    desk = tmp_path / "desk"
    (desk / "big_six.py").write_text(CODE)
    (desk / "page.md").write_text(PAGE)
    follow("".join([f"$ {SESSIONS}\n", *parts("console"), "$ pytest croupier-big-six\n"]), empty_shell)

    assert (desk / "croupier-big-six" / MODULE).read_text().endswith(CODE)
    printed, _ = empty_shell("croupier simulate big-six --bet five=10 --rounds 200000 --json")
    # Six standard errors, worked out by hand: a return of 6 chips with chance 7/54.
    spread = 6 * (36 * Fraction(7, 54) * Fraction(47, 54) / 200_000) ** 0.5
    assert abs(Fraction(json.loads(printed)["edge"]) - Fraction(12, 54)) < spread


def test_the_package_has_the_same_rules_and_project_file() -> None:
    game = (PACKAGE / MODULE).read_text()
    rules = parts("python")[0]
    for name in ("SIGNS = ", "def draw(", "def settle("):
        start = rules.index(name)
        assert rules[start:].split("\n\n\n")[0].rstrip() in game
    assert (PACKAGE / "pyproject.toml").read_text().startswith(package_files("big-six", True)["pyproject.toml"])
    assert len(game.splitlines()) < 90
