"""`Context`: what an operation works with, its transaction and the time; and `MatchCache`, the matches in play.

An operation is a function of a `Context` and what was asked. It runs inside a transaction, gets the time and its
entropy from the context, and returns a value or raises `Problem`. What it changed is in the store when the transaction
has been committed, and not before: so the matches it has moved on wait in `fresh`, and what others should hear of waits
in `notices`, until then.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from threading import Lock
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from croupier.engine import (
    Action,
    Game,
    LogEntry,
    Match,
    Refused,
    apply_action,
    get_game,
    serialize_match,
    state_digest,
)
from croupier.errors import BadDocument, CroupierError, GameFault
from croupier.server.problems import Problem, ensure, existing
from croupier.server.settings import Settings
from croupier.store.interface import Conflict
from croupier.store.matches import apply_entry, line_of, read_match
from croupier.store.matches import start_of as first_state
from croupier.store.model import Account, Room, StoredEvent
from croupier.store.transaction import Transaction

T = TypeVar("T")

log = logging.getLogger("croupier.server")

OPEN_MS = 10_000
"""How long the seats of a room have to open their secrets."""
SNAPSHOT_EVERY = 64
ANSWERS_BYTES = 32 * 2**20
ID_CHARACTERS = "0123456789abcdefghjkmnpqrstvwxyz"
CODE_CHARACTERS = "ACDEFGHJKMNPQRTWXY34679"
"""Characters of a room's code: no two of them look or sound alike."""


class Caller(Struct, frozen=True):
    """Caller of an operation: an account, or nobody in particular."""

    account: Account | None = None
    token_hash: str = ""

    @property
    def id(self) -> str:
        """The account's id. Raises `Problem` for who has no token."""
        return existing(self.account, "no_token").id

    @property
    def viewer(self) -> str | None:
        """The account's id; None for who has no token."""
        return None if self.account is None else self.account.id

    def must_play(self) -> Account:
        """Return the account, or raise `Problem` if it may only look."""
        account = existing(self.account, "no_token")
        ensure(not account.frozen, "account_frozen")
        return account


class CachedMatch(Struct):
    """A match in play, as the cache keeps it: the room's version, and the state it stands at."""

    version: int
    match: Match[Any]
    room: Room | None = None
    """The room as it was written down with this version, where this process has done that."""
    event: StoredEvent | None = None
    """The event that led to this version, where `room` is there."""
    told: str = ""
    """The notice by which another process follows, as JSON, if nothing else about the room was changed with it."""


class Told(Struct, frozen=True, array_like=True):
    """One action in a room, as processes that share a database tell each other of it."""

    version: int
    entry: LogEntry
    deadline: int

    def after(self, known: CachedMatch) -> CachedMatch | None:
        """Return the match after it; None if that does not follow from what is known."""
        if known.room is None or known.version != self.version - 1:
            return None
        match = apply_entry(get_game(known.room.game_id), known.match, self.entry)
        event = StoredEvent(known.room.id, self.version, "action", self.entry.at, self.entry)
        return CachedMatch(self.version, match, room_after(known.room, event, match, self.deadline), event)


_told = msgspec.json.Decoder(Told).decode
_encode = msgspec.json.Encoder().encode


def room_after(room: Room, event: StoredEvent, match: Match[Any], deadline: int) -> Room:
    """Return the room after an event: its version, status and deadline follow the match."""
    is_over = match.status == "finished"
    return msgspec.structs.replace(
        room,
        version=event.version,
        status="finished" if is_over else "active",
        updated_at=event.at,
        finished_at=event.at if is_over else 0,
        deadline=0 if is_over else deadline,
        undo=(),
    )


