"""Craps tables whose dice everybody makes: a `DiceRoom` over the store.

The table's key and its chain of secrets are made from the room's server seed, so there is nothing to keep beside the
events: whatever the table has signed or taken is an event, written down in the transaction that makes it, and told to
nobody before that is on disk. After a restart the events bring back the same table, and the deadline of a round that
was on runs anew. Players' keys and secrets are not here: they stay with their clients.

A player's id in the match is their public key. What costs chips is a signed order; the rest, such as `ready` and
`lock`, is taken from whoever the connection belongs to. Rounds go by `call.monotonic`: none of them ends early because
somebody has set the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from croupier.engine import Action, LogEntry, Match, get_game, legal_actions, state_digest
from croupier.engine.model import HOST
from croupier.fairness import derive
from croupier.fairness.dice import DiceHost, Ed25519Signer, Ed25519Verifier, Event, HashChain, Terms, write_transcript
from croupier.fairness.dice.book import Book
from croupier.fairness.dice.messages import Bet, Join, Leave
from croupier.fairness.dice.terms import PROTOCOL, read_terms
from croupier.fairness.dice.transcript import Entry, Transcript
from croupier.fairness.seeds import keyed
from croupier.games.craps.table.game import LOCKED
from croupier.games.craps.table.shared_dice import DiceRoom, RoomAnswer, Told
from croupier.server.operations.context import CachedMatch, Caller, Context, room_after, start_of
from croupier.server.operations.declaration.fields import Whole
from croupier.server.operations.declaration.operation import operation
from croupier.server.operations.room_views import check_may_look, own_seat, room_view, seat_of
from croupier.server.operations.rooms import begin, check_few_rooms, open_room, read_options
from croupier.server.problems import KeptRefusal, Problem, ensure
from croupier.store.matches import apply_entry, line_of
from croupier.store.model import Account, Room, RoomSeat, StoredEvent
from croupier.wire.dice import DiceAnswer, DicePage, Item, NewDiceRoom
from croupier.wire.rooms import RoomView

GAME_ID = "craps-table"
ITEMS_MAX = 500

KEY_EXAMPLE = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"  # RFC 8032, section 7.1
DICE = ("no_such_room", "not_a_dice_room")
SEAT = (*DICE, "frozen", "finished", "not_seated", "account_frozen", "forbidden")


class _Kept(CachedMatch):
    """A table in memory, at the version of its room; None once an operation has taken it to change it."""

    table: DiceRoom | None = None


# Opening.


@operation(
    "dice", "POST /dice-rooms", status=201, codes=("too_many_rooms", "account_frozen"),
    example={"key": KEY_EXAMPLE, "seats": 4},
)  # fmt: skip
def create_dice_room(call: Context, caller: Caller, body: NewDiceRoom) -> RoomView:
    """Open a craps table whose dice everybody makes.

    It is active at once: people come and go by their signed messages.
    """
    account = caller.must_play()
    check_few_rooms(call, account.id)
    options = read_options(get_game(GAME_ID), body.options)
    seat = RoomSeat(account.id, account.name, ready=True, key=body.key)
    room = open_room(call, get_game(GAME_ID), options, account.id, (seat,), body.seats, body)
    signer, chain = _signer(room), _chain(room, body.rounds_max)
    terms = Terms(
        name=room.id,
        session_id=room.session_id,
        table_key=signer.key,
        chain_end=chain.end,
        **{name: getattr(body, name) for name in _CHOSEN},
    )
    return room_view(call, begin(call, replace(room, dice=msgspec.to_builtins(terms))), account.id)


_CHOSEN = tuple({*Terms.__struct_fields__} & {*NewDiceRoom.__struct_fields__})
"""The terms that whoever opens a table chooses."""


def _signer(room: Room) -> Ed25519Signer:
    """Return the key of a room's table, which follows from its seed."""
    seed = bytes.fromhex(room.server_seed)
    if room.dice and read_terms(room.dice).protocol == 1:  # such a table signs nothing any more but its transcript
        return Ed25519Signer(derive(seed, "dice/key"))
    return Ed25519Signer(keyed(seed, "croupier/dice-key/2"))


def _chain(room: Room, rounds_max: int) -> HashChain:
    return HashChain.make(keyed(bytes.fromhex(room.server_seed), "croupier/dice-chain/2"), rounds_max)


# Looking.


ItemLimit = Annotated[int, Meta(ge=1, le=ITEMS_MAX)]


@operation("dice", "GET /rooms/{room_id}/dice", role="anyone", codes=DICE)
def read_dice(call: Context, caller: Caller, room_id: str, since: Whole = 0, limit: ItemLimit = ITEMS_MAX) -> DicePage:
    """Read what a dice table was told since a version, with its terms.

    Nothing at a dice table is a secret.
    """
    room = _dice_room(call, room_id)
    check_may_look(room, caller.viewer)
    events = call.tx.events(room.id, since=since, limit=min(limit, ITEMS_MAX))
    items = tuple(map(item_of, events))
    return DicePage(
        terms=read_terms(room.dice),
        players=start_of(room).players,
        options=room.options,
        items=items,
        version=items[-1].version if items else min(since, room.version),
        room_version=room.version,
    )


