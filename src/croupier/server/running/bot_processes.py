"""Processes that think: bots must not keep the server waiting, nor anybody's match.

What is sent to them is a match and a name, what comes back is an action. A bot that breaks, or takes longer than any
bot should, costs its seat nothing but the choice: the first legal action is taken in its place. Accounts take turns:
whoever has twenty rooms with slow bots waits for themselves.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager, suppress
from multiprocessing import get_context
from typing import Any

import msgspec

from croupier.bots import find_bot, pick_bot_action
from croupier.engine import Action, deserialize_match, get_game, legal_actions, serialize_match
from croupier.server.operations.rooms import BotTurn

__all__ = ["BotProcesses", "FairTurns", "think"]

log = logging.getLogger("croupier.bots")

THINK_SECONDS = 30.0


def think(game_id: str, match: str, bot: str, player_id: str, seed: bytes) -> bytes:
    """Return what a bot does, as JSON. Runs in a process of its own."""
    game = get_game(game_id)
    action = pick_bot_action(game, deserialize_match(match, game), find_bot(game, bot), player_id, seed)
    return msgspec.json.encode(action)


class FairTurns:
    """A few turns at a time, given out in rotation among accounts; one account has at most half of them, or one."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._each = max(count // 2, 1)
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._running: Counter[str] = Counter()

    @asynccontextmanager
    async def of(self, account: str) -> AsyncIterator[None]:
        """Wait for a turn of an account, and have it."""
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


class BotProcesses:
    """A few processes, started when the first bot has to think."""

    def __init__(self, processes: int, *, seconds: float = THINK_SECONDS) -> None:
        self._processes = processes
        self._seconds = seconds
        self._pool: ProcessPoolExecutor | None = None
        self._turns = FairTurns(2 * processes)

    async def choose(self, turn: BotTurn) -> Action | None:
        """Return what a bot does; None if there is nothing to do."""
        async with self._turns.of(turn.host):  # who waits here is not on the clock of `seconds` yet
            try:
                job = (turn.game_id, serialize_match(turn.match), turn.bot, turn.player_id, turn.seed)
                found: bytes = await self._run(think, *job)
                return msgspec.json.decode(found, type=Action | None)
            except Exception as error:
                log.error("bot %s of %s broke: %r", turn.bot, turn.game_id, error)
                self._start_again()
        return next(iter(legal_actions(get_game(turn.game_id), turn.match, turn.player_id)), None)

    async def _run(self, function: Any, *args: Any) -> Any:
        if self._pool is None:
            # Not forked: a copy of a process with threads may hang in the middle of anything.
            self._pool = ProcessPoolExecutor(self._processes, mp_context=get_context("spawn"))
        future = asyncio.get_running_loop().run_in_executor(self._pool, function, *args)
        return await asyncio.wait_for(future, self._seconds)

    def _start_again(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            _end(pool)

    def close(self) -> None:
        """End the processes, whatever they are at."""
        self._start_again()


def _end(pool: ProcessPoolExecutor) -> None:
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        with suppress(Exception):
            process.terminate()
