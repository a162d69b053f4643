"""Rooms: where matches are made, joined, played, undone by consent, and played again.

    open ──► everybody is ready, each with the hash of a secret ──► opening ──► everybody has opened ──► active
      ▲                                                                │ ten seconds
      └──────────── somebody has not: the start is void ◄──────────────┘ of two people: who has not has left

The server has committed to its part of the seed when the room was made. Nobody's secret is known to anybody before all
hashes are fixed, so nobody can choose theirs by the others'. See docs/fairness.md.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import asdict, replace

from croupier.bots import find_bot
from croupier.bots.errors import UnknownBot
from croupier.engine import Action, Game, Match, MatchClient, get_game, legal_actions, state_digest
from croupier.engine.registry import has_game
from croupier.errors import BadOptions, BadSeed
from croupier.fairness.seeds import SECRET_LENGTH, VoidStart, read_hex, seat_commitment, seats_digest
from croupier.house import HouseGame
from croupier.server.operations import versions
from croupier.server.operations.context import CachedMatch, Caller, Context, replayed, start_of
from croupier.server.operations.declaration.fields import BotName, Commitment, SeatNumber, Secret
from croupier.server.operations.declaration.operation import operation
from croupier.server.operations.room_views import outline_of, own_seat, room_view, seat_of
from croupier.server.problems import Problem, ensure, existing
from croupier.store.matches import player_id_of, seat_secrets
from croupier.store.model import Room, RoomSeat, StoredEvent
from croupier.wire.dice import NewDiceRoom
from croupier.wire.rooms import NewRoom, RoomView

LIVE = ("open", "opening", "active")
SEATS_KEPT = 10
VOID_STARTS_MAX = 2
CODE_TRIES = 20
TURN_MS_MIN, TURN_MS_MAX = 1_000, 7 * 86_400_000
TIMEOUTS_MAX = 3
"""How many time-outs in a row count as leaving."""


SEAT = ("no_such_room", "frozen", "finished", "not_seated", "account_frozen")
"""Why somebody cannot do anything at a seat."""


# Making and joining.


@operation(
    "rooms", "POST /rooms", status=201, codes=("no_such_game", "no_bots", "too_many_rooms", "account_frozen"),
    example={"game": "shut-the-box", "seats": 2, "bots": ["random"]},
)  # fmt: skip
def create_room(call: Context, caller: Caller, body: NewRoom) -> RoomView:
    """Open a room. The server's part of its seed is committed to from here on."""
    account = caller.must_play()
    game = _match_game(body.game)
    options = read_options(game, body.options)
    seats_max = max(game.players[0], 1 + len(body.bots)) if body.seats is None else body.seats
    if not max(game.players[0], 1 + len(body.bots)) <= seats_max <= game.players[1]:
        low, high = game.players
        raise Problem("bad_request", f"{game.name} has {low} to {high} seats, and room for everybody who is named")
    check_few_rooms(call, account.id)
    for bot in body.bots:
        _check_bot(game, bot)
    seats = (RoomSeat(account.id, account.name), *map(_bot_seat, body.bots))
    return room_view(call, open_room(call, game, options, account.id, seats, seats_max, body), account.id)


def check_few_rooms(call: Context, account_id: str) -> None:
    """Raise `Problem` if somebody has a seat in as many rooms as one may have."""
    text = f"you have a seat in {call.settings.rooms_each} rooms: finish or leave one first"
    ensure(_may_sit(call, account_id), "too_many_rooms", text)


def _may_sit(call: Context, account_id: str) -> bool:
    """Tell whether somebody is there and has a seat in fewer rooms than one may have."""
    most = call.settings.rooms_each
    account = call.tx.get_account(account_id, lock=True)  # two at once would each find room for one
    found = call.tx.live_rooms_of(account_id, SEATS_KEPT * most)  # also those that one has left
    taken = sum(seat_of(room, account_id) is not None for room in found)
    return account is not None and not account.closed_at and taken < most and len(found) < SEATS_KEPT * most


