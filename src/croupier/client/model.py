"""Types of a server's answers, as the client holds them. Fields that a newer server adds are passed over."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from croupier.client.notes import Receipt
from croupier.engine import MatchView, get_game
from croupier.engine.plain import UNREADABLE
from croupier.errors import BadDocument
from croupier.fairness.seeds import SeatSecret, read_hex, seats_digest
from croupier.wire.rooms import RoomView
from croupier.wire.rooms import SeatView as Seat
from croupier.wire.sessions import SessionView

T = TypeVar("T")

__all__ = ["Account", "Room", "Seat", "Session", "read_view"]


class Account(Struct, frozen=True):
    """Somebody: the id is public, the token and the recovery key are not."""

    id: str
    name: str
    token: str = ""
    recovery_key: str = ""

    def __repr__(self) -> str:
        return f"<Account {self.id} {self.name!r}>"  # a log line must let nobody in


class Room(RoomView, frozen=True):
    """A room as one may see it. `version` is what an action has to name."""

    @property
    def player_id(self) -> str | None:
        """One's own id in the match."""
        return None if self.seat is None else self.seats[self.seat].player_id

    def commitment_receipt(self) -> Receipt:
        """Return the room's commitment with the host's receipt; a room's commitments are not counted."""
        facts = (self.host_key, self.id, 0, self.log_n, self.log_head, self.receipt)
        return Receipt(self.session_id, self.commitment, *facts)

    def expected_digest(self) -> str:
        """Return K over the seats as they are shown, worked out here."""
        seats = tuple(SeatSecret(seat.player_id, seat.commitment) for seat in self.seats)
        parts = read_hex(self.commitment), read_hex(self.table_digest)
        return seats_digest(*parts, self.session_id, seats).hex()

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen here."""
        return self.status in ("finished", "closed")

    @property
    def is_my_turn(self) -> bool:
        """Whether the match waits for oneself in particular."""
        return self.status == "active" and self.view is not None and self.view["turn"]["current"] == self.player_id

    def match_view(self) -> MatchView[Any]:
        """Return the view as the game's own types, for a bot or the game's `render`."""
        return read_view(self.view)


class Session(SessionView, frozen=True):
    """A session against the house. `version` is what a move has to name."""

    def match_view(self) -> MatchView[Any]:
        """Return the view as the game's own types, for a bot or the game's `render`."""
        return read_view(self.view)


def read_answer(said: Any, kind: type[T]) -> T:
    """Return what the server has said, JSON or a part of a frame, as a type; raise `BadDocument` where it is none."""
    try:
        return msgspec.json.decode(said, type=kind) if isinstance(said, bytes) else msgspec.convert(said, kind)
    except UNREADABLE as error:
        raise BadDocument(f"the server's answer is not what it should be: {error!s:.200}") from None


def same_session(session_id: int, found: Session) -> Session:
    """Return a session that the server answers with, or raise `BadDocument` where it is another than was asked for."""
    if found.session_id != session_id:
        raise BadDocument(f"the server answers with session {found.session_id}, asked for was {session_id}")
    return found


def read_view(view: dict[str, Any] | None) -> MatchView[Any]:
    """Return a view as the types of its game."""
    if view is None:
        raise ValueError("the match has not begun")
    game = get_game(view["game_id"])
    options = game.read_options(view["options"])
    seen: MatchView[Any] = msgspec.convert({**view, "options": None}, MatchView[game.shape.type])  # type: ignore[name-defined]
    return msgspec.structs.replace(seen, options=options)
