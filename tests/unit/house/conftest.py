"""The probes as fixtures, a casino to play them in, and an oracle.

The dice of the oracle come from SHA-256 directly, not from `GameRng`.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import pytest

from croupier.engine import act, register_game
from croupier.engine.registry import unregister_game
from croupier.house import (
    CasinoError,
    CloseSession,
    GameMove,
    HouseGame,
    Instruction,
    Ledger,
    MemoryState,
    Player,
    PlayerAction,
    Register,
    Session,
    StartGame,
    Table,
    check_ledger,
    encode_payload,
    execute,
    make_table,
)
from croupier.house.session import game_of
from tests.games.second_stream import below, stream
from tests.unit.house.probes import PROBES


@pytest.fixture(scope="module")
def probes() -> Iterator[SimpleNamespace]:
    """Return the games by short name (`coin`, `wheel`, `card`, `war`, `ladder` ...), registered while a module runs."""
    games = [probe() for probe in PROBES]
    for game in games:
        register_game(game)
    yield SimpleNamespace(**{game.id.removeprefix("probe-"): game for game in games})
    for game in games:
        unregister_game(game.id)


@pytest.fixture
def registered() -> Iterator[Callable[[HouseGame[Any]], HouseGame[Any]]]:
    """Return a function that registers a game until the test is over."""
    added: list[str] = []

    def add(game: HouseGame[Any]) -> HouseGame[Any]:
        register_game(game)
        added.append(game.id)
        return game

    yield add
    for game_id in added:
        unregister_game(game_id)


class Casino:
    """A casino in memory. Every instruction gets a seed of its own; the ledger is checked after each."""

    COIN, WHEEL, CARD, WAR, LADDER, FORMS, ROGUE, ENDLESS, ENCORE, SURETY = range(10)

    def __init__(self, tables: dict[int, Table]) -> None:
        self.tables = tables
        self.state = MemoryState()
        self.time = 1_700_000_000_000
        self.count = 0

    def do(self, player: str, body: Any, *, seed: bytes | None = None) -> tuple[Any, ...]:
        """Carry out an instruction and return the events."""
        self.count += 1
        if seed is None:
            seed = sha256(b"casino %d" % self.count).digest()
        events = execute(self.state, Instruction(player, body), seed, self.time, tables=self.tables)
        check_ledger(self.state, thorough=True)
        return events

    def ok(self, player: str, body: Any, *, seed: bytes | None = None) -> tuple[Any, ...]:
        """Carry out an instruction that must not be refused."""
        events = self.do(player, body, seed=seed)
        assert not isinstance(events[0], CasinoError), events[0]
        return events

    def error(self, player: str, body: Any) -> CasinoError:
        """Carry out an instruction that must be refused and change nothing; return the error."""
        before = dict(self.state.values)
        events = self.do(player, body)
        assert len(events) == 1, events
        assert isinstance(events[0], CasinoError), events
        assert self.state.values == before
        assert events[0].session_id == getattr(body, "session_id", None)
        return events[0]

    def refused(self, player: str, body: Any) -> tuple[int, str]:
        """Return event code and reason of an instruction that must be refused and change nothing."""
        error = self.error(player, body)
        return error.error_code, error.reason

    def register(self, *players: str) -> None:
        for player in players:
            self.ok(player, Register(player.title()))

    def arm(self, player: str, *modifiers: Any) -> None:
        for modifier in modifiers:
            self.ok(player, PlayerAction(modifier))

    def start(
        self, player: str, session_id: int, table: int, stake: int = 0, *, seed: bytes | None = None
    ) -> tuple[Any, ...]:
        return self.ok(player, StartGame(table, stake, session_id), seed=seed)

    def payload(self, session_id: int, type: str, /, **payload: Any) -> bytes:
        return encode_payload(game_of(self.session(session_id)), act(type, **payload))

    def move(
        self, player: str, session_id: int, type: str, /, *, seed: bytes | None = None, **payload: Any
    ) -> tuple[Any, ...]:
        return self.ok(player, GameMove(session_id, self.payload(session_id, type, **payload)), seed=seed)

    def heads(self, player: str = "ann", session_id: int = 1, stake: int = 100) -> None:
        """Sit down at the coin and bet on heads."""
        self.start(player, session_id, self.COIN)
        self.move(player, session_id, "place", bet="heads", stake=stake)

    def close(self, player: str, session_id: int, *, seed: bytes | None = None) -> tuple[Any, ...]:
        return self.ok(player, CloseSession(session_id), seed=seed)

    def chips(self, player: str) -> int:
        return self.balance(f"player/{player}")

    def balance(self, account: str) -> int:
        return Ledger(self.state).balance(account)

    def player(self, player: str) -> Player:
        found = self.state.get(f"player/{player}")
        assert isinstance(found, Player)
        return found

    def session(self, session_id: int) -> Session:
        found = self.state.get(f"session/{session_id}")
        assert isinstance(found, Session)
        return found

    def give(self, player: str, chips: int) -> None:
        """Hand out chips as the welcome gift does, so that the books stay in order."""
        Ledger(self.state).move("deposits", f"player/{player}", chips, "gift")


class Oracle:
    """Finds seeds under which a move draws what a test wants, and says what a move draws."""

    @staticmethod
    def draws(seed: bytes, session_id: int, move_number: int, *bounds: int) -> tuple[int, ...]:
        source = stream(seed.hex(), str(session_id), move_number)
        return tuple(below(source, bound) for bound in bounds)

    @classmethod
    def seed(cls, wanted: Callable[..., bool], session_id: int, move_number: int, *bounds: int) -> bytes:
        for number in range(10_000):
            seed = sha256(b"seed %d" % number).digest()
            if wanted(*cls.draws(seed, session_id, move_number, *bounds)):
                return seed
        raise AssertionError("no seed gives that")

    @classmethod
    def drawing(cls, value: int, session_id: int, move_number: int, bound: int) -> bytes:
        """Return a seed under which the first draw of a move is this value."""
        return cls.seed(lambda drawn: drawn == value, session_id, move_number, bound)

    @classmethod
    def heads(cls, session_id: int, move_number: int) -> bytes:
        return cls.drawing(0, session_id, move_number, 2)

    @classmethod
    def tails(cls, session_id: int, move_number: int) -> bytes:
        return cls.drawing(1, session_id, move_number, 2)


@pytest.fixture(scope="session")
def oracle() -> type[Oracle]:
    return Oracle


@pytest.fixture(scope="module")
def tables(probes: SimpleNamespace) -> dict[int, Table]:
    """Return one table a probe, its number as in `Casino.COIN`, `Casino.WHEEL` and so on."""
    return {number: make_table(number, game) for number, game in enumerate(vars(probes).values())}


@pytest.fixture
def empty_casino(tables: dict[int, Table]) -> Casino:
    """Return an empty casino with a table for every probe."""
    return Casino(tables)


@pytest.fixture
def casino(empty_casino: Casino) -> Casino:
    """Return a casino with a table for every probe, where Ann and Bob are registered."""
    empty_casino.register("ann", "bob")
    return empty_casino


@pytest.fixture(scope="module")
def open_casino(tables: dict[int, Table]) -> Callable[[], Casino]:
    """Return a function that opens a casino, for tests that need many."""
    return lambda: Casino(tables)
