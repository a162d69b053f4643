"""Through a network that drops, doubles, delays, swaps, repeats, ages and cuts: matches end as without it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server_faults import crowd
from tests.server_faults.faulty_proxy import FaultyProxy

FAULTS = {"dropped", "doubled", "delayed", "overtaken", "cut", "half-open", "sent again", "stale", "answer lost"}


@pytest.mark.parametrize(("seed", "actions"), [(3, 250), pytest.param(4, 10_000, marks=pytest.mark.soak)])
async def test_matches_through_a_faulty_proxy_end_as_without_it(new_server: Any, seed: int, actions: int) -> None:
    server = new_server()
    async with FaultyProxy(server.address, seed) as proxy:
        slow = {"answer_seconds": 0.4, "ping_seconds": 0.5}
        async with crowd.Crowd(lambda _: proxy.url, seed, rooms=6, solos=2, guests=3, **slow) as people:
            await people.more(actions)
            await people.go_home()
            assert people.promises.refused == []
            proxy.is_kind = True
            # What was promised is what the record says, and leads to the same digest when the engine plays it alone.
            assert await people.check_records() >= 5
        faults = proxy.faults
    server.end_well()
    crowd.check_exact(people.promises, crowd.stored_versions(server.file))
    assert server.audit()["events"] == people.promises.count >= actions
    assert set(faults) == FAULTS
    print(f"{people.promises.count} actions, faults {dict(faults)}")
