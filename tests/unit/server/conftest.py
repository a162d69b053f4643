"""A desk over a database in memory, with a clock that stands still and entropy from a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import count
from typing import Any

import pytest

from croupier.server.desk import Call, Caller, Desk
from croupier.server.settings import Settings
from croupier.store.database import open_store
from croupier.store.model import Account

NOW = 1_800_000_000_000


class Office:
    """A server without a network: operations one at a time, each in a transaction of its own."""

    def __init__(self, url: str = "sqlite://", settings: Settings | None = None) -> None:
        self.store = open_store(url)
        self.now = NOW
        self.numbers = count()
        self.desk = Desk(settings or Settings(), self.entropy)
        self.notices: dict[str, int] = {}

    def entropy(self, size: int) -> bytes:
        blocks = b"".join(sha256(f"{next(self.numbers)}".encode()).digest() for _ in range(size // 32 + 1))
        return blocks[:size]

    def do(self, operation: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Return what an operation returns, committed; raise what it raises."""
        calls: list[Call] = []

        def job(tx: Any) -> Any:
            calls[:] = [Call(self.desk, tx, self.now)]
            return operation(calls[0], *arguments, **named)

        (answer,) = self.store.run([job])
        if isinstance(answer, Exception):
            raise answer
        self.desk.remember(calls[0].fresh)
        self.notices = calls[0].notices
        return answer

    def person(self, name: str, **details: Any) -> Caller:
        account = Account(f"p_{name}", name, self.now, **details)
        self.store.run([lambda tx: tx.put_account(account)])
        return Caller(account)

    def restart(self) -> None:
        """Forget everything that is only in memory."""
        self.desk = Desk(self.desk.settings, self.entropy)


@pytest.fixture
def office() -> Iterator[Office]:
    made = Office()
    yield made
    made.store.close()
