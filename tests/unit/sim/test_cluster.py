"""The same simulation on Dask workers: the same digest, also when one of them is killed."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from croupier.engine import get_game
from croupier.errors import BadOptions
from croupier.sim.cluster import connect, simulate_on
from croupier.sim.simulate import simulate
from tests.unit.sim.conftest import POOLED_STAKES, house_game

SEED = bytes(range(32))
BETS = {"red": 10, "straight:17": 1}


@pytest.mark.filterwarnings("ignore")  # whatever the cluster has to say about a worker that was killed
def test_a_killed_worker_changes_nothing():
    game = house_game("roulette")
    alone = simulate(game, BETS, rounds=16_000_000, seed=SEED)
    with connect("local:2") as client:
        together = simulate_on(client, game, BETS, rounds=16_000_000, seed=SEED, chunk=1_000_000)
        address, pid = next(iter(client.run(os.getpid).items()))
        lost: list[int] = []

        def kill(done: int) -> None:
            if not lost:
                os.kill(pid, signal.SIGSTOP)  # so that what it is working on is still there when it dies
                lost.append(len(client.processing()[address]))
                os.kill(pid, signal.SIGKILL)

        bereft = simulate_on(client, game, BETS, rounds=16_000_000, seed=SEED, chunk=50_000, on_progress=kill)
        survivors: list[Any] = list(client.run(os.getpid).values())

    assert together.digest == alone.digest
    assert bereft.digest == alone.digest
    assert lost[0] > 0, "the worker had nothing to do, so nothing was lost with it"
    assert pid not in survivors


def test_bots_and_modifiers_come_to_the_same_on_workers():
    """The engine plays the matches on the workers, a kernel the sessions."""
    box, wheel = get_game("shut-the-box"), get_game("roulette")
    seated: dict[str, Any] = {"bots": ["uniform", "optimal_score"], "rotate": True}
    armed: dict[str, Any] = {"modifiers": ["shield"]}
    with connect("local:2") as client:
        matches = simulate_on(client, box, rounds=70, seed=SEED, chunk=16, **seated)
        sessions = simulate_on(client, wheel, BETS, rounds=600_000, seed=SEED, chunk=30_000, **armed)
        played = simulate_on(client, wheel, BETS, rounds=100, seed=SEED, by_engine=True)

    assert matches == simulate(box, rounds=70, seed=SEED, **seated)
    assert sessions == simulate(wheel, BETS, rounds=600_000, seed=SEED, **armed)
    assert played.digest == simulate(wheel, BETS, rounds=100, seed=SEED).digest


def test_results_that_are_pooled_do_not_depend_on_the_size_of_the_chunks():
    game, told = house_game("craps"), {"prop_max": 5000}
    alone = simulate(game, POOLED_STAKES, "full_odds", 300_000, SEED, options=told)
    with connect("local:1") as client:
        together = simulate_on(client, game, POOLED_STAKES, "full_odds", 300_000, SEED, chunk=50_000, options=told)

    assert alone.pooled
    assert together.digest == alone.digest


@pytest.mark.parametrize("where", ["local:", "local:0", "local:two", "local:-1", "nosuch", "tcp://x"])
def test_workers_that_cannot_be_started_or_reached_are_refused(where):
    with pytest.raises(BadOptions, match="local:2"), connect(where):
        pass
