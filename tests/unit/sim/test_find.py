"""Rounds one by one: those that are looked for, the engine's record of them, and tables of all."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

from croupier.engine import get_game, verify, write_record
from croupier.errors import BadOptions, BadSeed
from croupier.rounds import FEES, RETURNED, STAKED
from croupier.sim.find import Condition, Found, find_rounds, play_again, read_condition, rounds_of
from croupier.sim.jobs import make_job
from croupier.sim.results import Simulation
from croupier.sim.simulate import play_rounds, simulate_job
from tests.unit.sim.conftest import house_game

SEED = bytes(range(32))


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
def test_a_text_that_is_no_condition_is_refused(text):
    with pytest.raises(BadOptions, match="is no condition"):
        read_condition(text)


@pytest.mark.parametrize("text", ["net > 9.99999x", "net == -6", "net <= 0", "returned >= 100", "fees != 0"])
@pytest.mark.parametrize("stake", [5, 10**14 + 5])  # times the denominator, what the larger wins passes 64 bits
def test_exactly_the_rounds_for_which_it_holds_are_found(text, stake):
    plan = house_game("roulette").plan({"straight:17": stake}, "", None, True)
    rows = play_rounds(plan, SEED, 100, 3000)
    nets = (rows[:, RETURNED] - rows[:, STAKED] - rows[:, FEES]).tolist()
    accounts = [
        {"net": net, "returned": int(row[RETURNED]), "fees": int(row[FEES])}
        for net, row in zip(nets, rows, strict=True)
    ]
    field, comparison, number = text.split()
    bound = stake * Fraction(number[:-1]) if number.endswith("x") else int(number)
    expected = [100 + n for n, each in enumerate(accounts) if eval(f"{each[field]} {comparison} {bound}")]

    job = make_job(house_game("roulette"), {"straight:17": stake}, "", SEED, super_mode=True)
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


# All rounds, as a table that pandas, Arrow and Parquet take.

BETS = {"red": 10, "straight:17": 1}
JOB = make_job(get_game("roulette"), BETS, seed=b"table")


def test_a_table_of_rounds_adds_up_to_the_simulation():
    table = rounds_of(JOB, rounds=500)
    result = simulate_job(JOB, 500)

    assert isinstance(result, Simulation)
    assert list(table.columns) == ["session_id", "staked", "returned", "fees", "bonus", "net", "red", "straight:17"]
    assert len(table) == 500
    assert [int(table.columns[name].sum()) for name in ("staked", "returned", "net")] == [
        result.staked,
        result.returned,
        result.net,
    ]
    assert [int(table.columns[line.bet].sum()) for line in result.lines] == [line.returned for line in result.lines]
    assert str(table) == "roulette: 500 rounds of session_id, staked, returned, fees, bonus, net, red, straight:17"


@pytest.mark.parametrize("game", ["roulette", "three-card-poker"])
def test_kernel_and_engine_make_the_same_table(game):
    bets = BETS if game == "roulette" else {"ante": 10, "pair_plus": 5}
    kernel, engine = (
        make_job(get_game(game), bets, seed=b"table", modifiers=("double",), by_engine=by_engine)
        for by_engine in (False, True)
    )

    first, second = rounds_of(kernel, first_session=7, rounds=40), rounds_of(engine, first_session=7, rounds=40)

    assert list(first.columns) == list(second.columns)
    assert all(np.array_equal(first.columns[name], second.columns[name]) for name in first.columns)
    assert first.columns["session_id"][0] == 7


@pytest.mark.parametrize("by_engine", [False, True])
def test_the_last_sessions_are_listed_and_none_after_them(by_engine):
    job = make_job(house_game("roulette"), {"red": 10}, "", SEED, by_engine=by_engine)

    table = rounds_of(job, first_session=2**64 - 3, rounds=3)
    assert table.columns["session_id"].tolist() == [2**64 - 3, 2**64 - 2, 2**64 - 1]
    with pytest.raises(BadSeed, match="18446744073709551615"):
        rounds_of(job, first_session=2**64 - 3, rounds=4)


def test_a_round_that_is_found_is_a_row_of_the_table():
    frame = rounds_of(JOB, rounds=300).to_pandas()

    rounds = find_rounds(JOB, read_condition("net > 20"), rounds=300)
    found = [(each.session_id, each.net) for each in rounds if isinstance(each, Found)]

    assert found == [tuple(row) for row in frame[frame["net"] > 20][["session_id", "net"]].to_numpy().tolist()]
    assert found


def test_arrow_and_parquet_hold_the_same_columns(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    table = rounds_of(JOB, rounds=20)
    table.to_parquet(tmp_path / "rounds.parquet")

    read = parquet.read_table(tmp_path / "rounds.parquet")
    assert read.equals(table.to_arrow())
    assert read.column("net").to_pylist() == table.columns["net"].tolist()


def test_games_without_chips_have_no_table_of_rounds():
    with pytest.raises(BadOptions, match="against the house"):
        rounds_of(make_job(get_game("shut-the-box")))
