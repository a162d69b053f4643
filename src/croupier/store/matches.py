"""Matches from what is stored: the first state of a room or session, and its log. Server and audit both begin here.

In a match a player is called by their id, and so in its digests: the name that others read is the room's, and can be
erased without touching a match that has been played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from croupier.engine import Game, LogEntry, Match, Player, apply_action, create_match, deserialize_match, get_game
from croupier.errors import BadDocument, RecordMismatch
from croupier.fairness import SeedPair
from croupier.fairness.dice.terms import game_id_of, read_terms
from croupier.fairness.seeds import SeatSecret
from croupier.house.session import Session
from croupier.store.model import Room, RoomSeat, StoredEvent

if TYPE_CHECKING:
    from croupier.store.transaction import Transaction


def player_id_of(seat: int, who: RoomSeat) -> str:
    """Return the id that somebody has in the match: the account's, one made of a bot's name and seat, or a key.

    >>> player_id_of(1, RoomSeat("", "Greedy", bot="greedy"))
    'bot:1:greedy'
    """
    return f"bot:{seat}:{who.bot}" if who.bot else who.key or who.account


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
    match = create_match(
        game, players, seed=_seed_of(room), session_id=room.session_id, match_id=room.id, options=room.options
    )
    return replace(match, rules_version=room.rules_version)


def _seed_of(room: Room) -> bytes:
    if room.dice:  # public, since nothing draws from it: every roll has a seed of its own
        return game_id_of(read_terms(room.dice))
    return pair_of(room).match_seed(room.session_id)


def pair_of(room: Room) -> SeedPair:
    """Return all parts of a room's seed, with the commitment. The server's is a secret until the match is over."""
    if room.scheme == 1:
        return SeedPair(room.commitment, room.server_seed, room.client_seed)
    seats = seat_secrets(room.seats[: room.seats_started])
    own = {"account": room.id, "table_digest": room.table_digest, "seats": seats, "voids": room.voids}
    return room.pair_with(client_seed="", **own)


def seat_secrets(seats: Sequence[RoomSeat]) -> tuple[SeatSecret, ...]:
    """Return the seats' parts of a room's seed."""
    return tuple(SeatSecret(player_id_of(seat, who), who.commitment, who.secret) for seat, who in enumerate(seats))


def start_of_session(session: Session, rules_version: int) -> Match[Any]:
    """Return the first state of a session's match, which follows from its seed, stake and options."""
    game = _game_with_rules(session.game_id, rules_version)
    match = create_match(
        game,
        [session.player],
        seed=bytes.fromhex(session.seed),
        session_id=session.id,
        options=session.options,
        host=game.terms(session.stake, session.super_mode),
    )
    return replace(match, rules_version=rules_version)


def _game_with_rules(game_id: str, rules_version: int) -> Game[Any]:
    game: Game[Any] = get_game(game_id)
    if rules_version not in (game.rules_version, *game.older_rules):
        raise BadDocument(f"{game.name} has other rules now: version {game.rules_version}, not {rules_version}")
    return game


def read_match(transaction: Transaction, match_id: str, game_id: str, first: Callable[[], Match[Any]]) -> Match[Any]:
    """Return a match as it stands, from its last snapshot and what came after, or else from its first state."""
    game: Game[Any] = get_game(game_id)
    snapshot = transaction.last_snapshot(match_id)
    events = transaction.events(match_id, since=0 if snapshot is None else snapshot[0])
    if snapshot is not None and all(event.kind != "undo" for event in events):
        match = deserialize_match(snapshot[1], game)
    else:
        events, match = transaction.events(match_id) if snapshot is not None else events, first()
    for entry in line_of(events):
        match = apply_entry(game, match, entry)
    return match


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
