"""`simulate_on`: the same simulation on a Dask cluster, and the same result to the last chip.

A chunk is a pure function of the seed and a range of sessions, so it does not matter where it is worked out, how often,
or in which order: a worker that is lost takes nothing with it, its chunks are worked out again. Needs
`croupier[cluster]`, on every worker.
"""

# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from dask.distributed import Client, LocalCluster, as_completed

from croupier.engine import get_game
from croupier.errors import BadOptions
from croupier.house import HouseGame
from croupier.sim.results import Simulation, simulation_of
from croupier.sim.simulate import tally_rounds
from croupier.sim.stream import hash_path
from croupier.sim.tally import Tally

__all__ = ["connect", "simulate_on"]

CHUNK = 2**24  # a second or more of work: a task costs the scheduler some milliseconds
RETRIES = 3


@contextmanager
def connect(address: str) -> Iterator[Client]:
    """Lend a client of a scheduler (`tcp://host:8786`), or of workers started here: `local:2` starts two.

    Workers that were started here end with it, and no others.
    """
    if not address.startswith("local:"):
        with Client(address, set_as_default=False) as client:
            yield client
        return
    count = address.removeprefix("local:")
    if not count.isdecimal() or not 1 <= int(count) <= 1024:
        raise BadOptions(f"local workers are named like local:2, got {address!r}")
    with (
        LocalCluster(n_workers=int(count), threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


def simulate_on(
    client: Client,
    game: HouseGame[Any],
    bets: Mapping[str, int],
    policy: str = "",
    rounds: int = 1_000_000,
    seed: bytes = bytes(32),
    *,
    options: Any = None,
    super_mode: bool = False,
    first_session: int = 0,
    chunk: int = CHUNK,
    on_progress: Callable[[int], object] | None = None,
) -> Simulation:
    """Return what `simulate` returns for the same arguments; its digest is the same, wherever the chunks ran."""
    if rounds < 1 or chunk < 1:
        raise BadOptions(f"at least one round and one a chunk, got {rounds} and {chunk}")
    plan = game.plan(bets, policy, options, super_mode)
    told = (game.id, dict(bets), policy, options, super_mode, seed)
    futures = [
        client.submit(
            _remote_tally, *told, start, min(chunk, first_session + rounds - start), retries=RETRIES, pure=False
        )
        for start in range(first_session, first_session + rounds, chunk)
    ]
    total: Tally | None = None
    for future in as_completed(futures, loop=client.loop):
        part: Tally = future.result()
        future.release()
        if total is None:
            total = part
        else:
            total.add(part)
        if on_progress is not None:
            on_progress(total.rounds)
    assert total is not None
    return simulation_of(
        total,
        plan.bets,
        plan.stakes,
        opening=plan.opening,
        hash_path=hash_path(),
        game_id=game.id,
        policy=policy,
        super_mode=super_mode,
        seed=seed.hex(),
        first_session=first_session,
    )


def _remote_tally(
    game_id: str,
    bets: dict[str, int],
    policy: str,
    options: Any,
    super_mode: bool,
    seed: bytes,
    start: int,
    count: int,
) -> Tally:
    """Work a chunk out, on whichever machine this is."""
    game = get_game(game_id)
    assert isinstance(game, HouseGame)
    return tally_rounds(game.plan(bets, policy, options, super_mode), seed, start, count)
