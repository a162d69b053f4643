"""A crowd that plays on, whatever happens to the server, and remembers everything that it was promised.

Everybody asks again, under the same key, until there is an answer. Matches are played over live connections and over
HTTP, sessions at the house over HTTP with chips. Nobody but the crowd acts: so in the end the store has to hold exactly
what the crowd was promised, version by version, and not one event more.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import aclosing, closing, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from croupier.client import ApiError, Client, Room, Session
from croupier.engine import Action, act, apply_action, create_match, get_game, read_record, state_digest

PATIENT = (0.05, 0.1, 0.2) + (0.3,) * 2_000
"""Nobody gives up: a test that is stuck says so itself."""
STUCK_SECONDS = 90


class Promises:
    """Acknowledgements: by match, the action that led to each version."""

    def __init__(self) -> None:
        self.by_match: dict[str, dict[int, Action]] = defaultdict(dict)
        self.count = 0
        self.refused: list[str] = []
        self.changed = asyncio.Event()

    def note(self, match_id: str, version: int, action: Action) -> None:
        """Take down an acknowledgement; nobody else may have been promised the same version."""
        taken = self.by_match[match_id]
        assert version not in taken, f"{match_id} version {version} was promised twice"
        taken[version] = action
        self.count += 1
        self.changed.set()

    def copy(self) -> dict[str, set[int]]:
        """Return the versions promised until now."""
        return {match_id: set(versions) for match_id, versions in self.by_match.items()}


class Crowd:
    """People at tables. `url_of` gives each of them the server to talk to, by number."""

    def __init__(
        self,
        url_of: Callable[[int], str],
        seed: int,
        *,
        rooms: int = 6,
        solos: int = 3,
        guests: int = 6,
        **live_options: float,
    ) -> None:
        self.url_of = url_of
        self.live_options = {"answer_seconds": 5.0, "ping_seconds": 5.0, **live_options}
        self.promises = Promises()
        self.is_over = False
        self.finished: list[tuple[Client, str]] = []
        self.sessions: list[tuple[Client, Session]] = []
        self._seed = seed
        self._numbers = (rooms, solos, guests)
        self._people: list[Client] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Crowd:
        rooms, solos, guests = self._numbers
        for number in range(2 * rooms + solos + guests):
            person = Client(self.url_of(number), waits=PATIENT, timeout=30)
            await person.register(f"player {number}")
            self._people.append(person)
        here = iter(self._people)
        jobs: list[Any] = [self._table(number, next(here), next(here)) for number in range(rooms)]
        jobs += [self._solo(number, next(here)) for number in range(solos)]
        tables = {table["game"]: table["id"] for table in await self._people[0].tables()}
        jobs += [self._guest(number, next(here), tables) for number in range(guests)]
        self._tasks = [asyncio.create_task(job) for job in jobs]
        return self

    async def go_home(self) -> None:
        """Let everybody finish the match they are in, however long that takes; raise what somebody should not meet."""
        self.is_over = True
        await self._until(lambda: all(task.done() for task in self._tasks), "everybody at home")

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for person in self._people:
            await person.close()

    async def more(self, count: int) -> None:
        """Wait until so much more was promised; raise what somebody met that they should not have."""
        wanted = self.promises.count + count
        await self._until(lambda: self.promises.count >= wanted, f"{wanted} promises")

    async def _until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait until something holds, as long as there is something new now and then."""
        last = time.monotonic()
        while not holds():
            self.promises.changed.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self.promises.changed.wait(), 1)
            for task in self._tasks:
                if task.done():
                    task.result()
            if self.promises.changed.is_set():
                last = time.monotonic()
            assert time.monotonic() - last < STUCK_SECONDS, f"stuck at {self.promises.count} promises: no {what}"

    def _chance(self, *names: Any) -> Random:
        return Random(f"{self._seed} {names}")

    # A table of two, each with a live connection.

    async def _table(self, number: int, ann: Client, bob: Client) -> None:
        game = ("shut-the-box", "lanes")[number % 2]
        chance = self._chance("table", number)
        while not self.is_over:
            room = await ann.create_room(game, seats=2, is_listed=False)
            await bob.join(room.id)
            ends = await asyncio.gather(*(self._seat_in_time(one, room.id, chance) for one in (ann, bob)))
            if ends == ["finished", "finished"]:
                self.finished.append((ann, room.id))

    async def _seat_in_time(self, client: Client, room_id: str, chance: Random) -> str:
        """Play a seat. On a busy machine its secret may come too late: then the seat is gone, which is no fault."""
        try:
            return await self._seat(client, room_id, chance)
        except ApiError as error:
            if error.reason != "not_seated":
                raise
            return "late"

    async def _seat(self, client: Client, room_id: str, chance: Random) -> str:
        """Play a seat, and return how the room ended: closed if a server was away while the seats had to be opened."""
        done = 0
        async with (
            client.live(waits=PATIENT, **self.live_options) as live,
            aclosing(live.follow(room_id, legal=True)) as updates,
        ):
            async for update in updates:
                room = update.room
                self._note_missing(room)
                if room.is_over:
                    return room.status
                if room.version >= done and room.is_my_turn and room.legal:
                    done = await self._act(room, chance.choice(room.legal), live.act)
        raise AssertionError(f"{room_id} is gone")

    def _note_missing(self, room: Room) -> None:
        """Take down that a seat was left before the first move: its player had no server to open in time."""
        for seat in room.seats:
            if seat.left and 1 not in self.promises.by_match[room.id]:
                self.promises.note(room.id, 1, Action("leave", {}, seat.player_id))

    async def _act(self, room: Room, action: Action, say: Callable[..., Any]) -> int:
        try:
            after = await say(room, action)
        except ApiError as error:
            self.promises.refused.append(f"{room.id} at {room.version}: {error}")
            return room.version
        version: int = after if isinstance(after, int) else after.version
        assert version == room.version + 1
        self.promises.note(room.id, version, action)
        return version

    # Alone, over HTTP.

    async def _solo(self, number: int, client: Client) -> None:
        chance = self._chance("solo", number)
        while not self.is_over:
            room = await client.create_room("shut-the-box", seats=1, is_listed=False)
            while not room.is_over:
                seen = await client.room(room.id, legal=True)
                assert seen.version == room.version, "somebody else has acted"
                if seen.status == "closed":  # there was no server while the seat had to be opened
                    break
                action = chance.choice(seen.legal or ())
                try:
                    room = await client.act(seen, action)
                except ApiError as error:
                    self.promises.refused.append(f"{room.id} at {room.version}: {error}")
                    continue
                self.promises.note(room.id, room.version, action)
            if room.is_over:
                self.finished.append((client, room.id))

    # At the house, with chips.

    async def _guest(self, number: int, client: Client, tables: dict[str, int]) -> None:
        chance = self._chance("guest", number)
        while not self.is_over:
            if number % 2:
                session = await client.start_session(tables["blackjack"], chance.randint(1, 5))
            else:
                session = await client.start_session(tables["roulette"])
                bet = chance.choice(("red", "black", "odd"))
                session = await self._move(client, session, act("place", bet=bet, stake=chance.randint(1, 5)))
                session = await self._move(client, session, act("spin"))
            while not session.is_complete:
                seen = await client.session(session.session_id, legal=True)
                session = await self._move(client, seen, chance.choice(seen.legal or ()))
            self.sessions.append((client, session))

    async def _move(self, client: Client, session: Session, action: Action) -> Session:
        try:
            after = await client.move(session, action)
        except ApiError as error:
            self.promises.refused.append(f"session {session.session_id} at {session.version}: {error}")
            return await client.session(session.session_id)
        assert after.version == session.version + 1
        self.promises.note(f"s_{session.session_id}", after.version, action)
        return after

    # The end.

    async def check_records(self, most: int = 1_000) -> int:
        """Check the records of what was finished: by `verify`, and by playing what was promised in the engine."""
        checked = 0
        for client, room_id in self.finished[-most:]:
            found = await client.check_record(room_id)
            assert found.ok, found.problem
            record = await client.record(room_id)
            assert replayed_digest(record, self.promises.by_match[room_id]) == read_record(record).digests[-1]
            checked += 1
        for client, session in self.sessions[-most:]:
            found = await client.check_session(session)
            assert found.ok, found.problem
            checked += 1
        return checked


