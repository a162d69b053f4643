"""The page on house games shows the rules of the example package."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "house-game.md").read_text()
PACKAGE = ROOT / "examples" / "croupier-big-six"
GAME = (PACKAGE / "src" / "croupier_big_six" / "__init__.py").read_text()


def parts(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_package_has_the_same_rules_and_project_file() -> None:
    rules = parts("python")[0]
    for name in ("SIGNS = ", "def draw(", "def settle("):
        start = rules.index(name)
        assert rules[start:].split("\n\n\n")[0].rstrip() in GAME
    assert (PACKAGE / "pyproject.toml").read_text().startswith(parts("toml")[0].rstrip())
    assert len(GAME.splitlines()) < 90
