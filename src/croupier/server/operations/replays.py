"""Looking at what is over: a match step by step, and a session by the link that its player has given away.

The link to a session holds a token that follows from the server's part of its seed. Nobody knows that part before the
session is over; then its player does, by the record, and whoever was given the record. So there is nothing to keep:
who can name the token has been shown the session by its player.
"""

from __future__ import annotations

from hmac import compare_digest
from typing import Any

from msgspec import Struct

from croupier.engine import MatchRecord, get_game, view_for
from croupier.fairness import derive
from croupier.fairness.seeds import keyed
from croupier.server.operations import room_views, sessions
from croupier.server.operations.context import Caller, Context, player_id_of
from croupier.server.operations.declaration.fields import Limit, SessionId, Share
from croupier.server.operations.declaration.operation import operation
from croupier.server.operations.played import Step, record_of, replay_steps
from croupier.server.operations.retention import check_kept
from croupier.server.operations.sessions import After
from croupier.server.problems import Problem
from croupier.store.model import SeedRow

__all__ = ["SharedView", "read_shared", "recall_room", "recall_shared", "share_token", "shared_record"]

STEPS_MAX = 2_000
"""Longer matches are for `croupier replay`: every page of steps is played again from the deal."""
SESSION = ("no_such_session", "no_longer_kept")


class SharedView(Struct, frozen=True):
    """A session that is over, as whoever has its link may see it."""

    session_id: int
    game: str
    options: Any
    is_super: bool
    commitment: str
    client_seed: str
    server_seed: str
    committed_at: int
    started_at: int
    finished_at: int


@operation(
    "rooms", "GET /rooms/{room_id}/recall", role="anyone",
    codes=("no_such_room", "not_finished", "too_large", "game_fault"),
)  # fmt: skip
def recall_room(call: Context, caller: Caller, room_id: str, after: After = -1, limit: Limit = 50) -> tuple[Step, ...]:
    """See a match that is over again, step by step, as you may see it.

    Steps up to `after` are left out.
    """
    room = call.room(room_id)
    viewer = None if caller.account is None else caller.id
    room_views.check_may_look(room, viewer)
    play = room_views.play_of(call, room)
    if len(play.line) > STEPS_MAX:
        raise Problem("too_large", f"the match has {len(play.line)} actions, and up to {STEPS_MAX} are shown here")
    had = next((number for number, who in enumerate(room.seats) if viewer and who.account == viewer), None)
    player_id = None if had is None else player_id_of(had, room.seats[had])
    game = get_game(room.game_id)
    return replay_steps(call, play, lambda match: _seen(game, match, player_id), after, limit)


def _seen(game: Any, state: Any, player_id: str | None) -> Any:
    """Return the view of a player, who may have come to the table after this."""
    is_there = any(player.id == player_id for player in state.players)
    return view_for(game, state, player_id if is_there else None)


# Sessions by their link.


def share_token(server_seed: str, session_id: int, scheme: int = 2) -> str:
    """Return what the link to a session holds besides its number; the page works it out in the same way.

    >>> share_token("00" * 32, 7)[:16]
    '35f11205621ca2aa'
    """
    if scheme == 1:  # links that were given away before there was another
        return derive(bytes.fromhex(server_seed), f"share/{session_id}").hex()
    return keyed(bytes.fromhex(server_seed), "croupier/share/2", session_id).hex()


@operation("house", "GET /shared/{session_id}", name="get_shared", role="anyone", codes=SESSION)
def read_shared(call: Context, session_id: SessionId, share: Share) -> SharedView:
    """Look at a session that is over, by the link that its player has given away."""
    row = _row(call, session_id, share)
    session = sessions.session_of(call, session_id)
    return SharedView(
        session_id=session_id,
        game=session.game_id,
        options=session.options,
        is_super=session.super_mode,
        commitment=row.commitment,
        client_seed=row.client_seed or "",
        server_seed=row.server_seed,
        committed_at=row.created_at,
        started_at=session.started_at,
        finished_at=sessions.touched_at(session),
    )


@operation("house", "GET /shared/{session_id}/recall", role="anyone", codes=(*SESSION, "game_fault"))
def recall_shared(
    call: Context, session_id: SessionId, share: Share, after: After = -1, limit: Limit = 50
) -> tuple[Step, ...]:
    """See a session again by its link, step by step."""
    return sessions.steps_of(call, _row(call, session_id, share), after, limit)


@operation(
    "house", "GET /shared/{session_id}/record", name="get_shared_record", role="anyone",
    codes=(*SESSION, "game_fault"), returns=MatchRecord,
)  # fmt: skip
def shared_record(call: Context, session_id: SessionId, share: Share) -> bytes:
    """Get the record of a session by its link."""
    return record_of(call, sessions.play_of(call, _row(call, session_id, share)))


def _row(call: Context, session_id: int, token: str) -> SeedRow:
    row = call.tx.get_seed(session_id)
    given = token.encode(errors="replace")  # anything can stand in an address
    if row is None or not row.has_begun:
        raise Problem("no_such_session")
    if not compare_digest(share_token(row.server_seed, session_id, row.scheme).encode(), given):
        raise Problem("no_such_session")
    check_kept(row)
    owner = call.tx.get_account(row.account)
    if owner is None or owner.closed_at or not sessions.session_of(call, session_id).is_complete:
        raise Problem("no_such_session")
    return row
