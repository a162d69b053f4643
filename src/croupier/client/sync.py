"""A synchronous client for scripts, notebooks and tests: `Client` without `await`, its loop in a background thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from croupier.client.http import Client
from croupier.client.live import Live, Update
from croupier.client.notes import Notes

P = ParamSpec("P")
T = TypeVar("T")


def _waiting(
    method: Callable[Concatenate[Client, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[SyncClient, P], T]:
    """Return a method of the client as one that waits for what it returns."""

    @wraps(method)
    def wait(self: SyncClient, /, *args: P.args, **more: P.kwargs) -> T:
        return self._do(method(self.client, *args, **more))

    return wait


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

    get = _waiting(Client.get)
    post = _waiting(Client.post)
    register = _waiting(Client.register)
    recover = _waiting(Client.recover)
    me = _waiting(Client.me)
    games = _waiting(Client.games)
    tables = _waiting(Client.tables)
    create_room = _waiting(Client.create_room)
    rooms = _waiting(Client.rooms)
    room = _waiting(Client.room)
    join = _waiting(Client.join)
    leave = _waiting(Client.leave)
    ready = _waiting(Client.ready)
    act = _waiting(Client.act)
    record = _waiting(Client.record)
    check_record = _waiting(Client.check_record)
    start_session = _waiting(Client.start_session)
    session = _waiting(Client.session)
    move = _waiting(Client.move)
    close_session = _waiting(Client.close_session)
    check_session = _waiting(Client.check_session)
    check_commitments = _waiting(Client.check_commitments)
    coach = _waiting(Client.coach)
    play = _waiting(Client.play)


async def _made(url: str, token: str, more: dict[str, Any]) -> Client:
    return Client(url, token, **more)  # in the loop it will work in


async def _next(updates: AsyncIterator[Update]) -> Update | None:
    return await anext(updates, None)
