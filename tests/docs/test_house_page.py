"""The pages of the house and of simulation: their tables list what there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest

from croupier.engine import get_game, list_games
from croupier.errors import BadOptions
from croupier.house import ErrorKind, HouseGame, HouseTurn, Table
from croupier.house.results import AnyResult
from croupier.house.table_game import TableGame
from tests.docs.conftest import table_rows
from tools.site_pages import on_page_markdown

ROOT = Path(__file__).parents[2]
GAMES: list[HouseGame[Any]] = [game for game in map(get_game, list_games()) if isinstance(game, HouseGame)]


def words(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_the_page_tells_every_variant_of_a_result() -> None:
    told = [words(row[0])[0] for row in table_rows("docs/house.md", "variant", "when", ticks=True)]

    assert sorted(told) == sorted(variant.__name__ for variant in get_args(AnyResult))


def test_the_page_tells_the_kinds_of_errors_with_their_codes() -> None:
    told = {
        words(kind)[0]: int(code)
        for kind, code, _ in table_rows("docs/house.md", "kind", "event code", "when", ticks=True)
    }

    assert told == {kind.name: kind.value for kind in ErrorKind}


def test_the_page_tells_the_fields_of_a_table() -> None:
    told = [name for row in table_rows("docs/house.md", "field", "meaning", ticks=True) for name in words(row[0])]

    assert tuple(told) == Table.__struct_fields__


def test_the_calls_on_a_turn_exist() -> None:
    calls = [words(row[0])[0] for row in table_rows("docs/house.md", "call", "what happens", ticks=True)]

    assert len(calls) == 4
    for call in calls:
        assert callable(getattr(HouseTurn, call.removeprefix("turn.").partition("(")[0]))


def test_the_table_of_the_usual_catalogue_has_every_house_game() -> None:
    text = on_page_markdown("<!-- made: catalogue -->\n")
    told = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]

    assert ["`craps`", "3", "1 to 30,000"] in told
    assert [row[0].strip("`") for row in told] == [game.id for game in GAMES]


def test_the_page_tells_what_super_mode_can_boost() -> None:
    eligible = {game.id: {row.bet for row in game.super_odds(game.read_options(None))} for game in GAMES}

    assert eligible == {
        "baccarat": {"player", "banker", "tie"},
        "blackjack": {"main"},
        "casino-war": {"main"},
        "craps": {"pass"},
        "hi-lo": {"stake"},
        "roulette": {f"straight:{number}" for number in range(37)},
        "sic-bo": {f"total:{total}" for total in range(4, 18)},
        "three-card-poker": {"ante"},
        "ultimate-texas-holdem": {"ante"},
        "video-poker": {"stake"},
    }


@pytest.mark.parametrize(
    "row", table_rows("docs/simulation.md", "game", "bets", "a round", "policies", ticks=True), ids=lambda row: row[0]
)
def test_the_page_of_simulation_tells_the_policies_of_a_game_the_usual_one_first(row: list[str]) -> None:
    game: Any = get_game(words(row[0])[0])
    bets = dict.fromkeys(words(row[1]), 10)
    if not bets and isinstance(game, HouseGame):
        bets = dict(game.usual_bets())
    policies = words(row[3])

    # Shut the Box has a bot that draws: the engine plays it.
    assert set(policies) == set(game.bots) - {"uniform"}
    lines = tuple(bets) or ("won", "actions")  # a game without chips has lines of its own
    assert all(game.plan(bets, policy).bets == lines for policy in policies)
    if policies:
        assert game.plan(bets).options == game.plan(bets, policies[0]).options
        with pytest.raises(BadOptions):
            game.plan(bets, "no such policy")


def test_the_page_of_simulation_tells_of_every_house_game() -> None:
    told = {
        words(row[0])[0]: row[1]
        for row in table_rows("docs/simulation.md", "game", "bets", "a round", "policies", ticks=True)
    }

    assert {game.id: "any" for game in GAMES if isinstance(game, TableGame)}.items() <= told.items()
    assert set(told) == {"shut-the-box"} | {game.id for game in GAMES}