def replayed_digest(record: bytes, promised: dict[int, Action]) -> str:
    """Return the digest of the last state when the promised actions, and no others, are played without any server."""
    read = read_record(record)
    game = get_game(read.game_id)
    pair = read.commitments
    assert pair is not None
    match = create_match(
        game, read.players, seed=pair.match_seed(read.session_id), session_id=read.session_id,
        match_id=read.match_id, options=read.options,
    )  # fmt: skip
    for version, action in sorted(promised.items()):
        assert match.version == version - 1
        answer = apply_action(game, match, action)
        assert answer.ok, answer
        match = answer.state
    assert match.status == "finished"
    return state_digest(match)


def stored_versions(file: Path) -> dict[str, list[int]]:
    """Return the versions in an SQLite file that nobody has open, by match; the file is looked at in a copy."""
    with TemporaryDirectory() as folder:
        for name in (file.name, f"{file.name}-wal", f"{file.name}-shm"):
            if file.with_name(name).exists():
                shutil.copy(file.with_name(name), folder)
        with closing(sqlite3.connect(Path(folder) / file.name)) as connection:
            return by_match(connection.execute("SELECT match_id, version FROM events").fetchall())


def by_match(rows: Sequence[tuple[str, int]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for match_id, version in sorted(rows):
        found[match_id].append(version)
    return dict(found)


def check_kept(promised: dict[str, set[int]], stored: dict[str, list[int]]) -> None:
    """Check that whatever was promised is stored, and that versions have no gaps and come once."""
    for versions in stored.values():
        assert versions == list(range(1, len(versions) + 1))
    lost = {match_id: versions - set(stored.get(match_id, [])) for match_id, versions in promised.items()}
    assert not any(lost.values()), f"acknowledged and lost: { {k: v for k, v in lost.items() if v} }"


def check_exact(promises: Promises, stored: dict[str, list[int]]) -> None:
    """Check that what is stored is what was promised, no less and no more: nothing was applied twice."""
    promised = {match_id: sorted(versions) for match_id, versions in promises.by_match.items() if versions}
    assert stored == promised
