"""Background tasks, with clocks that a test sets: turn time-outs, bot moves, outages, broadcasts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from croupier.engine import Action, act, legal_actions
from croupier.engine import get_game as find_game
from croupier.server.operations import (
    accounts,
    actions,
    commitments,
    operators,
    room_bots,
    room_views,
    rooms,
    sessions,
)
from croupier.server.operations.context import Caller
from croupier.server.operations.table_settings import TableTerms
from croupier.server.running.background import BackgroundTasks, _grant
from croupier.server.running.bot_processes import BotProcesses
from croupier.store.interface import StoreUnavailable
from croupier.store.model import Account, Room
from croupier.store.transaction import Transaction
from croupier.wire.rooms import NewRoom, RoomView
from tests.unit.server.conftest import ROULETTE, Running
from tests.unit.server.starting import create_later

HI_LO = 5
HOUR = 3_600_000


class Quick(BotProcesses):
    """Thinks here and now: takes the first legal action."""

    async def choose(self, turn: room_bots.BotTurn) -> Action | None:
        return next(iter(legal_actions(find_game(turn.game_id), turn.match, turn.player_id)), None)


class Works(Running):
    """A service and its clock, whose steps a test takes one by one."""

    def __init__(self, url: str = "sqlite://") -> None:
        super().__init__(url)
        self.clock = BackgroundTasks(self.service, self.hub, Quick(1))

    async def timed_room(self, *names: str) -> tuple[Caller, RoomView]:
        """Begin a match in which a turn has ten seconds; return whose room it is, and the room."""
        ann, *others = [await self.person(name) for name in ("ann", *names)]
        body = NewRoom("shut-the-box", seats=1 + len(others), turn_ms=10_000)
        return ann, await create_later(self.service.change, ann, body, *others)

    async def bots_rest(self) -> None:
        while self.clock._moves:
            await asyncio.gather(*self.clock._moves)

    async def see(self, room: RoomView, who: Caller) -> RoomView:
        return await self.service.look(room_views.find_room, who, room.id)


@pytest.fixture
@asynccontextmanager
async def works() -> AsyncIterator[Works]:
    made = Works()
    try:
        yield made
    finally:
        await made.clock.close()
        await made.close()


async def test_a_turn_that_takes_too_long_is_taken_and_who_is_gone_has_left(works: Works) -> None:
    ann, room = await works.timed_room("bob")
    works.now += 9_999
    await works.clock._due()
    assert (await works.see(room, ann)).version == 0
    works.now += 1
    await works.clock._due()
    assert (await works.see(room, ann)).version == 1
    for _ in range(60):
        works.now += 10_000
        await works.clock._due()
    assert (await works.see(room, ann)).status == "finished"


async def test_nobodys_time_runs_while_the_server_is_down(works: Works) -> None:
    ann, room = await works.timed_room()
    works.now += 86_400_000
    await works.clock.start()  # as after a day without the server, or with its clock set wrong
    assert (await works.see(room, ann)).deadline == works.now + 10_000
    await works.clock._due()
    assert (await works.see(room, ann)).version == 0


async def test_no_session_is_played_out_for_time_in_which_its_player_could_not_move(works: Works) -> None:
    change = works.service.change
    new = await change(accounts.register, "Ann")
    ann = await change(accounts.authenticate, new.token)
    olga = Caller(Account("p_olga", "Olga", works.now, role="operator"))
    number = (await change(commitments.commit, ann)).session_id
    await change(sessions.start, ann, number, ROULETTE, 0, "", act("place", bet="red", stake=10))

    async def is_over_after(milliseconds: int) -> bool:
        works.now += milliseconds
        await works.clock._idle()
        seen = await works.service.look(sessions.find_session, ann, number)
        return bool(seen.is_complete)

    works.now += 86_400_000
    await works.clock.start()  # as after a day without the server
    assert not await is_over_after(HOUR - 1)
    await change(operators.freeze_everything, olga, True)
    assert not await is_over_after(HOUR)
    await change(operators.freeze_everything, olga, False)
    assert not await is_over_after(HOUR - 1)
    await change(operators.freeze_account, olga, ann.id, True)
    assert not await is_over_after(HOUR)
    assert not await is_over_after(HOUR - 1)
    await change(operators.freeze_account, olga, ann.id, False)
    assert not await is_over_after(HOUR - 1)
    works.clock._started_at = works.now  # a start gives nobody time who has some left
    assert await is_over_after(1)


async def test_sessions_that_may_be_idle_for_long_hide_none_that_may_not(
    works: Works, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "IDLE_PAGE", 2)
    change = works.service.change
    ann = await change(accounts.authenticate, (await change(accounts.register, "Ann")).token)
    olga = Caller(Account("p_olga", "Olga", works.now, role="operator"))
    await change(operators.set_table, olga, ROULETTE, TableTerms("roulette", abandoned_ms=60_000))
    numbers = [(await change(commitments.commit, ann)).session_id for _ in range(6)]
    for number, (table, stake) in zip(numbers, [(HI_LO, 10)] * 5 + [(ROULETTE, 0)], strict=True):
        await change(sessions.start, ann, number, table, stake, "")
    works.now += 60_000
    await works.clock._idle()

    seen = [await works.service.look(sessions.find_session, ann, number) for number in numbers]
    assert [one.is_complete for one in seen] == [False] * 5 + [True]


async def test_an_open_room_that_nobody_joins_is_closed(works: Works) -> None:
    ann = await works.person("ann")
    room = await works.service.change(rooms.create_room, ann, NewRoom("shut-the-box", seats=2))
    works.now += works.service.settings.abandoned_ms
    await works.clock._due()
    assert (await works.see(room, ann)).status == "closed"


async def test_a_room_that_an_operator_has_stopped_keeps_its_time(works: Works) -> None:
    ann, room = await works.timed_room()
    await works.service.change(lambda call: call.put_room(replace(call.room(room.id), frozen=True)))
    for _ in range(3):
        works.now += 10_000
        await works.clock._due()
    seen = await works.see(room, ann)
    assert (seen.version, seen.status, seen.deadline) == (0, "active", works.now + 10_000)


async def bots_turn(works: Works) -> tuple[Caller, RoomView]:
    """Begin a match with a bot, of which a person's box is played, and the bot's turn waits: no clock runs yet."""
    ann = await works.person("ann")
    body = NewRoom("shut-the-box", seats=2, bots=("random",))
    room = await create_later(works.service.change, ann, body)
    for _ in range(40):
        seen = await works.service.look(room_views.find_room, ann, room.id, legal=True)
        if not seen.legal:
            break
        mine = seen.legal[0]
        await works.service.change(actions.act, ann, room.id, seen.version, act(mine.type, **mine.payload))
    waiting = await works.see(room, ann)
    assert waiting.status == "active"
    assert waiting.view.turn.current == "bot:1:random"
    return ann, room


async def test_bots_move_until_it_is_somebody_elses_turn_and_again_after_a_start(works: Works) -> None:
    ann, room = await bots_turn(works)
    await works.clock.start()
    await works.bots_rest()

    assert (await works.see(room, ann)).status == "finished"


async def test_bots_go_on_when_a_store_that_was_away_is_back(works: Works, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.server.running.background.BOTS_SECONDS", 0.001)
    ann, room = await bots_turn(works)
    real, failures = works.service.store.run, iter([StoreUnavailable("gone")] * 3)

    def away(jobs: Any, **how: Any) -> Any:
        if works.clock._thinking and (failure := next(failures, None)):
            raise failure
        return real(jobs, **how)

    monkeypatch.setattr(works.service.store, "run", away)
    await works.clock.start()
    while works.clock._moves:
        await works.bots_rest()
    assert next(failures, None) is None
    assert (await works.see(room, ann)).status == "finished"


async def test_a_time_out_that_breaks_is_retried(works: Works, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = await works.person("ann")
    body = NewRoom("shut-the-box", seats=1, turn_ms=10_000)
    broken, sound = [await create_later(works.service.change, ann, body) for _ in range(2)]
    real = rooms.time_up

    def time_up(call: Any, room_id: str) -> Any:
        if room_id == broken.id:
            raise ZeroDivisionError
        return real(call, room_id)

    monkeypatch.setattr(rooms, "time_up", time_up)
    works.now += 10_000
    await works.clock._due()
    assert (await works.see(sound, ann)).version == 1
    assert (await works.see(broken, ann)).deadline == works.now + 10_000  # later, and not at once


async def test_a_session_that_cannot_be_closed_keeps_no_other_open(
    works: Works, monkeypatch: pytest.MonkeyPatch
) -> None:
    change = works.service.change
    ann = await change(accounts.authenticate, (await change(accounts.register, "Ann")).token)
    broken, sound = [(await change(commitments.commit, ann)).session_id for _ in range(2)]
    for number in (broken, sound):
        await change(sessions.start, ann, number, ROULETTE, 0, "", act("place", bet="red", stake=10))
    real = sessions.close_idle

    def close_idle(call: Any, session_id: int, *since: int) -> Any:
        return real(call, session_id, *since) if session_id != broken else 1 // 0

    monkeypatch.setattr(sessions, "close_idle", close_idle)
    works.now += HOUR
    await works.clock._idle()
    assert (await works.service.look(sessions.find_session, ann, sound)).is_complete
    assert await works.service.look(sessions.idle_sessions) == ([], None)  # the other is tried an hour later


async def test_a_store_that_is_away_ends_no_task(works: Works, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.server.running.background.DUE_SECONDS", 0.001)
    ann, room = await works.timed_room()
    await works.clock.start()
    failures: list[int] = []
    real = works.service.store.read

    def away(job: Any) -> Any:
        failures.append(1)
        raise StoreUnavailable("gone")

    works.service.store.read = away  # type: ignore[method-assign]
    works.now += 10_000
    while len(failures) < 3:
        await asyncio.sleep(0.001)
    works.service.store.read = real  # type: ignore[method-assign]
    while (await works.see(room, ann)).version == 0:
        await asyncio.sleep(0.001)


class Viewer:
    """Somebody who follows a room and looks at what comes; the sending of the first views may break."""

    account_id = "p_ann"

    def __init__(self, breaks: int = 0) -> None:
        self.got: asyncio.Queue[bytes] = asyncio.Queue()
        self.breaks = breaks

    def send(self, text: bytes) -> None:
        if self.breaks:
            self.breaks -= 1
            raise ZeroDivisionError
        self.got.put_nowait(text)

    async def view(self, version: int) -> Any:
        """Return the next view of a version."""
        while True:
            frame = msgspec.json.decode(await asyncio.wait_for(self.got.get(), 120))
            if frame["type"] == "view" and frame["version"] == version:
                return frame


async def test_views_are_sent_again_after_sending_one_broke(works: Works, monkeypatch: pytest.MonkeyPatch) -> None:
    """A follower who broke the sending of all views would otherwise be the last who was sent any."""
    monkeypatch.setattr("croupier.server.running.background.VIEWS_SECONDS", 0.001)
    _, room = await works.timed_room()
    await works.clock.start()
    follower = Viewer(breaks=1)
    works.hub.follow(room.id, follower, 0, legal=False, told=False)
    assert (await follower.view(0))["type"] == "view"
    assert follower.breaks == 0


async def test_a_process_hears_of_what_another_one_has_changed(postgres: Any) -> None:
    """An action comes with what it was, and is shown without reading anything; what else was changed is read."""
    url = postgres.new_database()
    other, works = Running(url), Works(url)
    here, there, hub, clock = other.service, works.service, works.hub, works.clock
    looks: list[Any] = []

    async def look(*asked: Any) -> Any:
        looks.append(asked)
        return await there.look(*asked)

    hub._look = look
    await clock.start()
    ann = await other.person("ann")
    room = await create_later(here.change, ann, NewRoom("shut-the-box", seats=1))
    accounts_heard: asyncio.Queue[Any] = asyncio.Queue()
    hub.on_accounts = accounts_heard.put_nowait
    made = await here.change(accounts.register, "Bob")
    bob = await here.look(accounts.authenticate, made.token)
    await here.change(accounts.drop_token, bob, f"t_{bob.token_hash[:20]}")
    assert await asyncio.wait_for(accounts_heard.get(), 120) == {bob.id}  # and of the room, which came before
    follower = Viewer()
    hub.follow(room.id, follower, 0, legal=False, told=False)
    assert (await follower.view(0))["room"]["status"] == "active"
    seen = len(looks)
    rolled = await here.change(actions.act, ann, room.id, 0, act("roll"))
    assert isinstance(rolled, Room)
    shown = await follower.view(1)
    assert len(looks) == seen, "nothing had to be read"
    stored = await there.look(room_views.find_room, ann, room.id)
    assert shown["room"] == msgspec.json.decode(msgspec.json.encode(stored))
    assert [item["entry"]["action"]["type"] for item in shown["log"]] == ["roll"]
    await here.change(lambda call: call.put_room(replace(rolled, frozen=True)))
    while not (await follower.view(1))["room"]["is_frozen"]:
        pass
    assert len(looks) > seen
    clock._listener._heard("")  # it had to connect again
    assert await asyncio.wait_for(accounts_heard.get(), 120) is None, "something may have been missed"
    await clock.close()
    for each in (other, works):
        await each.close()


def test_a_process_that_starts_leaves_a_room_as_another_one_moves_it_on(
    make_office: Any, postgres: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.new_database()
    here, there = make_office(url), make_office(url)
    ann, usual = here.guest("Ann"), Transaction.due_rooms
    room = here.begin(ann, NewRoom("shut-the-box", seats=1, turn_ms=10_000))
    there.now = room.deadline

    def listed(tx: Transaction, *asked: int) -> Any:
        found = usual(tx, *asked)
        monkeypatch.undo()
        here.do(actions.act, ann, room.id, 0, act("roll"))
        return found

    monkeypatch.setattr(Transaction, "due_rooms", listed)
    there.do(_grant)
    assert here.do(room_views.find_room, ann, room.id).version == 1
