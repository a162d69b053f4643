"""A database transaction: every read and write of the store is a method here, with its SQL statement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from functools import lru_cache
from operator import attrgetter
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.json import Decoder

from croupier.engine import Match
from croupier.engine.plain import INT64_MAX, canonical
from croupier.house.ledger import CARRIED_KEY, Movement
from croupier.store.backends import Backend
from croupier.store.execution import Execution
from croupier.store.house import MOVEMENT, HouseTables
from croupier.store.interface import Conflict, Reads
from croupier.store.matches import session_match_id
from croupier.store.model import (
    Account,
    Audit,
    Host,
    Reply,
    Room,
    SeedRow,
    SessionRow,
    StoredEvent,
    StoredSession,
    Token,
    VersionRow,
)
from croupier.store.statements import Statement, add, drop, get, put, replace

T = TypeVar("T")

KEPT: dict[type, tuple[str, str, str, Callable[[bytes], Any]]] = {
    Room: ("rooms", "id", "body", Decoder(Room).decode),
    Account: ("accounts", "id", "body", Decoder(Account).decode),
    Token: ("tokens", "hash", "body", Decoder(Token).decode),
    bytes: ("settings", "name", "value", bytes),
    SeedRow: ("seeds", "session_id", "body", Decoder(SeedRow).decode),
    SessionRow: ("sessions", "session_id", "body", Decoder(SessionRow).decode),
    StoredSession: ("sessions", "session_id", "body", Decoder(StoredSession).decode),
}
"""Types that rows hold whole: their table, its key, the column with the value, and how that is read."""
EVENT = "version, kind, at, body, digest"
REPLY = "account, key, request_digest, status, body, at"
VERSION = "n, subject, body, head, signature"
AHEAD = tuple(KEPT[kind] for kind in (Room, Account, Token, bytes))
SOME = "ANY(CAST(:ids AS text[]))"
LAST_SEEN = "(SELECT created_at, id FROM rooms WHERE id = :after)"
OF_ACCOUNT = "WHERE account = :account AND session_id < :before ORDER BY session_id DESC"
"""The clause of an account's rows before a session, the newest first."""
OLDEST = "ORDER BY updated_at, session_id"
LAST_ID = "session id"
"""Where the last session id is known, if nobody else gives any."""
CARRIED = "carried"
"""Where a list of movements says that older ones came from."""
HOST = "host_key"
"""Setting that holds the host's key."""
_plain = Decoder(dict[str, Any]).decode
_host = lru_cache(maxsize=4)(Decoder(Host).decode)


