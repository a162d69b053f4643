"""Matches from what is stored: the first state of a room or session, and its log. Server and audit both begin here.

In a match a player is called by their id, and so in its digests: the name that others read is the room's, and can be
erased without touching a match that has been played.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from croupier.engine import Game, LogEntry, Match, Player, apply_action, create_match, get_game
from croupier.errors import BadDocument, RecordMismatch
from croupier.fairness import SeedPair
from croupier.fairness.dice import Terms, game_id_of
from croupier.house.session import Session
from croupier.store.model import Room, RoomSeat, StoredEvent

__all__ = [
    "apply_entry",
    "client_seed_of",
    "line_of",
    "player_id_of",
    "session_match_id",
    "start_of",
    "start_of_session",
]


def player_id_of(seat: int, who: RoomSeat) -> str:
    """Return the id that somebody has in the match: the account's, one made of a bot's name and seat, or a key.

    >>> player_id_of(1, RoomSeat("", "Greedy", bot="greedy"))
    'bot:1:greedy'
    """
    return f"bot:{seat}:{who.bot}" if who.bot else who.key or who.account


def client_seed_of(seats: Sequence[RoomSeat]) -> str:
    """Return all client seeds as one: SHA-256 over id and seed of every seat, each with its length before it."""
    parts = bytearray()
    for seat, who in enumerate(seats):
        for part in (player_id_of(seat, who).encode(), bytes.fromhex(who.client_seed)):
            parts += len(part).to_bytes(4, "big") + part
    return sha256(parts).hexdigest()


def session_match_id(session_id: int) -> str:
    """Return the id under which the events of a session stand, which no room has.

    >>> session_match_id(7)
    's_7'
    """
    return f"s_{session_id}"


def start_of(room: Room) -> Match[Any]:
    """Return the first state of a room's match, which follows from its seeds, seats and options.

    Raises `BadDocument` where the installed rules are not those the room was made with.
    """
    game = _game_with_rules(room.game_id, room.rules_version)
    ids = [player_id_of(number, seat) for number, seat in enumerate(room.seats[: room.seats_started])]
    players = [Player(id, id, number, is_bot=bool(room.seats[number].bot)) for number, id in enumerate(ids)]
    return create_match(
        game,
        players,
        seed=_seed_of(room),
        session_id=room.session_id,
        match_id=room.id,
        options=room.options,
    )


def _seed_of(room: Room) -> bytes:
    if room.dice:  # public, since nothing draws from it: every roll has a seed of its own
        return game_id_of(msgspec.convert(room.dice, Terms))
    return SeedPair(room.commitment, room.server_seed, room.client_seed).match_seed(room.session_id)


def start_of_session(session: Session) -> Match[Any]:
    """Return the first state of a session's match, which follows from its seed, stake and options."""
    assert session.match is not None
    game = _game_with_rules(session.game_id, session.match.rules_version)
    return create_match(
        game,
        [session.player],
        seed=bytes.fromhex(session.seed),
        session_id=session.id,
        options=session.options,
        host=game.terms(session.stake, session.super_mode),
    )


def _game_with_rules(game_id: str, rules_version: int) -> Game[Any]:
    game: Game[Any] = get_game(game_id)
    if game.rules_version != rules_version:
        raise BadDocument(f"{game.name} has other rules now: version {game.rules_version}, not {rules_version}")
    return game


def line_of(events: Iterable[StoredEvent]) -> list[LogEntry]:
    """Return the log that events leave: an undo takes the last entry off."""
    line: list[LogEntry] = []
    for event in events:
        if event.kind == "undo":
            line.pop()
        elif event.kind == "action":
            line.append(msgspec.convert(event.body, LogEntry))
    return line


def apply_entry(game: Game[Any], match: Match[Any], entry: LogEntry) -> Match[Any]:
    """Return the match after an entry of its log, which was accepted before: it must be again."""
    seed = None if entry.seed is None else bytes.fromhex(entry.seed)
    answer = apply_action(game, match, entry.action, seed=seed, now=entry.at)
    if not answer.ok:
        raise RecordMismatch(
            f"{entry.action.type} of {entry.action.player_id} is refused: {answer.error}", entry.version
        )
    return answer.state
