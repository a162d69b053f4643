"""PostgreSQL that restarts under load, and two server processes that share one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import aclosing
from random import Random
from typing import Any

import psycopg
import pytest

from croupier.client import ApiError, Client, Room
from tests.server_faults import crowd


@pytest.fixture
def own_postgres(new_postgres: Callable[[], Any]) -> Iterator[Any]:
    """A server of its own: others would not like it to restart."""
    server = new_postgres()
    yield server
    server.remove()


def stored(url: str) -> dict[str, list[int]]:
    with psycopg.connect(url) as connection:
        found: dict[str, list[int]] = crowd.by_match(
            connection.execute("SELECT match_id, version FROM events").fetchall()
        )
    return found


async def settle(people: Any, servers: list[Any]) -> None:
    """Let everybody finish, and compare what they were promised with what there is."""
    await people.go_home()
    assert people.promises.refused == []
    checked = await people.check_records()
    for server in servers:
        server.end_well()
    crowd.check_exact(people.promises, stored(servers[0].settings["database"]))
    assert servers[0].audit()["events"] == people.promises.count
    print(f"{people.promises.count} actions, {checked} records")


# Restarts.


@pytest.mark.parametrize(
    ("times", "seed", "people_of"),
    [(3, 5, {"rooms": 4, "solos": 2, "guests": 4}), pytest.param(60, 6, {}, marks=pytest.mark.soak)],
    ids=["3", "60"],
)
async def test_a_restart_of_postgresql_under_load_costs_nothing_acknowledged(
    new_server: Any, own_postgres: Any, times: int, seed: int, people_of: dict[str, int]
) -> None:
    server = new_server(database=own_postgres.new_database())
    chance = Random(seed)
    async with crowd.Crowd(lambda _: server.url, seed, **people_of) as people:
        for _ in range(times):
            await people.more(chance.randint(10, 60))
            await asyncio.sleep(chance.uniform(0, 0.05))
            await asyncio.to_thread(own_postgres.stop, "immediate")
            promised = people.promises.copy()
            status, why = await asyncio.to_thread(server.probe, "/readyz")
            assert (status, why) == (503, "store_unavailable\n")
            await asyncio.to_thread(own_postgres.start)
            crowd.check_kept(promised, stored(server.settings["database"]))
        await people.more(40)
        assert server.probe("/readyz") == (200, "ready\n")
        await settle(people, [server])


# Two processes.


@pytest.fixture
def pair(new_server: Any, postgres: Any) -> list[Any]:
    """Two server processes on one database."""
    url = postgres.new_database()
    return [new_server(database=url), new_server(database=url)]


@pytest.mark.parametrize(
    ("seed", "actions", "people_of"),
    [
        (7, 120, {"rooms": 4, "solos": 2, "guests": 4}),
        pytest.param(8, 20_000, {"rooms": 20, "solos": 10, "guests": 20}, marks=pytest.mark.soak),
    ],
    ids=["120", "20_000"],
)
async def test_a_crowd_split_over_two_processes_plays_as_at_one(
    pair: list[Any], seed: int, actions: int, people_of: dict[str, int]
) -> None:
    """Neighbours at a table talk to different processes."""
    async with crowd.Crowd(lambda number: pair[number % 2].url, seed, **people_of) as people:
        await people.more(actions)
        await settle(people, pair)


async def heard(client: Client, room_id: str) -> list[tuple[int, Any]]:
    """Return what a follower is told to have happened, version by version, until the match is over."""
    found: list[tuple[int, Any]] = []
    async with client.live() as live, aclosing(live.follow(room_id)) as updates:
        async for update in updates:
            found += [(item["version"], item["entry"]["action"]) for item in update.log]
            if update.room.is_over:
                break
    return found


async def test_the_same_key_at_two_processes_at_once_is_one_action_with_one_answer(pair: list[Any]) -> None:
    """Everything is sent to both at the same moment: requests, frames, and the making of rooms and sessions."""
    async with Client(pair[0].url) as one, Client(pair[1].url) as two, Client(pair[1].url) as eve:
        await one.register("Ann")
        two.token, two.account_id = one.token, one.account_id
        await eve.register("Eve")
        body = {"game": "shut-the-box", "seats": 1, "options": {"rounds": 3}}
        made = await asyncio.gather(*(each.post("/rooms", body, Room, key="room") for each in (one, two)))
        assert made[0] == made[1]
        room_id = made[0].id
        assert (await one.ready(room_id)).status == "active"
        following = [asyncio.create_task(heard(each, room_id)) for each in (one, eve)]
        async with one.live() as first, two.live() as second:
            await asyncio.gather(first.ping(), second.ping())
            steps = 0
            while not (room := await one.room(room_id, legal=True)).is_over:
                assert room.version == steps, "something was applied twice"
                assert room.legal
                action, key = room.legal[0], f"step {steps}".replace(" ", "-")
                answers: Any
                if steps % 2:
                    answers = await asyncio.gather(*(each.act(room, action, key=key) for each in (one, two)))
                else:
                    answers = await asyncio.gather(*(each.act(room, action, key=key) for each in (first, second)))
                assert answers[0] == answers[1]
                steps += 1
        logs = await asyncio.wait_for(asyncio.gather(*following), 300)
        assert logs[0] == logs[1]
        assert [version for version, _ in logs[0]] == list(range(1, steps + 1))
        assert (await one.check_record(room_id)).ok
        await house(one, two)
    assert pair[0].audit()["problem"] is None
    assert [server.problems_logged() for server in pair] == [[], []]


async def test_commitments_of_two_processes_at_once_are_one_series_under_one_key(pair: list[Any]) -> None:
    """The first ones make the host's key and its log, too; and of two client seeds for one commitment one is taken."""

    async def attempt(client: Client, path: str, body: Any = None) -> Any:
        try:
            return await client.post(path, body)
        except ApiError as error:
            return error

    async with Client(pair[0].url) as one, Client(pair[1].url) as two, Client(pair[1].url) as eve:
        await asyncio.gather(one.register("Ann"), eve.register("Eve"))
        two.token, two.account_id = one.token, one.account_id
        first, others = await asyncio.gather(one.post("/commitments"), eve.post("/commitments"))
        assert (first["host_key"], first["log_head"]) == (others["host_key"], others["log_head"])
        wanted = [attempt(each, "/commitments") for _ in range(15) for each in (one, two)]
        made = await asyncio.gather(*wanted)
        refusals = [found.reason for found in made if isinstance(found, ApiError)]
        given = [first, *(found for found in made if not isinstance(found, ApiError))]
        assert sorted(found["n"] for found in given) == list(range(1, 21))
        assert refusals == ["too_many_commitments"] * 11
        assert all(check.ok for check in await one.check_commitments())
        for commitment in given[:8]:
            body = {"session_id": commitment["session_id"], "table": 6, "stake": 0}
            named = (one, "ab" * 32), (two, "cd" * 32), (one, "ef" * 32)
            starts = [attempt(each, "/sessions", {**body, "client_seed": seed}) for each, seed in named]
            answers = await asyncio.gather(*starts)
            (taken,) = [found for found in answers if not isinstance(found, ApiError)]
            assert [found.reason for found in answers if isinstance(found, ApiError)] == ["seed_used"] * 2
            listed = {row["session_id"]: row for row in await two.get("/me/commitments", limit=100)}
            assert listed[taken["session_id"]]["client_seed"] == taken["client_seed"]
            await one.post(f"/sessions/{taken['session_id']}/close")
    assert pair[0].audit()["problem"] is None
    assert [server.problems_logged() for server in pair] == [[], []]


async def house(one: Client, two: Client) -> None:
    """Sit down and play at the house, saying everything to both."""
    tables = {table["game"]: table["id"] for table in await one.tables()}
    both = (one, two)
    for number in range(10):
        (seed, again) = await asyncio.gather(*(each.post("/commitments", key=f"commit-{number}") for each in both))
        assert seed == again
        body = {"session_id": seed["session_id"], "table": tables["roulette"], "stake": 0, "client_seed": "00" * 32}
        (session, again) = await asyncio.gather(*(each.post("/sessions", body, key=f"sit-{number}") for each in both))
        assert session == again
        path = f"/sessions/{session['session_id']}/moves"
        for version, action in enumerate(({"type": "place", "payload": {"bet": "red", "stake": 5}}, {"type": "spin"})):
            move = {"id": f"move-{number}-{version}", "expected_version": version, "action": action}
            (session, again) = await asyncio.gather(*(each.post(path, move) for each in both))
            assert session == again
            assert session["version"] == version + 1
    movements = await one.get("/me/ledger", limit=100)
    stakes = [row for row in movements if row["amount"] == 5 and row["target"] == "open"]
    assert len(stakes) == 10, movements