class MatchCache:
    """An LRU cache of matches as they were last committed, with the settings and the source of entropy.

    The thread that writes and those that read may use it at the same time.
    """

    def __init__(self, settings: Settings, entropy: Callable[[int], bytes]) -> None:
        self.settings = settings
        self.entropy = entropy
        self.answers = AnswerCache()
        self._kept: OrderedDict[str, CachedMatch] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def look_up(self, room_id: str) -> CachedMatch | None:
        """Return a match that is remembered, as of its last commit."""
        with self._lock:
            found = self._kept.get(room_id)
            if found is not None:
                self._kept.move_to_end(room_id)
            return found

    def remember(self, fresh: dict[str, CachedMatch]) -> None:
        """Keep what was committed; the matches that nobody asked for in the longest time are forgotten."""
        with self._lock:
            for room_id, live in fresh.items():
                known = self._kept.get(room_id)
                if known is None or known.version <= live.version:  # who only reads may come late with an older one
                    self._kept[room_id] = live
                self._kept.move_to_end(room_id)
            while len(self._kept) > self.settings.matches_kept:
                self._kept.popitem(last=False)

    def forget(self, room_id: str) -> None:
        """Drop a match: it will be read from the store again."""
        with self._lock:
            self._kept.pop(room_id, None)

    def overhear(self, room_id: str, told: str) -> bool:
        """Take in what another process has done to a room; return whether it is known now how that stands."""
        known = self.look_up(room_id)
        if known is None:
            return False
        after = None
        if told:
            try:
                after = _told(told).after(known)
            except (CroupierError, msgspec.MsgspecError) as error:
                log.warning("room %s cannot be followed, and is read: %s", room_id, error)
        if after is None:
            known.room = None  # what was changed besides is not told
            return False
        self.remember({room_id: after})
        return True


class AnswerCache:
    """An LRU cache of what is worked out from finished play: the same every time, and dear. Bounded in bytes."""

    def __init__(self, bytes_max: int = ANSWERS_BYTES) -> None:
        self._bytes_max = bytes_max
        self._bytes = 0
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._making: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T], size_of: Callable[[T], int]) -> T:
        """Return what is kept under a key, or make it; who asks for the same meanwhile waits for the one who makes.

        What has no size is not kept.
        """
        with self._lock:
            making = self._making.setdefault(key, Lock())
        with making:
            try:
                return self._found(key, make, size_of)
            finally:
                self._making.pop(key, None)

    def _found(self, key: Hashable, make: Callable[[], T], size_of: Callable[[T], int]) -> T:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                found: T = self._kept[key][0]
                return found
        made = make()
        size = size_of(made)
        if not size:
            return made
        with self._lock:
            self._kept[key] = made, size
            self._bytes += size
            while self._bytes > self._bytes_max and len(self._kept) > 1:
                self._bytes -= self._kept.popitem(last=False)[1][1]
        return made


