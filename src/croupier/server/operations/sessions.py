"""Sessions at the house: a commitment, a client seed, moves, and a record that anyone can check.

    a commitment (see `commitments`) ──► start: client seed stored, match dealt ──► moves ──► record, all opened

The first client seed that is named for a commitment is final, also where the start is refused.

Players keep to limits of their own: what a move would put at stake is counted before anything of it is shown, and a
move beyond a limit has not happened.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from croupier.engine import Action, Match, MatchRecord, legal_actions, view_for
from croupier.engine.legal import legal_ranges
from croupier.errors import BadDocument, BadSeed
from croupier.fairness.seeds import CLIENT_SEED_MAX, Receipt, read_hex
from croupier.house import (
    CloseSession,
    Event,
    GameMove,
    GameMoved,
    HouseGame,
    Session,
    StartGame,
    Table,
    Together,
)
from croupier.house.catalogue import ABANDONED_MS
from croupier.house.execute import cover_of
from croupier.house.instructions import GameCompleted, GameStarted
from croupier.house.money import Cover, Money
from croupier.house.session import game_of
from croupier.server.operations import player_limits as limits
from croupier.server.operations import versions
from croupier.server.operations.commitments import upcoming
from croupier.server.operations.context import CachedMatch, Caller, Context
from croupier.server.operations.declaration.fields import (
    Chips,
    ClientSeed,
    Limit,
    Payload,
    QueryFlag,
    SessionId,
    Version,
    Whole,
)
from croupier.server.operations.declaration.operation import operation
from croupier.server.operations.played import Play, kept_play, record_of, replay_steps
from croupier.server.operations.purses import ask, purse
from croupier.server.operations.retention import check_kept
from croupier.server.operations.table_settings import catalogue
from croupier.server.problems import KeptRefusal, Problem, ensure, existing
from croupier.store.matches import line_of, session_match_id, start_of_session
from croupier.store.model import Account, SeedRow, SessionRow, StoredSession
from croupier.store.sessions import append_moves, undealt
from croupier.wire.sessions import Ended, SessionView, Step

_OPENED = ("session_id", "commitment", "client_seed", "server_seed")
IDLE_PAGE = 100
CLOSE_PAGE = 20
SESSION = ("no_such_session", "no_longer_kept")
LIMITS = ("excluded", "loss_limit", "time_limit", "account_frozen")
After = Annotated[int, Meta(ge=-1, le=2**53)]
"""The version of the last step seen; -1 is before the deal."""


# Sessions.


@operation(
    "house", "POST /sessions", name="start_session", frame="start", status=201,
    codes=("no_seed", "no_longer_kept", "seed_used", "bad_seed", "commitment_expired", "table_changed",
           "too_many_sessions", "forbidden", "game_fault", *LIMITS),
    example={"session_id": 7, "table": 6, "stake": 0, "client_seed": "c0ffee"},
)  # fmt: skip
def start(
    call: Context,
    caller: Caller,
    session_id: Whole,
    table: Whole,
    stake: Chips = 0,
    client_seed: ClientSeed = "",
    action: Action | None = None,
    legal: QueryFlag = False,
    next: QueryFlag = False,
) -> SessionView | KeptRefusal:
    """Sit down at a table, with your part of the seed, and make the first move if you name one.

    It is written down with the first card, or before. With an action the first move is made at once: a whole round,
    where that is all there is to it. A start that is refused, by its first move too, opens the commitment: whoever
    named a seed learns what would have come.
    """
    _check_own(caller, action)
    row = existing(call.tx.get_seed(session_id, lock=True), "no_seed")
    ensure(row.account == caller.id, "no_seed")
    check_kept(row)
    ensure(row.client_seed is None, "seed_used")
    ensure(row.state == "issued", "commitment_expired")
    row = replace(row, client_seed=_checked_seed(client_seed), state="started")
    try:
        with call.tx.attempt():
            return _begin(call, caller, row, StartGame(table, stake, row.session_id), action, legal, next)
    except Problem as problem:
        call.tx.put_seed(replace(row, state="refused", reason=problem.reason))
        problem.extra["opened"] = {name: getattr(row, name) for name in _OPENED}
        return KeptRefusal(problem)


def _begin(
    call: Context, caller: Caller, row: SeedRow, body: StartGame, action: Action | None, legal: bool, next: bool
) -> SessionView:
    account = caller.must_play()
    ensure(row.expires_at > call.now, "commitment_expired")
    call.tx.house()  # locked from here on: of two starts at once the second finds what the first has counted
    account = Caller(call.tx.get_account(account.id, lock=True)).must_play()  # as another process has left it
    ensure(not account.closed_at, "account_closed")
    if len(call.tx.open_sessions(account.id, call.settings.sessions_each)) >= call.settings.sessions_each:
        text = f"you have {call.settings.sessions_each} sessions open: finish or close one first"
        raise Problem("too_many_sessions", text)
    found = catalogue(call).get(body.table)
    if found is not None:
        row = replace(row, table_digest=versions.announced_digest(call, found, row.log_n))
        ensure(row.table_digest, "table_changed")
    limits.check_may_start(call, account)
    both = body if action is None else Together((body, GameMove(row.session_id, action)))
    events = ask(call, account.id, both, _seed_of(row))  # what it refuses has written nothing
    call.tx.put_seed(row)
    return _with(call, _moved(call, account, Money(), row, events), legal, next)


@operation(
    "house", "POST /sessions/{session_id}/moves", frame="move", is_keyed=True,
    codes=(*SESSION, "stale_version", "too_many_moves", "forbidden", "game_fault", *LIMITS),
    example={"id": "4f9d1c", "expected_version": 0,
             "action": {"type": "place", "payload": {"bet": "red", "stake": 100}}},
)  # fmt: skip
def move(
    call: Context,
    caller: Caller,
    session_id: SessionId,
    expected_version: Version,
    action: Action | None = None,
    payload: Payload | None = None,
    legal: QueryFlag = False,
    next: QueryFlag = False,
) -> SessionView:
    """Make a move: an action, or its payload in hex."""
    account = caller.must_play()
    row = _own_row(call, caller, session_id, lock=True)
    session = session_of(call, session_id)
    ensure(session.move_count == expected_version, "stale_version", version=session.move_count)
    if session.move_count >= call.settings.moves_max:
        text = f"this session has had its {call.settings.moves_max} moves: close it, and what lies is played out"
        raise Problem("too_many_moves", text)
    ensure((action is None) != (payload is None), "bad_request", "a move is an action or a payload, one of the two")
    _check_own(caller, action)
    asked = _from_hex(payload or "") if action is None else action
    events = ask(call, account.id, GameMove(session_id, asked), _seed_of(row))
    return _with(call, _moved(call, account, session.money, row, events), legal, next)


@operation("house", "POST /sessions/{session_id}/close", frame="close", codes=(*SESSION, "account_frozen"))
def close_session(
    call: Context, caller: Caller, session_id: SessionId, legal: QueryFlag = False, next: QueryFlag = False
) -> SessionView:
    """Have a session played out at once, as for a player who is away.

    Bets are played to their end, then it is over.
    """
    caller.must_play()
    return _with(call, _close(call, session_id, _own_row(call, caller, session_id, lock=True)), legal, next)


def close_idle(call: Context, session_id: int, since: int = 0, started_at: int = 0) -> SessionView | None:
    """Play out a session that its player has abandoned; None where there is nothing to do, or not yet.

    Nobody's time runs while they cannot move: it begins `since` nothing is stopped, and anew where the account is
    frozen or it ran out before the server started.
    """
    row, session = call.tx.get_seed(session_id, lock=True), call.tx.get_stored_session(session_id)
    if row is None or session is None or session.is_complete:
        return None
    account, due = call.tx.get_account(row.account), _due_at(call, session, since)
    if (account is not None and account.frozen) or due <= started_at <= call.now:
        put_off(call, session_id)
        return None
    return _close(call, session_id, row) if due <= call.now else None


def idle_sessions(
    call: Context, after: tuple[int, int] = (0, 0), since: int = 0
) -> tuple[list[int], tuple[int, int] | None]:
    """Return whose time is up in a page of sessions that may be idle, and where the next page begins, if there is one.

    For the clock, which closes them one by one. At some tables sessions may be idle for longer than at others.
    """
    shortest = min([ABANDONED_MS, *(table.abandoned_ms for table in catalogue(call).values())])
    rows = call.tx.idle_sessions(call.now - shortest, after, IDLE_PAGE)
    found = [row.session_id for row in rows if _due_at(call, row, since) <= call.now]
    return found, (rows[-1].updated_at, rows[-1].session_id) if len(rows) == IDLE_PAGE else None


def _due_at(call: Context, session: StoredSession, since: int) -> int:
    table = catalogue(call).get(session.table)
    return max(session.updated_at, since) + (ABANDONED_MS if table is None else table.abandoned_ms)


def put_off(call: Context, session_id: int) -> None:
    """Begin the idle time of a session anew."""
    call.tx.get_seed(session_id, lock=True)
    session = call.tx.get_stored_session(session_id)
    if session is not None and not session.is_complete:
        call.tx.put_session(replace(session, updated_at=call.now))


def close_some(call: Context, account_id: str) -> int:
    """Play out a page of the sessions that somebody has open, and return how many those were."""
    rows = call.tx.open_sessions(account_id, CLOSE_PAGE)
    for row in rows:
        seeds = call.tx.get_seed(row.session_id, lock=True)
        assert seeds is not None, f"session {row.session_id} has no seeds"
        if not session_of(call, row.session_id).is_complete:  # else another process was faster
            _close(call, row.session_id, seeds)
    return len(rows)


def _close(call: Context, session_id: int, row: SeedRow) -> SessionView:
    account = call.tx.get_account(row.account)
    assert account is not None, f"session {session_id} is nobody's"
    session = session_of(call, session_id)
    at_once = {number: replace(table, abandoned_ms=0) for number, table in catalogue(call).items()}
    if session.table not in at_once:  # taken out of the catalogue since
        game = game_of(session)
        low, high = game.stake_limits
        at_once[session.table] = Table(session.table, game.id, session.options, low, high, abandoned_ms=0)
    events = ask(call, account.id, CloseSession(session_id), _seed_of(row), at_once)
    return _moved(call, account, session.money, row, events, is_own=False)


@operation("house", "GET /sessions/{session_id}", name="get_session", codes=SESSION)
def find_session(call: Context, caller: Caller, session_id: SessionId, *, legal: bool = False) -> SessionView:
    """Look at one of your sessions."""
    row = _own_row(call, caller, session_id)
    session = session_of(call, session_id)
    game, match = _match_of(session)
    return _with(call, _view(call, session, row, (), view_for(game, match, session.player)), legal)


@operation("house", "GET /me/sessions")
def list_sessions(
    call: Context, caller: Caller, before: Whole | None = None, limit: Limit = 50
) -> tuple[SessionRow, ...]:
    """List your sessions, newest first."""
    return tuple(call.tx.sessions_of(caller.id, before=before, limit=limit))


def situation(call: Context, caller: Caller, session_id: int) -> tuple[HouseGame[Any], Match[Any], Cover]:
    """Return the game and the match of one of the caller's sessions, and what covers their next move."""
    _own_row(call, caller, session_id)
    return _covered(call, session_of(call, session_id))