def open_room(
    call: Context,
    game: Game[Any],
    options: dict[str, Any],
    host: str,
    seats: tuple[RoomSeat, ...],
    seats_max: int,
    like: NewRoom | NewDiceRoom | Room,
) -> Room:
    """Write down a new room under a code that is free, with a seed of its own.

    It is listed, watched and timed as was asked for, or as another room is.
    """
    if like.turn_ms and not TURN_MS_MIN <= like.turn_ms <= TURN_MS_MAX:
        raise Problem("bad_request", f"turn_ms is 0, or {TURN_MS_MIN} to {TURN_MS_MAX}")
    room_id = call.new_id("m_")
    room = Room(
        id=room_id,
        code="",
        game_id=game.id,
        rules_version=game.rules_version,
        options=options,
        host=host,
        created_at=call.now,
        seats=seats,
        seats_max=seats_max,
        is_listed=like.is_listed,
        allows_spectators=like.allows_spectators,
        turn_ms=like.turn_ms,
        **_seeded(call, room_id, game, options),
    )
    for _ in range(CODE_TRIES):
        named = replace(room, code=call.new_code())
        if call.tx.room_by_code(named.code) is None:
            call.tx.add_room(named)
            call.notices[named.id] = named.version
            return named
    raise Problem("overloaded", "no code is free")


