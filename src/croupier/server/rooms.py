"""Rooms: where matches are made, joined, played, undone by consent, and played again.

A room is open until everybody is ready; then its match begins, from a seed that the server committed to when the room
was made and to which every player has added.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier.bots import UnknownBot, find_bot
from croupier.engine import (
    Action,
    Game,
    MatchClient,
    get_game,
    has_game,
    legal_actions,
    state_digest,
)
from croupier.errors import BadOptions, BadSeed
from croupier.fairness import commitment_to, derive, read_hex
from croupier.house import HouseGame
from croupier.server.desk import Call, Caller, Live, client_seed_of, player_id_of, replayed, start_of
from croupier.server.problems import Problem
from croupier.server.room_views import RoomView, outline_of, room_view, seat_of
from croupier.store.model import Room, RoomSeat, StoredEvent

__all__ = [
    "BotTurn",
    "NewRoom",
    "act",
    "add_bot",
    "answer_undo",
    "ask_undo",
    "bot_acts",
    "bot_turn",
    "check_few_rooms",
    "create_room",
    "join_room",
    "leave_room",
    "open_room",
    "read_options",
    "rematch",
    "remove_bot",
    "set_ready",
    "take_action",
    "time_up",
]

CLIENT_SEED_MAX = 64
CODE_TRIES = 20
TURN_MS_MIN, TURN_MS_MAX = 1_000, 7 * 86_400_000
TIMEOUTS_MAX = 3
"""Who lets the time run out this often in a row has left."""


class NewRoom(Struct, frozen=True, forbid_unknown_fields=True):
    """What a room is to be."""

    game: str
    options: dict[str, Any] = {}
    seats: int | None = None
    """How many seats there are; if it does not say, as many as are taken at once, or the game needs at least."""
    bots: tuple[str, ...] = ()
    """Bots that sit down at once, by name."""
    is_listed: bool = True
    allows_spectators: bool = True
    turn_ms: int = 0
    """How long a turn may take; 0 for no clock."""
    client_seed: str = ""
    ready: bool = False
    """Whether its maker is ready at once."""


# Making and joining.


def create_room(call: Call, caller: Caller, body: NewRoom) -> RoomView:
    """Open a room. Its seed is committed to from here on."""
    account = caller.must_play()
    game = _match_game(body.game)
    options = read_options(game, body.options)
    if body.turn_ms and not TURN_MS_MIN <= body.turn_ms <= TURN_MS_MAX:
        raise Problem("bad_request", f"turn_ms is 0, or {TURN_MS_MIN} to {TURN_MS_MAX}")
    seats_max = max(game.players[0], 1 + len(body.bots)) if body.seats is None else body.seats
    if not max(game.players[0], 1 + len(body.bots)) <= seats_max <= game.players[1]:
        low, high = game.players
        raise Problem("bad_request", f"{game.name} has {low} to {high} seats, and room for everybody who is named")
    check_few_rooms(call, account.id)
    for bot in body.bots:
        _check_bot(game, bot)
    seats = (_seat(account.id, account.name, body.client_seed, body.ready), *map(_bot_seat, body.bots))
    room = open_room(
        call, game, options, account.id, seats, seats_max, body.is_listed, body.allows_spectators, body.turn_ms
    )
    return room_view(call, _begin_if_ready(call, room), account.id)


def check_few_rooms(call: Call, account_id: str) -> None:
    """Raise `Problem` if somebody has as many rooms going as one may have."""
    mine = call.tx.rooms_of(account_id, limit=call.settings.rooms_each)
    if len(mine) == call.settings.rooms_each and all(room.status in ("open", "active") for room in mine):
        raise Problem("too_many_requests", f"you have {len(mine)} rooms open: finish or leave one first")


def open_room(
    call: Call,
    game: Game[Any],
    options: dict[str, Any],
    host: str,
    seats: tuple[RoomSeat, ...],
    seats_max: int,
    is_listed: bool,
    allows_spectators: bool,
    turn_ms: int,
) -> Room:
    """Write down a new room under a code that is free, with a seed of its own."""
    server_seed = call.desk.entropy(32)
    room = Room(
        id=call.new_id("m_"),
        code="",
        game_id=game.id,
        rules_version=game.rules_version,
        options=options,
        host=host,
        session_id=call.tx.next_session_id(),
        server_seed=server_seed.hex(),
        commitment=commitment_to(server_seed),
        created_at=call.now,
        updated_at=call.now,
        seats=seats,
        seats_max=seats_max,
        is_listed=is_listed,
        allows_spectators=allows_spectators,
        turn_ms=turn_ms,
        deadline=call.now + call.settings.abandoned_ms,
    )
    for _ in range(CODE_TRIES):
        named = replace(room, code=call.new_code())
        if call.tx.room_by_code(named.code) is None:
            call.tx.add_room(named)
            call.notices[named.id] = named.version
            return named
    raise Problem("overloaded", "no code is free")


def join_room(call: Call, caller: Caller, room_id: str, client_seed: str = "", ready: bool = False) -> RoomView:
    """Take a seat: before the match, or during it where the game lets people in."""
    account = caller.must_play()
    found = call.tx.room_by_code(room_id.upper())
    room = _usable(call, found.id if found else room_id)
    if room.dice:
        raise Problem("dice_room")
    if seat_of(room, account.id) is not None:
        raise Problem("already_seated")
    if len([who for who in room.seats if not who.left]) >= room.seats_max:
        raise Problem("room_full")
    seat = _seat(account.id, account.name, client_seed, ready)
    if room.status == "open":
        room = call.put_room(replace(room, seats=(*room.seats, seat), updated_at=call.now))
        return room_view(call, _begin_if_ready(call, room), account.id)
    room = replace(room, seats=(*room.seats, replace(seat, ready=True)))
    room, _ = call.dispatch(room, Action("join", {"id": account.id, "name": account.name}, account.id))
    return room_view(call, room, account.id)


def leave_room(call: Call, caller: Caller, room_id: str) -> RoomView:
    """Give a seat up: before the match it is free again; during it the game says what becomes of it."""
    room = call.room(room_id, lock=True)
    seat = seat_of(room, caller.id)
    if seat is None:
        raise Problem("not_seated")
    if room.dice:
        raise Problem("dice_room")
    if room.status == "active":
        return room_view(call, _take_out(call, room, seat), caller.id)
    if room.status != "open":
        raise Problem("finished")
    seats = room.seats[:seat] + room.seats[seat + 1 :]
    people = [who for who in seats if not who.bot]
    host = room.host if any(who.account == room.host for who in people) else next((w.account for w in people), "")
    status = "open" if people else "closed"
    deadline = room.deadline if people else 0
    left = replace(room, seats=seats, host=host, status=status, deadline=deadline, updated_at=call.now)
    return outline_of(call.put_room(left), caller.id)


def _take_out(call: Call, room: Room, seat: int) -> Room:
    """Let somebody leave a match, by the game's rules."""
    who = room.seats[seat]
    room, _ = call.dispatch(room, Action("leave", {}, player_id_of(seat, who)))
    seats = (*room.seats[:seat], replace(who, left=True), *room.seats[seat + 1 :])
    return call.put_room(replace(room, seats=seats))


