"""A synchronous client for scripts, notebooks and tests: `Client` without `await`, its loop in a background thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from typing import Any, TypeVar, overload

from croupier.client.http import Client
from croupier.client.live import Live, Update
from croupier.client.model import Account, Room, Session
from croupier.client.notes import Notes
from croupier.engine import Action, Bot, Verification
from croupier.fairness.seeds import Check
from croupier.wire.games import AdviceView

T = TypeVar("T")


class SyncClient:
    """The client of one account. Use it with `with`, or call `close`. See `Client` for what each call does."""

    def __init__(self, url: str, token: str = "", **more: Any) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="croupier-client", daemon=True)
        self._thread.start()
        self._follows: list[Live] = []
        self.client = self._do(_made(url, token, more))

    def __enter__(self) -> SyncClient:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections and end the thread."""
        if self._loop.is_running():
            for live in self._follows:
                self._do(live.__aexit__())
            self._do(self.client.close())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    @property
    def account_id(self) -> str:
        """The id of the account that the client plays for."""
        return self.client.account_id

    @property
    def notes(self) -> Notes:
        """Receipts and parts of seeds, which records are compared with."""
        return self.client.notes

    def get(self, path: str, kind: Any = Any, **query: Any) -> Any:
        """Ask for something."""
        return self._do(self.client.get(path, kind, **query))

    def post(self, path: str, body: Any = None, kind: Any = Any) -> Any:
        """Change something."""
        return self._do(self.client.post(path, body, kind))

    def register(self, name: str) -> Account:
        """Open an account and go on as it."""
        return self._do(self.client.register(name))

    def recover(self, recovery_key: str) -> Account:
        """Go on as an account whose token is lost."""
        return self._do(self.client.recover(recovery_key))

    def me(self) -> dict[str, Any]:
        """Return one's own account."""
        return self._do(self.client.me())

    def games(self) -> list[dict[str, Any]]:
        """Return the games there are."""
        return self._do(self.client.games())

    def tables(self) -> list[dict[str, Any]]:
        """Return the tables of the house."""
        return self._do(self.client.tables())

    def create_room(self, game: str, **more: Any) -> Room:
        """Open a room."""
        return self._do(self.client.create_room(game, **more))

    def rooms(self, game: str | None = None) -> list[Room]:
        """Return rooms that anyone may find."""
        return self._do(self.client.rooms(game))

    def room(self, room_id: str, *, legal: bool = False) -> Room:
        """Return a room."""
        return self._do(self.client.room(room_id, legal=legal))

    def join(self, room_id: str, **more: Any) -> Room:
        """Take a seat."""
        return self._do(self.client.join(room_id, **more))

    def leave(self, room_id: str) -> Room:
        """Give a seat up."""
        return self._do(self.client.leave(room_id))

    def ready(self, room_id: str, ready: bool = True) -> Room:
        """Say whether one is ready."""
        return self._do(self.client.ready(room_id, ready))

    def act(self, room: Room | str, action: Action) -> Room:
        """Take an action."""
        return self._do(self.client.act(room, action))

    def coach(self, where: Room | Session | str, objective: str = "") -> AdviceView:
        """Return what each of one's choices is worth, best first."""
        return self._do(self.client.coach(where, objective))

    @overload
    def play(self, where: Session, bot: Bot, *, seed: bytes | None = None) -> Session: ...
    @overload
    def play(self, where: Room | str, bot: Bot, *, seed: bytes | None = None) -> Room: ...
    def play(self, where: Room | Session | str, bot: Bot, *, seed: bytes | None = None) -> Room | Session:
        """Let a bot play one's seat, or a session against the house, to the end."""
        if isinstance(where, Session):
            return self._do(self.client.play(where, bot, seed=seed))
        return self._do(self.client.play(where, bot, seed=seed))

    def follow(self, room_id: str, *, version: int = 0, legal: bool = False) -> Iterator[Update]:
        """Yield the room now, and whenever it has changed, until it is over."""
        live = self.client.live()
        self._do(live.__aenter__())
        self._follows.append(live)
        updates = live.follow(room_id, version=version, legal=legal)
        try:
            while True:
                update = self._do(_next(updates))
                if update is None:
                    return
                yield update
                if update.room.is_over:
                    return
        finally:
            if self._loop.is_running():
                self._follows.remove(live)
                self._do(live.__aexit__())

    def record(self, room_id: str) -> bytes:
        """Return the record of a match, unchecked."""
        return self._do(self.client.record(room_id))

    def check_record(self, room_id: str) -> Verification:
        """Fetch the record of a match and re-execute it."""
        return self._do(self.client.check_record(room_id))

    def start_session(
        self, table: int, stake: int = 0, *, client_seed: str | None = None, action: Action | None = None
    ) -> Session:
        """Sit down at a table of the house, and make the first move in the same request if there is one."""
        return self._do(self.client.start_session(table, stake, client_seed=client_seed, action=action))

    def session(self, session_id: int, *, legal: bool = False) -> Session:
        """Return one of one's sessions."""
        return self._do(self.client.session(session_id, legal=legal))

    def move(self, session: Session, action: Action) -> Session:
        """Take an action in a session."""
        return self._do(self.client.move(session, action))

    def close_session(self, session: Session) -> Session:
        """Have a session played out at once."""
        return self._do(self.client.close_session(session))

    def check_commitments(self) -> list[Check]:
        """Check every commitment that the server lists for this account."""
        return self._do(self.client.check_commitments())

    def check_session(self, session: Session) -> Verification:
        """Fetch the record of a session and re-execute it."""
        return self._do(self.client.check_session(session))


async def _made(url: str, token: str, more: dict[str, Any]) -> Client:
    return Client(url, token, **more)  # in the loop it will work in


async def _next(updates: AsyncIterator[Update]) -> Update | None:
    return await anext(updates, None)
