"""The sentence of a proof says what the page has checked, and no more."""

from __future__ import annotations

import pytest

from tests.web.test_layouts import NODE, run

ALL = ("kept", "client seed", "draws")

pytestmark = pytest.mark.skipif(NODE is None, reason="node runs the modules of the page")


def words(game: str, **came: str) -> str:
    checks = [{"name": name.replace("_", " "), "ok": ok} for name, ok in came.items()]
    listed = str(checks).replace("'true'", "true").replace("'null'", "null").replace("'false'", "false")
    return str(run("common/seal.js", f"m.sealWords({listed}, '{game}')"))


def test_all_that_was_checked_is_claimed() -> None:
    assert words("blackjack", kept="true", client_seed="true", draws="true") == (
        "The cards were fixed before you bet, and you mixed in a number of your own. "
        "Your browser worked them out again: the same."
    )


def test_draws_that_were_not_worked_out_are_not_claimed() -> None:
    said = words("craps", kept="true", client_seed="true", draws="null")
    assert said.startswith("The dice were fixed before you bet")
    assert "the same" not in said


def test_a_part_that_was_not_mine_is_not_claimed() -> None:
    assert "mixed in" not in words("lanes", kept="true", client_seed="null", draws="true")


def test_what_was_not_kept_was_not_compared() -> None:
    said = words("roulette", draws="true")
    assert "not compared with what you saw" in said
    assert "fixed before" not in said


def test_one_check_that_fails_denies_the_whole() -> None:
    assert words("roulette", kept="true", client_seed="true", draws="false").startswith("This record does not hold")
