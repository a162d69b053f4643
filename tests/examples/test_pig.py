"""The example package: installed as a stranger would install it, it is listed, checked, played and verified."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "examples" / "croupier-pig"


def test_the_command_lists_it(run: Callable[..., str]) -> None:
    games = json.loads(run("-m", "croupier", "games", "--json"))["games"]

    (pig,) = [game for game in games if game["id"] == "pig"]
    assert (pig["name"], pig["players"], pig["actions"], pig["error"]) == ("Pig", [2, 6], ["roll", "hold"], None)
    assert "hold_at_20" in pig["bots"]


def test_its_rules_page_came_along(run: Callable[..., str]) -> None:
    answer = json.loads(run("-m", "croupier", "rules", "pig", "--json"))

    assert answer["rules"] == (PACKAGE / "src" / "croupier_pig" / "rules.md").read_text()


def test_a_match_can_be_played_recorded_and_verified(run: Callable[..., str]) -> None:
    croupier = ("-m", "croupier")
    played = json.loads(run(*croupier, "play", "pig", "--auto", "hold_at_20", "--record", "pig.json", "--json"))
    verified = json.loads(run(*croupier, "verify", "pig.json", "--json"))

    assert played["status"] == "finished"
    assert verified["ok"] is True
    assert max(played["result"]["scores"].values()) >= 100


def test_an_option_it_does_not_take_is_told_with_its_place(run: Callable[..., str]) -> None:
    program = (
        "from croupier import create_match, get_game\n"
        "from croupier.errors import BadOptions\n"
        "try:\n"
        "    create_match(get_game('pig'), ['a', 'b'], seed=b'', options={'target': 5})\n"
        "except BadOptions as error:\n"
        "    print(error.path)\n"
    )

    assert run("-c", program) == "$.target\n"