def set_ready(call: Call, caller: Caller, room_id: str, ready: bool, client_seed: str | None = None) -> RoomView:
    """Say whether one is ready, and name another client seed if wanted; the match begins when everybody is."""
    account = caller.must_play()
    room = _usable(call, room_id)
    if room.status != "open":
        raise Problem("not_open")
    seat = seat_of(room, account.id)
    if seat is None:
        raise Problem("not_seated")
    who = replace(room.seats[seat], ready=ready)
    if client_seed is not None:
        who = replace(who, client_seed=_checked_seed(client_seed))
    seats = (*room.seats[:seat], who, *room.seats[seat + 1 :])
    room = call.put_room(replace(room, seats=seats, updated_at=call.now))
    return room_view(call, _begin_if_ready(call, room), account.id)


def add_bot(call: Call, caller: Caller, room_id: str, bot: str) -> RoomView:
    """Put a bot on a free seat; only the room's host may."""
    room = _hosted(call, caller, room_id)
    _check_bot(get_game(room.game_id), bot)
    if len(room.seats) >= room.seats_max:
        raise Problem("room_full")
    room = call.put_room(replace(room, seats=(*room.seats, _bot_seat(bot)), updated_at=call.now))
    return room_view(call, _begin_if_ready(call, room), caller.id)


def remove_bot(call: Call, caller: Caller, room_id: str, seat: int) -> RoomView:
    """Take a bot off its seat again."""
    room = _hosted(call, caller, room_id)
    if not 0 <= seat < len(room.seats) or not room.seats[seat].bot:
        raise Problem("not_seated", "no bot has that seat")
    seats = room.seats[:seat] + room.seats[seat + 1 :]
    return room_view(call, call.put_room(replace(room, seats=seats, updated_at=call.now)), caller.id)


def _hosted(call: Call, caller: Caller, room_id: str) -> Room:
    account = caller.must_play()
    room = _usable(call, room_id)
    if room.status != "open":
        raise Problem("not_open")
    if room.host != account.id:
        raise Problem("forbidden", "only the room's host seats bots")
    return room


