"""Every test of the store runs on both databases, unless it is about one of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.engine import (
    LogEntry,
    apply_action,
    get_game,
    legal_actions,
    list_games,
    serialize_match,
    state_digest,
)
from croupier.house import (
    GameMove,
    GameMoved,
    HouseGame,
    Instruction,
    MemoryState,
    PlayerAction,
    Register,
    StartGame,
    Table,
    encode_payload,
    execute,
    make_table,
)
from croupier.rng import GameRng
from croupier.store.database import DatabaseStore, open_store
from croupier.store.matches import start_of
from croupier.store.model import Account, Host, Reply, Room, RoomSeat, StoredEvent, Token
from croupier.store.scan import TABLES
from croupier.store.sessions import append_moves
from croupier.store.transaction import Transaction
from tests.unit.store.seeds import (
    LOG,
    SECRET,
    SIGNER,
    TABLE_DIGEST,
    issued,
    match_seed,
    room_seats,
    seed_row,
    server_seed,
    void_start,
)


@pytest.fixture(params=["sqlite", "postgres"])
def kind(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def url(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database that is new."""
    if kind == "sqlite":
        return f"sqlite:///{tmp_path / 'store.db'}"
    address: str = request.getfixturevalue("postgres").new_database()
    return address


@pytest.fixture(scope="session")
def shared_postgres(postgres: Any) -> Iterator[DatabaseStore]:
    with open_store(postgres.new_database()) as opened:
        yield opened


