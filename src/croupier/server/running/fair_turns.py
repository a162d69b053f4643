"""A fair queue for costly work: a few turns at a time, given out in rotation among accounts."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from croupier.server.problems import Problem


class FairTurns:
    """A few turns at a time, given out in rotation among accounts; one account has at most half of them, or one.

    An account that has `waiting_max` waiting is refused, unless that is 0.
    """

    def __init__(self, count: int, *, waiting_max: int = 0) -> None:
        self._free = count
        self._each = max(count // 2, 1)
        self._waiting_max = waiting_max
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._running: Counter[str] = Counter()

    @asynccontextmanager
    async def of(self, account: str) -> AsyncIterator[None]:
        """Wait for a turn of an account, and have it. Raises `Problem`."""
        if 0 < self._waiting_max <= len(self._waiting.get(account, ())):
            raise Problem("too_many_requests", "much that you asked for is still being worked out: wait for it")
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(account, deque()).append(mine)
        self._give()
        try:
            await mine
            yield
        finally:
            if mine.done() and not mine.cancelled():
                self._free += 1
                self._running[account] -= 1
            self._give()

    def _give(self) -> None:
        for account in tuple(self._waiting):
            line = self._waiting[account]
            while line and line[0].done():  # nobody waits for it any more
                line.popleft()
            if self._free and line and self._running[account] < self._each:
                line.popleft().set_result(None)
                self._free -= 1
                self._running[account] += 1
                self._waiting.move_to_end(account)
            if not line:
                del self._waiting[account]
                self._running += Counter()  # forget accounts without a turn