class Transaction(Execution):
    """One transaction, on a connection to either database. What it has put it also gets.

    `lock=True` keeps other processes off a row until the end. `topics` are those to tell others of.

    What nobody else can change before the end is asked for once: rooms and seeds that are locked, or whatever is read
    where there is one writer, who may know it from the transaction before. All that is cached in `known`: rows by their
    table and key, lists by their kind and account, and values of the house. `remembered` finds the match of a session
    at a version in somebody's memory.
    """

    def __init__(self, backend: Backend, connection: Any, *, writes: bool, guarded: bool = True) -> None:
        super().__init__(backend, connection, writes=writes, guarded=guarded)
        self._house: HouseTables | None = None
        self.known: dict[Any, Any] = {}
        self._locked: set[tuple[str, Any]] = set()
        self._is_alone = writes and backend.writes_alone
        self._replies: dict[tuple[str, str], Reply | None] = {}
        self._events: dict[str, tuple[int, list[StoredEvent]]] = {}
        self.remembered: Callable[[str, int], Match[Any] | None] = lambda match_id, version: None
        self.topics: dict[str, None] = {}

    def forget(self) -> None:
        """Drop what was read since the part that is undone began: it may be wrong."""
        self._house = None
        self._replies.clear()
        self.known = {}
        self._locked.clear()

    def prefetch(self, wanted: Sequence[Reads]) -> None:
        """Read together what jobs are going to read one by one, where each would be a round trip."""
        if not self.backend.is_remote or not wanted:
            return
        known: dict[Any, Any] = {}
        questions = []
        for table, key, value, _ in AHEAD:
            ids = list(dict.fromkeys(name for reads in wanted for name in getattr(reads, table)))
            known.update({(table, id): None for id in ids})
            # In one order, so that two processes do not wait for each other.
            lock = f" ORDER BY {key} FOR UPDATE" if table == "rooms" else ""
            questions.append((f"SELECT {key}, {value} FROM {table} WHERE {key} = {SOME}{lock}", {"ids": ids}))
        # Replies last: an answer that another process has given to the same request is there when its room is free.
        replies = list(dict.fromkeys(name for reads in wanted for name in reads.replies))
        keys = {"account": [account for account, _ in replies], "key": [key for _, key in replies]}
        listed = "unnest(CAST(:account AS text[]), CAST(:key AS text[])) AS asked (account, key)"
        *found, answers = self.several(
            [*questions, (f"SELECT {REPLY} FROM replies JOIN {listed} USING (account, key)", keys)]
        )
        for (table, _, _, read), rows in zip(AHEAD, found, strict=True):
            known.update({(table, id): read(data) for id, data in rows})
        self.known.update(known)
        self._locked.update(place for place in known if place[0] == "rooms")
        self._replies = dict.fromkeys(replies) | {(row[0], row[1]): Reply(*row) for row in answers}

    def prefetch_matches(self, since: dict[str, int]) -> None:
        """Read rooms together, unlocked, with the events of their matches since a version each; in a job of `read`."""
        if not self.backend.is_remote:
            return
        ids = list(since)
        listed = "unnest(CAST(:ids AS text[]), CAST(:versions AS bigint[])) AS asked (match_id, since)"
        text = f"SELECT match_id, {EVENT} FROM events JOIN {listed} USING (match_id) WHERE version > since"
        found, events = self.several([
            (f"SELECT body FROM rooms WHERE id = {SOME}", {"ids": ids}),
            (f"{text} ORDER BY match_id, version", {"ids": ids, "versions": list(since.values())}),
        ])  # fmt: skip
        self.known.update({("rooms", room.id): room for room in map(KEPT[Room][3], (row[0] for row in found))})
        self._events = {match_id: (version, []) for match_id, version in since.items()}
        for match_id, *row in events:
            self._events[match_id][1].append(_event(match_id, row))

    def _put(self, statement: Statement, value: Struct, **more: Any) -> int:
        """Write a value down: its body, and the columns of its table, which are fields of it or given beside it."""
        row = {name: more[name] if name in more else getattr(value, name) for name in statement.columns}
        return self.do(statement, **row, body=canonical(value))

    def _get(self, kind: type[T], key: Any, *, lock: bool = False) -> T | None:
        """Return the value of a row by its key, or None: as it is known, or as it is stored."""
        table, name, value, read = KEPT[kind]
        place = table, key
        if place in self.known and (self._is_alone or not lock or place in self._locked):
            known: T | None = self.known[place]
            return known
        found: T | None = self.found(read, get(table, value, lock=lock), **{name: key})
        if found is not None and (lock or self._is_alone):
            self.known[place] = found
            self._locked.add(place)
        return found

    def found(self, read: Callable[[bytes], T], statement: Statement | str, **values: Any) -> T | None:
        """Return the value in the first row found, or None."""
        row = self.one(statement, **values)
        return None if row is None else read(row[0])

    def _list(
        self, kind: type[T], which: str, *, limit: int = INT64_MAX, before: int | None = None, **values: Any
    ) -> list[T]:
        """Return the values of the rows that a clause finds, up to so many; `before` is the last one seen, if any."""
        table, _, value, read = KEPT[kind]
        edge = INT64_MAX if before is None else before
        rows = self.all(f"SELECT {value} FROM {table} {which} LIMIT :limit", limit=limit, before=edge, **values)
        return [read(row[0]) for row in rows]

    # Accounts and tokens.

    def get_account(self, account_id: str, *, lock: bool = False) -> Account | None:
        return self._get(Account, account_id, lock=lock)

    def put_account(self, account: Account) -> None:
        """Keep an account, or raise `Conflict` if its recovery key is another's."""
        before = self.known.get(("accounts", account.id))
        if account.recovery_hash and (before is None or before.recovery_hash != account.recovery_hash):
            other = self.account_by_recovery(account.recovery_hash)
            if other is not None and other.id != account.id:
                raise Conflict(f"{account.id} has the recovery key of another account")
        self.known["accounts", account.id] = account
        self._put(put("accounts"), account)

    def account_by_recovery(self, recovery_hash: str) -> Account | None:
        which = "WHERE recovery_hash = :recovery_hash AND recovery_hash <> ''"
        return next(iter(self._list(Account, which, recovery_hash=recovery_hash)), None)

    def find_token(self, token_hash: str, *, lock: bool = False) -> Token | None:
        return self._get(Token, token_hash, lock=lock)

    def put_token(self, token: Token) -> None:
        """Keep a token, or raise `Conflict` if there is no such account."""
        if self.get_account(token.account) is None:
            raise Conflict(f"there is no account {token.account}")
        self.known["tokens", token.hash] = token
        self._put(put("tokens"), token)

    def drop_token(self, token_hash: str) -> bool:
        self.known.pop(("tokens", token_hash), None)
        return self.do(drop("tokens"), hash=token_hash) > 0

    def tokens_of(self, account_id: str) -> Sequence[Token]:
        return self._list(Token, "WHERE account = :account ORDER BY created_at, hash", account=account_id)

    # Rooms.

    def add_room(self, room: Room) -> None:
        """Keep a new room, or raise `Conflict` if its id or code is taken. Codes of rooms that are over are free."""
        if self._put(add("rooms"), room, **_flags(room)) != 1:
            raise Conflict(f"room {room.id}: its id or its code {room.code} is taken")
        self._keep_seats(room)

    def put_room(self, room: Room) -> None:
        if self._put(replace("rooms"), room, **_flags(room)) != 1:
            raise Conflict(f"there is no room {room.id}")
        self._keep_seats(room)

    def _keep_seats(self, room: Room) -> None:
        """Remember who has had a seat, also when they have left it."""
        before, self.known["rooms", room.id] = self.known.get(("rooms", room.id)), room
        known = () if before is None else _seated(before)
        for account in _seated(room):
            if account not in known:
                row = {"account": account, "room_id": room.id, "created_at": room.created_at}
                self.do(add("seated", is_exact=False), **row, is_live=_is_live(room))
        if not _is_live(room):
            self.do("UPDATE seated SET is_live = 0 WHERE room_id = :room_id AND is_live = 1", room_id=room.id)

    def get_room(self, room_id: str, *, lock: bool = False) -> Room | None:
        return self._get(Room, room_id, lock=lock)

    def room_by_code(self, code: str) -> Room | None:
        """Return the room with that code that is open or active."""
        return next(iter(self._list(Room, "WHERE code = :code AND is_live = 1", code=code)), None)

    def open_rooms(self, *, game_id: str | None = None, after: str = "", limit: int = 50) -> Sequence[Room]:
        """Return listed rooms that are open or active, newest first; `after` is the id of the last one seen."""
        which = "WHERE is_live = 1 AND is_listed = 1"
        which += " AND game_id = :game_id" if game_id is not None else ""
        which += f" AND (created_at, id) < {LAST_SEEN}" if after else ""
        return self._list(Room, f"{which} ORDER BY created_at DESC, id DESC", game_id=game_id, after=after, limit=limit)

    def rooms_of(self, account_id: str, *, after: str = "", limit: int = 50) -> Sequence[Room]:
        """Return the rooms somebody has had a seat in, newest first."""
        only = f"(seated.created_at, room_id) < {LAST_SEEN}" if after else "true"
        return self._rooms_of(only, account=account_id, after=after, limit=limit)

    def live_rooms_of(self, account_id: str, limit: int) -> Sequence[Room]:
        """Return the rooms of an account that are open, opening or active, newest first."""
        return self._rooms_of("seated.is_live = 1", account=account_id, limit=limit)

    def _rooms_of(self, only: str, **values: Any) -> list[Room]:
        which = f"JOIN seated ON room_id = id WHERE account = :account AND {only}"
        return self._list(Room, f"{which} ORDER BY seated.created_at DESC, room_id DESC", **values)

    def due_rooms(self, now: int, limit: int = 100) -> Sequence[Room]:
        """Return rooms whose deadline has come, the oldest first."""
        return self._list(Room, "WHERE deadline > 0 AND deadline <= :now ORDER BY deadline, id", now=now, limit=limit)

    # What happened.

    def append(self, match_id: str, events: Iterable[StoredEvent]) -> None:
        """Write events down, or raise `Conflict` if one of their versions is there already."""
        several = list(events)
        with self.attempt() if len(several) > 1 else nullcontext():
            for event in several:
                facts = {"version": event.version, "kind": event.kind, "at": event.at, "digest": event.digest}
                if self.do(add("events"), match_id=match_id, **facts, body=canonical(event.body)) != 1:
                    raise Conflict(f"match {match_id} has a version {event.version} already")
            if len(several) > 1:
                self.say()

    def events(self, match_id: str, *, since: int = 0, limit: int | None = None) -> Sequence[StoredEvent]:
        """Return the events with a version above `since`, in order."""
        known = self._events.get(match_id)
        if known is not None and known[0] <= since:
            return [event for event in known[1] if event.version > since][:limit]
        most = INT64_MAX if limit is None else limit
        text = f"SELECT {EVENT} FROM events WHERE match_id = :match_id AND version > :since ORDER BY version"
        rows = self.all(f"{text} LIMIT :limit", match_id=match_id, since=since, limit=most)
        return [_event(match_id, row) for row in rows]

    def put_snapshot(self, match_id: str, version: int, data: bytes) -> None:
        statement = put("snapshots", "excluded.version >= snapshots.version", replaces=False)
        self.do(statement, match_id=match_id, version=version, data=data)

    def last_snapshot(self, match_id: str) -> tuple[int, bytes] | None:
        row = self.one(get("snapshots", "version, data"), match_id=match_id)
        return None if row is None else (row[0], bytes(row[1]))

    def drop_snapshot(self, match_id: str) -> None:
        self.do(drop("snapshots"), match_id=match_id)

    # The house.

    def house(self) -> HouseTables:
        """Return the state that `house.execute` works on."""
        if self._house is None:
            if self._writes and self.backend.house_lock:
                self.one(self.backend.house_lock)
            self._house = HouseTables(self, self.known if self._is_alone else {})
        return self._house

    def movements(
        self, account: str | None = None, *, before: int | None = None, limit: int = 50
    ) -> Sequence[Movement]:
        """Return movements of the ledger, newest first; `account` is one of the ledger's, such as `player/ID`.

        The last of an account's is what those that are kept no longer came to, if there were any.
        """
        edge = INT64_MAX if before is None else before
        text, end = f"SELECT {MOVEMENT} FROM movements WHERE number < :before", "ORDER BY number DESC LIMIT :limit"
        if account is not None:
            # One index each for what went out and what came in: together they would be sorted from the beginning.
            sides = (f"SELECT * FROM ({text} AND {side} = :account {end}) AS {side}" for side in ("source", "target"))
            text = f"SELECT {MOVEMENT} FROM ({' UNION '.join(sides)}) AS both_sides"
        found = [Movement(*row) for row in self.all(f"{text} {end}", account=account, before=edge, limit=limit)]
        if account is not None and len(found) < limit:
            found += self._carried(account, edge)
        return found

    def _carried(self, account: str, edge: int) -> list[Movement]:
        row, number = self.one(get("carried", "chips"), account=account), self.house().get(CARRIED_KEY) or 0
        if row is None or row[0] == 0 or number >= edge:
            return []
        ends = (CARRIED, account) if row[0] > 0 else (account, CARRIED)
        return [Movement(number, *ends, abs(row[0]), "carried forward")]

    def put_seed(self, row: SeedRow) -> None:
        self.known["seeds", row.session_id] = row
        if ("n", row.account) in self.known:
            self.known["n", row.account] = max(row.n, self.known["n", row.account])
        self._relist("issued", row, is_in=row.state == "issued")
        self._put(put("seeds"), row)

    def _listed(self, kind: type[T], state: str, only: str, account_id: str, limit: int) -> list[T]:
        """Return all rows of an account in a state, newest first; a list that is whole is known from then on."""
        place = state, account_id
        if place in self.known:
            known: list[T] = self.known[place]
            return known[:limit]
        which = f"WHERE account = :account AND {only} ORDER BY session_id DESC"
        found = self._list(kind, which, account=account_id, limit=limit)
        if self._is_alone and len(found) < limit:
            self.known[place] = found
        return found

    def _relist(self, state: str, row: SeedRow | SessionRow, *, is_in: bool) -> None:
        """Keep a list that is known as it is with a new row, or without it."""
        if (place := (state, row.account)) in self.known:
            others = [one for one in self.known[place] if one.session_id != row.session_id]
            self.known[place] = sorted([row, *others] if is_in else others, key=_number, reverse=True)

    def use_seed(self, mark: str) -> None:
        """Remember a server seed by a mark that tells nothing of it, or raise `Conflict` if it was used before."""
        if self.do(add("used_seeds"), mark=mark) != 1:
            raise Conflict("this server seed has been used before: the source of random bytes repeats itself")

    def last_seed_number(self, account_id: str) -> int:
        """Return the number of the last commitment to an account, whose row is locked; 0 if there was none."""
        if ("n", account_id) not in self.known:
            row = self.one("SELECT max(n) FROM seeds WHERE account = :account", account=account_id)
            self.known["n", account_id] = row[0] or 0
        number: int = self.known["n", account_id]
        return number

    def issued_seeds(self, account_id: str, limit: int) -> Sequence[SeedRow]:
        """Return commitments to an account that are neither started nor opened, the newest first."""
        return self._listed(SeedRow, "issued", "state = 'issued'", account_id, limit)

    def seeds_of(self, account_id: str, *, before: int | None = None, limit: int = 50) -> Sequence[SeedRow]:
        """Return the commitments to an account, the newest (the highest session id) first."""
        return self._list(SeedRow, OF_ACCOUNT, account=account_id, before=before, limit=limit)

    def expired_seeds(self, now: int, limit: int = 100) -> Sequence[SeedRow]:
        """Return commitments that were not used in their time, the oldest first."""
        which = "WHERE state = 'issued' AND expires_at <= :now ORDER BY expires_at, session_id"
        return self._list(SeedRow, which, now=now, limit=limit)

    # The log of versions.

    def add_version(self, row: VersionRow) -> None:
        """Append an entry, or raise `Conflict` if its number is taken."""
        self.known.pop("versions", None)
        if self.do(add("versions"), **msgspec.structs.asdict(row)) != 1:
            raise Conflict(f"the log of versions has an entry {row.n} already")

    def last_version(self, subject: str = "") -> VersionRow | None:
        """Return the newest entry, or the newest about a subject."""
        known: dict[str, VersionRow | None] = self.known.setdefault("versions", {})
        if subject not in known:
            only = " WHERE subject = :subject" if subject else ""
            found = self.one(f"SELECT {VERSION} FROM versions{only} ORDER BY n DESC LIMIT 1", subject=subject)
            known[subject] = None if found is None else VersionRow(*found)
        return known[subject]

    def versions(self, since: int, limit: int) -> Sequence[VersionRow]:
        text = f"SELECT {VERSION} FROM versions WHERE n > :since ORDER BY n LIMIT :limit"
        return [VersionRow(*row) for row in self.all(text, since=since, limit=limit)]

    def get_seed(self, session_id: int, *, lock: bool = False) -> SeedRow | None:
        return self._get(SeedRow, session_id, lock=lock)

    def put_session(self, row: SessionRow) -> None:
        self._relist("open", row, is_in=not row.is_complete)
        self._put(put("sessions"), row, is_complete=int(row.is_complete))

    def get_session(self, session_id: int) -> SessionRow | None:
        return self.found(KEPT[SessionRow][3], get("sessions"), session_id=session_id)

    def get_stored_session(self, session_id: int) -> StoredSession | None:
        """Return a session with the terms it was begun on."""
        return self.found(KEPT[StoredSession][3], get("sessions"), session_id=session_id)

    def sessions_of(self, account_id: str, *, before: int | None = None, limit: int = 50) -> Sequence[SessionRow]:
        """Return somebody's sessions, the newest (the highest id) first; `before` is the id of the last one seen."""
        return self._list(SessionRow, OF_ACCOUNT, account=account_id, before=before, limit=limit)

    def open_sessions(self, account_id: str, limit: int = 2**31) -> Sequence[SessionRow]:
        """Return the sessions of an account that are not complete, the newest first."""
        return self._listed(SessionRow, "open", "is_complete = 0", account_id, limit)

    def deleted_players(self) -> Sequence[str]:
        """Return accounts without a recovery key, as deleted ones are, that have sessions which are not complete."""
        # From the index of open sessions to their accounts, and not the other way: accounts are many.
        text = (
            "SELECT account FROM sessions WHERE is_complete = 0 AND updated_at > 0 AND EXISTS"
            " (SELECT 1 FROM accounts WHERE id = sessions.account AND recovery_hash = '') ORDER BY updated_at"
        )
        return list(dict.fromkeys(row[0] for row in self.all(text)))

    def idle_sessions(self, until: int, after: tuple[int, int], limit: int) -> Sequence[StoredSession]:
        """Return sessions that are not complete and were last touched by a time, the longest ago first.

        `after` is the time and the id of the last one seen.
        """
        which = f"WHERE is_complete = 0 AND updated_at <= :until AND (updated_at, session_id) > (:at, :id) {OLDEST}"
        return self._list(StoredSession, which, until=until, at=after[0], id=after[1], limit=limit)

    def finished_sessions(self, before: int, limit: int) -> Sequence[SessionRow]:
        """Return sessions that are complete and ended before a time, the oldest first."""
        which = f"WHERE is_complete = 1 AND updated_at < :before {OLDEST}"  # figures in the text: an index each
        return self._list(SessionRow, which, before=before, limit=limit)

    def opened_seeds(self, before: int, limit: int) -> Sequence[SeedRow]:
        """Return commitments that were opened unused and ran out before a time, the oldest first; no pruned ones."""
        which = "WHERE expires_at > 0 AND (state = 'refused' OR state = 'expired') AND expires_at < :before"
        return self._list(SeedRow, f"{which} ORDER BY expires_at, session_id", before=before, limit=limit)

    def prune_seeds(self, rows: Iterable[SeedRow]) -> None:
        """Write commitments down anew that have become shorter, where they take the least room."""
        pruned = list(rows)
        if self.backend.writes_alone:  # what shrinks in its place leaves a page of SQLite half empty
            for row in pruned:
                self.do(drop("seeds"), session_id=row.session_id)
        for row in pruned:
            self.put_seed(row)

    def event_count(self, match_id: str) -> int:
        """Return the version of the last event of a match."""
        return self.one("SELECT max(version) FROM events WHERE match_id = :match_id", match_id=match_id)[0] or 0

    def drop_session(self, session_id: int) -> int:
        """Take a session that is over out, with its moves, and return how many those were. Its seeds stay."""
        self.do(drop("sessions"), session_id=session_id)
        self.drop_snapshot(session_match_id(session_id))
        self.forget()
        return self.do("DELETE FROM events WHERE match_id = :match_id", match_id=session_match_id(session_id))

    def next_session_id(self) -> int:
        """Return a session id that nobody has had; also for matches."""
        self.has_touched = True
        if not self._is_alone:
            number: int = self.one("INSERT INTO session_ids (purpose) VALUES ('') RETURNING id")[0]
            return number
        if LAST_ID not in self.known:
            row = self.one("SELECT seq FROM sqlite_sequence WHERE name = 'session_ids'")
            self.known[LAST_ID] = 0 if row is None else row[0]
        number = self.known[LAST_ID] = self.known[LAST_ID] + 1
        self.do(add("session_ids"), id=number, purpose="")
        return number

    # Requests with a key.

    def find_reply(self, account_id: str, key: str) -> Reply | None:
        if (account_id, key) in self._replies:
            return self._replies[account_id, key]
        row = self.one(get("replies", REPLY), account=account_id, key=key)
        return None if row is None else Reply(*row)

    def keep_reply(self, reply: Reply) -> None:
        self._replies.pop((reply.account, reply.key), None)
        if self.do(add("replies"), **msgspec.structs.asdict(reply)) != 1:
            raise Conflict(f"{reply.account} has used the key {reply.key} already")

    def drop_replies(self, account_id: str) -> None:
        self._replies.clear()
        self.do("DELETE FROM replies WHERE account = :account", account=account_id)

    def drop_reply(self, account_id: str, key: str) -> None:
        self._replies.pop((account_id, key), None)
        self.do(drop("replies"), account=account_id, key=key)

    def forget_replies(self, before: int, limit: int) -> int:
        """Forget some of the replies from before a time, the oldest first, and return how many those were."""
        old = "SELECT account, key FROM replies WHERE at < :before ORDER BY at, account, key LIMIT :limit"
        return self.do(f"DELETE FROM replies WHERE (account, key) IN ({old})", before=before, limit=limit)

    # Operators.

    def get_setting(self, name: str, *, lock: bool = False) -> bytes | None:
        # An operator's switch that is thrown meanwhile holds from the next transaction on.
        if lock or ("settings", name) not in self.known:
            if lock:
                self.house()  # locks also what is not there yet
            self.known["settings", name] = self._get(bytes, name, lock=lock)
        found: bytes | None = self.known["settings", name]
        return found

    def put_setting(self, name: str, value: bytes) -> None:
        self.known["settings", name] = value
        self.do(put("settings"), name=name, value=value)

    def host(self, *, lock: bool = False) -> Host | None:
        """Return the host's key; None in a database that has not been served yet."""
        data = self.get_setting(HOST, lock=lock)
        return None if data is None else _host(data)

    def put_host(self, host: Host) -> None:
        self.put_setting(HOST, msgspec.json.encode(host))

    def add_audit(self, at: int, actor: str, what: str, about: str = "", **details: object) -> None:
        text = "INSERT INTO audits (at, actor, what, about, details) VALUES (:at, :actor, :what, :about, :details)"
        self.do(text, at=at, actor=actor, what=what, about=about, details=canonical(details))

    def audits(self, *, before: int | None = None, limit: int = 50) -> Sequence[Audit]:
        text = "SELECT number, at, actor, what, about, details FROM audits WHERE number < :before ORDER BY number DESC"
        rows = self.all(f"{text} LIMIT :limit", before=INT64_MAX if before is None else before, limit=limit)
        return [Audit(number, at, actor, what, about, _plain(more)) for number, at, actor, what, about, more in rows]

    # Everybody else.

    def notify(self, topic: str) -> None:
        """Tell other processes, when the transaction has been committed, that something about `topic` has changed."""
        self.topics[topic] = None


def _event(match_id: str, row: Sequence[Any]) -> StoredEvent:
    version, kind, at, body, digest = row
    return StoredEvent(match_id, version, kind, at, _plain(body), digest)


_number = attrgetter("session_id")


def _is_live(room: Room) -> int:
    return int(room.status in ("open", "opening", "active"))


def _flags(room: Room) -> dict[str, int]:
    return {"is_live": _is_live(room), "is_listed": int(room.is_listed)}


def _seated(room: Room) -> tuple[str, ...]:
    return tuple(seat.account for seat in room.seats if not seat.bot)
