"""Deterministic simulation of the server with faults of network, process and clock, from one seed."""

from __future__ import annotations

import pytest

from tests.unit.server import simulated

_soak = [
    *(pytest.param(name, 25_000, marks=pytest.mark.soak) for name in ("spades", "hearts", "diamonds", "clubs")),
    *(pytest.param(f"soak {number}", 100_000, marks=pytest.mark.soak) for number in range(50)),
]


@pytest.mark.parametrize(("seed", "actions"), [("spades", 15_000), *_soak])
def test_nothing_acknowledged_is_lost_and_nothing_happens_twice(seed, actions):
    """15,000 actions, and five million in the soak, in worlds that fit into memory."""
    world = simulated.World(seed.encode(), rooms_each=24)
    world.run(actions)
    world.check()

    assert world.counts["acknowledged"] == actions
    for what in ("died before", "died after", "asked again", "late answers", "refused stale_version", "records"):
        assert world.counts[what] > 10, world.counts


_more = (pytest.param(seed, marks=pytest.mark.soak) for seed in (b"two", b"three"))


@pytest.mark.parametrize("seed", [b"one", *_more])
def test_one_seed_replays_one_run(seed):
    digests = []
    for _ in range(2):
        world = simulated.World(seed)
        world.run(1_500)
        digests.append((world.check(), dict(world.counts), world.now))

    assert digests[0] == digests[1]


def test_another_seed_is_another_run():
    digests = set()
    for seed in (b"one", b"two"):
        world = simulated.World(seed)
        world.run(300)
        digests.add(world.check())

    assert len(digests) == 2
