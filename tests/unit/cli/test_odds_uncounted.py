"""`croupier odds` of a game that cannot be counted says so, and names the simulation that measures it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from click.testing import Result

from croupier.engine import register_game
from croupier.engine.registry import unregister_game
from croupier.house import BetCodes, TableGame, TableState, TableSteps

Run = Callable[..., Result]


def draw(stream: Any, find: Any, options: Any, work: Any) -> None:
    """Throw nine dice: 6**9 ways are more than can be counted."""
    find[0] = 0
    for _ in range(9):
        find[0] += stream.next_bounded(6) + 1


def settle(kind: int, number: int, stake: int, find: Any, options: Any) -> int:
    return 2 * stake if find[0] < 31 else 0


class NineDice(TableGame[TableState]):
    """Nine dice, and a bet that they show less than 31 in all."""

    id, name = "nine-dice", "Nine Dice"
    codes = BetCodes({"low": (0, 0)})
    decide = "throw"
    steps = TableSteps.plain(draw, settle)

    def most_returned(self, bet: str, stake: int, options: Any, super_mode: bool) -> int:
        return 2 * stake


@pytest.fixture(autouse=True)
def nine_dice() -> Iterator[None]:
    register_game(NineDice())
    yield
    unregister_game("nine-dice")


def test_a_game_that_cannot_be_counted_says_so_and_offers_a_simulation(run: Run) -> None:
    answer = run("odds", "nine-dice")

    assert answer.exit_code == 0
    assert "has no exact odds: a round can fall in too many ways to be counted" in answer.stdout
    assert "with its interval: croupier simulate nine-dice" in " ".join(answer.stdout.split())


def test_the_simulation_it_offers_has_an_interval_around_the_edge(run: Run) -> None:
    """Nine dice show 31 or less just as often as 32 or more, so the edge is twice the chance of 31."""
    ways = [1]
    for _ in range(9):
        ways = [sum(ways[max(0, total - 6) : total]) for total in range(len(ways) + 6)]
    edge = 2 * ways[31] / 6**9
    line = json.loads(run("odds", "nine-dice", "--json").stdout)["simulate"]

    found = json.loads(run(*shlex.split(line)[1:], "--rounds", "300", "--engine", "--json").stdout)

    low, high = (float(bound) for bound in found["interval"])
    assert low < edge < high
