"""Operations over a database in memory, with a clock that stands still and entropy from a seed."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, ExitStack, asynccontextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from croupier.engine import Action, get_game, legal_actions
from croupier.server.operations import accounts, actions, commitments, operators, room_bots, room_views, sessions
from croupier.server.operations.context import Caller, Context, MatchCache
from croupier.server.problems import KeptRefusal, Problem
from croupier.server.process.serve import Addresses, serve
from croupier.server.running.service import Service
from croupier.server.settings import Settings
from croupier.server.transport.hub import Hub
from croupier.store.database import open_store
from croupier.store.model import Account
from tests.unit.server.starting import begin_over_http, create

NOBODY = Caller()
NOW = 1_800_000_000_000
ROULETTE = 6
CLIENT_SEED = "c0ffee00" * 8


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine function, inside of its arguments that are asynchronous context managers."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}

    async def run() -> None:
        async with AsyncExitStack() as stack:
            for name, value in given.items():
                if isinstance(value, AbstractAsyncContextManager):
                    given[name] = await stack.enter_async_context(value)
            await pyfuncitem.obj(**given)

    asyncio.run(run())
    return True


class Office:
    """A server without a network: operations one at a time, each in a transaction of its own."""

    def __init__(self, url: str = "sqlite://", settings: Settings | None = None) -> None:
        self.store = open_store(url)
        self.now = NOW
        self.numbers = count()
        self.cache = MatchCache(settings or Settings(), self.entropy)
        self.notices: dict[str, int] = {}

    def entropy(self, size: int) -> bytes:
        blocks = b"".join(sha256(f"{next(self.numbers)}".encode()).digest() for _ in range(size // 32 + 1))
        return blocks[:size]

    def do(self, operation: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Return what an operation returns, committed; raise what it raises."""
        calls: list[Context] = []

        def job(tx: Any) -> Any:
            calls[:] = [Context(self.cache, tx, self.now)]
            return operation(calls[0], *arguments, **named)

        (answer,) = self.store.run([job])
        if isinstance(answer, Exception):
            raise answer
        self.cache.remember(calls[0].fresh)
        self.notices = calls[0].notices
        if isinstance(answer, KeptRefusal):
            raise answer.problem
        return answer

    def refused(self, operation: Callable[..., Any], *arguments: Any, **named: Any) -> tuple[int, str]:
        """Return the status and the reason with which an operation is refused."""
        with pytest.raises(Problem) as caught:
            self.do(operation, *arguments, **named)
        assert "$" not in caught.value.detail  # no path such as $.stake: people read it
        return caught.value.status, caught.value.reason

    def refusal(self, operation: Callable[..., Any], *arguments: Any, **named: Any) -> str:
        """Return the reason with which an operation is refused."""
        return self.refused(operation, *arguments, **named)[1]

    def person(self, name: str, **details: Any) -> Caller:
        account = Account(f"p_{name}", name, self.now, **details)
        self.store.run([lambda tx: tx.put_account(account)])
        return Caller(account)

    def guest(self, name: str = "Ann") -> Caller:
        """Return somebody who came in by the door, with the chips of a guest."""
        caller: Caller = self.do(accounts.authenticate, self.do(accounts.register, name).token)
        return caller

    def begin(self, who: Caller, body: Any, *others: Caller) -> Any:
        """Make a room, have others sit down, and begin its match."""
        return create(self.do, who, body, *others)

    def start(self, who: Caller, table: int = ROULETTE, stake: int = 0, seed: str = CLIENT_SEED, **more: Any) -> Any:
        """Start a session with a new commitment."""
        return self.do(sessions.start, who, self.do(commitments.commit, who).session_id, table, stake, seed, **more)

    def move(self, who: Caller, session: Any, *moves: Action) -> Any:
        """Take actions in a session, one after the other, and return it."""
        for action in moves:
            session = self.do(sessions.move, who, session.session_id, session.version, action, None)
        return session

    def caller(self, account_id: str) -> Caller:
        """Return somebody as they are now."""
        return Caller(self.store.read(lambda tx: tx.get_account(account_id)))

    def play_on(self, room_id: str, moves: int = 10_000, viewer: Caller = NOBODY) -> Any:
        """Let everybody take the first legal action until the match is over, or so many moves are made."""
        for _ in range(moves):
            room = self.do(room_views.find_room, viewer, room_id)
            if room.status != "active":
                break
            caller = self.caller(room.view.turn.current)
            seen = self.do(room_views.find_room, caller, room_id, legal=True)
            room = self.do(actions.act, caller, room_id, seen.version, seen.legal[0])
        return room

    def bot_moves(self, room_id: str) -> Action | None:
        """Let the bot whose turn it is take its first legal action, and return that."""
        turn = self.do(room_bots.bot_turn, room_id)
        if turn is None:
            return None
        action = next(iter(legal_actions(get_game(turn.game_id), turn.match, turn.player_id)))
        self.do(room_bots.bot_acts, room_id, turn.version, action)
        return action

    def restart(self) -> None:
        """Forget everything that is only in memory."""
        self.cache = MatchCache(self.cache.settings, self.entropy)


@pytest.fixture
def make_office() -> Iterator[Callable[..., Office]]:
    """Make offices with a database or settings of their own."""
    with ExitStack() as stack:

        def make(url: str = "sqlite://", settings: Settings | None = None) -> Office:
            made = Office(url, settings)
            stack.callback(made.store.close)
            return made

        yield make


@pytest.fixture
def office(make_office: Callable[..., Office]) -> Office:
    return make_office()


@pytest.fixture
def ann(office: Office) -> Caller:
    return office.guest("Ann")


