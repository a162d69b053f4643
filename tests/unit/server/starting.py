"""Helpers that begin a match in a room: everybody is ready with the hash of a secret, then everybody opens it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from croupier.server.operations import rooms
from croupier.wire.rooms import NewRoom
from tests.unit.store.seeds import seat_commitment


def secret_of(seat: int) -> str:
    """Return a secret for a seat, the same in every test."""
    return sha256(f"seat {seat}".encode()).hexdigest()


def ready_body(room: Any, seat: int) -> dict[str, Any]:
    """Return the body with which a seat of a room, as the server shows it, is ready."""
    shown = room if isinstance(room, dict) else {"commitment": room.commitment, "seats": room.seats}
    who = shown["seats"][seat]
    player_id = who["player_id"] if isinstance(who, dict) else who.player_id
    return {"ready": True, "commitment": seat_commitment(shown["commitment"], seat, player_id, secret_of(seat))}


def seat_of(room: Any, who: Any) -> int:
    """Return the number of the seat that somebody has in a room."""
    return [seat.player_id for seat in room.seats].index(who.account.id)


def make_ready(do: Callable[..., Any], room: Any, who: Any) -> Any:
    """Have one player of a room be ready, and return the room; `do` carries out an operation."""
    return do(rooms.set_ready, who, room.id, True, ready_body(room, seat_of(room, who))["commitment"])


def open_seat(do: Callable[..., Any], room: Any, who: Any) -> Any:
    """Have one player of a room open their secret, and return the room."""
    return do(rooms.open_seat, who, room.id, secret_of(seat_of(room, who)))


def begin(do: Callable[..., Any], room: Any, people: Sequence[Any]) -> Any:
    """Have everybody be ready and open, and return the room with its match begun."""
    for who in people:
        room = make_ready(do, room, who)
    assert room.status == "opening", room.status
    for who in people:
        room = open_seat(do, room, who)
    assert room.status == "active", room.status
    return room


def create(do: Callable[..., Any], who: Any, body: NewRoom, *others: Any) -> Any:
    """Make a room, have others sit down, and begin its match."""
    room = do(rooms.create_room, who, body)
    for other in others:
        room = do(rooms.join_room, other, room.id)
    return begin(do, room, (who, *others))


def begin_over_http(room: dict[str, Any], *people: Any) -> dict[str, Any]:
    """Have everybody who sits in a room be ready and open, by requests, and return the room."""
    seats = {who.id: [seat["player_id"] for seat in room["seats"]].index(who.id) for who in people}
    for who in people:
        room = who.post(f"/rooms/{room['id']}/ready", ready_body(room, seats[who.id]))
    for who in people:
        room = who.post(f"/rooms/{room['id']}/open", {"secret": secret_of(seats[who.id])})
    assert room["status"] == "active", room["status"]
    return room


async def create_later(change: Callable[..., Any], who: Any, body: NewRoom, *others: Any) -> Any:
    """Do what `create` does, with operations that are waited for."""
    room = await change(rooms.create_room, who, body)
    for other in others:
        room = await change(rooms.join_room, other, room.id)
    for someone in (who, *others):
        room = await make_ready(change, room, someone)
    for someone in (who, *others):
        room = await open_seat(change, room, someone)
    assert room.status == "active", room.status
    return room
