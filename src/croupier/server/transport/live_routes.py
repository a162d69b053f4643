"""Requests around live connections and shared dice: rows for the table of all requests."""

from typing import Annotated

from msgspec import Meta, Struct

from croupier.engine import Action
from croupier.fairness.dice import Event
from croupier.fairness.dice.messages import write_message
from croupier.fairness.dice.transcript import Transcript
from croupier.server.operations import dice, room_views, tickets
from croupier.server.transport.requests import Route

__all__ = ["LIVE_ROUTES"]


class DiceQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The last version heard."""

    since: Annotated[int, Meta(ge=0, le=2**53)] = 0
    limit: Annotated[int, Meta(ge=1, le=500)] = 500


class DiceBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A signed message, as the page on shared dice has it."""

    message: Event


class DiceActionBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An action that is not signed; `id` makes it happen once."""

    id: Annotated[str, Meta(min_length=1, max_length=64, pattern="^[!-~]+$", examples=["4f9d1c"])]
    action: Action


_DICE = ("no_such_room", "not_a_dice_room")
_SEAT = (*_DICE, "frozen", "finished", "not_seated", "account_frozen", "forbidden")

LIVE_ROUTES: tuple[Route, ...] = (
    Route(
        method="POST",
        path="/tickets",
        name="new_ticket",
        role="player",
        tag="live",
        summary="Get a ticket for one live connection, good for half a minute: /api/v1/live?ticket=…",
        op=lambda call, caller, asked: tickets.issue_ticket(call, caller),
        answer=tickets.Ticket,
        status=201,
        shows_secret=True,
    ),
    Route(
        method="POST",
        path="/dice-rooms",
        name="create_dice_room",
        role="player",
        tag="dice",
        summary="Open a craps table whose dice everybody makes.",
        op=lambda call, caller, asked: dice.create_dice_room(call, caller, asked.body),
        body=dice.NewDiceRoom,
        answer=room_views.RoomView,
        status=201,
        codes=("too_many_rooms", "account_frozen"),
    ),
    Route(
        method="GET",
        path="/rooms/{room_id}/dice",
        name="read_dice",
        role="anyone",
        tag="dice",
        summary="Read what a dice table was told since a version, with its terms.",
        op=lambda call, caller, asked: dice.read_dice(
            call, caller, asked.path["room_id"], asked.query.since, asked.query.limit
        ),
        query=DiceQuery,
        answer=dice.DicePage,
        codes=_DICE,
    ),
    Route(
        method="POST",
        path="/rooms/{room_id}/dice",
        name="send_dice",
        role="player",
        tag="dice",
        summary="Send a signed message: a seat, an order, a commitment, an opening. `ok` says whether it was taken.",
        op=lambda call, caller, asked: dice.send_dice(
            call, caller, asked.path["room_id"], write_message(asked.body.message)
        ),
        body=DiceBody,
        answer=dice.DiceAnswer,
        codes=(*_SEAT, "already_seated", "room_full", "too_many_rooms"),
    ),
    Route(
        method="POST",
        path="/rooms/{room_id}/dice/actions",
        name="act_at_dice",
        role="player",
        tag="dice",
        summary="Take an action at a dice table that is not signed, such as ready, or lock, with which a round begins.",
        op=lambda call, caller, asked: dice.act_at_dice(call, caller, asked.path["room_id"], None, asked.body.action),
        body=DiceActionBody,
        answer=dice.DiceAnswer,
        codes=_SEAT,
    ),
    Route(
        method="GET",
        path="/rooms/{room_id}/transcript",
        name="get_transcript",
        role="anyone",
        tag="dice",
        summary="Get the transcript of a dice table so far, sealed by the table.",
        op=lambda call, caller, asked: dice.read_transcript(call, caller, asked.path["room_id"]),
        answer=Transcript,
        codes=_DICE,
    ),
)
