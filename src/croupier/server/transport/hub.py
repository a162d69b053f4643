"""The hub: broadcasts changes of rooms to the connections that follow them.

What this process has committed is in its memory, and what another one tells of an action leads there too: those who had
seen the version before it are sent the new one at once. For everybody else rooms that have changed wait in a set. One
task takes all that wait, reads them in one transaction, makes the frame of every distinct viewer once, and hands the
frames out. Each of its reads sees what the read before it saw or more, and what it brings somebody who was sent
something meanwhile is dropped and read again: so nobody is sent an older version after a newer one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

import msgspec
from msgspec import Raw, Struct

from croupier.engine import Game, LogEntry, Match, get_game, view_for
from croupier.engine.views import log_for
from croupier.server.operations.context import CachedMatch, Context
from croupier.server.operations.dice import item_of
from croupier.server.operations.room_views import OWN, check_may_look, outline_of, own_parts
from croupier.server.problems import Problem
from croupier.server.transport import frames
from croupier.store.matches import player_id_of
from croupier.store.model import Room, StoredEvent

log = logging.getLogger("croupier.live")

LOG_MAX = 200
"""Of a log longer than that a resuming client gets the last entries, and asks for the others."""
TOLD_MAX = 500
ROOMS_AT_ONCE = 64
PRESENCE_SECONDS = 0.1
RETRY_SECONDS = 0.25

Look = Callable[..., Awaitable[Any]]


class Receiver(Protocol):
    """Somebody at the other end of a connection."""

    account_id: str

    def send(self, text: bytes) -> None:
        """Put a frame in line. Never waits, never raises."""


class Wanted(Struct, frozen=True):
    """One kind of frame of a room: for whom, in which form, and since which version. A follower has one, the next."""

    viewer: str
    legal: bool
    told: bool
    since: int


Followers = dict[Receiver, Wanted]


class Rendered(Struct, frozen=True):
    """A room's frames by what was wanted, each with the version that it brings its receiver to; -1 is the end."""

    room_id: str
    seated: frozenset[str]
    frames: dict[Wanted, tuple[bytes, int]]
    version: int = 0