def item_of(event: StoredEvent) -> Item:
    """Return an event as everybody at the table is told of it."""
    if event.kind == "dice":
        return Item(event.version, dice=msgspec.convert(event.body, Event))
    return Item(event.version, action=msgspec.convert(event.body, LogEntry))


@operation(
    "dice", "GET /rooms/{room_id}/transcript", name="get_transcript", role="anyone", codes=DICE, returns=Transcript
)
def read_transcript(call: Context, caller: Caller, room_id: str) -> bytes:
    """Get the transcript of a dice table so far, sealed by the table."""
    room = _dice_room(call, room_id)
    check_may_look(room, caller.viewer)

    def make() -> bytes:
        book = Book(read_terms(room.dice), _Accepted(), _entries(call.tx.events(room.id)))
        return write_transcript(book.transcript(_signer(room)))

    return call.cache.answers.get(("transcript", room.id, room.version), make, len)


class _Accepted:
    """Takes every signature for good: those in our own events were checked before they were written down."""

    scheme = "ed25519"

    def verify(self, key: bytes, message: bytes, signature: bytes) -> bool:
        """Say yes."""
        return True


# Playing.


@operation(
    "dice", "POST /rooms/{room_id}/dice", frame="dice", is_own_key=True,
    codes=(*SEAT, "already_seated", "room_full", "too_many_rooms"),
    example={"message": {"type": "leave", "key": KEY_EXAMPLE, "seq": 3, "signature": "0123456789abcdef" * 8}},
)  # fmt: skip
def send_dice(call: Context, caller: Caller, room_id: str, message: Event) -> DiceAnswer:
    """Send a signed message: a seat, an order, a commitment, an opening. `ok` says whether it was taken.

    It is its own key: nonces and numbers see to it that nothing is taken twice.
    """
    account = caller.must_play()
    room = _usable(call, room_id, is_of_round=not isinstance(message, (Join, Leave, Bet)))
    seats = room.seats
    if isinstance(message, Join):
        if seat_of(room, account.id) is None:
            check_few_rooms(call, account.id)
        room = _with_seat(room, account.id, account.name, message.key)
    elif seat_of(room, account.id) is None:
        raise Problem("not_seated")
    if isinstance(message, (Join, Leave, Bet)):
        own = {who.key for who in room.seats if who.account == account.id and not who.left}
        ensure(message.key in own, "forbidden", "you sign with your own key alone")
    answer, after = _do(call, room, lambda table: table.receive(message, call.monotonic, account.id))
    if not answer.ok and after.seats != seats:
        call.put_room(replace(after, seats=seats))  # something else was told, and the newcomer was refused
    if answer.ok and isinstance(message, Leave):
        left = (replace(who, left=True) if who.key == message.key else who for who in seats)
        call.put_room(replace(after, seats=tuple(left)))
    return answer


def act_in(call: Context, account: Account, room: Room, action: Action) -> Room | KeptRefusal:
    """Return the room after an action that is not signed, such as ready, or lock, with which a round begins.

    Or the table's no; what the table said before that stands.
    """
    key = room.seats[own_seat(room, account.id)].key
    ensure(action.player_id in (None, account.id, key), "forbidden", "you act for yourself alone")
    mine = Action(action.type, action.payload, key)
    answer, after = _do(call, room, lambda table: table.act(mine, call.monotonic, account.id))
    return after if answer.ok else KeptRefusal(Problem(answer.code, answer.error, version=answer.version))


def dice_due(call: Context, room_id: str) -> DiceAnswer | None:
    """Do what is due at a table whose deadline has come; None if nothing is.

    A round goes on by its own deadlines, and an operator cannot stop it in the middle. Between rounds, at a table with
    a clock, whoever is late is taken to be ready, and then a round begins; at one without, nobody has done anything
    for so long that the table is closed, and every bet is paid what it is worth.
    """
    room = _dice_room(call, room_id, lock=True)
    if room.status != "active" or not room.deadline or room.deadline > call.now:
        return None
    return _do(call, room, lambda table: _late(room, table, call.monotonic))[0]


def _late(room: Room, table: DiceRoom, monotonic: int) -> RoomAnswer:
    if table.host.table.round is not None:
        return table.tick(monotonic)
    if room.frozen:
        return RoomAnswer()
    if not room.turn_ms:
        return table.close(monotonic)
    match = table.match
    for player in match.turn.order:
        if player != match.turn.current and match.game.seats[_seat(table, player)].is_waited_for:
            return table.act(Action("time_out", {}, player), monotonic)
    if not legal_actions(get_game(GAME_ID), match, match.turn.current):
        return table.close(monotonic)
    locked = table.lock(monotonic)
    return locked if locked.ok else table.close(monotonic)


def _seat(table: DiceRoom, player_id: str) -> int:
    return next(player.seat for player in table.match.players if player.id == player_id)


