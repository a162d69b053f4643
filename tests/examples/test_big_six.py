"""The example of a house game: installed, it is listed, counted, simulated, played for chips, and on the page."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "examples" / "croupier-big-six"
CROUPIER = ("-m", "croupier")


def test_its_own_tests_pass(run: Callable[..., str]) -> None:
    """They hold `check_game`, every stop of the wheel, the published edges, and kernel against engine."""
    tests = str(PACKAGE / "tests")

    printed = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", str(PACKAGE / "pyproject.toml"), tests)

    assert " passed" in printed


def test_its_odds_and_a_simulation_agree(run: Callable[..., str]) -> None:
    """Six standard errors: a false alarm once in five hundred million seeds, and the seed is fixed."""
    odds = json.loads(run(*CROUPIER, "odds", "big-six", "--json"))["bets"]
    edges = {row["bet"]: Fraction(row["edge"]) for row in odds}
    found = json.loads(run(*CROUPIER, "simulate", "big-six", "--bet", "five=10", "--rounds", "200000", "--json"))

    assert edges["five"] == Fraction(12, 54)
    assert found["rounds"] == 200_000
    spread = 6 * (35 * Fraction(7, 54) * Fraction(47, 54) / 200_000) ** 0.5 * 6**0.5
    assert abs(Fraction(found["edge"]) - edges["five"]) < spread


def test_a_round_can_be_played_recorded_and_verified(run: Callable[..., str]) -> None:
    played = json.loads(run(*CROUPIER, "play", "big-six", "--auto", "random", "--record", "big-six.json", "--json"))
    verified = json.loads(run(*CROUPIER, "verify", "big-six.json", "--json"))

    assert played["status"] == "finished"
    assert verified["ok"] is True


def test_its_table_is_in_the_usual_catalogue_under_a_number_of_its_own(run: Callable[..., str]) -> None:
    """The number is the first eight bytes of SHA-256 of "croupier table of big-six", in 256 to 65535."""
    program = (
        "from croupier.house import default_catalogue\n"
        "found = [t for t in default_catalogue(trusts_own=True).values() if t.game_id == 'big-six']\n"
        "print([(t.id, t.stake_max, t.super_allowed) for t in found])\n"
    )

    assert run("-c", program).strip() == "[(39190, 1000, False)]"