class Hub:
    """Followers by room, and the task that sends them what is new."""

    def __init__(
        self, look: Look, recall: Callable[[str], CachedMatch | None], learn: Callable[[str, str], bool]
    ) -> None:
        self._look = look
        self._recall = recall
        self._learn = learn
        self._rooms: dict[str, Followers] = {}
        self._seated: dict[str, frozenset[str]] = {}
        self._dirty: dict[str, None] = {}
        self._wake = asyncio.Event()
        self._presence: set[str] = set()
        self._presence_timer: asyncio.TimerHandle | None = None
        self.on_accounts: Callable[[frozenset[str] | None], None] = lambda accounts: None
        """Hears of accounts of which a token, or more, was taken away; None if that may be any."""
        self.pushed = 0
        """How many frames were handed out."""

    def __len__(self) -> int:
        return sum(map(len, self._rooms.values()))

    # Coming and going.

    def follow(self, room_id: str, receiver: Receiver, version: int, *, legal: bool, told: bool) -> None:
        """Let somebody follow a room; a first frame comes at once, with the log since the version."""
        followers = self._rooms.setdefault(room_id, {})
        followers[receiver] = Wanted(receiver.account_id, legal, told, version)
        self.mark((room_id,))
        self._note_presence(room_id)

    def leave(self, room_id: str, receiver: Receiver) -> None:
        """Let somebody follow a room no longer."""
        followers = self._rooms.get(room_id)
        if followers is None or followers.pop(receiver, None) is None:
            return
        if followers:
            self._note_presence(room_id)
        else:
            del self._rooms[room_id]
            self._seated.pop(room_id, None)

    def is_followed(self, room_id: str, receiver: Receiver) -> bool:
        """Tell whether somebody follows a room: whoever was told that it is gone does so no longer."""
        return receiver in self._rooms.get(room_id, ())

    def hear(self, notices: Mapping[str, int]) -> None:
        """Take what a commit of this process has changed."""
        self._note_accounts(notices)
        for room_id in notices:
            followers = self._rooms.get(room_id)
            if followers and not self._hand_on(followers, self._recall(room_id)):
                self.mark((room_id,))

    def overhear(self, lines: Collection[str]) -> None:
        """Take what commits of other processes have changed: topics, and with an action in a room, what it was.

        Whoever has seen all before it is sent the new version as if this process had made it.
        """
        self._note_accounts(lines)
        for line in lines:
            room_id, _, told = line.partition(" ")
            followers = self._rooms.get(room_id)
            if followers and not (self._learn(room_id, told) and self._hand_on(followers, self._recall(room_id))):
                self.mark((room_id,))

    def mark(self, room_ids: Iterable[str]) -> None:
        """Send the followers of these rooms what is new there."""
        for room_id in room_ids:
            if room_id in self._rooms:
                self._dirty[room_id] = None
        if self._dirty:
            self._wake.set()

    def mark_all(self) -> None:
        """Send everybody what is new: something may have been missed."""
        self.mark(tuple(self._rooms))
        self.on_accounts(None)

    def _note_accounts(self, topics: Iterable[str]) -> None:
        if accounts := frozenset(topic for topic in topics if topic.startswith("p_")):
            self.on_accounts(accounts)

    # Sending.

    async def run(self) -> None:
        """Send what is new, for ever."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._dirty:
                some = tuple(self._dirty)[:ROOMS_AT_ONCE]
                for room_id in some:
                    del self._dirty[room_id]
                if not await self._push(some):
                    self.mark(some)
                    await asyncio.sleep(RETRY_SECONDS)

    async def _push(self, room_ids: Sequence[str]) -> bool:
        asked = [(room_id, frozenset(self._rooms[room_id].values())) for room_id in room_ids if room_id in self._rooms]
        try:
            answers: list[Rendered] = await self._look(render, asked)
        except Exception as error:
            log.warning("views could not be made: %s", error)
            return False
        for answer in answers:
            self._hand_out(answer)
        return True

    def _hand_out(self, answer: Rendered) -> None:
        room_id = answer.room_id
        followers = self._rooms.get(room_id, {})
        if followers and self._seated.get(room_id) != answer.seated:
            self._seated[room_id] = answer.seated
            self._note_presence(room_id)
        for receiver, wanted in tuple(followers.items()):
            text, end = answer.frames.get(wanted, (b"", 0))
            if not text:  # came meanwhile: marked again when it came
                continue
            if end < 0:
                self.leave(room_id, receiver)
            elif end < answer.version:  # there is more to be told than one frame holds
                asyncio.get_running_loop().call_later(RETRY_SECONDS, self.mark, (room_id,))
            self._send(followers, receiver, end, text)

    def _send(self, followers: Followers, receiver: Receiver, version: int, text: bytes) -> None:
        """Send a follower a frame, and note which version it brings them to."""
        if (wanted := followers.get(receiver)) is not None:
            followers[receiver] = Wanted(wanted.viewer, wanted.legal, wanted.told, version)
        receiver.send(text)
        self.pushed += 1

    def _hand_on(self, followers: Followers, live: CachedMatch | None) -> bool:
        """Send the last event to those who had seen all before it; return whether that is everybody.

        A room that has changed without an event, or that stands elsewhere by now, is left to be read.
        """
        if live is None or live.room is None or live.event is None or live.room.dice:
            return False
        story = _Story(live.room, live.match, (live.event,))
        if self._seated.get(live.room.id) != story.seated:
            return False
        made: dict[tuple[str, bool], bytes] = {}
        is_all = True
        for receiver, wanted in tuple(followers.items()):
            if wanted.since != live.version - 1:
                is_all = False
                continue
            who = wanted.viewer, wanted.legal
            try:
                if who not in made:
                    made[who] = story.view(*who, wanted.since)
            except Exception as error:  # what is on disk is read: that tells the receiver what is wrong
                log.warning("a view could not be made: %s", error)
                return False
            self._send(followers, receiver, live.version, made[who])
        return is_all

    # Presence.

    def _note_presence(self, room_id: str) -> None:
        self._presence.add(room_id)
        if self._presence_timer is None:
            loop = asyncio.get_running_loop()
            self._presence_timer = loop.call_later(PRESENCE_SECONDS, self._tell_presence)

    def _tell_presence(self) -> None:
        """Tell the followers of each room who is there, for all who came and went in a moment together."""
        self._presence_timer = None
        for room_id in self._presence:
            followers = self._rooms.get(room_id)
            seated = self._seated.get(room_id)
            if not followers or seated is None:
                continue
            here = {receiver.account_id for receiver in followers}
            frame = frames.Presence(room_id, tuple(sorted(here & seated)), len(here - seated))
            text = frames.encode(frame)
            for receiver in tuple(followers):
                receiver.send(text)
        self._presence.clear()


# Reading: an operation that looks.


def render(call: Context, asked: Sequence[tuple[str, frozenset[Wanted]]]) -> list[Rendered]:
    """Return the frames of some rooms, each made once for all who may see the same."""
    call.tx.prefetch_matches({room_id: min((one.since for one in wanted), default=0) for room_id, wanted in asked})
    return [_rendered(call, room_id, wanted) for room_id, wanted in asked]


def _rendered(call: Context, room_id: str, asked: frozenset[Wanted]) -> Rendered:
    room = call.tx.get_room(room_id)
    if room is None:
        gone = frames.encode(frames.Gone(room_id))
        return Rendered(room_id, frozenset(), dict.fromkeys(asked, (gone, -1)))
    views = [wanted.since for wanted in asked if not (wanted.told and room.dice)]
    since = max(min(views, default=room.version), room.version - LOG_MAX)
    events = call.tx.events(room.id, since=since) if since < room.version else ()
    live = call.live(room) if room.seats_started else None
    if live is not None and live.room != room and not room.dice:  # so that what others do to it can be followed
        live.room = room
    story = _Story(room, None if live is None else live.match, events)
    found = {}
    for wanted in asked:
        try:
            if wanted.told and room.dice:
                check_may_look(room, wanted.viewer)
                found[wanted] = _told(call, room, wanted)
            else:
                found[wanted] = story.view(wanted.viewer, wanted.legal, wanted.since), room.version
        except Problem as problem:
            found[wanted] = frames.encode(frames.Gone(room_id, problem.reason)), -1
    return Rendered(room_id, story.seated, found, room.version)


_Own: Any = msgspec.defstruct("_Own", [(name, Any, None) for name in OWN], frozen=True)
_NOBODYS = frames.encode(_Own())[1:]
"""How a room ends of which nothing is anybody's own."""
_VIEWER = b'"viewer":%b}'
_NO_VIEWER = _VIEWER % b"null"
"""How a match ends as a spectator sees it."""


