"""The figures of a simulation against its rounds, counted again in plain Python."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from hashlib import sha256
from math import isclose
from statistics import fmean, pvariance
from threading import Event
from typing import Any

import numpy as np
import pytest

from croupier.engine import get_game
from croupier.errors import BadOptions
from croupier.rounds import FEES, LINES, RETURNED, ROW_SIZE, STAKED
from croupier.sim import compiled
from croupier.sim import simulate as simulating
from croupier.sim.jobs import make_job
from croupier.sim.results import simulation_of
from croupier.sim.simulate import CHUNK, play_rounds, simulate, simulate_job, tally_rounds, totals_so_far
from croupier.sim.tally import harvest, new_tally, read_tally
from tests.unit.sim.conftest import POOLED_STAKES, house_game

SEED = bytes(range(32))
CASES: list[tuple[str, dict[str, int], str, bool]] = [
    ("roulette", {"red": 10, "straight:17": 5, "dozen:2": 3}, "", False),
    ("roulette", {"straight:17": 5, "red": 7}, "", True),
    ("sic-bo", {"small": 10, "total:9": 5, "triple:4": 1}, "", True),
    ("baccarat", {"banker": 15, "tie": 5, "perfect_pair": 1}, "", True),
    ("casino-war", {"main": 10, "tie": 2}, "always_war", False),
]


def nets_of(game_id: str, bets: dict[str, int], policy: str, super_mode: bool, first: int, count: int) -> Any:
    plan = house_game(game_id).plan(bets, policy, None, super_mode)
    rows = play_rounds(plan, SEED, first, count)
    return rows, (rows[:, RETURNED] - rows[:, STAKED] - rows[:, FEES]).tolist()


@pytest.mark.parametrize(("game_id", "bets", "policy", "super_mode"), CASES)
def test_every_figure_is_what_the_rounds_add_up_to(game_id, bets, policy, super_mode):
    result = simulate(house_game(game_id), bets, policy, 5_000, SEED, super_mode=super_mode, first_session=70)
    rows, nets = nets_of(game_id, bets, policy, super_mode, 70, 5_000)

    assert result.staked == rows[:, STAKED].sum()
    assert result.returned == rows[:, RETURNED].sum()
    assert result.fees == rows[:, FEES].sum()
    assert dict(result.distribution) == Counter(nets)
    assert result.pooled == ()
    assert (result.net, result.wins, result.pushes) == (sum(nets), sum(n > 0 for n in nets), nets.count(0))
    assert result.edge == Fraction(-sum(nets), 5_000 * sum(bets.values()))
    assert isclose(float(result.variance), pvariance(nets))
    deviation = pvariance(nets) ** 0.5
    assert result.skewness is not None
    assert isclose(result.skewness, fmean(((net - fmean(nets)) / deviation) ** 3 for net in nets), abs_tol=1e-9)
    low, high = result.interval
    assert isclose((high - low) / 2, 1.96 * deviation / 5_000**0.5 / sum(bets.values()))
    ordered = sorted(nets)
    assert result.quantile(0.5) == ordered[2499]
    assert (result.quantile(0), result.quantile(1)) == (ordered[0], ordered[-1])
    for index, (bet, stake) in enumerate(bets.items()):
        profits = (rows[:, LINES + index] - stake).tolist()
        line = result.lines[index]
        assert (line.bet, line.staked, line.returned) == (bet, 5_000 * stake, sum(profits) + 5_000 * stake)
        assert line.net_squares == sum(profit * profit for profit in profits)
        assert isclose(line.stderr, (pvariance(profits) / 5_000) ** 0.5 / stake)


def test_threads_and_pieces_make_no_difference():
    game, bets = house_game("sic-bo"), {"small": 10, "triple:4": 1}
    rounds = 2 * CHUNK + 1000
    one = simulate(game, bets, rounds=rounds, seed=SEED)
    three = simulate(game, bets, rounds=rounds, seed=SEED, threads=3)
    pieces = tally_rounds(game.plan(bets), SEED, 0, 1000)
    pieces.add(tally_rounds(game.plan(bets), SEED, 1000, rounds - 1000))

    assert one == three
    assert one.digest == three.digest
    assert dict(one.distribution) == pieces.nets
    assert (one.staked, one.returned) == (pieces.staked, pieces.returned)


def test_the_digest_tells_runs_apart_and_not_hash_paths():
    game, bets = house_game("roulette"), {"red": 10}
    runs = [
        simulate(game, bets, rounds=1000, seed=SEED),
        simulate(game, bets, rounds=1001, seed=SEED),
        simulate(game, bets, rounds=1000, seed=SEED, first_session=1),
        simulate(game, bets, rounds=1000, seed=bytes(32)),
        simulate(game, {"black": 10}, rounds=1000, seed=SEED),
    ]

    assert len({run.digest for run in runs}) == 5
    assert simulate(game, bets, rounds=1000, seed=SEED, path="portable").digest == runs[0].digest


def test_a_precision_stops_it_at_the_first_chunk_that_reaches_it():
    game, bets = house_game("roulette"), {"red": 10}
    wide = simulate(game, bets, rounds=50 * CHUNK, seed=SEED, precision=0.002)
    same = simulate(game, bets, rounds=50 * CHUNK, seed=SEED, precision=0.002, threads=2)
    low, high = wide.interval
    shorter = simulate(game, bets, rounds=wide.rounds - CHUNK, seed=SEED)

    assert wide.rounds == 4 * CHUNK  # 1.96 / sqrt(rounds) is at most 0.002 from 960,400 rounds on
    assert same == wide
    assert (high - low) / 2 <= 0.002 < (shorter.interval[1] - shorter.interval[0]) / 2


@pytest.mark.parametrize("wrong", [{"rounds": 0}, {"threads": 0}, {"precision": 0.0}, {"precision": float("nan")}])
def test_nonsense_is_refused(wrong):
    with pytest.raises(BadOptions):
        simulate(house_game("roulette"), {"red": 10}, **wrong)


def made_up(nets: list[int]) -> Any:
    """Return the result of rounds that came to these nets, a chip staked in each."""
    states = np.zeros((len(nets), ROW_SIZE), np.int64)
    states[:, STAKED] = 1
    states[:, RETURNED] = np.array(nets) + 1
    totals, one = new_tally(0), np.zeros(0, np.int64)
    compiled(harvest)(states, len(nets), totals, one, one, one, one, one, one)
    tally = read_tally(totals, len(nets), {}, 1)
    told: dict[str, Any] = {
        "game_id": "",
        "policy": "",
        "super_mode": False,
        "seed": "",
        "first_session": 0,
        "hash_path": "",
    }
    return simulation_of(tally, (), **told)


def test_too_many_different_results_are_pooled_and_still_add_up():
    numbers = [int.from_bytes(sha256(bytes([n % 256, n // 256 % 256])).digest()[:4], "big") for n in range(60_000)]
    nets = [number % 2_000_000_011 - 1_000_000_000 for number in numbers]
    result = made_up(nets)

    assert sum(each.rounds for each in result.pooled) > 10_000
    assert sum(rounds for _, rounds in result.distribution) > 20_000
    assert result.net == sum(nets)
    assert result.net_squares == sum(net * net for net in nets)
    assert result.wins == sum(net > 0 for net in nets)
    assert result.skewness is None
    kept = Counter(nets)
    assert all(kept[net] >= rounds for net, rounds in result.distribution)
    for each in result.pooled:
        inside = sum(each.low <= net <= each.high for net in nets)
        assert each.rounds <= inside
    assert sum(rounds for _, _, rounds in result.ranges()) == len(nets)


def test_a_chunk_of_a_cluster_pools_the_results_that_threads_do():
    job = make_job(house_game("craps"), POOLED_STAKES, "full_odds", SEED, options={"prop_max": 5000})
    result: Any = simulate_job(job, CHUNK + 40_000)

    assert result.pooled
    assert simulating.result_of(job, simulating.work(job, 0, CHUNK + 40_000), 0) == result


def test_the_largest_results_are_counted_to_the_last_chip_and_larger_ones_refused():
    result = made_up([3_000_000_000, -3_000_000_000, 2_999_999_999])

    assert result.net_squares == 2 * 3_000_000_000**2 + 2_999_999_999**2
    with pytest.raises(BadOptions, match="3000000001"):
        made_up([3_000_000_001])


def test_a_result_prints_as_a_few_lines_in_a_notebook_and_as_plain_numbers():
    result = simulate(house_game("roulette"), {"red": 10, "straight:17": 1}, rounds=1000, seed=SEED)

    first, *bets = str(result).splitlines()
    assert first.startswith("roulette: 1,000 rounds, edge ")
    assert [line.split(":")[0].strip() for line in bets] == ["red", "straight"]
    assert "<td>straight:17</td>" in result._repr_html_()
    assert result.figures()["rounds"] == 1000
    assert sum(row["rounds"] for row in result.rows()) == 1000


# A simulation as it goes: the engine's figures while the kernel is compiled, then the kernel's, of the same rounds.

WAR = make_job(get_game("casino-war"), {"main": 10}, seed=b"so far")


def test_the_engine_gives_figures_until_the_kernel_is_ready(monkeypatch):
    ready = Event()
    work = simulating.work

    def slow(job, first, count):
        """Compile, as it were, until the engine has played a hundred rounds."""
        if not job.by_engine:
            ready.wait(60)
        return work(job, first, count)

    monkeypatch.setattr(simulating, "work", slow)
    seen = []
    for known in totals_so_far(WAR, 500):
        seen.append((known.stage, known.result()))
        if known.total.rounds >= 100:
            ready.set()

    stages = [stage for stage, _ in seen]
    assert stages.count("playing") == 1
    assert stages[-1] == "playing"
    by_engine = [result for stage, result in seen if stage == "compiling"]
    assert by_engine[0].rounds < 10
    assert by_engine[0].hash_path == "engine"
    again = simulate_job(make_job(WAR.game, WAR.bets, seed=WAR.seed, by_engine=True), by_engine[-1].rounds)
    assert by_engine[-1].digest == again.digest
    assert seen[-1][1].digest == simulate_job(WAR, 500).digest


def test_without_a_watcher_the_engine_plays_no_rounds():
    assert [known.stage for known in totals_so_far(WAR, 300, is_watched=False)] == ["playing"]


def test_an_error_of_the_compiler_is_raised(monkeypatch):
    work = simulating.work

    def broken(job, first, count):
        if not job.by_engine:
            raise RuntimeError("no machine code")
        return work(job, first, count)

    monkeypatch.setattr(simulating, "work", broken)
    with pytest.raises(RuntimeError, match="no machine code"):
        list(totals_so_far(WAR, 10**6))


def test_matches_are_told_a_few_at_a_time_and_come_to_the_same():
    job = make_job(get_game("shut-the-box"), bots=("first",), seats=2)

    known = list(totals_so_far(job, 10))

    assert [each.total.rounds for each in known][-1] == 10
    assert len(known) == 3
    assert known[-1].result().digest == simulate_job(job, 10).digest
