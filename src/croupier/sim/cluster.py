"""`simulate_on`: the same simulation on a Dask cluster, and the same result to the last chip.

A chunk is a pure function of the seed and a range of sessions, so it does not matter where it is worked out, how often,
or in which order: a worker that is lost takes nothing with it, its chunks are worked out again. Needs
`croupier[cluster]`, on every worker.
"""

# mypy: disallow-untyped-calls=False
from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from dask.distributed import Client, LocalCluster, as_completed

from croupier.engine import Game
from croupier.errors import BadOptions
from croupier.sim.jobs import Job, make_job
from croupier.sim.match_results import Matches
from croupier.sim.results import Simulation
from croupier.sim.simulate import CHUNK as POOLED
from croupier.sim.simulate import ENGINE_CHUNK, Part, added, result_of, work

CHUNK = 2**24  # a second or more of work: a task costs the scheduler some milliseconds
RETRIES = 3


@contextmanager
def connect(address: str) -> Iterator[Client]:
    """Lend a client of a scheduler (`tcp://host:8786`), or of workers started here: `local:2` starts two.

    Workers that were started here end with it, and no others.
    """
    if not re.fullmatch(r"local:[1-9][0-9]{0,3}|(tcp|tls|ucx|wss?)://\S+:[0-9]{1,5}", address):
        raise BadOptions(f"a cluster is local:2, which starts two workers, or tcp://HOST:PORT, got {address!r}")
    if not address.startswith("local:"):
        with Client(address, set_as_default=False) as client:
            yield client
        return
    count = int(address.removeprefix("local:"))
    if count > 1024:
        raise BadOptions(f"at most 1,024 workers are started here, got {address!r}")
    with (
        LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


def simulate_on(
    client: Client,
    game: Game[Any],
    bets: Mapping[str, int] | None = None,
    policy: str = "",
    rounds: int = 1_000_000,
    seed: bytes | int | str = bytes(32),
    *,
    first_session: int = 0,
    chunk: int | None = None,
    on_progress: Callable[[int], object] | None = None,
    **told: Any,
) -> Simulation | Matches:
    """Return what `simulate` returns for the same arguments; its digest is the same, wherever the chunks ran.

    Where there is a kernel, a chunk is rounded up to a multiple of 262,144 rounds.
    """
    job = make_job(game, bets, policy, seed, **told)
    return simulate_job_on(client, job, rounds, first_session=first_session, chunk=chunk, on_progress=on_progress)


def simulate_job_on(
    client: Client,
    job: Job,
    rounds: int,
    *,
    first_session: int = 0,
    chunk: int | None = None,
    on_progress: Callable[[int], object] | None = None,
) -> Simulation | Matches:
    """Return what `simulate_on` returns, for a job that has been made."""
    has_kernel = job.kernel_plan() is not None
    size = (CHUNK if has_kernel else ENGINE_CHUNK) if chunk is None else chunk
    if rounds < 1 or size < 1:
        raise BadOptions(f"at least one round and one a chunk, got {rounds} and {size}")
    if has_kernel:  # which results are pooled depends on how many are taken at once
        size += -size % POOLED
    end = first_session + rounds
    futures = [
        client.submit(work, job, start, min(size, end - start), retries=RETRIES, pure=False)
        for start in range(first_session, end, size)
    ]
    total: Part | None = None
    for future in as_completed(futures, loop=client.loop):
        part: Part = future.result()
        future.release()
        total = added(total, part)
        if on_progress is not None:
            on_progress(total.rounds)
    assert total is not None
    return result_of(job, total, first_session)
