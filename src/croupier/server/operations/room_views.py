"""Looking at rooms: what each caller may see of one, of its match and of its log. Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter, itemgetter
from typing import Any

from msgspec.structs import replace

from croupier.engine import Match, MatchRecord, get_game, legal_actions, view_for
from croupier.engine.legal import legal_ranges
from croupier.engine.views import log_for
from croupier.server.operations.context import Caller, Context, start_of
from croupier.server.operations.declaration.fields import Id, Limit, Whole
from croupier.server.operations.declaration.operation import operation
from croupier.server.operations.played import Play, kept_play, record_of
from croupier.server.problems import ensure, existing
from croupier.store.matches import pair_of, player_id_of
from croupier.store.model import Room, RoomSeat
from croupier.wire.rooms import LogPage, RoomView, SeatView

LOG_MAX = 500
SEATS_CACHED = 4096


def seat_of(room: Room, viewer: str | None) -> int | None:
    """Return somebody's seat in a room; None for who has none, or has left it."""
    if viewer:
        for number, who in enumerate(room.seats):
            if who.account == viewer and not who.left:
                return number
    return None


def own_seat(room: Room, account_id: str) -> int:
    """Return the seat that somebody has in a room, or raise `Problem` if they have none."""
    return existing(seat_of(room, account_id), "not_seated")


def player_of(room: Room, viewer: str | None) -> str | None:
    """Return the id that somebody has in the match of a room; None for who has no seat, or has left it."""
    seat = seat_of(room, viewer)
    return None if seat is None else player_id_of(seat, room.seats[seat])


def check_may_look(room: Room, viewer: str | None) -> None:
    """Raise `Problem` if somebody who has no seat wants to watch a match that is not for watching."""
    if room.allows_spectators or room.status in ("open", "opening"):
        return
    ensure(viewer and any(who.account == viewer for who in room.seats), "no_such_room")


def watched_room(call: Context, caller: Caller, room_id: str) -> Room:
    """Return a room that the caller may look at, or raise `Problem`."""
    room = call.room(room_id)
    check_may_look(room, caller.viewer)
    return room


def room_view(call: Context, room: Room, viewer: str | None, *, with_legal: bool = False) -> RoomView:
    """Return a room with its match as one viewer may see it."""
    match = call.live(room).match if room.seats_started else None
    return replace(outline_of(room), **own_parts(room, match, viewer, view_for, with_legal=with_legal))


def own_parts(
    room: Room, match: Match[Any] | None, viewer: str | None, view_of: Callable[..., Any], *, with_legal: bool
) -> dict[str, Any]:
    """Return what of a room differs between viewers: their seat, and the match, if it has begun, as they may see it."""
    seat = seat_of(room, viewer)
    if match is None:
        return {"seat": seat}
    game = get_game(room.game_id)
    player_id = None if seat is None else player_id_of(seat, room.seats[seat])
    parts = {"seat": seat, "view": view_of(game, match, player_id)}
    if with_legal and player_id is not None:
        parts["legal"] = legal_actions(game, match, player_id)
        parts["ranges"] = {name: dict(fields) for name, fields in legal_ranges(game, match, player_id).items()}
    return parts


def outline_of(room: Room, viewer: str | None = None) -> RoomView:
    """Return a room without its match."""
    is_shown = room.status in ("finished", "closed") and not room.dice  # dice: the key that signs is made from it
    seats, server_seed = _seat_views(room.seats, room.seats_started), room.server_seed if is_shown else None
    other = (room.game_id, seats, server_seed, room.frozen, bool(room.dice), seat_of(room, viewer))
    return RoomView(*_in_order((*other, *_own_facts(room))))


