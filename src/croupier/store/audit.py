"""The audit: every invariant of a store is worked out again from what it follows from, and the first difference named.

Every match is re-executed from its seeds and events to the digests on record; every balance is added up from the
movements; every commitment is that of its seed, signed, and names a head of the log of versions. A store that somebody
has edited, or a disk has, does not pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from croupier.engine import LogEntry, Match, deserialize_match, get_game, state_digest
from croupier.engine.checks import is_printable
from croupier.errors import BadDocument, CroupierError
from croupier.fairness import SeedPair
from croupier.fairness.seeds import receipt_message
from croupier.fairness.signing import Ed25519Verifier
from croupier.fairness.versions import VersionEntry, extend_head, first_head, head_message
from croupier.house.ledger import OPEN, Ledger, check_ledger
from croupier.house.money import Money
from croupier.store.database import DatabaseStore
from croupier.store.head import check_head
from croupier.store.matches import apply_entry, pair_of, session_match_id, start_of, start_of_session
from croupier.store.model import Room, SeedRow, StoredEvent, StoredSession
from croupier.store.scan import PAGE, TABLES, every_match_id, every_row
from croupier.store.sessions import undealt
from croupier.store.transaction import Transaction


class AuditReport(Struct, frozen=True):
    """Report of an audit: what was looked at, and the first thing that is wrong; None if nothing is."""

    problem: str | None
    rooms: int = 0
    sessions: int = 0
    events: int = 0
    movements: int = 0
    other_rules: int = 0
    """Matches that were played by rules of another version than the installed ones: not re-executed."""

    @property
    def ok(self) -> bool:
        """Whether all is as it should be."""
        return self.problem is None


class _Wrong(Exception):
    pass


def audit(store: DatabaseStore, *, progress: Callable[[int], None] | None = None) -> AuditReport:
    """Check everything in a store as it is at this moment; it may be in use. `progress` hears how many events are done.

    It takes about as long as the matches took to compute. That an old copy was put in a store's place shows by the head
    beside the file; a backup has none, and neither has PostgreSQL: compare the last movement with what you know.
    """
    auditor = _Auditor(progress or (lambda _: None))
    problem = None
    try:
        store.backend.check_file("integrity_check")
        check_head(store)
        store.read(auditor.check_rows)
        store.read(auditor.check)
    except _Wrong as wrong:
        problem = str(wrong)
    except (CroupierError, msgspec.MsgspecError) as error:
        problem = f"{auditor.place}: {error}" if auditor.place else str(error)
    return AuditReport(problem, **auditor.counts)


class _Auditor:
    def __init__(self, progress: Callable[[int], None]) -> None:
        self.place = ""
        self.counts = dict.fromkeys(("rooms", "sessions", "events", "movements", "other_rules"), 0)
        self._progress = progress
        self._host_key = b""
        self._heads: dict[int, str] = {}

    def check_rows(self, transaction: Transaction) -> None:
        """Read every row of every table: a page that a disk has damaged holds text or JSON that is none."""
        for table in TABLES:
            self.place = f"table {table}"
            for row in every_row(transaction, table):
                for column, value in row.items():
                    if isinstance(value, str) and not is_printable(value):
                        raise _Wrong(f"{self.place}: {column} holds what is no text")
                    if column in ("body", "details"):
                        self._check_text(table, value.encode() if isinstance(value, str) else bytes(value))
        self.place = ""

    def _check_text(self, table: str, value: bytes) -> None:
        try:
            value.decode() if table == "replies" else msgspec.json.decode(value)  # an answer is kept as it was sent
        except UnicodeDecodeError:
            raise _Wrong(f"{self.place} holds what is no text") from None

    def check(self, transaction: Transaction) -> None:
        self._ledger(transaction)
        self._versions_log(transaction)
        matches = set()
        for row in every_row(transaction, "rooms"):
            room = msgspec.json.decode(row["body"], type=Room)
            self.place = f"room {room.id}"
            matches.add(room.id)
            self._room(transaction, room)
        for row in every_row(transaction, "seeds"):
            self.place = f"the seed of session {row['session_id']}"
            self._seed(msgspec.json.decode(row["body"], type=SeedRow))
        open_stakes = 0
        for row in every_row(transaction, "sessions"):
            self.place = f"session {row['session_id']}"
            session = msgspec.json.decode(row["body"], type=StoredSession)
            matches.add(session_match_id(session.session_id))
            open_stakes += session.open
            self._session(transaction, session)
        self.place = ""
        held = Ledger(transaction.house()).balance(OPEN)
        if held != open_stakes:
            raise _Wrong(f"{held} chips are on open bets by the ledger, {open_stakes} by the sessions")
        for match_id in every_match_id(transaction):
            if match_id not in matches:
                raise _Wrong(f"there are events of {match_id}, which is no room and no session")

    def _ledger(self, transaction: Transaction) -> None:
        self.place = "the ledger"
        house = transaction.house()
        check_ledger(house, thorough=True)
        self.counts["movements"] = Ledger(house).count()

    def _room(self, transaction: Transaction, room: Room) -> None:
        self.counts["rooms"] += 1
        self._commitment(pair_of(room), room.session_id)
        last = self._match(transaction, room.id, room.version, (lambda: start_of(room)) if room.seats_started else None)
        if last is None or room.status == "closed":
            return
        if (last.status == "finished") != (room.status == "finished"):
            raise _Wrong(f"room {room.id} is {room.status}, its match {last.status}")

    def _session(self, transaction: Transaction, row: StoredSession) -> None:
        self.counts["sessions"] += 1
        match_id, seeds = session_match_id(row.session_id), transaction.get_seed(row.session_id)
        if seeds is None:
            raise _Wrong(f"{self.place} has no seeds")
        undealt_session = undealt(row, seeds)
        last = self._match(
            transaction, match_id, row.version, lambda: start_of_session(undealt_session, row.rules_version)
        )
        if last is None:
            return
        if row.is_complete != (last.status == "finished"):
            raise _Wrong(f"{self.place} is listed as {'' if row.is_complete else 'not '}complete, and is not so")
        money: Money = last.game.money
        if (row.staked, row.fees, row.open) != (money.staked, money.fees, sum(stake.stake for stake in money.open)):
            raise _Wrong(f"{self.place} is listed with other chips than its events lead to")

    def _match(
        self, transaction: Transaction, match_id: str, version: int, first: Callable[[], Match[Any]] | None
    ) -> Match[Any] | None:
        """Return where a match stands by its events; None if it has not begun, or was played by other rules."""
        events = transaction.events(match_id)
        for expected, event in enumerate(events, 1):
            if event.version != expected:
                raise _Wrong(f"{self.place}: version {expected} is missing")
        if len(events) != version:
            raise _Wrong(f"{self.place} stands at version {version}, its events lead to {len(events)}")
        if first is None:
            if events:
                raise _Wrong(f"{self.place} has events, and has not begun")
            return None
        try:
            start = first()
        except BadDocument:
            self.counts["other_rules"] += 1
            return None
        last = self._replay(start, events)
        digests = {0: state_digest(start)} | {event.version: event.digest for event in events}
        found = transaction.last_snapshot(match_id)
        if found is not None and digests.get(found[0]) != state_digest(deserialize_match(found[1])):
            raise _Wrong(f"{self.place}: the snapshot of version {found[0]} is another state than the match had")
        return last

    def _replay(self, start: Match[Any], events: Sequence[StoredEvent]) -> Match[Any]:
        """Return the state that events lead to, having compared each on the way with its digest on record."""
        game = get_game(start.game_id)
        states = [start]
        for event in events:
            self.counts["events"] += 1
            if self.counts["events"] % PAGE == 0:
                self._progress(self.counts["events"])
            if event.kind == "action":
                entry = msgspec.convert(event.body, LogEntry)
                try:
                    states.append(apply_entry(game, states[-1], entry))
                except CroupierError as error:
                    raise _Wrong(f"{self.place}, version {event.version}: {error}") from None
            elif event.kind == "undo":
                if len(states) == 1:
                    raise _Wrong(f"{self.place}, version {event.version}: there is nothing to undo")
                states.pop()
            # Of several actions that one request led to, only the last has a digest.
            if (event.digest or event is events[-1]) and event.digest != state_digest(states[-1]):
                found = f"the state has the digest {state_digest(states[-1])}, on record is {event.digest}"
                raise _Wrong(f"{self.place}, version {event.version}: {found}")
        return states[-1]

    def _seed(self, row: SeedRow) -> None:
        if row.pruned and row.scheme > 1 and not row.host_key:  # what can be worked out is not written down
            row = msgspec.structs.replace(row, host_key=self._host_key.hex(), log_head=self._heads.get(row.log_n, ""))
        self._commitment(row.pair(), row.session_id, is_pruned=row.pruned)

    def _commitment(self, pair: SeedPair, session_id: int, *, is_pruned: bool = False) -> None:
        if problem := pair.commitment_problem(session_id):
            raise _Wrong(f"{self.place}: {problem}")
        if pair.scheme == 1:
            return
        if self._heads.get(pair.log_n) != pair.log_head:
            raise _Wrong(f"{self.place}: the commitment names a head that the log of versions does not have")
        if not pair.receipt and is_pruned:
            return
        message = receipt_message(bytes.fromhex(pair.commitment), pair.binding(session_id))
        if not self._is_signed(message, pair.receipt):
            raise _Wrong(f"{self.place}: the signature of the receipt does not hold")

    def _versions_log(self, transaction: Transaction) -> None:
        """Work the log of versions out again from its first entry, and compare every head."""
        self.place = "the log of versions"
        host = transaction.host()
        self._host_key = bytes.fromhex("" if host is None else host.key)
        head = first_head(self._host_key)
        self._heads = {0: head.hex()}
        for n, row in enumerate(every_row(transaction, "versions"), 1):
            if row["n"] != n:
                raise _Wrong(f"{self.place}: entry {n} is missing")
            entry = msgspec.json.decode(row["body"], type=VersionEntry)
            head = extend_head(head, entry)
            if head.hex() != row["head"]:
                raise _Wrong(f"{self.place}: the head after entry {n} is another than the one on record")
            if not self._is_signed(head_message(n, head), row["signature"]):
                raise _Wrong(f"{self.place}: the signature under entry {n} does not hold")
            self._heads[n] = row["head"]

    def _is_signed(self, message: bytes, signature: str) -> bool:
        return Ed25519Verifier().verify(self._host_key, message, bytes.fromhex(signature))