def _seeded(call: Context, room_id: str, game: Game[Any], options: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a room that begin anew with a seed: its number, its commitment, what it binds, the clock."""
    session_id = call.tx.next_session_id()
    issued = asdict(versions.issue(call, session_id, room_id, 0))
    clock = {"updated_at": call.now, "deadline": call.now + call.settings.abandoned_ms}
    return {"session_id": session_id, **issued, "table_digest": versions.room_digest(game, options).hex(), **clock}


@operation(
    "rooms", "POST /rooms/{room_id}/join",
    codes=("no_such_room", "frozen", "too_many_rooms", "finished", "already_seated", "room_full", "seats_opening",
           "account_frozen", "dice_room"),
)  # fmt: skip
def join_room(call: Context, caller: Caller, room_id: str) -> RoomView:
    """Take a seat, by the room's id or its code.

    That is before the match, or during it where the game lets people in.
    """
    account = caller.must_play()
    found = call.tx.room_by_code(room_id.upper())
    room = usable(call, found.id if found else room_id)
    ensure(not room.dice, "dice_room")
    ensure(room.status != "opening", "seats_opening")
    ensure(seat_of(room, account.id) is None, "already_seated")
    ensure(len([who for who in room.seats if not who.left]) < room.seats_max, "room_full")
    check_few_rooms(call, account.id)
    seat = RoomSeat(account.id, account.name)
    if room.status == "open":
        room = call.put_room(replace(room, seats=(*room.seats, seat), updated_at=call.now))
        return room_view(call, room, account.id)
    room = replace(room, seats=(*room.seats, replace(seat, ready=True)))
    room, _ = call.dispatch(room, Action("join", {"id": account.id}, account.id))  # a log is for ever: no name
    return room_view(call, room, account.id)


@operation(
    "rooms", "POST /rooms/{room_id}/leave",
    codes=("no_such_room", "not_seated", "seats_opening", "finished", "dice_room"),
)  # fmt: skip
def leave_room(call: Context, caller: Caller, room_id: str) -> RoomView:
    """Give your seat up.

    Before the match it is free again; during it the game says what becomes of it.
    """
    room = call.room(room_id, lock=True)
    seat = own_seat(room, caller.id)
    ensure(not room.dice, "dice_room")
    if room.status == "active":
        return room_view(call, take_out(call, room, seat), caller.id)
    ensure(room.status != "opening", "seats_opening")
    ensure(room.status == "open", "finished")
    left = _without(replace(room, updated_at=call.now), [seat])
    return outline_of(call.put_room(left), caller.id)


def _without(room: Room, gone: list[int]) -> Room:
    """Return an open room without some seats; a seat's commitment is for its number, so the others begin anew."""
    seats = tuple(_unready(who) for number, who in enumerate(room.seats) if number not in gone)
    people = [who for who in seats if not who.bot]
    host = room.host if any(who.account == room.host for who in people) else next((w.account for w in people), "")
    if not people:
        return replace(room, seats=seats, host="", status="closed", deadline=0)
    return replace(room, seats=seats, host=host)


def _unready(who: RoomSeat) -> RoomSeat:
    return who if who.bot else replace(who, ready=False, commitment="", secret="")


def take_out(call: Context, room: Room, seat: int) -> Room:
    """Let somebody leave a match, by the game's rules. Bots do not stay without people."""
    who = room.seats[seat]
    room, _ = call.dispatch(room, Action("leave", {}, player_id_of(seat, who)))
    room = call.put_room(_with_seat(room, seat, replace(who, left=True)))
    return let_bots_go(call, room)


def let_bots_go(call: Context, room: Room) -> Room:
    """Let the bots of a match leave in which there is nobody else; one that the game does not let go yet stays."""
    if all(who.bot or who.left for who in room.seats):
        for seat, who in enumerate(room.seats):
            if who.bot and not who.left and room.status == "active":
                with suppress(Problem):
                    return take_out(call, room, seat)
    return room


@operation(
    "rooms", "POST /rooms/{room_id}/ready", codes=(*SEAT, "not_open", "seats_opening", "bad_commitment"),
    example={"ready": True, "commitment": "c0ffee00" * 8},
)  # fmt: skip
def set_ready(call: Context, caller: Caller, room_id: str, ready: bool, commitment: Commitment = "") -> RoomView:
    """Say whether you are ready, with the hash of a secret; when everybody is, the seats are opened."""
    account = caller.must_play()
    room = usable(call, room_id)
    ensure(room.status != "opening", "seats_opening")
    ensure(room.status == "open", "not_open")
    seat = own_seat(room, account.id)
    ensure(ready == (len(commitment) == 2 * SECRET_LENGTH), "bad_commitment")
    who = replace(room.seats[seat], ready=ready, commitment=commitment, secret="")
    room = call.put_room(replace(_with_seat(room, seat, who), updated_at=call.now))
    return room_view(call, _fix_if_ready(call, room), account.id)


@operation(
    "rooms", "POST /rooms/{room_id}/open", codes=(*SEAT, "not_opening", "wrong_secret"),
    example={"secret": "0badcafe" * 8},
)  # fmt: skip
def open_seat(call: Context, caller: Caller, room_id: str, secret: Secret) -> RoomView:
    """Open the secret that you were ready with; the match begins when everybody has."""
    account = caller.must_play()
    room = usable(call, room_id)
    seat = own_seat(room, account.id)
    who = room.seats[seat]
    if secret and who.secret == secret:
        return room_view(call, room, account.id)  # sent again
    ensure(room.status == "opening", "not_opening")
    try:
        made = seat_commitment(bytes.fromhex(room.commitment), seat, player_id_of(seat, who), read_hex(secret)).hex()
    except BadSeed:
        raise Problem("wrong_secret") from None
    ensure(made == who.commitment, "wrong_secret")
    room = replace(_with_seat(room, seat, replace(who, secret=secret)), updated_at=call.now)
    room = call.put_room(room) if _unopened(room) else begin(call, room)
    return room_view(call, room, account.id)


def _with_seat(room: Room, seat: int, who: RoomSeat) -> Room:
    return replace(room, seats=(*room.seats[:seat], who, *room.seats[seat + 1 :]))


def _unopened(room: Room) -> list[int]:
    return [number for number, who in enumerate(room.seats) if not who.bot and not who.secret]


@operation(
    "rooms", "POST /rooms/{room_id}/bots", example={"bot": "random"},
    codes=("no_such_room", "frozen", "finished", "not_open", "forbidden", "no_bots", "room_full", "account_frozen"),
)  # fmt: skip
def add_bot(call: Context, caller: Caller, room_id: str, bot: BotName) -> RoomView:
    """Put a bot on a free seat of your room."""
    room = _hosted(call, caller, room_id)
    _check_bot(get_game(room.game_id), bot)
    ensure(len(room.seats) < room.seats_max, "room_full")
    room = call.put_room(replace(room, seats=(*room.seats, _bot_seat(bot)), updated_at=call.now))
    return room_view(call, _fix_if_ready(call, room), caller.id)


@operation("rooms", "DELETE /rooms/{room_id}/bots/{seat}", codes=(*SEAT, "not_open", "forbidden"))
def remove_bot(call: Context, caller: Caller, room_id: str, seat: SeatNumber) -> RoomView:
    """Take a bot off its seat."""
    room = _hosted(call, caller, room_id)
    ensure(0 <= seat < len(room.seats) and room.seats[seat].bot, "not_seated", "no bot has that seat")
    return room_view(call, call.put_room(_without(replace(room, updated_at=call.now), [seat])), caller.id)


def _hosted(call: Context, caller: Caller, room_id: str) -> Room:
    account = caller.must_play()
    room = usable(call, room_id)
    ensure(room.status == "open", "not_open")
    ensure(room.host == account.id, "forbidden", "only the room's host seats bots")
    return room


def _fix_if_ready(call: Context, room: Room) -> Room:
    """Fix everything about the seed when every seat is taken and everybody is ready; then the seats are opened."""
    if len(room.seats) < room.seats_max or not all(who.ready for who in room.seats):
        return room
    parts = bytes.fromhex(room.commitment), bytes.fromhex(room.table_digest)
    digest = seats_digest(*parts, room.session_id, seat_secrets(room.seats)).hex()
    room = replace(room, status="opening", seats_digest=digest, updated_at=call.now)
    return call.put_room(replace(room, deadline=call.deadline(room)))


def begin(call: Context, room: Room) -> Room:
    """Begin the match: all that its seed is made of is there."""
    room = replace(room, status="active", seats_started=len(room.seats), updated_at=call.now)
    room = replace(room, deadline=call.deadline(room))
    try:
        match = start_of(room)
    except BadOptions as error:
        raise Problem("bad_request", str(error)) from None
    call.fresh[room.id] = CachedMatch(room.version, match)
    return call.put_room(room)


def _opening_over(call: Context, room: Room) -> Room:
    """Go on when the time to open is over: of two people, one who has not opened has left; else the start is void.

    Every opening goes through the host, which could lose one whose seed it does not like. With two people it gains no
    choice that way, since who is left has won; with more it has the choice between two seeds, and no more.
    """
    missing = _unopened(room)
    people = sum(not who.bot for who in room.seats)
    if len(missing) == 1 and people == 2:
        try:
            with call.tx.attempt():
                return take_out(call, begin(call, room), missing[0])
        except Problem:  # a game that nobody can leave
            call.fresh.pop(room.id, None)
    return _void_start(call, room, missing)


def _void_start(call: Context, room: Room, missing: list[int]) -> Room:
    """Give a room a new seed, without those who did not open. The second void start closes it."""
    names = tuple(player_id_of(number, room.seats[number]) for number in missing)
    void = VoidStart(room.session_id, room.commitment, room.server_seed, room.log_head, names)
    left = _without(replace(room, status="open", seats_digest="", voids=(*room.voids, void)), missing)
    if left.status == "closed" or len(left.voids) >= VOID_STARTS_MAX:
        return call.put_room(replace(left, status="closed", deadline=0, updated_at=call.now))
    return call.put_room(replace(left, **_seeded(call, room.id, get_game(room.game_id), room.options)))


# Undoing, and playing again.


@operation("rooms", "POST /rooms/{room_id}/undo", codes=(*SEAT, "no_undo"))
def ask_undo(call: Context, caller: Caller, room_id: str) -> RoomView:
    """Ask for the last action to be undone; everybody must agree.

    That is the last action of a person, and what bots answered to it. Bots agree: among bots alone it is done at once.
    """
    return _agree(call, caller, room_id, is_new=True)


@operation(
    "rooms", "POST /rooms/{room_id}/undo/answer", codes=(*SEAT, "no_undo", "undo_not_asked"), example={"agrees": True}
)
def answer_undo(call: Context, caller: Caller, room_id: str, agrees: bool) -> RoomView:
    """Agree to undo the last action, or not.

    One no is enough.
    """
    if agrees:
        return _agree(call, caller, room_id, is_new=False)
    room = usable(call, room_id)
    own_seat(room, caller.id)
    ensure(room.undo, "undo_not_asked")
    return room_view(call, call.put_room(replace(room, undo=())), caller.id)


def _agree(call: Context, caller: Caller, room_id: str, *, is_new: bool) -> RoomView:
    account = caller.must_play()
    room = usable(call, room_id)
    own_seat(room, account.id)
    ensure(room.status == "active" and not room.dice, "no_undo")
    ensure(is_new or room.undo, "undo_not_asked")
    states = _states_before(call, room)
    agreed = tuple(dict.fromkeys((*room.undo, account.id)))
    people = {who.account for who in room.seats if not who.bot and not who.left}
    if not people <= set(agreed):
        return room_view(call, call.put_room(replace(room, undo=agreed)), account.id)
    for before in states:
        body = {"asked_by": agreed[0], "version": before.version}
        event = StoredEvent(room.id, room.version + 1, "undo", call.now, body, state_digest(before))
        room, _ = call.moved(room, event, before)
    return room_view(call, room, account.id)


def _states_before(call: Context, room: Room) -> list[Match[Any]]:
    """Return the states to go back to, one by one: over what bots have answered, to before the last action of a person.

    Raises `Problem` if there is none, or if one of the actions drew or showed anybody something hidden.
    """
    game, line = get_game(room.game_id), call.line(room)
    bots = {player_id_of(number, who) for number, who in enumerate(room.seats) if who.bot}
    found = next((place for place in reversed(range(len(line))) if line[place].action.player_id not in bots), None)
    last = existing(found, "no_undo")
    client = MatchClient(game, replayed(game, start_of(room), line[:last]))
    before = []
    for entry in line[last:]:
        before.append(client.get_state())
        answer = client.dispatch(entry.action)
        if entry.action.type not in game.actions or not answer.ok or client.crosses_chance():
            raise Problem("no_undo")
    return before[::-1]


@operation(
    "rooms", "POST /rooms/{room_id}/rematch",
    codes=("no_such_room", "not_seated", "not_finished", "too_many_rooms", "account_frozen", "dice_room"),
)  # fmt: skip
def rematch(call: Context, caller: Caller, room_id: str) -> RoomView:
    """Play again: the room of the next match between the same players.

    Whoever asks first opens it. The seats of others who have as many rooms as one may are left free.
    """
    account = caller.must_play()
    room = call.room(room_id, lock=True)
    ensure(any(who.account == account.id for who in room.seats), "not_seated")
    ensure(not room.dice, "dice_room")
    ensure(room.status == "finished", "not_finished")
    if room.next_id:
        return room_view(call, call.room(room.next_id), account.id)
    check_few_rooms(call, account.id)
    seats = tuple(
        _bot_seat(who.bot) if who.bot else RoomSeat(who.account, who.name)
        for who in room.seats
        if who.account == account.id or (not who.left and (who.bot or _may_sit(call, who.account)))
    )
    game = _match_game(room.game_id)
    following = open_room(call, game, room.options, account.id, seats, room.seats_max, room)
    call.put_room(replace(room, next_id=following.id))
    return room_view(call, following, account.id)


# Clocks.


def time_up(call: Context, room_id: str) -> Room | None:
    """Do what is due in a room whose deadline has come; None if there is nothing to do any more.

    An open room is closed. Where seats are being opened, those that are not have had their time. In a match somebody's
    time has run out: the game acts for them, and who lets that happen three times in a row has left.
    """
    room = call.room(room_id, lock=True)
    if not room.deadline or room.deadline > call.now or room.frozen or room.dice:
        return None
    if room.status == "open":
        return call.put_room(replace(room, status="closed", deadline=0, updated_at=call.now))
    if room.status == "opening":
        return _opening_over(call, room)
    game, match = get_game(room.game_id), call.live(room).match
    late = match.turn.current
    if not legal_actions(game, match, late):
        late = next((each for each in match.turn.order if legal_actions(game, match, each)), "")
    if not late:
        return call.put_room(replace(room, deadline=call.deadline(room)))
    mine = [entry for entry in call.line(room) if entry.action.player_id == late][-TIMEOUTS_MAX:]
    if len(mine) == TIMEOUTS_MAX and all(entry.action.type == "time_out" for entry in mine):
        seat = next(number for number, who in enumerate(room.seats) if player_id_of(number, who) == late)
        with suppress(Problem):  # whom the game does not let go yet, it goes on acting for
            return take_out(call, room, seat)
    return call.dispatch(room, Action("time_out", {}, late))[0]


# What they share.


def usable(call: Context, room_id: str) -> Room:
    """Return a room that can be played in, locked, or raise `Problem`."""
    room = call.room(room_id, lock=True)
    ensure(not room.frozen, "frozen")
    if room.status in ("finished", "closed") or (room.status == "open" and room.scheme == 1):
        raise Problem("finished")  # seeds of scheme 1 are not begun with any more
    return room


def _match_game(game_id: str) -> Game[Any]:
    ensure(has_game(game_id), "no_such_game")
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


def _bot_seat(bot: str) -> RoomSeat:
    return RoomSeat("", bot, bot=bot, ready=True)
