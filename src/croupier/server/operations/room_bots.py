"""Bots in rooms: which of them has to decide something, and what they then do.

Bots have a budget: they play among themselves only so long, and then wait until a person acts. Without it a table whose
dice bots throw, with one person who looks on or has gone away, would be played for ever.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from croupier.engine import Action, get_game, legal_actions
from croupier.fairness.seeds import keyed
from croupier.server.operations.context import Context
from croupier.server.operations.rooms import let_bots_go
from croupier.store.matches import player_id_of
from croupier.store.model import Room

ALONE_MAX = 1_000
"""How many actions bots take in a row."""
ALONE_CHECK = 64
"""At which versions of a room that is looked at: the multiples of this."""


class BotTurn(Struct, frozen=True):
    """A decision that a bot has to make: all that is needed to think about it elsewhere."""

    room_id: str
    host: str
    """The account that the time it takes is counted for."""
    version: int
    player_id: str
    bot: str
    game_id: str
    match: Any
    seed: bytes
    """The bot's own; it tells nothing of the match's."""


def bot_turn(call: Context, room_id: str) -> BotTurn | None:
    """Return what a bot of the room has to decide now, if one has."""
    room = call.room(room_id)
    if room.status != "active" or room.frozen or room.dice or _is_alone(call, room):
        return None
    game, match = get_game(room.game_id), call.live(room).match
    bots = {player_id_of(number, who): who.bot for number, who in enumerate(room.seats) if who.bot and not who.left}
    current = match.turn.current
    waiting = [current] if current in bots else []
    waiting += [each for each in match.turn.order if each in bots and each != current]
    for player_id in waiting:
        if legal_actions(game, match, player_id):
            seed = keyed(bytes.fromhex(room.server_seed), "croupier/bots/2")
            return BotTurn(room.id, room.host, room.version, player_id, bots[player_id], game.id, match, seed)
    return None


def bot_acts(call: Context, room_id: str, version: int, action: Action) -> Room | None:
    """Take the action that a bot has chosen, unless the match has moved on meanwhile."""
    room = call.room(room_id, lock=True)
    if room.version != version or room.status != "active" or room.frozen:
        return None
    return let_bots_go(call, call.dispatch(room, action)[0])


def _is_alone(call: Context, room: Room) -> bool:
    """Tell whether bots have played among themselves for so long that they wait until a person acts."""
    if room.version < ALONE_MAX or room.version % ALONE_CHECK:
        return False
    people = {player_id_of(number, who) for number, who in enumerate(room.seats) if not who.bot}
    events = call.tx.events(room.id, since=room.version - ALONE_MAX)
    actions = [event.body["action"] for event in events if event.kind == "action"]
    by_people = [one for one in actions if one["player_id"] in people and one["type"] != "time_out"]
    return len(actions) == len(events) and not by_people