def _covered(call: Context, session: Session) -> tuple[HouseGame[Any], Match[Any], Cover]:
    chips = purse(call, session.player).chips
    return *_match_of(session), cover_of(catalogue(call).get(session.table), session, chips)


@operation("house", "GET /sessions/{session_id}/recall", codes=(*SESSION, "game_fault"))
def recall(
    call: Context, caller: Caller, session_id: SessionId, after: After = -1, limit: Limit = 50, *, draws: bool = False
) -> tuple[Step, ...]:
    """See a session again, step by step: what was done, and what you saw after it.

    It is played again from its seed and its moves. Steps come in order, from the deal (version 0) on; those up to
    `after` are left out. With `draws`, steps of a session that is over tell what was drawn for them.
    """
    row = _own_row(call, caller, session_id)
    return replay_steps(call, play_of(call, row), row.account, after, limit, draws)


def play_of(call: Context, row: SeedRow) -> Play:
    """Return a session, to be looked at again."""

    def read() -> Play:
        match_id = session_match_id(row.session_id)
        stored = existing(call.tx.get_stored_session(row.session_id), "no_such_session")
        try:
            start = start_of_session(undealt(stored, row), stored.rules_version)
        except BadDocument as error:
            raise Problem("game_fault", str(error)) from None
        line = tuple(line_of(call.tx.events(match_id)))
        return Play(match_id, start, line, stored.started_at, row.pair(), stored.is_complete)

    return kept_play(call, session_match_id(row.session_id), read)


