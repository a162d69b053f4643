"""The example packages, installed: their own tests, and the number of the house game's table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", ["croupier-pig", "croupier-big-six"])
def test_its_own_tests_pass(name: str, run: Callable[..., str]) -> None:
    """They hold `check_game`, the rules, and every published figure in two ways."""
    package = EXAMPLES / name
    settings = ("-p", "no:cacheprovider", "-c", str(package / "pyproject.toml"))

    printed = run("-m", "pytest", "-q", *settings, str(package / "tests"))

    assert " passed" in printed


def test_its_table_is_in_the_usual_catalogue_under_a_number_of_its_own(run: Callable[..., str]) -> None:
    """The number is the first eight bytes of SHA-256 of "croupier table of big-six", in 256 to 65535."""
    program = (
        "from croupier.house import default_catalogue\n"
        "found = [t for t in default_catalogue(trusts_own=True).values() if t.game_id == 'big-six']\n"
        "print([(t.id, t.stake_max, t.super_allowed) for t in found])\n"
    )

    assert run("-c", program).strip() == "[(39190, 1000, False)]"