OWN = ("seat", "view", "legal", "ranges")
"""The last fields of a room's view: those that differ between its viewers."""
assert RoomView.__struct_fields__[-len(OWN) :] == OWN
_OTHER = ("game", "seats", "server_seed", "is_frozen", "has_shared_dice", "seat")
"""Fields that a room has in another form than its outline; the others are taken as they are."""
_OUTLINE = RoomView.__struct_fields__[: 1 - len(OWN)]
_SAME = tuple(name for name in _OUTLINE if name not in _OTHER)
_own_facts = attrgetter(*_SAME)
_in_order = itemgetter(*((*_OTHER, *_SAME).index(name) for name in _OUTLINE))


@lru_cache(maxsize=SEATS_CACHED)
def _seat_views(seats: tuple[RoomSeat, ...], is_started: bool) -> tuple[SeatView, ...]:
    """Return the seats of a room as everybody sees them; cached, since few actions change any."""
    views = []
    for number, who in enumerate(seats):
        facts = (who.name, who.bot, who.ready, who.left, who.commitment, who.secret if is_started else "")
        views.append(SeatView(player_id_of(number, who), *facts))
    return tuple(views)


@operation("rooms", "GET /rooms/{room_id}", name="get_room", role="anyone", codes=("no_such_room",))
def find_room(call: Context, caller: Caller, room_id: str, *, legal: bool = False) -> RoomView:
    """Look at a room, by its id or its code, with its match as you may see it.

    A code is good as long as the room. `legal` lists what can be done.
    """
    room = existing(call.tx.get_room(room_id) or call.tx.room_by_code(room_id.upper()), "no_such_room")
    check_may_look(room, caller.viewer)
    return room_view(call, room, caller.viewer, with_legal=legal)


@operation("rooms", "GET /rooms", role="anyone")
def list_rooms(call: Context, game: Id | None = None, after: Id = "", limit: Limit = 50) -> tuple[RoomView, ...]:
    """List the rooms that anyone may find, newest first.

    Their matches are left out.
    """
    return tuple(outline_of(room) for room in call.tx.open_rooms(game_id=game, after=after, limit=limit))


@operation("rooms", "GET /me/rooms", name="list_my_rooms")
def my_rooms(call: Context, caller: Caller, after: Id = "", limit: Limit = 50) -> tuple[RoomView, ...]:
    """List the rooms you have had a seat in, newest first."""
    rooms = call.tx.rooms_of(caller.id, after=after, limit=limit)
    return tuple(outline_of(room, caller.id) for room in rooms)


@operation("rooms", "GET /rooms/{room_id}/log", name="get_log", role="anyone", codes=("no_such_room",))
def read_log(call: Context, caller: Caller, room_id: str, since: Whole = 0) -> LogPage:
    """Read what happened in a match since a version, as you may read it.

    An undone action is no longer in the log; who has seen it learns that by the match's version, which went back.
    """
    room = watched_room(call, caller, room_id)
    if not room.seats_started:
        return LogPage((), 0)
    game, match = get_game(room.game_id), call.live(room).match
    entries = [entry for entry in call.line(room) if entry.version > since][:LOG_MAX]
    shown = log_for(game, match, entries, player_of(room, caller.viewer))
    return LogPage(shown, entries[-1].version if entries else match.version)


@operation(
    "rooms", "GET /rooms/{room_id}/record", name="get_record", role="anyone", codes=("no_such_room", "not_finished"),
    returns=MatchRecord,
)  # fmt: skip
def read_record(call: Context, caller: Caller, room_id: str) -> bytes:
    """Get the record of a match that is over, with both parts of its seed."""
    return record_of(call, play_of(call, watched_room(call, caller, room_id)))


def play_of(call: Context, room: Room) -> Play:
    """Return the match of a room, to be looked at again when it is over."""
    key = (room.id, room.version)
    ensure(room.status == "finished" and room.seats_started, "not_finished")

    def read() -> Play:
        pair = None if room.dice else pair_of(room)
        return Play(key, start_of(room), tuple(call.line(room)), room.created_at, pair)

    return kept_play(call, key, read)