@operation(
    "house", "GET /sessions/{session_id}/record", name="get_session_record",
    codes=(*SESSION, "not_finished", "game_fault"), returns=MatchRecord,
)  # fmt: skip
def read_session_record(call: Context, caller: Caller, session_id: SessionId) -> bytes:
    """Get the record of a session that is over, with both parts of its seed."""
    return record_of(call, play_of(call, _own_row(call, caller, session_id)))


# What they share.


def _moved(
    call: Context, account: Account, before: Money, row: SeedRow, events: tuple[Event, ...], *, is_own: bool = True
) -> SessionView:
    """Count and write down what happened to a session, and return it as its player sees it."""
    session, match_id = session_of(call, row.session_id), session_match_id(row.session_id)
    ended = next((event for event in events if isinstance(event, GameCompleted)), None)
    bonus = 0 if ended is None else ended.net - (ended.returned - ended.staked)
    limits.count_move(call, account, before, session.money, bonus, is_own=is_own)
    append_moves(call.tx, session, events, call.now)
    if bonus and (stored := call.tx.get_stored_session(session.id)) is not None:  # what modifiers gave is listed too
        call.tx.put_session(replace(stored, returned=stored.returned + bonus))
    _, match = _match_of(session)
    call.fresh[match_id] = CachedMatch(match.version, match)
    call.notices[match_id] = match.version
    shown = [event.view for event in events if isinstance(event, GameStarted | GameMoved)]
    return _view(call, session, row, events, shown[-1])


