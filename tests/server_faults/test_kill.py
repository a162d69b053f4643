"""kill -9 at random moments under load: what was acknowledged is there, and nothing happened twice."""

from __future__ import annotations

import asyncio
from random import Random
from statistics import median
from typing import Any

import pytest

from tests.server_faults import crowd

READY_SECONDS = 2.0


async def kill_again_and_again(server: Any, times: int, seed: int, usual: float, **people_of: int) -> list[float]:
    """Kill a server so many times while a crowd plays on; return how long it took to be ready again, each time."""
    chance, took = Random(seed), list[float]()
    async with crowd.Crowd(lambda _: server.url, seed, **people_of) as people:
        kills = 0
        while kills < times:
            await people.more(chance.randint(1, 25))
            await asyncio.sleep(chance.uniform(0, 0.02))
            server.kill()
            promised = people.promises.copy()
            kills += 1
            if kills % 5 == 4:  # once more, while it is starting
                server.spawn()
                await asyncio.sleep(chance.uniform(0, usual))
                server.kill()
                kills += 1
            crowd.check_kept(promised, await asyncio.to_thread(crowd.stored_versions, server.file))
            await asyncio.to_thread(server.start)
            took.append(server.took)
        await people.more(40)
        await people.go_home()
        assert people.promises.refused == []
        checked = await people.check_records()
        server.end_well()
        crowd.check_exact(people.promises, crowd.stored_versions(server.file))
        found = server.audit()
        assert found["events"] == people.promises.count
        assert found["movements"] > 0
        print(
            f"{kills} kills, {people.promises.count} actions, {checked} records; ready again after "
            f"{median(took):.2f} s (median), {max(took):.2f} s (longest); an empty server starts in {usual:.2f} s"
        )
    return took


@pytest.mark.parametrize(
    ("times", "seed", "people_of"),
    [(6, 20, {"rooms": 4, "solos": 2, "guests": 4}), pytest.param(200, 200, {}, marks=pytest.mark.soak)],
    ids=["6", "200"],
)
async def test_nothing_acknowledged_is_lost_by_kill_9(
    new_server: Any, times: int, seed: int, people_of: dict[str, int]
) -> None:
    usual = new_server()
    usual.end()

    took = await kill_again_and_again(new_server(), times, seed, usual.took, **people_of)

    # Others on the machine can only make a start slower, so the quicker ones tell how long it takes; and where even an
    # empty server takes long, so may this one.
    quick = sorted(took)[len(took) // 4]
    assert quick < max(READY_SECONDS, 2 * usual.took) or quick < 2 * new_server().took