@pytest.fixture
def store(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[DatabaseStore]:
    """A store that is empty. The one in PostgreSQL is emptied rather than made: that takes a tenth of the time."""
    if kind == "sqlite":
        with open_store(f"sqlite:///{tmp_path / 'store.db'}") as opened:
            yield opened
        return
    shared = request.getfixturevalue("shared_postgres")
    empty(shared)
    yield shared


def empty(store: DatabaseStore) -> None:
    """Empty a store in PostgreSQL."""
    with store.backend.writing() as connection:
        connection.cursor().execute(f"TRUNCATE {', '.join(TABLES)} RESTART IDENTITY CASCADE")


class Make:
    """Values to keep, with only what a test is about spelled out."""

    @staticmethod
    def account(id: str = "a_ann", **more: Any) -> Account:
        return Account(**{"id": id, "name": id.upper(), "created_at": 1, **more})

    @staticmethod
    def room(id: str = "m_1", *accounts: str, **more: Any) -> Room:
        seats = tuple(RoomSeat(account, account.upper()) for account in accounts)
        usual = {
            "id": id,
            "code": id.upper(),
            "game_id": "lanes",
            "rules_version": 1,
            "options": {"a": [1, None, "é"]},
            "host": "a_ann",
            "session_id": 1,
            "server_seed": "00" * 32,
            "commitment": "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925",
            "created_at": 1,
            "seats": seats,
        }
        return Room(**{**usual, **more})


@pytest.fixture
def make() -> Make:
    return Make()


Asked = tuple[Instruction, bytes, int]


@cache
def catalogue() -> dict[int, Table]:
    """Return a table for every house game. `default_catalogue` would count all their odds first, for many seconds."""
    games = [game for game in map(get_game, list_games()) if isinstance(game, HouseGame)]
    return {number: make_table(number, game, allow_overpay=True) for number, game in enumerate(games)}


@cache  # what is legal takes a while to find
def evening(game_id: str, player: str = "a_ann", moves: int = 12, first_session: int = 1) -> list[Asked]:
    """Return what a player asks of the house who sits down at a game and does something legal, again and again."""
    state, asked = MemoryState(), list[Asked]()
    chance = GameRng.new(sha256(f"{game_id} {player}".encode()).digest(), 0, 0)
    game = get_game(game_id)
    table = next(table for table in catalogue().values() if table.game_id == game_id)

    def ask(body: Any) -> Any:
        seed = sha256(b"%d" % len(asked)).digest()
        if isinstance(body, StartGame):
            seed = match_seed(body.session_id, player)
        one = (Instruction(player, body), seed, 1000 + len(asked))
        asked.append(one)
        return execute(state, *one, tables=catalogue())

    ask(Register(player.upper()))
    ask(PlayerAction("shield"))
    session = first_session - 1
    match: Any = None
    for _ in range(moves):
        if match is None or match.status == "finished":
            session += 1
            ask(StartGame(table.id, 25 if isinstance(game, HouseGame) and game.opens_with_stake else 0, session))
        else:
            legal = [action for action in legal_actions(game, match) if action.type not in ("leave", "time_out")]
            action = legal[chance.next_bounded(len(legal))]
            ask(GameMove(session, encode_payload(game, action)))  # type: ignore[arg-type]
        match = state.get(f"session/{session}").match
    ask(GameMove(session, b"nonsense"))
    return asked


def carry_out(transaction: Transaction, instruction: Instruction, seed: bytes, at: int) -> Any:
    """Have the house carry out an instruction as a server does: seeds first, and the moves it made written down."""
    body, house = instruction.body, transaction.house()
    if isinstance(body, StartGame):
        transaction.put_seed(seed_row(body.session_id, instruction.player, at))
    events = execute(house, instruction, seed, at, tables=catalogue(), board=False)
    if isinstance(events[0], GameMoved):
        session = house.get(f"session/{events[0].session_id}")
        append_moves(transaction, session, events, at, drew=True, seed=seed.hex())
    return events


class World:
    """A store in which something has happened: rooms played, undone and open; sessions at the house; people.

    Room m_1 and the sessions of Ann are of scheme 1: an old database holds such. The others are of scheme 2.
    """

    def __init__(self, store: DatabaseStore) -> None:
        self.store = store
        self.answers = store.run([self._people, self._log, self._rooms, self._house, self._unused])
        assert not any(isinstance(answer, Exception) for answer in self.answers), self.answers

    def _people(self, transaction: Transaction) -> None:
        for name in ("ann", "bob"):
            account = Account(f"a_{name}", name.title(), 1, recovery_hash=f"recover-{name}")
            transaction.put_account(account)
            transaction.put_token(Token(f"token-{name}", account.id, 1, 10**12, "laptop"))
            transaction.keep_reply(Reply(account.id, "key", "d", 200, f"Hello {name.title()}".encode(), 5))
        transaction.add_audit(3, "a_op", "freeze", "a_ann", why="asked")
        transaction.put_setting("open", b"\xff")

    def _log(self, transaction: Transaction) -> None:
        transaction.put_host(Host(SIGNER.key, SECRET.hex()))
        for row in LOG:
            transaction.add_version(row)

    def _rooms(self, transaction: Transaction) -> None:
        game = get_game("shut-the-box")
        kinds = ((9, "active"), (4, "active"), (0, "open"), (0, "opening"), (0, "closed"))
        for number, (plays, status) in enumerate(kinds):
            id, session_id = f"m_{number}", transaction.next_session_id()
            usual: dict[str, Any] = {
                "id": id,
                "code": f"CODE{number}",
                "game_id": game.id,
                "rules_version": game.rules_version,
                "options": {},
                "host": "a_ann",
                "session_id": session_id,
                "created_at": 10 + number,
                "seats_max": 2,
                "seats_started": 2 if plays else 0,
                "status": status,
            }
            if number == 1:
                seed = server_seed(session_id)
                seats = tuple(RoomSeat(f"a_{name}", name.title(), client_seed="ab") for name in ("ann", "bob"))
                together = sha256(b"what the client seeds were hashed to").hexdigest()
                made: dict[str, Any] = {
                    "server_seed": seed.hex(),
                    "commitment": sha256(seed).hexdigest(),
                    "client_seed": together,
                }
                room = Room(**usual, **made, seats=seats)
            else:
                made = issued(session_id, id, 0)
                seats = room_seats(made["commitment"], opened=2 if plays else status == "opening")
                voids = (void_start(77, id),) if status == "closed" else ()
                room = Room(**usual, **made, seats=seats, table_digest=TABLE_DIGEST, voids=voids)
            transaction.add_room(room)
            transaction.use_seed(f"mark of {id}")
            if plays:
                self._play(transaction, game, room, plays)

    def _play(self, transaction: Transaction, game: Any, room: Room, plays: int) -> None:
        match = start_of(room)
        before = match
        for version in range(1, plays + 1):
            if version == 3:  # the second action is taken back
                match, event = before, StoredEvent(room.id, version, "undo", version, {}, state_digest(before))
            else:
                before = match
                answer = apply_action(game, match, legal_actions(game, match)[0], now=version)
                assert answer.ok
                match = answer.state
                entry = LogEntry(answer.action, match.version, version, answer.drew)
                body = msgspec.to_builtins(entry)
                event = StoredEvent(room.id, version, "action", version, body, state_digest(match))
            transaction.append(room.id, [event])
            if version == 4:
                transaction.put_snapshot(room.id, version, serialize_match(match).encode())
        status = "finished" if match.status == "finished" else "active"
        transaction.put_room(msgspec.structs.replace(room, version=plays, status=status))

    def _house(self, transaction: Transaction) -> None:
        for player, game_id, first in (("a_ann", "hi-lo", 100), ("a_bob", "blackjack", 200)):
            for one in evening(game_id, player, first_session=first):
                carry_out(transaction, *one)

    def _unused(self, transaction: Transaction) -> None:
        """Commitments to Bob that no session came of."""
        transaction.put_seed(seed_row(900, "a_bob", 5000, state="refused", reason="not_enough_chips", table_digest=""))
        transaction.put_seed(seed_row(901, "a_bob", 5000, state="expired", client_seed=None, table_digest=""))
        transaction.put_seed(seed_row(902, "a_bob", 5000, state="issued", client_seed=None, table_digest=""))


@pytest.fixture
def world(store: DatabaseStore) -> World:
    return World(store)