# The table over its room.


def _do(call: Context, room: Room, ask: Callable[[DiceRoom], RoomAnswer]) -> tuple[DiceAnswer, Room]:
    """Ask the table something and write down everything it says. Raises `Problem` if all it says is no.

    A table is changed where it stands. So an operation takes it out of memory first: if anything fails, the table is
    read from the store again. A no changes nothing, and whoever collects many of them shall not make us read so often.
    """
    if read_terms(room.dice).protocol != PROTOCOL:
        return _retired(call, room)
    table = _taken(call, room)
    before = table.match
    answer = ask(table)
    told = [*answer.send, *_follow_up(table, answer, call.monotonic)]
    if not told and not answer.ok:
        _put_back(call, _Kept(call.room(room.id).version, table.match, table=table))
        raise Problem(answer.code, answer.error, version=room.version)
    room = _written(call, room, table, before, told)
    call.fresh[room.id] = _Kept(room.version, table.match, table=table)
    return DiceAnswer(answer.ok, room.version, answer.code, answer.error), room


def _retired(call: Context, room: Room) -> tuple[DiceAnswer, Room]:
    """Close a table of an older protocol, which nobody should play on: bets are paid their stake or their worth."""
    closed, _ = call.dispatch(room, Action("close", {"reason": "old_protocol", "at_value": True}, HOST))
    text = "the dice of this table followed an older protocol: it is closed, and all bets have been paid"
    return DiceAnswer(False, closed.version, "table_closed", text), closed


def _put_back(call: Context, kept: _Kept) -> None:
    """Keep a table that has not changed: where it was, or where what was committed is."""
    for found in call.kept(kept.match.match_id):
        if isinstance(found, _Kept) and found.version == kept.version:
            found.table = kept.table
            return
    call.cache.remember({kept.match.match_id: kept})


def _follow_up(table: DiceRoom, answer: RoomAnswer, monotonic: int) -> Iterable[Told]:
    """Lock again after a void round; when the match is over, end the dice as well, and every bond goes back."""
    if answer.voided is not None and table.match.status == "active" and table.match.turn.phase == LOCKED:
        again = table.lock(monotonic)
        yield from (again if again.ok else table.close(monotonic)).send
    dice = table.host.table
    if table.match.status == "finished" and not dice.closed and dice.round is None:
        yield from table.end(monotonic).send


def _taken(call: Context, room: Room) -> DiceRoom:
    for kept in call.kept(room.id):
        if isinstance(kept, _Kept) and kept.table is not None and kept.version == room.version:
            table, kept.table = kept.table, None
            return table
    events = call.tx.events(room.id)
    terms = read_terms(room.dice)
    chain = _chain(room, terms.rounds_max)
    host = DiceHost(terms, _signer(room), Ed25519Verifier(), chain, _entries(events))
    return DiceRoom(start_of(room), host, log=line_of(events))


def _written(call: Context, room: Room, table: DiceRoom, match: Match[Any], told: Sequence[Told]) -> Room:
    """Append what was told and put the room where the match stands."""
    waits = None if table.match.status == "finished" else table.deadline
    deadline = call.deadline(room) if waits is None else call.now + max(waits - call.monotonic, 1)
    if not told:  # not yet due
        stored = call.room(room.id)
        return stored if stored.deadline > call.now else call.put_room(replace(stored, deadline=deadline))
    events = []
    for version, one in enumerate(told, room.version + 1):
        kind: Literal["action", "dice"] = "dice"
        if isinstance(one, LogEntry):
            kind, match = "action", apply_entry(get_game(GAME_ID), match, one)
        events.append(StoredEvent(room.id, version, kind, call.now, msgspec.to_builtins(one), state_digest(match)))
    call.tx.append(room.id, events)
    return call.put_room(room_after(room, events[-1], table.match, deadline))


def _entries(events: Iterable[StoredEvent]) -> list[Entry]:
    return [Entry(msgspec.convert(event.body, Event)) for event in events if event.kind == "dice"]


def _with_seat(room: Room, account_id: str, name: str, key: str) -> Room:
    """Return the room with a seat for a newcomer; the same room for who comes back, or adds to a bond."""
    seat = seat_of(room, account_id)
    if seat is not None:
        ensure(room.seats[seat].key == key, "already_seated")
        return room
    ensure(all(who.key != key for who in room.seats), "forbidden", "somebody has used that key: draw another")
    ensure(sum(not who.left for who in room.seats) < room.seats_max, "room_full")
    return replace(room, seats=(*room.seats, RoomSeat(account_id, name, ready=True, key=key)))


def _dice_room(call: Context, room_id: str, *, lock: bool = False) -> Room:
    room = call.room(room_id, lock=lock)
    ensure(room.dice, "not_a_dice_room")
    return room


def _usable(call: Context, room_id: str, *, is_of_round: bool = False) -> Room:
    room = _dice_room(call, room_id, lock=True)
    ensure(is_of_round or not room.frozen, "frozen")
    ensure(room.status == "active", "finished")
    return room