class Context(Struct, eq=False):
    """The unit of work of one operation. `now` is the wall clock's time, in milliseconds.

    `monotonic` is that of a clock that never goes back, and says nothing beyond the life of a process.
    """

    cache: MatchCache
    tx: Transaction
    now: int
    earlier: Mapping[str, CachedMatch] = {}
    """Matches that operations before it in the same transaction have moved on."""
    monotonic: int = 0
    fresh: dict[str, CachedMatch] = {}
    """Matches that this operation has moved on; to be thrown away if it is undone."""
    notices: dict[str, int] = {}
    """Rooms that have changed, and the versions they are at now."""
    __repr__ = object.__repr__  # a log line must not tell what it holds

    def __post_init__(self) -> None:
        self.tx.remembered = self._remembered

    @property
    def settings(self) -> Settings:
        """The settings of the server."""
        return self.cache.settings

    # Names.

    def entropy(self, size: int) -> bytes:
        """Return random bytes: the system's, unless the cache was given another source."""
        return self.cache.entropy(size)

    def new_id(self, prefix: str) -> str:
        """Return an id that nobody can guess: 100 bits."""
        return prefix + _spelled(self.entropy(20), 20, ID_CHARACTERS)

    def new_code(self, length: int = 6) -> str:
        """Return a short code that people can read out to each other."""
        return _spelled(self.entropy(8 * length), length, CODE_CHARACTERS)

    # Rooms and their matches.

    def room(self, room_id: str, *, lock: bool = False) -> Room:
        """Return a room, or raise `Problem`."""
        return existing(self.tx.get_room(room_id, lock=lock), "no_such_room")

    def put_room(self, room: Room) -> Room:
        """Write a room down, and let those who watch it know."""
        self.tx.put_room(room)
        self.notices[room.id] = room.version
        live = self.fresh.get(room.id)
        if live is not None and live.version == room.version and live.room not in (None, room):
            live.room, live.told = room, ""
        return room

    def live(self, room: Room) -> CachedMatch:
        """Return the match of a room as it stands: remembered, or read from the store."""
        ensure(room.seats_started, "not_started")  # nor has that of a room which was closed before
        for found in self.kept(room.id):
            if found.version == room.version:
                return found
        live = self._read(room)
        self.fresh[room.id] = live
        return live

    def kept(self, room_id: str) -> list[CachedMatch]:
        """Return the match of a room as it is remembered: by this operation, by those before it, as committed."""
        places = (self.fresh.get(room_id), self.earlier.get(room_id), self.cache.look_up(room_id))
        return [found for found in places if found is not None]

    def _remembered(self, match_id: str, version: int) -> Match[Any] | None:
        return next((found.match for found in self.kept(match_id) if found.version == version), None)

    def _read(self, room: Room) -> CachedMatch:
        """Return a match from what is stored, or from an older state in memory and what others have done since."""
        older = [found for found in self.kept(room.id) if found.version < room.version]
        if older:
            last = max(older, key=lambda found: found.version)
            events = self.tx.events(room.id, since=last.version)
            if len(events) == room.version - last.version and all(event.kind == "action" for event in events):
                return CachedMatch(room.version, replayed(get_game(room.game_id), last.match, line_of(events)))
        return CachedMatch(room.version, read_match(self.tx, room.id, room.game_id, lambda: start_of(room)))

    def line(self, room: Room) -> list[LogEntry]:
        """Return the log of a match as it stands: what was undone is not in it."""
        return line_of(self.tx.events(room.id))

    def dispatch(self, room: Room, action: Action, *, seed: bytes | None = None) -> tuple[Room, CachedMatch]:
        """Apply an action to a room's match and write it down. Raises `Problem` where the rules refuse it."""
        game, live = get_game(room.game_id), self.live(room)
        try:
            answer = apply_action(game, live.match, action, seed=seed, now=self.now)
        except GameFault as fault:
            raise Problem("game_fault", str(fault)) from fault
        if isinstance(answer, Refused):
            raise Problem.of(answer.code, answer.error, version=room.version)
        match = answer.state
        entry = LogEntry(answer.action, match.version, self.now, answer.drew, None if seed is None else seed.hex())
        version = room.version + 1
        event = StoredEvent(room.id, version, "action", self.now, entry, state_digest(match))
        return self.moved(room, event, match)

    def moved(self, room: Room, event: StoredEvent, match: Match[Any]) -> tuple[Room, CachedMatch]:
        """Write down that a room's match stands elsewhere now."""
        try:
            self.tx.append(room.id, [event])
        except Conflict:
            raise Problem("stale_version", version=room.version) from None
        if event.version % SNAPSHOT_EVERY == 0:
            self.tx.put_snapshot(room.id, event.version, serialize_match(match, saved_at=self.now).encode())
        deadline = self.deadline(room)
        room = room_after(room, event, match, deadline)
        live = CachedMatch(room.version, match, room, event)
        if self.tx.backend.is_remote and event.kind == "action" and not room.dice:
            live.told = _encode(Told(event.version, event.body, deadline)).decode()
        self.fresh[room.id] = live
        self.put_room(room)
        return room, live

    def deadline(self, room: Room) -> int:
        """Return when the time is up: of whoever is to move, of those who open their seats, or of an open room."""
        turn_ms = {"opening": OPEN_MS, "open": 0}.get(room.status, room.turn_ms)
        return self.now + (turn_ms or self.settings.abandoned_ms)


# Matches from what is stored.


def start_of(room: Room) -> Match[Any]:
    """Return the first state of a room's match, or raise `Problem` if the rules are others by now."""
    try:
        return first_state(room)
    except BadDocument as error:
        raise Problem("game_fault", str(error)) from None


def replayed(game: Game[Any], match: Match[Any], line: Iterable[LogEntry]) -> Match[Any]:
    """Return the match after the entries of a log; they were accepted before, so they are now."""
    for entry in line:
        match = apply_entry(game, match, entry)
    return match


def _spelled(entropy: bytes, length: int, characters: str) -> str:
    """Return random characters, each equally likely: bytes that would favour some are passed over."""
    fair = 256 - 256 % len(characters)
    spelled = "".join(characters[byte % len(characters)] for byte in entropy if byte < fair)[:length]
    if len(spelled) < length:
        raise CroupierError("not enough entropy was given")
    return spelled
