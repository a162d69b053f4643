"""Background tasks: turn time-outs, bot moves, idle sessions, expired commitments and idempotency keys, broadcasts.

While a server is down nobody's time runs: what is due at the start begins anew. Every task survives whatever it meets:
what breaks is logged, and retried later.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from contextlib import suppress
from typing import Any, Protocol

from msgspec.structs import replace

from croupier.server.operations import commitments, dice, room_bots, rooms, sessions
from croupier.server.operations.catalogue import odds_of_tables
from croupier.server.operations.context import Context
from croupier.server.operations.operators import is_frozen, unfrozen_at
from croupier.server.operations.retention import PRUNERS
from croupier.server.operations.versions import announce, priced, unannounced
from croupier.server.problems import Problem
from croupier.server.running.bot_processes import BotProcesses
from croupier.server.running.service import Service
from croupier.store.head import Head, head_of, head_path, keep_head
from croupier.store.interface import StoreUnavailable

log = logging.getLogger("croupier.clock")

DUE_SECONDS = 0.25
GATHER_SECONDS = 0.005
"""For how long topics of other processes are gathered, to be read together."""
VIEWS_SECONDS = 0.25
BOTS_SECONDS = 5.0
PASSING = ("store_unavailable", "overloaded")
IDLE_SECONDS = 15.0
PRUNE_SECONDS = 60.0
PAGE_SECONDS = 0.02
EXPIRE_SECONDS = 60.0
HEAD_SECONDS = 1.0
DUE_AT_ONCE = 100
EVER = 2**62
KNOWN_MAX = 100_000
OWN_WORK = "the server"  # whose turn it is when a task has something worked out


class Broadcaster(Protocol):
    """Sends views to everybody who follows a room: the transport's hub."""

    async def run(self) -> None:
        """Send views for ever."""

    def hear(self, notices: Mapping[str, int]) -> None:
        """Take note of rooms that this process has changed, with the versions they are at."""

    def overhear(self, lines: Collection[str]) -> None:
        """Take note of what other processes have changed, and how, where they tell."""

    def mark_all(self) -> None:
        """Take note that any room may have changed."""