def _view(call: Context, session: Session, row: SeedRow, events: tuple[Event, ...], view: Any) -> SessionView:
    moves = [event for event in events if isinstance(event, GameMoved)]
    ended = next((event for event in events if isinstance(event, GameCompleted)), None)
    return SessionView(
        game=session.game_id,
        is_super=session.super_mode,
        has_shield=session.shield,
        has_double=session.double,
        client_seed=row.client_seed or "",
        server_seed=row.server_seed if session.is_complete else None,
        committed_at=row.created_at,
        updated_at=touched_at(session),
        version=session.move_count,
        view=view,
        purse=purse(call, session.player),
        lines=tuple(line for event in moves for line in event.lines),
        logs=tuple(text for event in moves for text in event.logs),
        ended=None if ended is None else Ended(*(getattr(ended, name) for name in Ended.__struct_fields__)),
        **{name: getattr(session, name) for name in _OF_SESSION},
        **{name: getattr(row, name) for name in _OF_SEED},
    )


_OF_SESSION = ("table", "options", "stake", "started_at", "is_complete")
_OF_SEED = (*Receipt.__struct_fields__, "table_digest")
"""Fields of a session and of its seeds that a view shows as they are."""


def _with(call: Context, seen: SessionView, legal: bool, next: bool = False) -> SessionView:
    """Return a session with what else was asked for: what can be done, and the commitment for the next session."""
    if legal:
        game, match, cover = _covered(call, session_of(call, seen.session_id))
        ranges = {name: dict(fields) for name, fields in legal_ranges(game, match, host=cover).items()}
        seen = replace(seen, legal=legal_actions(game, match, host=cover), ranges=ranges)
    return replace(seen, next=upcoming(call, seen.account)) if next and seen.is_complete else seen


def _check_own(caller: Caller, action: Action | None) -> None:
    if action is not None and action.player_id not in (None, caller.id):
        raise Problem("forbidden", "you act for yourself alone")


def touched_at(session: Session) -> int:
    """Return when a session was last moved on, or began."""
    return session.started_at if session.match is None else session.match.updated_at or session.started_at


def _match_of(session: Session) -> tuple[HouseGame[Any], Match[Any]]:
    assert session.match is not None, f"session {session.id} has not been dealt"
    return game_of(session), session.match


def _own_row(call: Context, caller: Caller, session_id: int, *, lock: bool = False) -> SeedRow:
    """Return the seeds of a session that the caller has begun."""
    row = existing(call.tx.get_seed(session_id, lock=lock), "no_such_session")
    ensure(row.account == caller.id and row.has_begun, "no_such_session")
    check_kept(row)
    return row


def session_of(call: Context, session_id: int) -> Session:
    """Return anybody's session, or raise `Problem`."""
    try:
        found: Session | None = call.tx.house().get(f"session/{session_id}")
    except BadDocument as error:  # the rules are others by now
        raise Problem("game_fault", str(error)) from None
    return existing(found, "no_such_session")


def _seed_of(row: SeedRow) -> bytes:
    return row.pair().match_seed(row.session_id)


def _checked_seed(client_seed: str) -> str:
    ensure(len(_from_hex(client_seed, "bad_seed")) <= CLIENT_SEED_MAX, "bad_seed")
    return client_seed


def _from_hex(text: str, problem: str = "bad_request") -> bytes:
    try:
        return read_hex(text)
    except BadSeed:
        raise Problem(problem, "" if problem == "bad_seed" else "a payload is lower-case hex") from None
