"""Sessions of the house as they are stored: a row with their terms and totals, events, a snapshot while they go on.

As with a room, the match is not written down: it follows from terms, seeds and events, or from a snapshot and what came
after it. A session in play has one, so that a move need not play it again, and chips on bets outlive a change of rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from croupier.engine import LogEntry, get_game, serialize_match, state_digest
from croupier.errors import BadDocument
from croupier.house import Event, GameMoved, Session
from croupier.store.matches import read_match, session_match_id, start_of_session
from croupier.store.model import SeedRow, StoredEvent, StoredSession

if TYPE_CHECKING:
    from croupier.store.transaction import Transaction


OPTIONS = ("table", "options", "stake", "super_mode", "shield", "double", "reserved")
TERMS = ("game_id", "started_at", "is_complete", *OPTIONS)
"""Fields of a session that its row has as they are."""


def undealt(row: StoredSession, seeds: SeedRow) -> Session:
    """Return a session as it was when nothing had been dealt."""
    return Session(
        row.session_id,
        row.account,
        row.game_id,
        row.stake,
        seeds.pair().match_seed(row.session_id).hex(),
        None if row.options is None else get_game(row.game_id).read_options(row.options),
        row.super_mode,
        row.shield,
        row.double,
        started_at=row.started_at,
        table=row.table,
        reserved=row.reserved,
    )


def load_session(transaction: Transaction, session_id: int) -> Session | None:
    """Return a session with its match as it stands: as it is remembered, or from what is stored."""
    seeds = transaction.get_seed(session_id)
    row = None if seeds is None or not seeds.has_begun else transaction.get_stored_session(session_id)
    if row is None or seeds is None:
        return None
    session, match_id = undealt(row, seeds), session_match_id(session_id)
    match = transaction.remembered(match_id, row.version)
    if match is None:
        match = read_match(transaction, match_id, row.game_id, lambda: start_of_session(session, row.rules_version))
        if match.version != row.version:
            raise BadDocument(f"session {session_id} stands at version {row.version}, its events lead elsewhere")
    return replace(session, match=match)


def keep_session(transaction: Transaction, session: Session, *, is_new: bool) -> None:
    """Write a session down, but for its moves: its row, and its state while it goes on."""
    match, money = session.match, session.money
    assert match is not None, f"session {session.id} has not been dealt"
    row = StoredSession(
        session_id=session.id,
        account=session.player,
        updated_at=match.updated_at or session.started_at,
        staked=money.staked,
        returned=money.returned,
        fees=money.fees,
        rules_version=match.rules_version,
        version=match.version,
        open=sum(stake.stake for stake in money.open),
        **{name: getattr(session, name) for name in TERMS},
    )
    transaction.put_session(row)
    match_id = session_match_id(session.id)
    if not session.is_complete:
        transaction.put_snapshot(match_id, match.version, serialize_match(match).encode())
    elif not is_new:
        transaction.drop_snapshot(match_id)


def append_moves(transaction: Transaction, session: Session, events: Iterable[Event], at: int, **details: Any) -> None:
    """Write the moves down that have led a session to where it stands. Only the last has a digest."""
    moves = [event for event in events if isinstance(event, GameMoved)]
    match_id = session_match_id(session.id)
    stored = []
    for event in moves:
        body = msgspec.to_builtins(LogEntry(event.action, event.move_number, at, **details))
        digest = state_digest(session.match) if event is moves[-1] and session.match is not None else ""
        stored.append(StoredEvent(match_id, event.move_number, "action", at, body, digest))
    transaction.append(match_id, stored)