def _begin_if_ready(call: Call, room: Room) -> Room:
    """Begin the match when every seat is taken and everybody is ready."""
    if len(room.seats) < room.seats_max or not all(who.ready for who in room.seats):
        return room
    room = replace(
        room,
        status="active",
        client_seed=client_seed_of(room.seats),
        seats_started=len(room.seats),
        updated_at=call.now,
        deadline=call.deadline(room),
    )
    try:
        match = start_of(room)
    except BadOptions as error:
        raise Problem("bad_request", str(error)) from None
    call.fresh[room.id] = Live(room.version, match)
    return call.put_room(room)


# Playing.


def act(call: Call, caller: Caller, room_id: str, expected_version: int, action: Action) -> RoomView:
    """Take an action in a match, if the match is still where the player thinks it is, and return the room after it."""
    return room_view(call, take_action(call, caller, room_id, expected_version, action), caller.id)


def take_action(call: Call, caller: Caller, room_id: str, expected_version: int, action: Action) -> Room:
    """Take an action like `act`, for who will see the room anyway."""
    account = caller.must_play()
    room = _usable(call, room_id)
    if room.dice:
        raise Problem("dice_room")
    if room.status == "open":
        raise Problem("not_started")
    seat = seat_of(room, account.id)
    if seat is None:
        raise Problem("not_seated")
    if room.version != expected_version:
        raise Problem("stale_version", version=room.version)
    if action.type in ("join", "leave", "time_out"):
        raise Problem("forbidden", f"{action.type} is for the host to say")
    if action.player_id not in (None, account.id):
        raise Problem("forbidden", "you act for yourself alone")
    return call.dispatch(room, Action(action.type, action.payload, account.id))[0]


def ask_undo(call: Call, caller: Caller, room_id: str) -> RoomView:
    """Ask everybody to let the last action be undone. Bots agree; alone, it is done at once."""
    return _agree(call, caller, room_id, is_new=True)


def answer_undo(call: Call, caller: Caller, room_id: str, agrees: bool) -> RoomView:
    """Agree that the last action is undone, or not: one no is enough."""
    if agrees:
        return _agree(call, caller, room_id, is_new=False)
    room = _usable(call, room_id)
    if seat_of(room, caller.id) is None:
        raise Problem("not_seated")
    if not room.undo:
        raise Problem("undo_not_asked")
    return room_view(call, call.put_room(replace(room, undo=())), caller.id)


def _agree(call: Call, caller: Caller, room_id: str, *, is_new: bool) -> RoomView:
    account = caller.must_play()
    room = _usable(call, room_id)
    if seat_of(room, account.id) is None:
        raise Problem("not_seated")
    if room.status != "active" or room.dice:
        raise Problem("no_undo")
    if not is_new and not room.undo:
        raise Problem("undo_not_asked")
    _step_to_undo(call, room)
    agreed = tuple(dict.fromkeys((*room.undo, account.id)))
    people = {who.account for who in room.seats if not who.bot and not who.left}
    if not people <= set(agreed):
        return room_view(call, call.put_room(replace(room, undo=agreed)), account.id)
    before = _step_to_undo(call, room).base
    body = {"asked_by": agreed[0], "version": before.version}
    event = StoredEvent(room.id, room.version + 1, "undo", call.now, body, state_digest(before))
    room, _ = call.moved(room, event, before)
    return room_view(call, room, account.id)


def _step_to_undo(call: Call, room: Room) -> MatchClient[Any]:
    """Return a client that has taken the last action alone; raise `Problem` if it is not one to be undone."""
    game, line = get_game(room.game_id), call.line(room)
    if not line or line[-1].action.type not in game.actions:
        raise Problem("no_undo")
    client = MatchClient(game, replayed(game, start_of(room), line[:-1]))
    client.dispatch(line[-1].action)
    if client.crosses_chance():
        raise Problem("no_undo")
    return client


def rematch(call: Call, caller: Caller, room_id: str) -> RoomView:
    """Return the room of the next match between the same players; whoever asks first opens it."""
    account = caller.must_play()
    room = call.room(room_id, lock=True)
    if all(who.account != account.id for who in room.seats):
        raise Problem("not_seated")
    if room.dice:
        raise Problem("dice_room")
    if room.status != "finished":
        raise Problem("not_finished")
    if room.next_id:
        return room_view(call, call.room(room.next_id), account.id)
    seats = tuple(
        _bot_seat(who.bot) if who.bot else _seat(who.account, who.name, "", False)
        for who in room.seats
        if not who.left or who.account == account.id
    )
    game = _match_game(room.game_id)
    details = (room.seats_max, room.is_listed, room.allows_spectators, room.turn_ms)
    following = open_room(call, game, room.options, account.id, seats, *details)
    call.put_room(replace(room, next_id=following.id))
    return room_view(call, following, account.id)


