"""Rounds that are looked for, and the engine's record of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from typing import Any

import pytest

from croupier.engine import get_game, verify, write_record
from croupier.errors import BadOptions
from croupier.house import HouseGame
from croupier.rounds import FEES, RETURNED, STAKED
from croupier.sim.find import Condition, Found, find_rounds, play_again, read_condition
from croupier.sim.jobs import make_job
from croupier.sim.simulate import play_rounds

SEED = bytes(range(32))


def house_game(game_id: str) -> HouseGame[Any]:
    game = get_game(game_id)
    assert isinstance(game, HouseGame)
    return game


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("net > 500x", Condition("net", ">", Fraction(500), True)),
        ("net>=-2.5x", Condition("net", ">=", Fraction(-5, 2), True)),
        (" returned == 0 ", Condition("returned", "==", Fraction(0), False)),
        ("staked != 40", Condition("staked", "!=", Fraction(40), False)),
        ("fees < 3", Condition("fees", "<", Fraction(3), False)),
    ],
)
def test_a_condition_is_read(text, condition):
    assert read_condition(text) == condition


@pytest.mark.parametrize(
    "text",
    ["", "net", "net > ", "net > 5y", "cards > 3", "net => 3", "net > 1e9", "net > 5 or True"],
)
def test_anything_else_is_refused(text):
    with pytest.raises(BadOptions, match="is no condition"):
        read_condition(text)


@pytest.mark.parametrize("text", ["net > 10x", "net == -6", "net <= 0", "returned >= 100", "fees != 0"])
def test_exactly_the_rounds_for_which_it_holds_are_found(text):
    plan = house_game("roulette").plan({"straight:17": 5}, "", None, True)
    rows = play_rounds(plan, SEED, 100, 3000)
    nets = (rows[:, RETURNED] - rows[:, STAKED] - rows[:, FEES]).tolist()
    accounts = [
        {"net": net, "returned": int(row[RETURNED]), "fees": int(row[FEES])}
        for net, row in zip(nets, rows, strict=True)
    ]
    field, comparison, number = text.split()
    bound = 5 * int(number[:-1]) if number.endswith("x") else int(number)
    expected = [100 + n for n, each in enumerate(accounts) if eval(f"{each[field]} {comparison} {bound}")]

    job = make_job(house_game("roulette"), {"straight:17": 5}, "", SEED, super_mode=True)
    found = list(find_rounds(job, read_condition(text), first_session=100, rounds=3000))

    assert [each.session_id for each in found] == expected
    assert [each.net for each in found if isinstance(each, Found)] == [nets[number - 100] for number in expected]


@pytest.mark.parametrize(
    ("game_id", "bets", "policy", "text"),
    [
        ("roulette", {"straight:17": 5}, "", "net > 20x"),
        ("baccarat", {"tie": 5, "player": 10}, "", "net > 20x"),
        ("casino-war", {"main": 10}, "always_war", "staked > 10"),
        ("hi-lo", {"stake": 10}, "three_guesses", "net > 0"),
    ],
)
def test_the_engine_plays_a_found_round_to_a_record_that_verifies(game_id, bets, policy, text):
    job = make_job(house_game(game_id), bets, policy, SEED)
    for found in islice(find_rounds(job, read_condition(text), rounds=50_000), 3):
        checked = verify(write_record(play_again(job, found.session_id)))

        assert checked.ok
        assert isinstance(found, Found)
        assert checked.match is not None
        money = checked.match.game.money
        assert (money.staked, money.returned, money.fees) == (found.staked, found.returned, found.fees)
