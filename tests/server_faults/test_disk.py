"""A disk that is full under load: actions are refused, looking goes on, and all is well when there is room again."""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from croupier.client import ApiError, Client
from croupier.engine import act
from tests.server_faults import crowd

MEGABYTES = 48


class SmallDisk:
    """A file system in memory of a few megabytes, filled to the last byte and emptied again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self, server: Any) -> None:
        with open(self._filler, "ab", buffering=0) as file:
            for size in (65_536, 1):
                with suppress(OSError):
                    while True:
                        file.write(bytes(size))
        another = self.folder / "another"
        with pytest.raises(OSError, match="No space left"), open(another, "wb", buffering=0) as file:
            file.write(bytes(8192))
        another.unlink()

    def free(self, server: Any) -> None:
        self._filler.unlink()


class ShortFiles:
    """The server may make no file larger than it is: the log of the database cannot grow."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self, server: Any) -> None:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (8192, resource.RLIM_INFINITY))

    def free(self, server: Any) -> None:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@pytest.fixture(params=["full", "limited"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    folder = tmp_path / "disk"
    folder.mkdir()
    if request.param == "limited":
        yield ShortFiles(folder)
        return
    size = f"size={MEGABYTES}m,mode=0700"
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", size, "croupier-test", str(folder)], capture_output=True)
    if mounted.returncode:
        pytest.skip("it takes root, and leave to mount, to have a small disk; the limited one is tested")
    yield SmallDisk(folder)
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


async def until(holds: Callable[[], Any], seconds: float = 60.0) -> None:
    for _ in range(int(seconds / 0.05)):
        if await holds():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it did not come to that")


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux lets others set a limit")
@pytest.mark.parametrize(("times", "actions"), [(2, 25), pytest.param(6, 60, marks=pytest.mark.soak)])
async def test_a_full_disk_refuses_actions_shows_everything_and_recovers(
    new_server: Any, disk: Any, times: int, actions: int
) -> None:
    server = new_server(database=f"sqlite:///{disk.folder}/server.db")
    server.file = disk.folder / "server.db"
    tables = {"rooms": actions // 12, "solos": 2, "guests": actions // 12}
    async with crowd.Crowd(lambda _: server.url, 9, **tables) as people, Client(server.url, waits=()) as eve:
        await eve.register("Eve")
        room, kept = await eve.create_room("shut-the-box", seats=1), 0

        async def is_full() -> bool:
            try:
                await eve.post("/me/modifiers", {"modifier": "shield"})
            except ApiError as error:
                if (error.status, error.reason) != (503, "store_unavailable"):
                    raise
                return True
            return False

        async def is_free() -> bool:
            return not await is_full()

        for _ in range(times):
            await people.more(actions)
            disk.fill(server)
            assert server.probe("/readyz") == (503, "store_unavailable\n")
            await until(is_full)
            promised = people.promises.copy()
            assert (await eve.room(room.id, legal=True)).version == kept  # looking goes on
            assert (await eve.me())["name"] == "Eve"
            assert server.probe("/livez")[0] == 200
            assert server.probe("/readyz") == (503, "store_unavailable\n")
            if kept == 0:  # where the log is written over from its beginning a roll has room, and counts
                try:
                    kept = (await eve.act(room, act("roll"))).version
                except ApiError as error:
                    if error.reason != "store_unavailable":
                        raise
            disk.free(server)
            await until(is_free)
            assert server.probe("/readyz") == (200, "ready\n")
            await people.more(actions)
            assert promised.keys() <= people.promises.copy().keys()
        await people.go_home()
        assert people.promises.refused == []
        await people.check_records()
        assert (await eve.room(room.id)).version == kept
        server.end_well()
        stored = crowd.stored_versions(server.file)
        assert stored.pop(room.id, []) == [1] * kept
        crowd.check_exact(people.promises, stored)
        server.audit()
        assert not os.path.exists(f"{server.file}-journal")