class BackgroundTasks:
    """The tasks of one server process."""

    def __init__(self, service: Service, hub: Broadcaster, thinker: BotProcesses) -> None:
        self.service = service
        self.hub = hub
        self.thinker = thinker
        self._tasks: list[asyncio.Task[None]] = []
        self._listener: Any = None
        self._topics: deque[str] = deque()
        self._thinking: set[str] = set()
        self._again: set[str] = set()
        self._without_bots: dict[str, None] = {}
        self._moves: set[asyncio.Task[None]] = set()
        self._head: Head | None = None
        self._backend = service.store.backend
        self._started_at = 0

    async def start(self) -> None:
        """Begin: whatever is due by now begins anew, and bots whose turn it is go on."""
        self._started_at = self.service.clock()
        self.service.listeners.append(self._hear)
        self._listen()
        if await self.service.look(lambda call: call.tx.host()) is None:
            await self.service.change(announce)
        else:
            self._begin(self._announce())
        await self._granted()
        for account_id in await self.service.look(lambda call: call.tx.deleted_players()):
            self._begin(self._close_deleted(account_id))  # what the last server did not come to
        for name, seconds, step in (
            ("due rooms", DUE_SECONDS, self._due),
            ("idle sessions", IDLE_SECONDS, self._idle),
            ("retention", PRUNE_SECONDS, self.prune),
            ("unused commitments", EXPIRE_SECONDS, self._expire),
            ("the head", HEAD_SECONDS, self.keep_head),
        ):
            self._tasks.append(asyncio.create_task(_every(name, seconds, step)))
        self._tasks += map(asyncio.create_task, (self._views(), self._check_file(), self._count_odds()))

    async def close(self) -> None:
        """End all tasks. What they have asked for is written."""
        self._backend.stop_check()
        for task in (*self._tasks, *self._moves):
            await stop(task)
        self._tasks.clear()
        if self._listener is not None:
            await asyncio.to_thread(self._listener.close)
        self.thinker.close()

    async def _announce(self) -> None:
        """Announce what this process plays. Nothing waits for it: whatever is committed to is announced before."""
        try:
            for terms in await self.service.look(unannounced):
                await self.service.work(OWN_WORK, priced, terms)
            await self.service.change(announce)
        except Problem as problem:
            log.warning("nothing is announced before it is played: %s", problem)

    async def _views(self) -> None:
        """Let the hub send views for ever. If it breaks, everybody is sent what they may have missed."""
        while True:
            try:
                await self.hub.run()
            except Exception:
                log.exception("views broke")
            await asyncio.sleep(VIEWS_SECONDS)
            self.hub.mark_all()

    # Rooms.

    async def _granted(self) -> None:
        try:
            late, with_bots = await self.service.change(_grant)
        except Problem as problem:
            log.warning("deadlines stand as they are: %s", problem)
            return
        if late:
            log.info("time begins anew in %d rooms", late)
        for room_id in with_bots:
            self._look_for_bots(room_id)

    async def _due(self) -> None:
        found = await self.service.look(lambda call: call.tx.due_rooms(call.now, DUE_AT_ONCE))
        await asyncio.gather(*(self._do(room.id) for room in found))

    async def _do(self, room_id: str) -> None:
        await self._try(f"room {room_id}", _act_when_due, room_id)
        await self.service.change(_put_off, room_id)

    async def _try(self, where: str, job: Callable[..., Any], *args: Any) -> bool:
        """Do what is due somewhere, if it can be done: what is broken there must not keep others waiting."""
        try:
            await self.service.change(job, *args)
        except Problem as problem:
            if problem.reason in (*PASSING, "shutting_down"):
                raise
            log.error("nothing can be done in %s, whose time is up: %s", where, problem)
            return False
        return True

    # Sessions and answers.

    async def _idle(self) -> None:
        after: tuple[int, int] | None = (0, 0)
        while after is not None:
            found, after = await self.service.look(_idle_sessions, after)
            for session_id in found:
                if not await self._try(f"session {session_id}", _close_idle, session_id, self._started_at):
                    await self.service.change(sessions.put_off, session_id)

    async def _close_deleted(self, account_id: str) -> None:
        """Play out what a deleted account has open, a page at a time, so that others have theirs between."""
        try:
            while await self.service.change(_close_deleted, account_id):
                pass
        except Problem as problem:
            log.warning("sessions of a deleted account wait until they are idle: %s", problem)

    async def prune(self) -> None:
        """Take out what has been kept long enough, a page at a time, so that others have their turns between."""
        for step in PRUNERS:
            while (found := await self.service.change(step)).total():
                self.service.pruned.update(found)
                await asyncio.sleep(PAGE_SECONDS)

    async def _check_file(self) -> None:
        """Look at the whole database file once, beside the work: a large one must not keep a server from starting."""
        try:
            await self.service.work(OWN_WORK, self._backend.check_file)
        except StoreUnavailable as error:
            self.service.is_damaged = True
            log.error("nothing more is written: %s", error)

    async def _count_odds(self) -> None:
        """Have the odds of every table counted, once whoever waited for the start has been seen to."""
        await asyncio.sleep(self.service.settings.odds_ahead_ms / 1000)
        try:
            await self.thinker.count(await self.service.look(odds_of_tables))
            log.info("odds are counted")
        except Problem as problem:
            log.warning("odds are counted when somebody asks: %s", problem)

    async def keep_head(self) -> None:
        """Write down beside the database file how far the ledger has come."""
        if (path := self._backend.path) is not None:
            head = await self.service.look(lambda call: head_of(call.tx))
            if head != self._head:
                await asyncio.to_thread(keep_head, head_path(path), head)
                self._head = head

    async def _expire(self) -> None:
        while await self.service.change(commitments.open_expired):
            pass

    # Other processes.

    def _listen(self) -> None:
        loop = asyncio.get_running_loop()

        def heard(topic: str) -> None:
            self._topics.append(topic)
            if len(self._topics) == 1:  # those that come soon after are taken with it
                loop.call_soon_threadsafe(loop.call_later, GATHER_SECONDS, self._heard)

        self._listener = self._backend.listen(heard)

    def _heard(self) -> None:
        topics = []
        while self._topics:
            topics.append(self._topics.popleft())
        self.hub.overhear(dict.fromkeys(filter(None, topics)))
        if "" in topics:
            self.hub.mark_all()

    # Bots.

    def _hear(self, notices: Mapping[str, int]) -> None:
        self.hub.hear(notices)
        for room_id in notices:
            if room_id.startswith("p_"):
                self._begin(self._close_deleted(room_id))
            if room_id.startswith("m_") and room_id not in self._without_bots:
                self._look_for_bots(room_id)

    def _look_for_bots(self, room_id: str) -> None:
        if room_id in self._thinking:
            self._again.add(room_id)
            return
        self._thinking.add(room_id)
        self._begin(self._bots(room_id))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._moves.add(task)
        task.add_done_callback(self._moves.discard)

    async def _bots(self, room_id: str) -> None:
        """Let the bots of a room move until it is somebody else's turn."""
        try:
            while True:
                self._again.discard(room_id)
                turn, may_come = await self.service.look(_bot_turn, room_id)
                if not may_come:
                    self._without_bots[room_id] = None
                    if len(self._without_bots) > KNOWN_MAX:
                        del self._without_bots[next(iter(self._without_bots))]
                if turn is None:
                    if room_id in self._again:
                        continue
                    return
                action = await self.thinker.choose(turn)
                if action is None:
                    return
                await self.service.change(room_bots.bot_acts, room_id, turn.version, action)
        except Problem as problem:
            log.warning("the bots of room %s wait: %s", room_id, problem)
            if problem.reason in PASSING:  # nobody else may be able to act, and so to wake them
                await asyncio.sleep(BOTS_SECONDS)
                self._again.add(room_id)
        except Exception:
            log.exception("the bots of room %s broke", room_id)
        finally:
            self._thinking.discard(room_id)
        if room_id in self._again:
            self._look_for_bots(room_id)


