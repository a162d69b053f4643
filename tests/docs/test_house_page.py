"""The pages of the house and of simulation: their tables list what there is."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.engine import get_game, list_games
from croupier.errors import BadOptions
from croupier.house import HouseGame, HouseTurn
from croupier.house.table_game import TableGame
from tests.docs.conftest import rows_in, table_rows, words
from tools.site_pages import on_page_markdown

GAMES: list[HouseGame[Any]] = [game for game in map(get_game, list_games()) if isinstance(game, HouseGame)]
SIMULATED = table_rows("docs/simulation.md", "game", "bets", "a round", "policies", ticks=True)


def test_the_calls_on_a_turn_exist() -> None:
    calls = [words(row[0])[0] for row in table_rows("docs/house.md", "call", "what happens", ticks=True)]

    assert len(calls) == 4
    for call in calls:
        assert callable(getattr(HouseTurn, call.removeprefix("turn.").partition("(")[0]))


def test_the_table_of_the_usual_catalogue_has_every_house_game() -> None:
    told = rows_in(on_page_markdown("<!-- made: catalogue -->\n"))

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


@pytest.mark.parametrize("row", SIMULATED, ids=lambda row: row[0])
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
    told = {words(row[0])[0]: row[1] for row in SIMULATED}

    assert {game.id: "any" for game in GAMES if isinstance(game, TableGame)}.items() <= told.items()
    assert set(told) == {"shut-the-box"} | {game.id for game in GAMES}
