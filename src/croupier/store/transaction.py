"""One transaction on a database: the questions of the interface, as statements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.json import Decoder

from croupier.engine import Match
from croupier.engine.plain import INT64_MAX, canonical
from croupier.house.ledger import CARRIED_KEY, Movement
from croupier.store.backends import Backend
from croupier.store.execution import Execution
from croupier.store.house import HouseTables, read_movement
from croupier.store.interface import Conflict, Reads
from croupier.store.matches import session_match_id
from croupier.store.model import (
    Account,
    Audit,
    Reply,
    Room,
    SeedRow,
    SessionRow,
    StoredEvent,
    StoredSession,
    Token,
    VersionRow,
)
from croupier.store.statements import Statement

__all__ = ["Transaction"]

T = TypeVar("T")

_account = Decoder(Account).decode
_token = Decoder(Token).decode
_room = Decoder(Room).decode
_seed = Decoder(SeedRow).decode
_session = Decoder(SessionRow).decode
_stored_session = Decoder(StoredSession).decode
CARRIED = "carried"
"""Where a list of movements says that older ones came from."""
_plain = Decoder(dict[str, Any]).decode


class Transaction(Execution):
    """One transaction, on a connection to either database. What it has put it also gets.

    `lock=True` keeps other processes off a row until the end. `topics` are those to tell others of.

    What nobody else can change before the end is asked for once: rooms and seeds that are locked, or whatever is read
    where there is one writer. `remembered` finds the match of a session at a version in somebody's memory.
    """

    def __init__(self, backend: Backend, connection: Any, *, writes: bool, keeps_back: bool = False) -> None:
        super().__init__(backend, connection, writes=writes, keeps_back=keeps_back)
        self._house: HouseTables | None = None
        self._seats: dict[str, tuple[str, ...]] = {}
        self._rooms: dict[str, Room] = {}
        self._seeds: dict[int, SeedRow] = {}
        self._settings: dict[str, bytes | None] = {}
        self._accounts: dict[str, Account | None] = {}
        self._tokens: dict[str, Token | None] = {}
        self._replies: dict[tuple[str, str], Reply | None] = {}
        self._events: dict[str, tuple[int, list[StoredEvent]]] = {}
        self.remembered: Callable[[str, int], Match[Any] | None] = lambda match_id, version: None
        self.topics: dict[str, None] = {}

    def forget(self) -> None:
        """Something was undone: what was read since may be wrong."""
        self._house = None
        known: list[dict[Any, Any]] = [self._seats, self._rooms, self._seeds, self._settings, self._accounts]
        known += [self._tokens, self._replies]
        for each in known:
            each.clear()

    def prefetch(self, wanted: Sequence[Reads]) -> None:
        """Read together what jobs are going to read one by one, where each would be a round trip."""
        if not self.backend.is_remote or not wanted:
            return
        sql = self._sql
        rooms, accounts, tokens, settings, replies = (
            list(dict.fromkeys(name for reads in wanted for name in getattr(reads, kind)))
            for kind in ("rooms", "accounts", "tokens", "settings", "replies")
        )
        keys = {"account": [account for account, _ in replies], "key": [key for _, key in replies]}
        # Rooms first: an answer that another process has given to the same request is there when its room is free.
        found = self.several([
            (sql.lock_rooms, {"ids": rooms}),
            (sql.some_accounts, {"ids": accounts}),
            (sql.some_tokens, {"ids": tokens}),
            (sql.some_settings, {"ids": settings}),
            (sql.some_replies, keys),
        ])  # fmt: skip
        for room in (_room(row[0]) for row in found[0]):
            self._rooms[room.id], self._seats[room.id] = room, _seated(room)
        self._accounts = dict.fromkeys(accounts) | {one.id: one for one in (_account(row[0]) for row in found[1])}
        self._tokens = dict.fromkeys(tokens) | {one.hash: one for one in (_token(row[0]) for row in found[2])}
        self._settings = dict.fromkeys(settings) | {name: bytes(value) for name, value in found[3]}
        self._replies = dict.fromkeys(replies) | {(row[0], row[1]): Reply(*row) for row in found[4]}

    def prefetch_matches(self, since: dict[str, int]) -> None:
        """Read rooms together, unlocked, with the events of their matches since a version each; in a job of `read`."""
        if not self.backend.is_remote:
            return
        ids = list(since)
        found, events = self.several([
            (self._sql.some_rooms, {"ids": ids}),
            (self._sql.some_events, {"id": ids, "since": list(since.values())}),
        ])  # fmt: skip
        self._rooms = {room.id: room for room in (_room(row[0]) for row in found)}
        self._events = {match_id: (version, []) for match_id, version in since.items()}
        for match_id, *row in events:
            self._events[match_id][1].append(_event(match_id, row))

    def _put(self, statement: Statement, value: Struct, **more: Any) -> int:
        """Write a value down: its body, and the columns of its table, which are fields of it or given beside it."""
        row = {name: more[name] if name in more else getattr(value, name) for name in statement.columns}
        plain = {name: int(part) if part is True or part is False else part for name, part in row.items()}
        return self.do(statement, **plain, body=canonical(value))

    def _found(self, read: Callable[[bytes], T], statement: Statement, **values: Any) -> T | None:
        """Return the value in the first row found, or None."""
        row = self.one(statement, **values)
        return None if row is None else read(row[0])

    # Accounts and tokens.

    def get_account(self, account_id: str, *, lock: bool = False) -> Account | None:
        if not lock and account_id in self._accounts:
            return self._accounts[account_id]
        return self._found(_account, self._sql.lock_account if lock else self._sql.get_account, id=account_id)

    def put_account(self, account: Account) -> None:
        self._accounts.pop(account.id, None)
        self._put(self._sql.put_account, account)

    def account_by_recovery(self, recovery_hash: str) -> Account | None:
        return self._found(_account, self._sql.account_by_recovery, recovery_hash=recovery_hash)

    def find_token(self, token_hash: str) -> Token | None:
        if token_hash in self._tokens:
            return self._tokens[token_hash]
        return self._found(_token, self._sql.find_token, hash=token_hash)

    def put_token(self, token: Token) -> None:
        self._tokens.pop(token.hash, None)
        self._put(self._sql.put_token, token)

    def drop_token(self, token_hash: str) -> None:
        self._tokens.pop(token_hash, None)
        self.do(self._sql.drop_token, hash=token_hash)

    def tokens_of(self, account_id: str) -> Sequence[Token]:
        return [_token(row[0]) for row in self.all(self._sql.tokens_of, account=account_id)]

    # Rooms.

    def add_room(self, room: Room) -> None:
        """Keep a new room, or raise `Conflict` if its id or code is taken. Codes of rooms that are over are free."""
        if self._put(self._sql.add_room, room, is_live=_is_live(room)) != 1:
            raise Conflict(f"room {room.id}: its id or its code {room.code} is taken")
        self._rooms[room.id] = room
        self._seats[room.id] = ()
        self._keep_seats(room)

    def put_room(self, room: Room) -> None:
        if self._put(self._sql.put_room, room, is_live=_is_live(room)) != 1:
            raise Conflict(f"there is no room {room.id}")
        self._rooms[room.id] = room
        self._keep_seats(room)

    def _keep_seats(self, room: Room) -> None:
        """Remember who has had a seat, also when they have left it."""
        seated = _seated(room)
        before = self._seats.get(room.id)
        if before != seated:
            for account in seated:
                if before is None or account not in before:
                    row = {"account": account, "room_id": room.id, "created_at": room.created_at}
                    self.do(self._sql.add_seated, **row, is_live=_is_live(room))
            self._seats[room.id] = seated
        if not _is_live(room):
            self.do(self._sql.end_seats, room_id=room.id)

    def get_room(self, room_id: str, *, lock: bool = False) -> Room | None:
        known = self._rooms.get(room_id)
        if known is not None:
            return known
        row = self.one(self._sql.lock_room if lock else self._sql.get_room, id=room_id)
        if row is None:
            return None
        room = _room(row[0])
        self._seats[room.id] = _seated(room)
        if lock or self.backend.writes_alone:
            self._rooms[room_id] = room
        return room

    def room_by_code(self, code: str) -> Room | None:
        """Return the room with that code that is open or active."""
        return self._found(_room, self._sql.room_by_code, code=code)

    def open_rooms(self, *, game_id: str | None = None, after: str = "", limit: int = 50) -> Sequence[Room]:
        """Return listed rooms that are open or active, newest first; `after` is the id of the last one seen."""
        statement = self._sql.open_rooms[game_id is not None, after != ""]
        return [_room(row[0]) for row in self.all(statement, game_id=game_id, after=after, limit=limit)]

    def rooms_of(self, account_id: str, *, after: str = "", limit: int = 50) -> Sequence[Room]:
        """Return the rooms somebody has had a seat in, newest first."""
        statement = self._sql.rooms_of[after != ""]
        return [_room(row[0]) for row in self.all(statement, account=account_id, after=after, limit=limit)]

    def live_rooms_of(self, account_id: str, limit: int) -> Sequence[Room]:
        """Return those of them that are open or active, newest first."""
        return [_room(row[0]) for row in self.all(self._sql.live_rooms_of, account=account_id, limit=limit)]

    def due_rooms(self, now: int, limit: int = 100) -> Sequence[Room]:
        """Return rooms whose deadline has come, the oldest first."""
        return [_room(row[0]) for row in self.all(self._sql.due_rooms, now=now, limit=limit)]

    # What happened.

    def append(self, match_id: str, events: Iterable[StoredEvent]) -> None:
        """Write events down, or raise `Conflict` if one of their versions is there already."""
        several = list(events)
        if len(several) > 1:
            self.say("SAVEPOINT several")
        for event in several:
            row = {name: getattr(event, name) for name in self._sql.append.columns}
            if self.do(self._sql.append, **row | {"match_id": match_id}, body=canonical(event.body)) != 1:
                if len(several) > 1:
                    self.say("ROLLBACK TO SAVEPOINT several")
                raise Conflict(f"match {match_id} has a version {event.version} already")
        if len(several) > 1:
            self.say("RELEASE SAVEPOINT several")

    def events(self, match_id: str, *, since: int = 0, limit: int | None = None) -> Sequence[StoredEvent]:
        """Return the events with a version above `since`, in order."""
        known = self._events.get(match_id)
        if known is not None and known[0] <= since:
            return [event for event in known[1] if event.version > since][:limit]
        most = INT64_MAX if limit is None else limit
        rows = self.all(self._sql.events_since, match_id=match_id, since=since, limit=most)
        return [_event(match_id, row) for row in rows]

    def put_snapshot(self, match_id: str, version: int, data: bytes) -> None:
        self.do(self._sql.put_snapshot, match_id=match_id, version=version, data=data)

    def last_snapshot(self, match_id: str) -> tuple[int, bytes] | None:
        row = self.one(self._sql.last_snapshot, match_id=match_id)
        return None if row is None else (row[0], bytes(row[1]))

    def drop_snapshot(self, match_id: str) -> None:
        self.do(self._sql.drop_snapshot, match_id=match_id)

    # The house.

    def house(self) -> HouseTables:
        """Return the state that `house.execute` works on."""
        if self._house is None:
            if self._writes and self.backend.house_lock:
                self.one(Statement(self.backend.house_lock))
            self._house = HouseTables(self)
        return self._house

    def movements(
        self, account: str | None = None, *, before: int | None = None, limit: int = 50
    ) -> Sequence[Movement]:
        """Return movements of the ledger, newest first; `account` is one of the ledger's, such as `player/ID`.

        The last of an account's is what those that are kept no longer came to, if there were any.
        """
        edge = INT64_MAX if before is None else before
        if account is None:
            rows = self.all(self._sql.movements, before=edge, limit=limit)
        else:
            rows = self.all(self._sql.movements_of, account=account, before=edge, limit=limit)
        found = [read_movement(row) for row in rows]
        if account is not None and len(found) < limit:
            found += self._carried(account, edge)
        return found

    def _carried(self, account: str, edge: int) -> list[Movement]:
        row, number = self.one(self._sql.get_carried, account=account), self.house().get(CARRIED_KEY) or 0
        if row is None or row[0] == 0 or number >= edge:
            return []
        ends = (CARRIED, account) if row[0] > 0 else (account, CARRIED)
        return [Movement(number, *ends, abs(row[0]), "carried forward")]

    def put_seed(self, row: SeedRow) -> None:
        self._seeds[row.session_id] = row
        self._put(self._sql.put_seed, row)

    def use_seed(self, mark: str) -> None:
        """Remember a server seed by a mark that tells nothing of it, or raise `Conflict` if it was used before."""
        if self.do(self._sql.use_seed, mark=mark) != 1:
            raise Conflict("this server seed has been used before: the source of random bytes repeats itself")

    def last_seed_number(self, account_id: str) -> int:
        """Return the number of the last commitment to an account; 0 if there was none."""
        row = self.one(self._sql.last_seed_number, account=account_id)
        return row[0] or 0

    def issued_seeds(self, account_id: str, limit: int) -> Sequence[SeedRow]:
        """Return commitments to an account that are neither started nor opened, the newest first."""
        return [_seed(row[0]) for row in self.all(self._sql.issued_seeds, account=account_id, limit=limit)]

    def seeds_of(self, account_id: str, *, before: int | None = None, limit: int = 50) -> Sequence[SeedRow]:
        """Return the commitments to an account, the newest (the highest session id) first."""
        edge = INT64_MAX if before is None else before
        return [_seed(row[0]) for row in self.all(self._sql.seeds_of, account=account_id, before=edge, limit=limit)]

    def expired_seeds(self, now: int, limit: int = 100) -> Sequence[SeedRow]:
        """Return commitments that were not used in their time, the oldest first."""
        return [_seed(row[0]) for row in self.all(self._sql.expired_seeds, now=now, limit=limit)]

    # The log of versions.

    def add_version(self, row: VersionRow) -> None:
        """Append an entry, or raise `Conflict` if its number is taken."""
        if self.do(self._sql.add_version, **msgspec.structs.asdict(row)) != 1:
            raise Conflict(f"the log of versions has an entry {row.n} already")

    def last_version(self, subject: str = "") -> VersionRow | None:
        """Return the newest entry, or the newest about a subject."""
        found = self.one(self._sql.last_version_of, subject=subject) if subject else self.one(self._sql.last_version)
        return None if found is None else VersionRow(*found)

    def versions(self, since: int, limit: int) -> Sequence[VersionRow]:
        return [VersionRow(*row) for row in self.all(self._sql.versions_since, since=since, limit=limit)]

    def get_seed(self, session_id: int, *, lock: bool = False) -> SeedRow | None:
        known = self._seeds.get(session_id)
        if known is not None:
            return known
        row = self.one(self._sql.lock_seed if lock else self._sql.get_seed, session_id=session_id)
        found = None if row is None else _seed(row[0])
        if found is not None and (lock or (self._writes and self.backend.writes_alone)):
            self._seeds[session_id] = found
        return found

    def put_session(self, row: SessionRow) -> None:
        self._put(self._sql.put_session, row)

    def get_session(self, session_id: int) -> SessionRow | None:
        return self._found(_session, self._sql.get_session, session_id=session_id)

    def get_stored_session(self, session_id: int) -> StoredSession | None:
        """Return a session with the terms it was begun on."""
        return self._found(_stored_session, self._sql.get_session, session_id=session_id)

    def sessions_of(self, account_id: str, *, before: int | None = None, limit: int = 50) -> Sequence[SessionRow]:
        """Return somebody's sessions, the newest (the highest id) first; `before` is the id of the last one seen."""
        edge = INT64_MAX if before is None else before
        found = self.all(self._sql.sessions_of, account=account_id, before=edge, limit=limit)
        return [_session(row[0]) for row in found]

    def open_sessions(self, account_id: str, limit: int) -> Sequence[SessionRow]:
        """Return those of them that are not complete, the newest first."""
        return [_session(row[0]) for row in self.all(self._sql.open_sessions, account=account_id, limit=limit)]

    def deleted_players(self) -> Sequence[str]:
        """Return accounts without a recovery key, as deleted ones are, that have sessions which are not complete."""
        return list(dict.fromkeys(row[0] for row in self.all(self._sql.deleted_players)))

    def idle_sessions(self, since: int, limit: int = 100) -> Sequence[SessionRow]:
        """Return sessions that are not complete and have not been touched since a time."""
        return [_session(row[0]) for row in self.all(self._sql.idle_sessions, since=since, limit=limit)]

    def finished_sessions(self, before: int, limit: int) -> Sequence[SessionRow]:
        """Return sessions that are complete and ended before a time, the oldest first."""
        return [_session(row[0]) for row in self.all(self._sql.finished_sessions, before=before, limit=limit)]

    def opened_seeds(self, before: int, limit: int) -> Sequence[SeedRow]:
        """Return commitments that were opened unused and ran out before a time, the oldest first; no pruned ones."""
        return [_seed(row[0]) for row in self.all(self._sql.opened_seeds, before=before, limit=limit)]

    def prune_seeds(self, rows: Iterable[SeedRow]) -> None:
        """Write commitments down anew that have become shorter, where they take the least room."""
        pruned = list(rows)
        if self.backend.writes_alone:  # what shrinks in its place leaves a page of SQLite half empty
            for row in pruned:
                self.do(self._sql.drop_seed, session_id=row.session_id)
        for row in pruned:
            self.put_seed(row)

    def event_count(self, match_id: str) -> int:
        """Return the version of the last event of a match."""
        return self.one(self._sql.last_event, match_id=match_id)[0] or 0

    def drop_session(self, session_id: int) -> int:
        """Take a session that is over out, with its moves, and return how many those were. Its seeds stay."""
        self.do(self._sql.drop_session, session_id=session_id)
        self.drop_snapshot(session_match_id(session_id))
        self.house().forget()
        return self.do(self._sql.drop_events, match_id=session_match_id(session_id))

    def carry_forward(self, limit: int) -> int:
        """Replace old movements, whose sessions are gone, by what they come to; return how many those were."""
        return self.house().carry_forward(limit)

    def next_session_id(self) -> int:
        """Return a session id that nobody has had; also for matches."""
        self.has_touched = True
        number: int = self.one(self._sql.next_session_id)[0]
        return number

    # Requests with a key.

    def find_reply(self, account_id: str, key: str) -> Reply | None:
        if (account_id, key) in self._replies:
            return self._replies[account_id, key]
        row = self.one(self._sql.find_reply, account=account_id, key=key)
        return None if row is None else Reply(*row)

    def keep_reply(self, reply: Reply) -> None:
        self._replies.pop((reply.account, reply.key), None)
        if self.do(self._sql.keep_reply, **msgspec.structs.asdict(reply)) != 1:
            raise Conflict(f"{reply.account} has used the key {reply.key} already")

    def drop_replies(self, account_id: str) -> None:
        self._replies.clear()
        self.do(self._sql.drop_replies, account=account_id)

    def drop_reply(self, account_id: str, key: str) -> None:
        self._replies.pop((account_id, key), None)
        self.do(self._sql.drop_reply, account=account_id, key=key)

    def forget_replies(self, before: int, limit: int) -> int:
        """Forget some of the replies from before a time, the oldest first, and return how many those were."""
        return self.do(self._sql.forget_replies, before=before, limit=limit)

    # Operators.

    def get_setting(self, name: str) -> bytes | None:
        # An operator's switch that is thrown meanwhile holds from the next transaction on.
        if name not in self._settings:
            row = self.one(self._sql.get_setting, name=name)
            self._settings[name] = None if row is None else bytes(row[0])
        return self._settings[name]

    def put_setting(self, name: str, value: bytes) -> None:
        self._settings[name] = value
        self.do(self._sql.put_setting, name=name, value=value)

    def add_audit(self, at: int, actor: str, what: str, about: str = "", **details: object) -> None:
        self.do(self._sql.add_audit, at=at, actor=actor, what=what, about=about, details=canonical(details))

    def audits(self, *, before: int | None = None, limit: int = 50) -> Sequence[Audit]:
        rows = self.all(self._sql.audits, before=INT64_MAX if before is None else before, limit=limit)
        return [Audit(number, at, actor, what, about, _plain(more)) for number, at, actor, what, about, more in rows]

    # Everybody else.

    def notify(self, topic: str) -> None:
        """Tell other processes, when the transaction has been committed, that something about `topic` has changed."""
        self.topics[topic] = None


def _event(match_id: str, row: Sequence[Any]) -> StoredEvent:
    version, kind, at, body, digest = row
    return StoredEvent(match_id, version, kind, at, _plain(body), digest)


def _is_live(room: Room) -> int:
    return int(room.status in ("open", "opening", "active"))


def _seated(room: Room) -> tuple[str, ...]:
    return tuple(seat.account for seat in room.seats if not seat.bot)
