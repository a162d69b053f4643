"""Replays: a match step by step, a session by the link that its player gave away; and a player's results.

The link to a session holds a token that follows from the server's part of its seed. Nobody knows that part before the
session is over; then its player does, by the record, and whoever was given the record. So there is nothing to keep:
who can name the token has been shown the session by its player.

results: newest sessions that are over ─► their bets, kept ─► expected by their odds, when nobody waits ─► a row a game
"""

from __future__ import annotations

from functools import lru_cache
from hmac import compare_digest
from math import sqrt
from typing import Any

import msgspec
from msgspec import Struct

from croupier.engine import MatchRecord, canonical, get_game
from croupier.fairness import derive
from croupier.fairness.seeds import keyed
from croupier.house import HouseGame, Session
from croupier.house.counting import Expected, expected_result, luck_percentile
from croupier.server.operations import room_views, sessions
from croupier.server.operations.context import Caller, Context
from croupier.server.operations.declaration.fields import Limit, SessionId, Share
from croupier.server.operations.declaration.operation import Later, operation
from croupier.server.operations.played import record_of, replay_steps
from croupier.server.operations.retention import check_kept
from croupier.server.operations.sessions import After, session_of
from croupier.server.problems import Problem, ensure, existing
from croupier.store.matches import player_id_of
from croupier.store.model import SeedRow
from croupier.wire.games import ResultsRow
from croupier.wire.sessions import SharedView, Step

STEPS_MAX = 2_000
"""Longer matches are for `croupier replay`: every page of steps is played again from the deal."""
SESSION = ("no_such_session", "no_longer_kept")


@operation(
    "rooms", "GET /rooms/{room_id}/recall", role="anyone",
    codes=("no_such_room", "not_finished", "too_large", "game_fault"),
)  # fmt: skip
def recall_room(
    call: Context, caller: Caller, room_id: str, after: After = -1, limit: Limit = 50, *, draws: bool = False
) -> tuple[Step, ...]:
    """See a match that is over again, step by step, as you may see it.

    Steps up to `after` are left out. With `draws` they tell what was drawn for them, as the record does.
    """
    room, viewer = room_views.watched_room(call, caller, room_id), caller.viewer
    play = room_views.play_of(call, room)
    if len(play.line) > STEPS_MAX:
        raise Problem("too_large", f"the match has {len(play.line)} actions, and up to {STEPS_MAX} are shown here")
    had = (player_id_of(number, who) for number, who in enumerate(room.seats) if viewer and who.account == viewer)
    return replay_steps(call, play, next(had, None), after, limit, draws)


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
    call: Context, session_id: SessionId, share: Share, after: After = -1, limit: Limit = 50, *, draws: bool = False
) -> tuple[Step, ...]:
    """See a session again by its link, step by step; with `draws` also what was drawn."""
    row = _row(call, session_id, share)
    return replay_steps(call, sessions.play_of(call, row), row.account, after, limit, draws)


@operation(
    "house", "GET /shared/{session_id}/record", name="get_shared_record", role="anyone",
    codes=(*SESSION, "game_fault"), returns=MatchRecord,
)  # fmt: skip
def shared_record(call: Context, session_id: SessionId, share: Share) -> bytes:
    """Get the record of a session by its link."""
    return record_of(call, sessions.play_of(call, _row(call, session_id, share)))


def _row(call: Context, session_id: int, token: str) -> SeedRow:
    row = existing(call.tx.get_seed(session_id), "no_such_session")
    given = token.encode(errors="replace")  # anything can stand in an address
    wanted = share_token(row.server_seed, session_id, row.scheme).encode()
    ensure(row.has_begun and compare_digest(wanted, given), "no_such_session")
    check_kept(row)
    owner = existing(call.tx.get_account(row.account), "no_such_session")
    ensure(not owner.closed_at and sessions.session_of(call, session_id).is_complete, "no_such_session")
    return row


# Results beside what is to be expected.

SESSIONS_MAX = 200
"""How many sessions are looked at, the newest first."""
PLAYED_BYTES = 512
"""Size of a session's bets in the cache, in bytes."""


class Played(Struct, frozen=True):
    """A session that is over: its bets, those that lay at the same time together, and what came of them."""

    game: str
    options: bytes
    is_super: bool
    bets: tuple[tuple[tuple[str, int], ...], ...]
    staked: int
    returned: int
    fees: int


@operation("house", "GET /me/results")
def my_results(call: Context, caller: Caller) -> Later[tuple[ResultsRow, ...]]:
    """Get your results by game, beside what your bets bring on average: of your newest 200 sessions that are over."""
    found = []
    for row in call.tx.sessions_of(caller.id, limit=SESSIONS_MAX):
        if row.is_complete:
            try:
                found.append(_played(call, row.session_id))
            except Problem:  # no longer kept, or by rules that are others by now
                continue
    return Later(results_of, tuple(found))


def _played(call: Context, session_id: int) -> Played:
    def read() -> Played:
        session = session_of(call, session_id)
        money = session.money
        options = canonical(session.options)
        laid = _bets(session)
        return Played(session.game_id, options, session.super_mode, laid, money.staked, money.returned, money.fees)

    return call.cache.answers.get(("played", session_id), read, lambda played: PLAYED_BYTES)


def _bets(session: Session) -> tuple[tuple[tuple[str, int], ...], ...]:
    """Return the stakes that lay before the first draw; a bet that is made again later is of another round."""
    game: HouseGame[Any] = get_game(session.game_id)  # type: ignore[assignment]
    groups: list[dict[str, int]] = []
    if session.stake:  # what was raised later is a part of what the first bet is worth
        groups.append({next(iter(game.usual_bets())): session.stake})
    first = set(groups[0]) if groups else set()
    for line in session.money.lines:
        if line.bet in first:
            continue
        group = next((each for each in groups if line.bet not in each), None)
        if group is None:
            groups.append(group := {})
        group[line.bet] = line.stake
    return tuple(tuple(sorted(group.items())) for group in groups)


def results_of(sessions: tuple[Played, ...]) -> tuple[ResultsRow, ...]:
    """Return a row for each game, and the first for all of them together."""
    by_game: dict[str, list[Played]] = {}
    for played in sessions:
        by_game.setdefault(played.game, []).append(played)
    rows = [_results_row(game, found) for game, found in sorted(by_game.items())]
    return (_results_row("", list(sessions)), *rows) if sessions else ()


def _results_row(game: str, sessions: list[Played]) -> ResultsRow:
    staked, returned, fees = (sum(getattr(each, name) for each in sessions) for name in ("staked", "returned", "fees"))
    expected = sum(map(_expected, sessions), Expected(mean=0, variance=0))  # type: ignore[arg-type]
    result = returned - staked - fees
    return ResultsRow(
        game,
        len(sessions),
        staked,
        result,
        round(float(expected.mean), 2),
        None if expected.variance is None else round(sqrt(expected.variance), 2),
        expected.is_exact,
        luck_percentile(result, expected),
    )


def _expected(played: Played) -> Expected:
    found = [_expected_of(played.game, played.options, played.is_super, bets) for bets in played.bets]
    return sum(found, Expected(mean=0, variance=0))  # type: ignore[arg-type]


@lru_cache(maxsize=4096)
def _expected_of(game_id: str, options: bytes, is_super: bool, bets: tuple[tuple[str, int], ...]) -> Expected:
    game: HouseGame[Any] = get_game(game_id)  # type: ignore[assignment]
    read = game.read_options(msgspec.json.decode(options))
    return expected_result(game, dict(bets), read, is_super=is_super)
