"""Load stored moves of a room or session and re-execute them: its steps and its record, for replays and exports.

room, or session and seeds ──► Play: where it began, every action, its seeds ──► steps, or the record
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import islice
from typing import Any

from msgspec import Struct

from croupier.draw_list import draw_lines, list_draws
from croupier.engine import Game, LogEntry, Match, get_game, make_record, read_record, view_for, write_record
from croupier.fairness import SeedPair
from croupier.server.operations.context import Context, replayed
from croupier.server.problems import ensure
from croupier.wire.sessions import Step

KEEP_EVERY = 50
STATE_BYTES = 8_192
"""Assumed size of a cached state, in bytes."""
ENTRY_BYTES = 512
"""Assumed size of a cached log entry, in bytes."""


class Play(Struct, frozen=True):
    """Play as it is shown step by step: where it began, and everything that was done."""

    key: Hashable
    """Under which it is kept, once it is over."""
    start: Match[Any]
    line: tuple[LogEntry, ...]
    started_at: int
    pair: SeedPair | None
    is_over: bool = True


def kept_play(call: Context, key: Hashable, read: Callable[[], Play]) -> Play:
    """Return play as it was read, once if it is over: a long line costs no more than a short one after that."""

    def size(play: Play) -> int:
        return (STATE_BYTES + ENTRY_BYTES * len(play.line)) * play.is_over

    return call.cache.answers.get(("play", key), read, size)


def record_of(call: Context, play: Play) -> bytes:
    """Return the record of play that is over, with all parts of its seed."""
    ensure(play.is_over, "not_finished")

    def make() -> bytes:
        game: Game[Any] = get_game(play.start.game_id)
        return write_record(make_record(game, play.start, play.line, commitments=play.pair))

    return call.cache.answers.get(("record", play.key), make, len)


def replay_steps(
    call: Context, play: Play, player_id: str | None, after: int, limit: int, draws: bool
) -> tuple[Step, ...]:
    """Return the steps above a version, as a player or nobody in particular sees them. Some states are kept when over.

    `draws` lists also what was drawn. While it goes on that is a secret: a hidden card may be among it.
    """
    start, line = play.start, play.line
    game: Game[Any] = get_game(start.game_id)

    def along() -> list[Match[Any]]:
        states, state = [start], start
        for number, entry in enumerate(line, 1):
            state = replayed(game, state, [entry])
            if number % KEEP_EVERY == 0:
                states.append(state)
        return states

    record = read_record(record_of(call, play)) if draws and play.is_over else None

    def seen(state: Match[Any]) -> Any:
        is_there = any(player.id == player_id for player in state.players)  # or came to the table after this
        return view_for(game, state, player_id if is_there else None)

    def drawn(before: Match[Any] | None, after: Match[Any]) -> tuple[str, ...]:
        return () if record is None else draw_lines(list_draws(game, record, before, after))

    states = [start]
    if play.is_over and after >= KEEP_EVERY:
        states = call.cache.answers.get(("states", play.key), along, lambda found: STATE_BYTES * len(found))
    first = min(max(after, 0) // KEEP_EVERY, len(states) - 1)
    state = states[first]
    steps = [Step(0, None, "", play.started_at, seen(start), drawn(None, start))] if after < 0 else []
    for entry in islice(line, first * KEEP_EVERY, None):
        if len(steps) >= limit:
            break
        before, state = state, replayed(game, state, [entry])
        if state.version > after:
            text = game.describe(entry.action, before, state)
            steps.append(Step(state.version, entry.action, text, entry.at, seen(state), drawn(before, state)))
    return tuple(steps)
