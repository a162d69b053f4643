"""Rounds one by one as a labelled table, and players' bankrolls: numbers that pandas, Arrow and Parquet take."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba", reason="simulation needs croupier[sim]")

from croupier.engine import get_game
from croupier.errors import BadOptions
from croupier.house import HouseGame
from croupier.sim.bankroll import simulate_paths
from croupier.sim.find import Found, find_rounds, read_condition, rounds_of
from croupier.sim.jobs import make_job
from croupier.sim.results import Simulation
from croupier.sim.simulate import simulate_job

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


def test_bankrolls_are_a_row_a_player_with_the_rounds_for_columns():
    assert isinstance(JOB.game, HouseGame)
    paths = simulate_paths(JOB.game, {"red": 10}, bankroll=50, rounds=20, paths=8, seed=b"table")
    frame = paths.to_pandas()

    assert list(frame.columns)[:5] == ["ended", "ruined_at", "drawdown", 0, 1]
    assert frame[0].tolist() == [50] * 8
    assert frame[20].tolist() == paths.ended.tolist()
    assert frame.attrs["bankroll"] == 50
    assert str(paths).startswith("roulette: 8 players with 50 chips, 20 rounds each; ")


def test_results_print_as_a_few_lines():
    lines = str(simulate_job(JOB, 100)).splitlines()

    assert lines[0].startswith("roulette: 100 rounds, edge ")
    assert [line.split(":")[0].strip() for line in lines[1:]] == ["red", "straight"]


def test_games_without_chips_have_no_such_table():
    with pytest.raises(BadOptions, match="against the house"):
        rounds_of(make_job(get_game("shut-the-box")))
