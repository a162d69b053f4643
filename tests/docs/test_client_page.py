"""The pages about playing on a server: their examples run against one, and their tables list what there is."""

from __future__ import annotations

import asyncio
import re
import subprocess
from pathlib import Path
from typing import Any, get_args

from croupier.client import Client, SyncClient
from croupier.engine.records.seed_checks import read_kept
from croupier.server.transport import frames
from tests.docs.conftest import load_example, table_rows
from tests.environments import clean
from tests.unit.server.conftest import serving

ROOT = Path(__file__).parents[2]


def test_the_page_lists_every_verb_of_the_client() -> None:
    listed = set(re.findall(r"`(\w+)`", (ROOT / "docs" / "client.md").read_text().partition("## All verbs")[2]))
    verbs = {name for name in dir(Client) if not name.startswith("_") and callable(getattr(Client, name))}

    assert verbs <= listed


def test_the_examples_run(tmp_path: Path) -> None:
    example = load_example("play_online")

    async def story() -> None:
        async with serving(tmp_path, requests_burst=10_000) as addresses:
            url, path = addresses.url, tmp_path / "kept.json"
            assert await asyncio.to_thread(example.roulette, url, path) in ("+10 chips", "-10 chips")
            (kept,) = read_kept(path.read_bytes()).kept
            assert (kept.kind, kept.game, kept.n) == ("session", "roulette", 1)
            said, chips = await asyncio.to_thread(example.video_poker, url)
            assert said
            assert chips >= 990
            assert await asyncio.to_thread(example.alone, url) > 2
            winners = await example.match_of_bots(url)
            assert len(winners) <= 2
            faces = await example.dice(url)
            assert all(1 <= face <= 6 for face in faces)
            room_id, version = await asyncio.to_thread(left, url)
            assert await example.watch(url, room_id) == [version]

    asyncio.run(story())


def test_the_lines_of_the_page_play_on_a_server(reader: Path, tmp_path: Path) -> None:
    """As they stand there, but for the port; in an environment of the reader's."""
    page = (ROOT / "docs" / "client.md").read_text()
    (serve_line, play_line) = re.findall(
        r"^\$ (croupier serve|python docs/examples/play_online.py) ?.*$", page, re.MULTILINE
    )
    command = [reader / "bin" / serve_line.split()[0], "serve", "--port", "0", "--metrics-port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, env=clean(), stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        (url,) = re.findall(r"croupier is at (http://\S+)", server.stdout.readline())
        words = [reader / "bin" / "python", ROOT / play_line.split()[1], url]
        played = subprocess.run(words, cwd=tmp_path, env=clean(), capture_output=True, text=True, check=False)
        server.terminate()
    assert played.returncode == 0, played.stderr
    assert len(played.stdout.splitlines()) == 5
    assert server.returncode == 0


def left(url: str) -> tuple[str, int]:
    """Return a room whose match is over, and the version it ended at."""
    with SyncClient(url) as ann:
        ann.register("Ann")
        room = ann.leave(ann.create_room("shut-the-box", seats=1).id)
        assert room.is_over
        return room.id, room.version


def told(head: str) -> dict[str, list[str]]:
    """Return the fields of each frame in the table with that head."""
    return {name: sorted(fields.split(", ")) for name, fields, *_ in table_rows("docs/live.md", head)}


def fields_of(kinds: Any) -> dict[str, list[str]]:
    return {kind.__struct_config__.tag: sorted(kind.__struct_fields__) for kind in kinds}


def test_the_page_lists_every_frame_with_its_fields() -> None:
    names = ("View", "Told", "Presence", "Done", "Refused", "Gone", "Pong", "Bye")

    assert told("the client sends") == fields_of(get_args(frames.Frame))
    assert told("the server sends") == fields_of(getattr(frames, name) for name in names)
