"""`croupier new`: the package it writes works under any name, and nothing that is there is written over.

Installed and played it is followed in `tests/docs`: the tutorial and the page on house games both use it.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from croupier.cli.commands.new import package_files
from croupier.errors import CroupierError
from croupier.testing import check_game


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (["Two pigs"], "Two Pigs"),
        (["two-wheels", "--house"], "Two Wheels"),
        (["PIG"], "PIG"),
        (["BIG-SIX", "--house"], "BIG SIX"),
    ],
)
def test_the_game_conforms_under_its_own_name(run, folder: Path, words: list[str], title: str) -> None:
    answer = run("new", *words)

    kind, game_id = title.replace(" ", ""), title.lower().replace(" ", "-")
    module = f"croupier_{game_id.replace('-', '_')}"
    package = folder / f"croupier-{game_id}"
    files = sorted(str(path.relative_to(package)) for path in package.rglob("*") if path.is_file())
    assert answer.exit_code == 0, answer.output
    assert files == ["README.md", "pyproject.toml", f"src/{module}/__init__.py", f"tests/test_{module}.py"]
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    assert project["entry-points"] == {"croupier.games": {game_id: f"{module}:{kind}"}}
    names: dict[str, Any] = {"__name__": module}
    exec((package / f"src/{module}/__init__.py").read_text(), names)
    game = names[kind]()
    assert (game.id, game.name) == (game_id, title)
    assert check_game(game, seeds=1, rounds=100).findings == ()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("21", "a letter first"),
        ("what?", "is no name for a game"),
        ("none", "Python has a word None"),
        ("../up", "is no name for a game"),
        ("roulette", "croupier has a game roulette already"),
        ("game", "means something else"),
    ],
)
def test_an_unusable_name_is_refused_and_nothing_is_written(run, folder: Path, name: str, reason: str) -> None:
    answer = run("new", name)

    assert answer.exit_code == 2
    assert reason in answer.output
    assert list(folder.iterdir()) == []


def test_existing_files_are_not_overwritten(run, folder: Path) -> None:
    run("new", "wheel", "--house")
    module = folder / "croupier-wheel" / "src" / "croupier_wheel" / "__init__.py"
    module.write_text("changed")

    assert "is there already: nothing was written" in run("new", "wheel").output
    assert module.read_text() == "changed"


def test_a_name_of_the_games_file_cannot_be_its_class() -> None:
    for name, is_house in (("Turn", False), ("bet codes", True)):
        with pytest.raises(CroupierError, match="means something else"):
            package_files(name, is_house)