async def stop(task: asyncio.Task[Any]) -> None:
    """End a task and wait until it has ended."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def _every(name: str, seconds: float, step: Callable[[], Awaitable[None]]) -> None:
    """Do something again and again, whatever comes of it."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await step()
        except (Problem, OSError) as problem:  # a store that cannot be reached, a disk that is full
            log.warning("%s: %s", name, problem)
        except Exception:
            log.exception("%s broke", name)


# Operations.


def _act_when_due(call: Context, room_id: str) -> None:
    if call.room(room_id, lock=True).dice:
        dice.dice_due(call, room_id)
    elif not is_frozen(call):  # nobody's time runs while nobody can move
        rooms.time_up(call, room_id)


def _idle_sessions(call: Context, after: tuple[int, int]) -> tuple[list[int], tuple[int, int] | None]:
    return ([], None) if is_frozen(call) else sessions.idle_sessions(call, after, unfrozen_at(call))


def _close_idle(call: Context, session_id: int, started_at: int) -> None:
    if not is_frozen(call):  # frozen since it was found
        sessions.close_idle(call, session_id, unfrozen_at(call), started_at)


def _close_deleted(call: Context, account_id: str) -> int:
    account = call.tx.get_account(account_id)
    if account is None or not account.closed_at or is_frozen(call):
        return 0
    return sessions.close_some(call, account_id)


def _put_off(call: Context, room_id: str) -> None:
    """See to it that a room is not due again at once: it is frozen, or what was to be done cannot be done."""
    room = call.room(room_id, lock=True)
    if room.deadline and room.deadline <= call.now:
        call.tx.put_room(replace(room, deadline=call.deadline(room)))


def _grant(call: Context) -> tuple[int, list[str]]:
    """Give everybody whose time ran out while the server was down their time again; return rooms that have bots.

    Nor is a deadline further off than it could have been set: then the clock was set back meanwhile.
    """
    late, with_bots = 0, []
    for listed in call.tx.due_rooms(EVER, EVER):
        is_usual = listed.scheme != 1 and call.now < listed.deadline <= call.deadline(listed)
        room = listed if is_usual else call.room(listed.id, lock=True)  # another process may have moved it on
        if room.status == "open" and room.scheme == 1:  # of an older server: closed, and so its commitment is opened
            call.tx.put_room(replace(room, status="closed", deadline=0, updated_at=call.now))
            continue
        usual = call.deadline(room)
        if room.deadline and not call.now < room.deadline <= usual:
            call.tx.put_room(replace(room, deadline=usual))
            late += 1
        if room.status == "active" and any(who.bot for who in room.seats):
            with_bots.append(room.id)
    return late, with_bots


def _bot_turn(call: Context, room_id: str) -> tuple[room_bots.BotTurn | None, bool]:
    """Return what a bot has to decide, and whether there may ever be a bot in the room."""
    room = call.room(room_id)
    may_come = room.status in ("open", "opening") or (room.status == "active" and any(who.bot for who in room.seats))
    return (room_bots.bot_turn(call, room_id) if may_come else None), may_come
