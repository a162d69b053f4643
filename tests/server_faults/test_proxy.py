"""Through a network that drops, doubles, delays, swaps, repeats, ages and cuts: matches end as without it."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlsplit

import pytest

FAULTS = {"dropped", "doubled", "delayed", "overtaken", "cut", "half-open", "sent again", "stale", "answer lost"}


async def play_through(server: Any, crowd: Any, proxies: Any, seed: int, actions: int) -> None:
    where = urlsplit(server.url)
    async with proxies.FaultyProxy(where.hostname, where.port, seed) as proxy:
        people = crowd.Crowd(
            lambda _: proxy.url, seed, rooms=6, solos=2, guests=3, answer_seconds=0.4, ping_seconds=0.5
        )
        async with people:
            await people.more(actions)
            await people.go_home()
            assert people.promises.refused == []
            proxy.is_kind = True
            # What was promised is what the record says, and leads to the same digest when the engine plays it alone.
            assert await people.check_records() >= 5
        faults = proxy.faults
    assert server.end() == 0
    crowd.check_exact(people.promises, crowd.stored_versions(server.file))
    assert server.audit()["events"] == people.promises.count >= actions
    assert server.problems_logged() == []
    assert set(faults) == FAULTS
    print(f"{people.promises.count} actions, faults {dict(faults)}")


def test_matches_through_a_faulty_proxy_end_as_without_it(new_server: Any, crowd: Any, proxies: Any) -> None:
    server = new_server()
    server.start()

    asyncio.run(play_through(server, crowd, proxies, seed=3, actions=250))


@pytest.mark.soak
def test_many_matches_through_a_faulty_proxy_end_as_without_it(new_server: Any, crowd: Any, proxies: Any) -> None:
    server = new_server()
    server.start()

    asyncio.run(play_through(server, crowd, proxies, seed=4, actions=10_000))