@pytest.fixture
def bob(office: Office) -> Caller:
    return office.guest("Bob")


@pytest.fixture
def olga(office: Office) -> Any:
    return office.do(accounts.authenticate, office.do(operators.make_operator, "Olga").token)


class Running:
    """A service with its hub, on the loop of a test; its clocks stand still."""

    def __init__(self, url: str = "sqlite://", **settings: Any) -> None:
        self.now = NOW
        self.service = Service(open_store(url), Settings(**settings), clock=lambda: self.now, monotonic=lambda: 0)
        self.hub = Hub(self.service.look, self.service.cache.look_up, self.service.cache.overhear)

    async def person(self, name: str) -> Caller:
        account = Account(f"p_{name}", name, self.now)
        await self.service.change(lambda call: call.tx.put_account(account))
        return Caller(account)

    async def close(self) -> None:
        await asyncio.to_thread(self.service.stop)
        self.service.store.close()


@asynccontextmanager
async def serving(folder: Path, **settings: Any) -> AsyncIterator[Addresses]:
    """Serve on this very loop, and yield the addresses; in the end the server is told to stop."""
    told_to_stop = asyncio.Event()
    found: asyncio.Future[Addresses] = asyncio.get_running_loop().create_future()
    made = Settings(port=0, metrics_port=0, database=f"sqlite:///{folder}/server.db", **settings)
    running = asyncio.create_task(serve(made, found.set_result, told_to_stop))
    try:
        yield await asyncio.wait_for(found, 120)
    finally:
        told_to_stop.set()
        await asyncio.wait_for(running, 120)


# Over HTTP.

API = "/api/v1"


class Person:
    """Somebody with a token, or nobody with none."""

    def __init__(self, site: Site, account_id: str = "", token: str = "", recovery_key: str = "") -> None:
        self.site, self.id, self.token, self.recovery_key = site, account_id, token, recovery_key

    def ask(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        """Return the response to a request."""
        headers = dict(options.pop("headers", {}))
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            options["json"] = body
        return self.site.client.request(method, API + path, headers=headers, **options)

    def get(self, path: str, **options: Any) -> Any:
        return self.good(self.ask("GET", path, **options))

    def post(self, path: str, body: Any = None, **options: Any) -> Any:
        return self.good(self.ask("POST", path, body, **options))

    def refused(self, method: str, path: str, body: Any = None, **options: Any) -> tuple[int, str]:
        """Return the status and the code of a request that is refused."""
        response = self.ask(method, path, body, **options)
        assert response.headers["content-type"] == "application/problem+json", response.text
        problem = response.json()
        assert problem["status"] == response.status_code
        return response.status_code, problem["code"]

    @staticmethod
    def good(response: Any) -> Any:
        assert response.status_code in (200, 201), response.text
        assert response.headers["content-type"] == "application/json"
        return response.json()


class Site:
    """A whole server in memory, but for its sockets: a clock that stands still, entropy from a seed."""

    def __init__(self, url: str = "sqlite://", **settings: Any) -> None:
        from litestar.testing import TestClient

        from croupier.server.transport.app import create_app

        self.now, self.ticks, self.numbers = NOW, 0, count()
        self.store = open_store(url)
        usual = {"requests_burst": 100_000, "registrations_burst": 100_000, "requests_refill_ms": 1}
        self.service = Service(
            self.store,
            Settings(**{**usual, **settings}),
            clock=lambda: self.now,
            monotonic=lambda: self.ticks,
            entropy=self.entropy,
        )
        self.app = create_app(self.service)
        self.client = TestClient(self.app)
        self.nobody = Person(self)

    def entropy(self, size: int) -> bytes:
        blocks = b"".join(sha256(f"site {next(self.numbers)}".encode()).digest() for _ in range(size // 32 + 1))
        return blocks[:size]

    def person(self, name: str = "Ann") -> Person:
        made = self.nobody.post("/accounts", {"name": name})
        return Person(self, made["account"]["id"], made["token"], made["recovery_key"])

    def operator(self) -> Person:
        made = self.service.change_now(operators.make_operator, "Olga")
        return Person(self, made.account.id, made.token)

    def begin(self, who: Person, body: dict[str, Any], *others: Person) -> Any:
        """Make a room, have others sit down, and begin its match; each step is a request."""
        room = who.post("/rooms", body)
        for other in others:
            room = other.post(f"/rooms/{room['id']}/join")
        return begin_over_http(room, who, *others)

    def session(self, person: Person, table: int, stake: int = 0, client_seed: str = CLIENT_SEED) -> Any:
        committed = person.post("/commitments")
        body = {"session_id": committed["session_id"], "table": table, "stake": stake, "client_seed": client_seed}
        return person.post("/sessions", body)

    def move(self, person: Person, session: Any, action: Any) -> Any:
        number, version = session["session_id"], session["version"]
        body = {"id": f"{number}.{version}", "expected_version": version, "action": action}
        return person.post(f"/sessions/{number}/moves", body)

    def close(self) -> None:
        self.service.stop()
        self.store.close()


@pytest.fixture(scope="module")
def make_town() -> Iterator[Callable[..., Site]]:
    """Make servers that a whole module shares."""
    yield from _sites()


@pytest.fixture
def make_site() -> Iterator[Callable[..., Site]]:
    """Make servers with settings of their own."""
    yield from _sites()


@pytest.fixture
def site(make_site: Callable[..., Site]) -> Site:
    return make_site()


def _sites() -> Iterator[Callable[..., Site]]:
    with ExitStack() as stack:

        def make(url: str = "sqlite://", **settings: Any) -> Site:
            made = Site(url, **settings)
            stack.callback(made.close)
            stack.enter_context(made.client)
            return made

        yield make