# Clocks and bots.


def time_up(call: Call, room_id: str) -> Room | None:
    """Do what is due in a room whose deadline has come; None if there is nothing to do any more.

    An open room is closed. In a match somebody's time has run out: the game acts for them, and who lets that happen
    three times in a row has left.
    """
    room = call.room(room_id, lock=True)
    if not room.deadline or room.deadline > call.now or room.frozen or room.dice:
        return None
    if room.status == "open":
        return call.put_room(replace(room, status="closed", deadline=0, updated_at=call.now))
    game, match = get_game(room.game_id), call.live(room).match
    late = match.turn.current
    if not legal_actions(game, match, late):
        late = next((each for each in match.turn.order if legal_actions(game, match, each)), "")
    if not late:
        return call.put_room(replace(room, deadline=call.deadline(room)))
    mine = [entry for entry in call.line(room) if entry.action.player_id == late][-TIMEOUTS_MAX:]
    if len(mine) == TIMEOUTS_MAX and all(entry.action.type == "time_out" for entry in mine):
        seat = next(number for number, who in enumerate(room.seats) if player_id_of(number, who) == late)
        return _take_out(call, room, seat)
    return call.dispatch(room, Action("time_out", {}, late))[0]


class BotTurn(Struct, frozen=True):
    """A decision that a bot has to make: all that is needed to think about it elsewhere."""

    room_id: str
    version: int
    player_id: str
    bot: str
    game_id: str
    match: Any
    seed: bytes
    """The bot's own; it tells nothing of the match's."""


def bot_turn(call: Call, room_id: str) -> BotTurn | None:
    """Return what a bot of the room has to decide now, if one has."""
    room = call.room(room_id)
    if room.status != "active" or room.frozen or room.dice:
        return None
    game, match = get_game(room.game_id), call.live(room).match
    bots = {player_id_of(number, who): who.bot for number, who in enumerate(room.seats) if who.bot and not who.left}
    current = match.turn.current
    waiting = [current] if current in bots else []
    waiting += [each for each in match.turn.order if each in bots and each != current]
    for player_id in waiting:
        if legal_actions(game, match, player_id):
            seed = derive(bytes.fromhex(room.server_seed), "bots")
            return BotTurn(room.id, room.version, player_id, bots[player_id], game.id, match, seed)
    return None


def bot_acts(call: Call, room_id: str, version: int, action: Action) -> Room | None:
    """Take the action that a bot has chosen, unless the match has moved on meanwhile."""
    room = call.room(room_id, lock=True)
    if room.version != version or room.status != "active" or room.frozen:
        return None
    return call.dispatch(room, action)[0]


# What they share.


def _usable(call: Call, room_id: str) -> Room:
    room = call.room(room_id, lock=True)
    if room.frozen:
        raise Problem("frozen")
    if room.status in ("finished", "closed"):
        raise Problem("finished")
    return room


def _match_game(game_id: str) -> Game[Any]:
    if not has_game(game_id):
        raise Problem("no_such_game")
    game = get_game(game_id)
    if isinstance(game, HouseGame):
        raise Problem("bad_request", f"{game.name} is played against the house: start a session")
    return game


def read_options(game: Game[Any], options: dict[str, Any]) -> dict[str, Any]:
    """Return a game's options with everything that was left out, or raise `Problem`."""
    try:
        read: dict[str, Any] = msgspec.to_builtins(game.read_options(options))
    except BadOptions as error:
        raise Problem("bad_request", str(error)) from None
    return read


def _check_bot(game: Game[Any], bot: str) -> None:
    try:
        find_bot(game, bot)
    except UnknownBot as error:
        raise Problem("no_bots", str(error)) from None


def _checked_seed(client_seed: str) -> str:
    try:
        if len(read_hex(client_seed)) > CLIENT_SEED_MAX:
            raise Problem("bad_seed")
    except BadSeed:
        raise Problem("bad_seed") from None
    return client_seed


def _seat(account: str, name: str, client_seed: str, ready: bool) -> RoomSeat:
    return RoomSeat(account, name, ready=ready, client_seed=_checked_seed(client_seed))


def _bot_seat(bot: str) -> RoomSeat:
    return RoomSeat("", bot, bot=bot, ready=True)
