"""Actions in matches: one request for rooms of every kind, also for those whose dice everybody makes."""

from __future__ import annotations

from croupier.engine import Action
from croupier.server.operations import dice
from croupier.server.operations.context import Caller, Context
from croupier.server.operations.declaration.fields import Version
from croupier.server.operations.declaration.operation import operation
from croupier.server.operations.room_views import find_room, own_seat
from croupier.server.operations.rooms import SEAT, usable
from croupier.server.problems import KeptRefusal, ensure
from croupier.store.model import Room
from croupier.wire.rooms import RoomView


@operation(
    "rooms", "POST /rooms/{room_id}/actions", frame="act", is_keyed=True, shown=find_room, returns=RoomView,
    codes=(*SEAT, "stale_version", "not_started", "forbidden", "game_fault"),
    example={"id": "4f9d1c", "expected_version": 0, "action": {"type": "roll"}},
)  # fmt: skip
def act(call: Context, caller: Caller, room_id: str, expected_version: Version, action: Action) -> Room | KeptRefusal:
    """Take an action in a match.

    The match has to be where the player thinks it is. No version is expected of a table of shared dice: others'
    messages move it on all the time, and the rules decide.
    """
    account = caller.must_play()
    room = usable(call, room_id)
    if room.dice:
        return dice.act_in(call, account, room, action)
    ensure(room.status not in ("open", "opening"), "not_started")
    own_seat(room, account.id)
    ensure(room.version == expected_version, "stale_version", version=room.version)
    ensure(action.type not in ("join", "leave", "time_out"), "forbidden", f"{action.type} is for the host to say")
    ensure(action.player_id in (None, account.id), "forbidden", "you act for yourself alone")
    return call.dispatch(room, Action(action.type, action.payload, account.id))[0]
