"""The same simulation on Dask workers: the same digest, also when one of them is killed."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from croupier.engine import get_game
from croupier.errors import BadOptions
from croupier.house import HouseGame
from croupier.sim.cluster import connect, simulate_on
from croupier.sim.simulate import simulate

SEED = bytes(range(32))
BETS = {"red": 10, "straight:17": 1}


@pytest.mark.filterwarnings("ignore")  # whatever the cluster has to say about a worker that was killed
def test_a_killed_worker_changes_nothing():
    game = get_game("roulette")
    assert isinstance(game, HouseGame)
    alone = simulate(game, BETS, rounds=3_000_000, seed=SEED)
    with connect("local:2") as client:
        together = simulate_on(client, game, BETS, rounds=3_000_000, seed=SEED, chunk=250_000)
        victims = list(client.run(os.getpid).values())
        killed: list[int] = []

        def kill(done: int) -> None:
            if not killed:
                os.kill(victims[0], signal.SIGKILL)
                killed.append(victims[0])

        bereft = simulate_on(client, game, BETS, rounds=3_000_000, seed=SEED, chunk=250_000, on_progress=kill)
        survivors: list[Any] = list(client.run(os.getpid).values())

    assert together.digest == alone.digest
    assert bereft.digest == alone.digest
    assert killed
    assert killed[0] not in survivors


@pytest.mark.parametrize("where", ["local:", "local:0", "local:two", "local:-1"])
def test_workers_that_cannot_be_started_are_refused(where):
    with pytest.raises(BadOptions, match="local:2"), connect(where):
        pass
