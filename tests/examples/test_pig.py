"""The example package: installed as a stranger would install it, it is listed, checked, played and verified."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "examples" / "croupier-pig"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that holds the package, put there by pip without an index."""
    folder = tmp_path_factory.mktemp("site-packages")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    offline = ["--no-index", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*pip, *offline, "--target", str(folder), str(PACKAGE)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def run(place: Path, folder: Path, *command: str) -> str:
    """Run Python where the package is installed, and return what it printed."""
    path = os.pathsep.join(filter(None, [str(place), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path, "XDG_DATA_HOME": str(folder), "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_command_lists_it(place: Path, tmp_path: Path) -> None:
    games = json.loads(run(place, tmp_path, "-m", "croupier", "games", "--json"))["games"]

    (pig,) = [game for game in games if game["id"] == "pig"]
    assert (pig["name"], pig["players"], pig["actions"], pig["error"]) == ("Pig", [2, 6], ["roll", "hold"], None)
    assert "hold_at_20" in pig["bots"]


def test_its_sheet_came_along(place: Path, tmp_path: Path) -> None:
    answer = json.loads(run(place, tmp_path, "-m", "croupier", "rules", "pig", "--json"))

    assert answer["rules"] == (PACKAGE / "src" / "croupier_pig" / "rules.md").read_text()


def test_it_conforms_and_its_own_tests_pass(place: Path, tmp_path: Path) -> None:
    """Its tests hold `check_game`, the rules, and the figures of its sheet in two ways."""
    tests = str(PACKAGE / "tests")

    printed = run(
        place, tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", str(PACKAGE / "pyproject.toml"), tests
    )

    assert " passed" in printed


def test_a_match_can_be_played_recorded_and_verified(place: Path, tmp_path: Path) -> None:
    croupier = ("-m", "croupier")
    played = json.loads(
        run(place, tmp_path, *croupier, "play", "pig", "--auto", "hold_at_20", "--record", "pig.json", "--json")
    )
    verified = json.loads(run(place, tmp_path, *croupier, "verify", "pig.json", "--json"))

    assert played["status"] == "finished"
    assert verified["ok"] is True
    assert max(played["result"]["scores"].values()) >= 100


def test_an_option_it_does_not_take_is_told_with_its_place(place: Path, tmp_path: Path) -> None:
    program = (
        "from croupier import create_match, get_game\n"
        "from croupier.errors import BadOptions\n"
        "try:\n"
        "    create_match(get_game('pig'), ['a', 'b'], seed=b'', options={'target': 5})\n"
        "except BadOptions as error:\n"
        "    print(error.path)\n"
    )

    assert run(place, tmp_path, "-c", program) == "$.target\n"