class _Story:
    """A room, its match, and what happened there of late, told to each viewer as they may hear it."""

    def __init__(self, room: Room, match: Match[Any] | None, events: Iterable[StoredEvent]) -> None:
        self._room = room
        self._match = match
        self._outline = frames.encode(outline_of(room))[: -len(_NOBODYS)]
        self._public: bytes | None = None
        self._entries = {e.version: msgspec.convert(e.body, LogEntry) for e in events if e.kind == "action"}
        self._undone = [frames.LogItem(e.version, undone_to=e.body["version"]) for e in events if e.kind == "undo"]
        game = None if match is None else get_game(room.game_id)
        self._hides = game is not None and any(game.is_secret(entry.action) for entry in self._entries.values())
        self._logs: dict[tuple[int, str | None], Raw] = {}
        self.seated = frozenset(who.account for who in room.seats if who.account and not who.left)

    def view(self, viewer: str, legal: bool, since: int) -> bytes:
        """Return the frame of one viewer with the log since a version, or raise `Problem` if it is not for them."""
        room = self._room
        check_may_look(room, viewer)
        own = _Own(**own_parts(room, self._match, viewer, self._seen, with_legal=legal))
        since = max(since, room.version - LOG_MAX)
        player_id = None if own.seat is None or not self._hides else player_id_of(own.seat, room.seats[own.seat])
        if (since, player_id) not in self._logs:  # one for everybody, where nothing in it is hidden from anybody
            self._logs[since, player_id] = Raw(frames.encode(self._log(since, player_id)))
        seen: Any = Raw(self._outline + frames.encode(own)[1:])
        log: Any = self._logs[since, player_id]
        return frames.encode(frames.View(room.id, room.version, seen, since, log))

    def _seen(self, game: Game[Any], match: Match[Any], player_id: str | None) -> Any:
        """Return a match as a player sees it; where nothing is hidden from anybody, it is encoded once for all."""
        if type(game).view is not Game.view:
            return view_for(game, match, player_id)
        if self._public is None:
            self._public = frames.encode(view_for(game, match))[: -len(_NO_VIEWER)]
        return Raw(self._public + _VIEWER % frames.encode(player_id))

    def _log(self, since: int, player_id: str | None) -> tuple[frames.LogItem, ...]:
        entries = {version: entry for version, entry in self._entries.items() if version > since}
        shown: Iterable[LogEntry] = ()
        if entries and self._match is not None:
            shown = log_for(get_game(self._room.game_id), self._match, entries.values(), player_id)
        items = [frames.LogItem(version, entry) for version, entry in zip(entries, shown, strict=True)]
        if self._undone:
            items = sorted([*items, *(one for one in self._undone if one.version > since)], key=lambda one: one.version)
        return tuple(items)


def _told(call: Context, room: Room, wanted: Wanted) -> tuple[bytes, int]:
    events = call.tx.events(room.id, since=wanted.since, limit=TOLD_MAX) if wanted.since < room.version else ()
    end = events[-1].version if events else room.version
    return frames.encode(frames.Told(room.id, end, tuple(map(item_of, events)), room.version)), end
